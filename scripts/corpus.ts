// npm run corpus -- FILE: runs a file of recorded expression cases against packages/expr.
// Each case names a scheme and either the exact error or the results in one or more contexts.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  captureWildcard,
  compile,
  compileValueNode,
  contextOf,
  type EvaluationContext,
  ExprError,
  formatError,
  fromOctets,
  isArray,
  isMap,
  type ListLookup,
  locateError,
  mapValue,
  matchesWildcard,
  type Maybe,
  parseExpression,
  parseIp,
  parseValue,
  parseWildcard,
  sameType,
  sameValue,
  type Scheme,
  toInt,
  type Type,
  utf8,
  type Value,
} from '../packages/expr/src/index.ts'
import { corpusScheme, type CorpusSchemeJson, corpusType, type CorpusTypeJson } from './corpus-schemes.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

type CorpusError = {
  readonly class: string
  readonly line: number
  readonly col: number
  readonly carets: number
  readonly message: string
  readonly text: string
}

type CorpusCase = {
  readonly id: string
  readonly origin: string
  readonly scheme: string
  readonly mode: 'filter' | 'value'
  readonly expr: string
  readonly settings?: {
    readonly wildcard_star_limit?: number
    readonly max_nesting_depth?: number
    readonly regex_compiled_size_limit?: number
  }
  readonly error?: CorpusError
  readonly runs?: readonly { readonly ctx: string; readonly result: Json }[]
  readonly type?: CorpusTypeJson
}

type WildcardRow = { readonly pattern: string; readonly input: string; readonly 'case-insensitive'?: boolean }

type NamedLists = readonly {
  readonly type: CorpusTypeJson
  readonly data: Readonly<Record<string, readonly Json[]>>
}[]

export type Corpus = {
  readonly schemes: Readonly<Record<string, CorpusSchemeJson>>
  readonly contexts: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly cases: readonly CorpusCase[]
  readonly wildcard_match?: readonly (WildcardRow & { readonly matches: boolean })[]
  readonly wildcard_capture?: readonly (WildcardRow & { readonly captures: readonly string[] })[]
}

export type CorpusReport = {
  readonly passed: number
  /** One line per failure. */
  readonly failures: readonly string[]
  /** Wildcard rows with patterns that the language does not accept; they are not run. */
  readonly skipped: number
  /** Error messages of invalid regular expressions: `same` of `all` equal the recorded ones; they need not. */
  readonly regexStrings: { readonly same: number; readonly all: number }
}

/** Runs every case of a corpus. @throws Error if the file does not have the expected format */
export function runCorpus(corpus: Corpus): CorpusReport {
  const schemes = new Map(Object.entries(corpus.schemes).map(([name, json]) => [name, corpusScheme(json)]))
  const failures: string[] = []
  const regexStrings = { same: 0, all: 0 }
  let passed = 0
  const record = (id: string, problem: string | undefined): void => {
    if (problem === undefined) passed += 1
    else failures.push(`${id}  ${problem}`)
  }
  for (const item of corpus.cases) record(item.id, runCase(item, corpus, schemes, regexStrings))
  const matches = (corpus.wildcard_match ?? []).filter(isSayable)
  const captures = (corpus.wildcard_capture ?? []).filter(isSayable)
  for (const [i, row] of matches.entries()) record(`wildcard-match-${i}`, runMatch(row))
  for (const [i, row] of captures.entries()) record(`wildcard-capture-${i}`, runCapture(row))
  const rows = (corpus.wildcard_match ?? []).length + (corpus.wildcard_capture ?? []).length
  const skipped = rows - matches.length - captures.length
  return { passed, failures, skipped, regexStrings }
}

function runCase(
  item: CorpusCase,
  corpus: Corpus,
  schemes: ReadonlyMap<string, Scheme>,
  regexStrings: { same: number; all: number },
): string | undefined {
  const problem = runAs(item.mode, item, corpus, schemes, regexStrings)
  if (problem === undefined || item.error === undefined || !isUpstream(item)) return problem
  // The upstream suite asserts errors of both modes, filter and value; the recording labels all of them filter.
  return runAs('value', item, corpus, schemes, regexStrings) === undefined ? undefined : problem
}

const isUpstream = (item: CorpusCase): boolean => item.origin.startsWith('upstream:')

