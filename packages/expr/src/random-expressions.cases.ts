// Random well-typed expressions and random requests for them.
import * as fc from 'fast-check'
import type {
  ArgumentNode,
  FieldNode,
  Index,
  IntRange,
  Literal,
  LogicalNode,
  Test,
  ValueNode,
} from './ast.ts'
import { fromOctets, utf8 } from './bytes.ts'
import { contextOf, type EvaluationContext } from './context.ts'
import { FUNCTIONS } from './functions/registry.ts'
import { MAX_INT, MIN_INT, toInt } from './int.ts'
import { compareIp, type Ip, ipv4, ipv6, lastAddress, networkAddress } from './ip.ts'
import { createScheme, type Scheme } from './scheme.ts'
import { arrayOf, BOOL, BYTES, elementType, INT, IP, mapOf, type Type } from './types.ts'
import { mapValue, sameValue, type Value } from './values.ts'

const SPAN = { start: 0, end: 0 }

const FIELD_TYPES: Readonly<Record<string, Type>> = {
  flag: BOOL,
  'flag.missing': BOOL,
  host: BYTES,
  'host.missing': BYTES,
  num: INT,
  'num.missing': INT,
  ip: IP,
  'ip.missing': IP,
  a: BYTES,
  flags: arrayOf(BOOL),
  'flags.missing': arrayOf(BOOL),
  texts: arrayOf(BYTES),
  'texts.missing': arrayOf(BYTES),
  ints: arrayOf(INT),
  ips: arrayOf(IP),
  headers: mapOf(arrayOf(BYTES)),
  counts: mapOf(INT),
  grid: arrayOf(arrayOf(BYTES)),
  nested: mapOf(mapOf(BYTES)),
}

export const RANDOM_SCHEMES: readonly Scheme[] = [false, true].map((nilNotEqual) =>
  createScheme({
    fields: Object.entries(FIELD_TYPES).map(([name, type]) => ({ name, type })),
    functions: FUNCTIONS,
    listTypes: [BYTES, INT, IP],
    nilNotEqual,
  }),
)

const KEYS = ['k', 'host', 'é', '']

const bytes = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'AB', 'www.example.com', '/a/b.php', 'é', '"', '\\', '*').map(utf8),
  fc.string({ unit: 'binary', maxLength: 6 }).map(utf8),
  fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 4 }).map(fromOctets),
)

const int = fc
  .oneof(
    fc.integer({ min: -3, max: 50 }).map(BigInt),
    fc.bigInt({ min: MIN_INT, max: MAX_INT }),
    fc.constantFrom(MIN_INT, MAX_INT, 2n ** 53n, -(2n ** 53n)),
  )
  .map((value) => toInt(value) ?? 0)

const word = fc.oneof(
  fc.constantFrom(0, 1, 0xffff, 0xc0000200, 0xffffffff),
  fc.integer({ min: 0, max: 0xffffffff }),
)
const ip: fc.Arbitrary<Ip> = fc.oneof(
  word.map(ipv4),
  fc.tuple(word, word, word, word).map(([a, b, c, d]) => ipv6(a, b, c, d)),
)

const ipRange = fc
  .tuple(ip, ip, fc.integer({ min: 0, max: 128 }), fc.boolean())
  .map(([x, y, bits, isNetwork]) => {
    const prefix = Math.min(bits, x.family === 4 ? 32 : 128)
    if (isNetwork || x.family !== y.family)
      return { first: networkAddress(x, prefix), last: lastAddress(x, prefix) }
    return compareIp(x, y) <= 0 ? { first: x, last: y } : { first: y, last: x }
  })

const intRange = fc
  .tuple(int, int)
  .map(([x, y]): IntRange => (x <= y ? { first: x, last: y } : { first: y, last: x }))

const pattern = fc.constantFrom(
  '^a',
  'b$',
  '',
  '.',
  '[a-c]+"',
  '(?i)AB',
  '\\.php',
  'x|é',
  '["]\\d',
  'a{2,3}?',
  '\\bab\\b',
  '(?u)\\p{L}',
)

const wildcard = fc
  .array(fc.constantFrom('a', 'b', '/', 'A', '\\*', '\\\\', '.', 'é'), { maxLength: 4 })
  .chain((parts) => fc.tuple(fc.constant(parts), fc.boolean(), fc.boolean()))
  .map(([parts, hasHead, hasTail]) =>
    utf8(`${hasHead ? '*' : ''}${parts.join('')}${hasTail && parts.length > 0 ? '*' : ''}`),
  )

function literalOf(type: Type): fc.Arbitrary<Literal> {
  if (type.kind === 'int') return int.map((value) => ({ kind: 'int', value }))
  if (type.kind === 'ip') return ip.map((value) => ({ kind: 'ip', value }))
  return bytes.map((value) => ({ kind: 'bytes', value }))
}

