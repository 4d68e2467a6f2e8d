// Parses a pattern in the Rust dialect. Without look-around and back-references, everything runs in linear time.
import { codePointAt } from '../checked-reads.ts'
import { MAX_PATTERN_NESTING, readBracket, tooDeep } from './bracket.ts'
import { readEscape } from './escape.ts'
import { isPatternSpace, PatternReader } from './reader.ts'
import type { Ast, Flag, FlagChanges, PatternSpan } from './syntax.ts'

const FLAGS: ReadonlySet<string> = new Set<Flag>(['i', 'm', 's', 'U', 'u', 'R', 'x'])
const MAX_COUNT = 0xffffffff
const NO_CHANGES: FlagChanges = new Map()

const LOOK_AROUND = ['?=', '?!', '?<=', '?<!']

type GroupNames = Map<string, PatternSpan>

/** The tree of a pattern. @throws PatternFault for the first error. */
export function parsePattern(pattern: string): Ast {
  const reader = new PatternReader(pattern)
  const names: GroupNames = new Map()
  const ast = readAlternation(reader, names, 0)
  if (!reader.isAtEnd) throw reader.fault('unopened group', reader.at, reader.at + 1)
  if (nesting(ast) > MAX_PATTERN_NESTING) throw tooDeep(0, reader.characters.length)
  return ast
}

/** Parses up to a `)` or the end. */
function readAlternation(reader: PatternReader, names: GroupNames, depth: number): Ast {
  const branches: Ast[] = []
  let items: Ast[] = []
  for (;;) {
    reader.skipSpace()
    const c = reader.peek()
    if (c === '' || c === ')') break
    if (c === '|') {
      reader.step()
      branches.push(concat(items))
      items = []
    } else if (c === '(') items.push(readGroup(reader, names, depth + 1))
    else if (c === '[') items.push(readBracket(reader))
    else if (c === '*' || c === '+' || c === '?') readUncounted(reader, items)
    else if (c === '{') readCounted(reader, items)
    else items.push(readPrimitive(reader))
  }
  branches.push(concat(items))
  return branches.length === 1 ? (branches[0] ?? { kind: 'empty' }) : { kind: 'alternation', items: branches }
}

function concat(items: readonly Ast[]): Ast {
  const [only] = items
  if (only === undefined) return { kind: 'empty' }
  return items.length === 1 ? only : { kind: 'concat', items }
}

function readPrimitive(reader: PatternReader): Ast {
  const c = reader.peek()
  if (c === '\\') return readEscape(reader)
  const span = reader.here
  reader.step()
  if (c === '.') return { kind: 'dot' }
  if (c === '^') return { kind: 'assertion', assertion: 'start-line', span }
  if (c === '$') return { kind: 'assertion', assertion: 'end-line', span }
  return { kind: 'literal', point: codePointAt(c, 0), isByte: false, span }
}

function popRepeated(reader: PatternReader, items: Ast[]): Ast {
  const item = items.pop()
  if (item === undefined || item.kind === 'flags')
    throw reader.fault('repetition operator missing expression')
  return item
}

function readUncounted(reader: PatternReader, items: Ast[]): void {
  const item = popRepeated(reader, items)
  const op = reader.peek()
  reader.step()
  const greedy = !reader.take('?')
  const min = op === '+' ? 1 : 0
  const max = op === '?' ? 1 : Number.POSITIVE_INFINITY
  items.push(checkAst(reader, { kind: 'repeat', item, min, max, greedy }))
}

function readCounted(reader: PatternReader, items: Ast[]): void {
  const start = reader.at
  const item = popRepeated(reader, items)
  const unclosedFault = () => reader.fault('unclosed counted repetition', start, reader.at)
  if (!reader.stepOver()) throw unclosedFault()
  const min = readDecimal(reader)
  let max = min
  if (reader.isAtEnd) throw unclosedFault()
  if (reader.peek() === ',') {
    if (!reader.stepOver()) throw unclosedFault()
    max = reader.peek() === '}' ? Number.POSITIVE_INFINITY : readDecimal(reader)
  }
  if (reader.peek() !== '}') throw unclosedFault()
  const greedy = !(reader.stepOver() && reader.take('?'))
  if (min > max) {
    const reason = 'invalid repetition count range, the start must be <= the end'
    throw reader.fault(reason, start, reader.at)
  }
  items.push(checkAst(reader, { kind: 'repeat', item, min, max, greedy }))
}

/** Deeply nested repetitions are refused while they are built, so that no later walk overflows the stack. */
function checkAst(reader: PatternReader, ast: Ast): Ast {
  let depth = 0
  for (let at: Ast = ast; at.kind === 'repeat'; at = at.item) depth += 1
  if (depth > MAX_PATTERN_NESTING) throw tooDeep(0, reader.at)
  return ast
}