function runAs(
  mode: CorpusCase['mode'],
  item: CorpusCase,
  corpus: Corpus,
  schemes: ReadonlyMap<string, Scheme>,
  regexStrings: { same: number; all: number },
): string | undefined {
  const scheme = schemes.get(item.scheme)
  if (scheme === undefined) throw new Error(`no scheme ${item.scheme} in this corpus`)
  const expected = item.error
  try {
    const read = readCase(mode, item, scheme)
    if (expected !== undefined)
      return `${JSON.stringify(item.expr)} was accepted, expected ${expected.message}`
    return firstProblem(item, corpus, scheme, read)
  } catch (error) {
    if (!(error instanceof ExprError)) throw error
    if (expected === undefined) return `${JSON.stringify(item.expr)} was refused: ${formatError(error)}`
    return errorProblem(item, error, expected, regexStrings)
  }
}

/**
 * Parses the expression of a case. Upstream cases that return a value were recorded at an inner grammar production,
 * where a value may still be mapped.
 */
function readCase(
  mode: CorpusCase['mode'],
  item: CorpusCase,
  scheme: Scheme,
): (context: EvaluationContext) => Maybe {
  const {
    wildcard_star_limit: stars,
    max_nesting_depth: depth,
    regex_compiled_size_limit: regex,
  } = item.settings ?? {}
  const limits = {
    ...(stars !== undefined && { maxWildcardStars: stars }),
    ...(depth !== undefined && { maxNestingDepth: depth }),
    ...(regex !== undefined && { maxRegexBytes: regex }),
  }
  if (mode === 'filter') return compile(parseExpression(item.expr, scheme, { limits }), scheme)
  const allowMapped = isUpstream(item) && item.error === undefined
  return compileValueNode(parseValue(item.expr, scheme, { limits, allowMapped }), scheme)
}

function firstProblem(
  item: CorpusCase,
  corpus: Corpus,
  scheme: Scheme,
  read: (context: EvaluationContext) => Maybe,
): string | undefined {
  for (const { ctx, result } of item.runs ?? []) {
    const json = corpus.contexts[ctx]
    if (json === undefined) throw new Error(`no context ${ctx} in this corpus`)
    const actual = read(contextFrom(json, scheme, corpus.schemes[item.scheme]))
    if (!isResult(actual, result)) {
      return `${JSON.stringify(item.expr)} gives ${show(actual)} in ${ctx}, expected ${JSON.stringify(result)}`
    }
  }
  return undefined
}

function isResult(actual: Maybe, expected: Json): boolean {
  if (typeof expected === 'boolean') return actual === expected
  if (typeof expected !== 'object' || expected === null || isList(expected)) return false
  if ('nil' in expected) return actual === undefined
  return (
    expected['value'] !== undefined &&
    actual !== undefined &&
    sameValue(actual, valueLike(actual, expected['value']))
  )
}

const isList = (json: Json): json is readonly Json[] => Array.isArray(json)

/** Reads recorded JSON as a value of the same type as `model`. */
function valueLike(model: Value, json: Json): Maybe {
  if (isArray(model))
    return isList(json) ? json.map((item, i) => valueLike(model[i] ?? '', item) ?? '') : undefined
  if (isMap(model)) {
    if (typeof json !== 'object' || json === null || isList(json)) return undefined
    return mapValue(
      Object.entries(json).map(
        ([key, item]) => [utf8(key), valueLike(model.get(utf8(key)) ?? '', item) ?? ''] as const,
      ),
    )
  }
  return valueFrom(json, typeof model === 'string' ? 'bytes' : typeof model === 'object' ? 'ip' : 'other')
}

function valueFrom(json: Json, kind: 'bytes' | 'ip' | 'other'): Maybe {
  if (typeof json === 'string') return kind === 'ip' ? parseIp(json) : utf8(json)
  if (typeof json === 'boolean') return json
  if (typeof json === 'number') return toInt(json)
  if (json === null) return undefined
  if (isList(json)) return fromOctets(json.map(Number))
  const wide = json['$i64']
  return typeof wide === 'string' ? toInt(BigInt(wide)) : undefined
}

function typedValue(json: Json, type: Type): Value {
  if (type.kind === 'array' && isList(json)) return json.map((item) => typedValue(item, type.of))
  if (type.kind === 'map' && typeof json === 'object' && json !== null && !isList(json)) {
    return mapValue(
      Object.entries(json).map(([key, item]) => [utf8(key), typedValue(item, type.of)] as const),
    )
  }
  const value = valueFrom(json, type.kind === 'bytes' ? 'bytes' : type.kind === 'ip' ? 'ip' : 'other')
  if (value === undefined) throw new Error(`no value of type ${type.kind}: ${JSON.stringify(json)}`)
  return value
}