function testOf(type: Type): fc.Arbitrary<Test> {
  const ordering = fc
    .tuple(fc.constantFrom('eq', 'ne', 'ge', 'le', 'gt', 'lt'), literalOf(type))
    .map(([op, rhs]): Test => ({ op, rhs }))
  const list = fc.constantFrom('some', 'none_at.all').map((name): Test => ({ op: 'in-list', list: name }))
  switch (type.kind) {
    case 'int':
      return fc.oneof(
        ordering,
        list,
        fc
          .array(intRange, { maxLength: 3 })
          .map((items): Test => ({ op: 'in', set: { kind: 'int', items } })),
        int.map((mask): Test => ({ op: 'bitwise-and', mask })),
      )
    case 'ip':
      return fc.oneof(
        ordering,
        list,
        fc.array(ipRange, { maxLength: 3 }).map((items): Test => ({ op: 'in', set: { kind: 'ip', items } })),
      )
    case 'bytes':
      return fc.oneof(
        ordering,
        list,
        fc.array(bytes, { maxLength: 3 }).map((items): Test => ({ op: 'in', set: { kind: 'bytes', items } })),
        bytes.map((part): Test => ({ op: 'contains', part })),
        pattern.map((text): Test => ({ op: 'matches', pattern: text })),
        fc
          .tuple(wildcard, fc.boolean())
          .map(([text, isStrict]): Test => ({ op: 'wildcard', pattern: text, isStrict })),
      )
    default:
      return fc.constant({ op: 'is-true' })
  }
}

/** All paths from a type to another, with or without `[*]`. */
function paths(from: Type, to: Type['kind'], isMapped: boolean): readonly (readonly Index[])[] {
  const inner = elementType(from)
  const here = from.kind === to && !isMapped ? [[]] : []
  if (inner === undefined) return here
  const steps: readonly Index[] =
    from.kind === 'array'
      ? [0, 1].map((position) => ({ kind: 'position', position }) as const)
      : KEYS.map((key) => ({ kind: 'key', key: utf8(key) }) as const)
  const plain = steps.flatMap((step) => paths(inner, to, isMapped).map((rest) => [step, ...rest]))
  const each = isMapped ? [...paths(inner, to, false), ...paths(inner, to, true)] : []
  return [...here, ...plain, ...each.map((rest): readonly Index[] => [{ kind: 'each' }, ...rest])]
}

const fieldNode = (name: string): FieldNode => ({
  kind: 'field',
  name,
  type: FIELD_TYPES[name] ?? BYTES,
  span: SPAN,
})

const PRIMITIVES: Readonly<Record<string, Type>> = { bytes: BYTES, int: INT, ip: IP, bool: BOOL }

/** A field with indexes that ends in the type. */
function fieldValue(kind: Type['kind'], isMapped: boolean): fc.Arbitrary<ValueNode> {
  const all = Object.entries(FIELD_TYPES).flatMap(([name, type]) =>
    paths(type, kind, isMapped).map((indexes) => ({ name, indexes })),
  )
  const type = PRIMITIVES[kind] ?? BYTES
  return fc
    .constantFrom(...all)
    .map(({ name, indexes }) => ({ kind: 'value', base: fieldNode(name), indexes, type, span: SPAN }))
}

function callValue(name: string, args: readonly ArgumentNode[], returns: Type, isMapped: boolean): ValueNode {
  const base = { kind: 'call', name, args, returns, span: SPAN } as const
  return { kind: 'value', base, indexes: isMapped ? [{ kind: 'each' }] : [], type: returns, span: SPAN }
}

/** A field, or a call with fields, that returns Bytes or Int. */
function computedValue(kind: 'bytes' | 'int', isMapped: boolean): fc.Arbitrary<ValueNode> {
  const inner = fieldValue('bytes', isMapped)
  if (kind === 'int')
    return fc.oneof(
      fieldValue('int', isMapped),
      inner.map((arg) => callValue('len', [arg], INT, isMapped)),
    )
  return fc.oneof(
    { weight: 3, arbitrary: inner },
    { weight: 1, arbitrary: inner.map((arg) => callValue('lower', [arg], BYTES, isMapped)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(inner, bytes)
        .map(([arg, value]) =>
          callValue(
            'concat',
            [arg, { kind: 'literal', literal: { kind: 'bytes', value }, span: SPAN }],
            BYTES,
            isMapped,
          ),
        ),
    },
  )
}

const compared = (lhs: fc.Arbitrary<ValueNode>, type: Type): fc.Arbitrary<LogicalNode> =>
  fc
    .tuple(lhs, testOf(type))
    .map(([value, test]): LogicalNode => ({ kind: 'comparison', lhs: value, test, span: SPAN }))

/** A comparison of type Bool, or with `isMapped` one of type Array<Bool>. */
function comparison(isMapped: boolean): fc.Arbitrary<LogicalNode> {
  return fc.oneof(
    compared(computedValue('bytes', isMapped), BYTES),
    compared(computedValue('int', isMapped), INT),
    compared(fieldValue('ip', isMapped), IP),
    compared(fieldValue('bool', isMapped), BOOL),
  )
}

function logical(leaf: fc.Arbitrary<LogicalNode>): fc.Arbitrary<LogicalNode> {
  return fc.letrec<{ node: LogicalNode }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      tie('node').map((arg): LogicalNode => ({ kind: 'not', arg, span: SPAN })),
      fc
        .tuple(fc.constantFrom('and', 'or', 'xor'), fc.array(tie('node'), { minLength: 2, maxLength: 3 }))
        .map(([op, items]): LogicalNode => ({ kind: 'combine', op, items, span: SPAN })),
    ),
  })).node
}