function readDecimal(reader: PatternReader): number {
  while (isPatternSpace(reader.peek())) reader.step()
  const start = reader.at
  let digits = ''
  while (reader.peek() >= '0' && reader.peek() <= '9') {
    digits += reader.peek()
    reader.stepOver()
  }
  const end = reader.at
  while (isPatternSpace(reader.peek())) reader.step()
  if (digits === '') throw reader.fault('repetition quantifier expects a valid decimal', start, end)
  const value = Number(digits)
  if (value > MAX_COUNT) throw reader.fault('decimal literal invalid', start, end)
  return value
}

function readGroup(reader: PatternReader, names: GroupNames, depth: number): Ast {
  const open = reader.here
  if (depth > MAX_PATTERN_NESTING) throw tooDeep(open.start, open.end)
  reader.step()
  reader.skipSpace()
  if (LOOK_AROUND.some((token) => reader.take(token))) {
    const reason = 'look-around, including look-ahead and look-behind, is not supported'
    throw reader.fault(reason, open.start, reader.at)
  }
  const inner = reader.at
  if (reader.take('?P<') || reader.take('?<')) {
    readName(reader, names)
    return readBody(reader, names, depth, open, true, NO_CHANGES)
  }
  if (!reader.take('?')) return readBody(reader, names, depth, open, true, NO_CHANGES)
  if (reader.isAtEnd) throw reader.fault('unclosed group', open.start, open.end)
  const changes = readFlags(reader)
  const isSetting = reader.peek() === ')'
  reader.step()
  if (!isSetting) return readBody(reader, names, depth, open, false, changes)
  if (changes.size === 0) throw reader.fault('repetition operator missing expression', inner, inner)
  reader.ignoresSpace = changes.get('x') ?? reader.ignoresSpace
  return { kind: 'flags', changes }
}

function readBody(
  reader: PatternReader,
  names: GroupNames,
  depth: number,
  open: PatternSpan,
  captures: boolean,
  changes: FlagChanges,
): Ast {
  const outer = reader.ignoresSpace
  reader.ignoresSpace = changes.get('x') ?? outer
  const item = readAlternation(reader, names, depth)
  if (reader.isAtEnd) throw reader.fault('unclosed group', open.start, open.end)
  reader.step()
  reader.ignoresSpace = outer
  return { kind: 'group', item, captures, changes }
}

function readFlags(reader: PatternReader): FlagChanges {
  const changes = new Map<Flag, boolean>()
  const places = new Map<string, PatternSpan>()
  let negation: PatternSpan | undefined
  let isDangling = false
  while (reader.peek() !== ':' && reader.peek() !== ')') {
    const c = reader.peek()
    const here = reader.here
    if (c === '-') {
      if (negation !== undefined)
        throw reader.fault('flag negation operator repeated', here.start, here.end, negation)
      negation = here
      isDangling = true
    } else {
      if (!isFlag(c)) throw reader.fault('unrecognized flag', here.start, here.end)
      const earlier = places.get(c)
      if (earlier !== undefined) throw reader.fault('duplicate flag', here.start, here.end, earlier)
      places.set(c, here)
      changes.set(c, negation === undefined)
      isDangling = false
    }
    if (!reader.step()) throw reader.fault('expected flag but got end of regex')
  }
  if (isDangling && negation !== undefined) {
    throw reader.fault('dangling flag negation operator', negation.start, negation.end)
  }
  return changes
}

const isFlag = (c: string): c is Flag => FLAGS.has(c)

function readName(reader: PatternReader, names: GroupNames): void {
  const start = reader.at
  while (!reader.isAtEnd && reader.peek() !== '>') {
    if (!isNameCharacter(reader.peek(), reader.at === start)) {
      throw reader.fault('invalid capture group character', reader.at, reader.at + 1)
    }
    reader.step()
  }
  if (reader.isAtEnd) throw reader.fault('unclosed capture group name')
  const span = { start, end: reader.at }
  const name = reader.characters.slice(start, reader.at).join('')
  reader.step()
  if (name === '') throw reader.fault('empty capture group name', start, start)
  const earlier = names.get(name)
  if (earlier !== undefined) throw reader.fault('duplicate capture group name', span.start, span.end, earlier)
  names.set(name, span)
}

/** A letter of any script has two cases or is beyond Latin-1; digits cannot come first. */
function isNameCharacter(c: string, isFirst: boolean): boolean {
  const isLetter = c.toLowerCase() !== c.toUpperCase() || (c >= '\u0100' && !isPatternSpace(c))
  if (c === '_' || isLetter) return true
  return !isFirst && (c === '.' || c === '[' || c === ']' || (c >= '0' && c <= '9'))
}

/** Nesting depth of repetitions, groups, brackets, sequences and choices. */
function nesting(ast: Ast): number {
  switch (ast.kind) {
    case 'repeat':
    case 'group':
      return 1 + nesting(ast.item)
    case 'concat':
    case 'alternation':
      return 1 + Math.max(...ast.items.map(nesting))
    case 'bracket':
      return 1
    default:
      return 0
  }
}