function contextFrom(
  json: Readonly<Record<string, Json>>,
  scheme: Scheme,
  schemeJson: CorpusSchemeJson | undefined,
): EvaluationContext {
  const values = Object.entries(json).flatMap(([name, item]) => {
    const field = scheme.fields.get(name)
    return field === undefined ? [] : [[name, typedValue(item, field.type)] as const]
  })
  return contextOf(scheme, Object.fromEntries(values), {
    lists: listsFrom(json['$lists'], matchesParity(schemeJson)),
  })
}

/** True for schemes whose lists are described in prose, "even" and "odd", instead of by their members. */
const matchesParity = (json: CorpusSchemeJson | undefined): boolean =>
  json?.lists.some(
    (list) => typeof list === 'object' && 'matcher' in list && list.matcher.startsWith('even/odd'),
  ) ?? false

function listsFrom(json: Json | undefined, isParity: boolean): ListLookup {
  if (isParity) return (_type, name, value) => isEvenOrOdd(name, value)
  // Lists in the corpus format have only this shape.
  const lists = (json ?? []) as unknown as NamedLists
  return (type, name, value) =>
    lists.some(
      (list) =>
        sameType(corpusType(list.type), type) &&
        (list.data[name] ?? []).some((item) => sameValue(typedValue(item, type), value)),
    )
}

function isEvenOrOdd(name: string, value: Value): boolean {
  if (typeof value !== 'number') return false
  return (name === 'even' && value % 2 === 0) || (name === 'odd' && value % 2 !== 0)
}

function errorProblem(
  item: CorpusCase,
  error: ExprError,
  expected: CorpusError,
  regexStrings: { same: number; all: number },
): string | undefined {
  const { line, column, carets } = locateError(error)
  const isRegex = expected.class === 'ParseRegex'
  if (isRegex) {
    regexStrings.all += 1
    if (error.message === expected.message) regexStrings.same += 1
  }
  const isSame =
    error.kind === kindOf(expected.class) &&
    line === expected.line &&
    column === expected.col &&
    carets === expected.carets &&
    (isRegex || formatError(error) === expected.text)
  if (isSame) return undefined
  return `${JSON.stringify(item.expr)}\n    expected ${expected.class} ${JSON.stringify(expected.text)}\n    got      ${error.kind} ${JSON.stringify(formatError(error))}`
}

/** Converts `UnknownIdentifier` to `unknown-identifier`; we have no separate name for end of input. */
function kindOf(errorClass: string): string {
  if (errorClass === 'EOF') return 'unrecognised-input'
  return errorClass.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase()
}

/** In this language `?` is a literal and two stars are an error; in other wildcard languages they are not. */
const isSayable = ({ pattern }: WildcardRow): boolean => !pattern.includes('?') && !pattern.includes('**')

function runMatch(row: WildcardRow & { readonly matches: boolean }): string | undefined {
  const wildcard = wildcardOf(row)
  const matches = typeof wildcard !== 'string' && matchesWildcard(wildcard, utf8(row.input))
  return matches === row.matches ? undefined : `${JSON.stringify(row)} gives ${matches}`
}

function runCapture(row: WildcardRow & { readonly captures: readonly string[] }): string | undefined {
  const wildcard = wildcardOf(row)
  const captures = typeof wildcard === 'string' ? undefined : captureWildcard(wildcard, utf8(row.input))
  return sameValue(captures, row.captures.map(utf8))
    ? undefined
    : `${JSON.stringify(row)} gives ${show(captures)}`
}

const wildcardOf = (row: WildcardRow) =>
  parseWildcard(utf8(row.pattern), row['case-insensitive'] !== true, Number.MAX_SAFE_INTEGER)

const show = (value: Maybe): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item)) ?? 'nil'

/** Runs a corpus file and prints the result. */
export function runCorpusFile(path: string): CorpusReport {
  // The file documents its own format; a file in another format fails at first use.
  return runCorpus(JSON.parse(readFileSync(path, 'utf8')) as Corpus)
}

function main(): number {
  const [path] = process.argv.slice(2)
  if (path === undefined) {
    console.error('usage: npm run corpus -- FILE')
    return 2
  }
  const { passed, failures, skipped, regexStrings } = runCorpusFile(path)
  for (const failure of failures) console.log(failure)
  console.log(
    `error messages of invalid regular expressions: ${regexStrings.same} of ${regexStrings.all} as recorded`,
  )
  console.log(`wildcard rows outside the language: ${skipped} skipped`)
  console.log(`${passed} passed, ${failures.length} failed`)
  return failures.length === 0 && passed > 0 ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main()