const quantifier: fc.Arbitrary<LogicalNode> = fc
  .tuple(
    fc.constantFrom('any', 'all'),
    fc.oneof(
      logical(comparison(true)),
      fc.constantFrom('flags', 'flags.missing').map((name): ValueNode => ({
        kind: 'value',
        base: fieldNode(name),
        indexes: [],
        type: arrayOf(BOOL),
        span: SPAN,
      })),
    ),
  )
  .map(([op, arg]): LogicalNode => ({ kind: 'quantifier', op, arg, span: SPAN }))

/** Filters over the random schemes. */
export const randomFilter: fc.Arbitrary<LogicalNode> = logical(
  fc.oneof(
    { weight: 4, arbitrary: comparison(false) },
    { weight: 2, arbitrary: quantifier },
    {
      weight: 1,
      arbitrary: fc.boolean().map((value): LogicalNode => ({ kind: 'constant', value, span: SPAN })),
    },
  ),
)

function valueOf(type: Type): fc.Arbitrary<Value> {
  switch (type.kind) {
    case 'bytes':
      return bytes
    case 'int':
      return int
    case 'ip':
      return ip
    case 'bool':
      return fc.boolean()
    case 'array':
      return fc.array(valueOf(type.of), { maxLength: 3 })
    case 'map':
      return fc
        .array(fc.tuple(fc.constantFrom(...KEYS).map(utf8), valueOf(type.of)), { maxLength: 3 })
        .map((entries) => mapValue(entries))
  }
}

const LISTED: readonly Value[] = ['a', 1, 42, ipv4(0xc0000200)]

/** Values for every field except those named as missing, and one list. */
export const randomValues: fc.Arbitrary<Readonly<Record<string, Value>>> = fc.record(
  Object.fromEntries(
    Object.entries(FIELD_TYPES)
      .filter(([name]) => !name.endsWith('.missing'))
      .map(([name, type]) => [name, valueOf(type)]),
  ),
)

/** A context of those values. */
export const randomContext = (scheme: Scheme, values: Readonly<Record<string, Value>>): EvaluationContext =>
  contextOf(scheme, values, {
    lists: (_type, name, value) => name === 'some' && LISTED.some((listed) => sameValue(listed, value)),
  })

/** Fragments of the language; the spaces only separate them in this list. */
const SEGMENTS: readonly string[] = [
  ...'host num ip flag headers texts flags any( all( not ! ( ) [ ] * 0 "k" eq == in { } & ~ matches contains'.split(
    ' ',
  ),
  ...'wildcard and or xor && || ^^ r#" "# " \\ \\x é 1.2.3.4 ::1/64 .. - 0x $ lower( concat( len( true false'.split(
    ' ',
  ),
  'strict wildcard',
  ' ',
  '\n',
  '\t',
  'url_decode(',
  ',',
  '.',
  '\u{1f600}',
]

/** Text made of fragments of the language, in any order. */
export const randomSource: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...SEGMENTS), fc.string({ unit: 'binary', maxLength: 4 })), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''))

/** Fragments of the regular-expression dialect. */
const PATTERN_SEGMENTS: readonly string[] = [
  ...'a b . * + ? {2} {1,} {,3} ( ) (?: (?i) (?u) (?x) (?P<n> (?-u: [ ] [^ && -- ~~ [:alpha:] - | ^ $'.split(
    ' ',
  ),
  ...'\\ \\d \\b \\b{start} \\x41 \\u{e9} \\p{L} \\pN \\z \\A \\< é # (?= \\1 {1000} \\xff'.split(' '),
  ' ',
  '\n',
]

/** Patterns made of such fragments. */
export const randomPattern: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...PATTERN_SEGMENTS), fc.string({ unit: 'binary', maxLength: 3 })), {
    maxLength: 14,
  })
  .map((parts) => parts.join(''))
