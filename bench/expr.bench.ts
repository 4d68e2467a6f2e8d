// npm run bench -- expr: evaluations and parses per second compared with hand-written JavaScript and three npm
// packages, in alternating passes of one run; and the time to check the longest expressions.
import { evaluate as evaluateCel, parse as parseCel } from 'cel-js'
import { compileExpression as compileFiltrex } from 'filtrex'
import { LogicEngine } from 'json-logic-engine'
import {
  checkExpression,
  compile,
  compileExpression,
  contextOf,
  parseExpression,
  requestScheme,
} from '../packages/expr/src/index.ts'
import { BENCH_CASES, type BenchCase, fieldValues, PLAIN_REQUESTS } from './expr-cases.ts'

const ROUNDS = 15
const ROUND_MS = 12

const scheme = requestScheme({ configured: ['geoip'] })
const contexts = PLAIN_REQUESTS.map((request) => contextOf(scheme, fieldValues(request)))
/** The peers have no maps, so headers become an object. */
const objects = PLAIN_REQUESTS.map((request) => ({
  ...request,
  headers: Object.fromEntries(request.headers),
}))
const logic = new LogicEngine()

const SIDES = ['zonereeve', 'by hand', 'cel-js', 'filtrex', 'json-logic'] as const
type Side = (typeof SIDES)[number]

/** Evaluates request number `i`; a string is the reason why this side is missing. */
type Evaluator = ((i: number) => boolean) | string

const wrap =
  <T>(list: readonly T[], use: (item: T) => unknown) =>
  (i: number): boolean => {
    const item = list[i]
    return item !== undefined && use(item) === true
  }

function evaluatorsOf(item: BenchCase): Readonly<Record<Side, Evaluator>> {
  return {
    zonereeve: wrap(contexts, compile(parseExpression(item.expression, scheme), scheme)),
    'by hand': wrap(PLAIN_REQUESTS, item.byHand),
    'cel-js': celEvaluator(item.cel),
    filtrex:
      typeof item.filtrex === 'string' ? wrap(objects, compileFiltrex(item.filtrex)) : item.filtrex.cannot,
    'json-logic': jsonLogicEvaluator(item.jsonLogic),
  }
}

function celEvaluator(source: BenchCase['cel']): Evaluator {
  if (typeof source !== 'string') return source.cannot
  const parsed = parseCel(source)
  if (!parsed.isSuccess) throw new Error(parsed.errors.join('; '))
  return wrap(objects, (object) => evaluateCel(parsed.cst, object))
}

function jsonLogicEvaluator(source: BenchCase['jsonLogic']): Evaluator {
  if ('cannot' in source) return String(source.cannot)
  const run: unknown = logic.build(source)
  if (typeof run !== 'function') throw new Error('json-logic-engine returned no function')
  return wrap(objects, (object): unknown => run(object))
}

/** Calls per second over a short time; results are used, so that no call is optimized away. */
function measure(call: (i: number) => unknown, count: number): number {
  let calls = 0
  let used = 0
  const start = performance.now()
  let elapsed = 0
  do {
    for (let i = 0; i < count; i += 1) if (call(i) === true) used += 1
    calls += count
    elapsed = performance.now() - start
  } while (elapsed < ROUND_MS)
  sink += used
  return (calls / elapsed) * 1000
}

let sink = 0

/** The best of several rounds in which sides alternate: a busy machine can only make a side slower. */
function takeTurns(
  calls: ReadonlyMap<Side, (i: number) => unknown>,
  count: number,
): ReadonlyMap<Side, number> {
  const rates = new Map<Side, number[]>([...calls.keys()].map((side) => [side, []]))
  for (let round = 0; round < ROUNDS + 2; round += 1) {
    for (const [side, call] of calls) {
      const rate = measure(call, count)
      if (round >= 2) rates.get(side)?.push(rate)
    }
  }
  return new Map([...rates].map(([side, list]) => [side, Math.max(...list)]))
}

/** All sides must agree on every request; otherwise the line would compare different work. */
function checkAgreement(item: BenchCase, evaluators: Readonly<Record<Side, Evaluator>>): void {
  const results = PLAIN_REQUESTS.map((_, i) => item.byHand(PLAIN_REQUESTS[i] ?? fail(item.name)))
  if (!results.includes(true) || !results.includes(false)) fail(`${item.name}: one result for all requests`)
  for (const side of SIDES) {
    const evaluator = evaluators[side]
    if (typeof evaluator === 'string') continue
    const at = results.findIndex((result, i) => evaluator(i) !== result)
    if (at !== -1) fail(`${item.name}: ${side} differs on request ${at}`)
  }
}

function fail(reason: string): never {
  throw new Error(reason)
}

const millions = (rate: number): string => `${(rate / 1e6).toFixed(2).padStart(7)} M/s`
const ratio = (ours: number, theirs: number): string => `${(theirs / ours).toFixed(2).padStart(7)}x`

function benchEvaluation(): void {
  console.log('Evaluations per second. After the slash: speed relative to zonereeve.')
  for (const item of BENCH_CASES) {
    const evaluators = evaluatorsOf(item)
    checkAgreement(item, evaluators)
    const calls = new Map<Side, (i: number) => boolean>()
    for (const side of SIDES) {
      const evaluator = evaluators[side]
      if (typeof evaluator !== 'string') calls.set(side, evaluator)
    }
    const rates = takeTurns(calls, PLAIN_REQUESTS.length)
    const ours = rates.get('zonereeve') ?? 0
    console.log(`\n${item.name}${item.usesRegex === true ? ' (regular expression)' : ''}: ${item.expression}`)
    for (const side of SIDES) {
      const rate = rates.get(side)
      const evaluator = evaluators[side]
      const text =
        rate === undefined
          ? `  not expressible: ${String(evaluator)}`
          : `${millions(rate)} / ${ratio(ours, rate)}`
      console.log(`  ${side.padEnd(12)}${text}`)
    }
  }
}

function benchParsing(): void {
  const shared = BENCH_CASES.filter(
    (item) => typeof item.cel === 'string' && typeof item.filtrex === 'string',
  )
  console.log(`\nParses (compiled) per second of the ${shared.length} expressions that all sides support`)
  const at = (i: number): BenchCase => shared[i] ?? fail('no such case')
  const rates = takeTurns(
    new Map<Side, (i: number) => unknown>([
      ['zonereeve', (i) => compileExpression(at(i).expression, scheme)],
      ['cel-js', (i) => parseCel(String(at(i).cel))],
      ['filtrex', (i) => compileFiltrex(String(at(i).filtrex))],
      ['json-logic', (i) => logic.build(at(i).jsonLogic)],
    ]),
    shared.length,
  )
  for (const [side, rate] of rates) {
    const remark = side === 'json-logic' ? '  (from an object, nothing to parse)' : ''
    console.log(
      `  ${side.padEnd(12)}${(rate / 1e3).toFixed(1).padStart(8)} k/s / ${ratio(rates.get('zonereeve') ?? 0, rate)}${remark}`,
    )
  }
  const all = BENCH_CASES.map((item) => item.expression)
  const compileAll = (i: number) => compileExpression(all[i] ?? '', scheme)
  const rate = Math.max(...Array.from({ length: ROUNDS }, () => measure(compileAll, all.length)))
  console.log(`  all ten in zonereeve: ${(rate / 1e3).toFixed(1)} k/s`)
}

const MAX_BYTES = 4096

/** Expressions of the maximum length: valid ones, and the same with an error. */
function longSources(): readonly string[] {
  const chunks = BENCH_CASES.map((item) => item.expression)
  const joiners = [' and ', ' or ', ' xor ', '\nand ']
  return Array.from({ length: 400 }, (_, seed) => {
    let source = chunks[seed % chunks.length] ?? ''
    for (let i = seed; ; i += 1) {
      const next = `${joiners[i % joiners.length] ?? ''}(${chunks[(i * 7) % chunks.length] ?? ''})`
      if (source.length + next.length > MAX_BYTES) break
      source += next
    }
    const padded = source.padEnd(MAX_BYTES, ' ')
    const place = (seed * 37) % MAX_BYTES
    return seed % 2 === 0 ? padded : `${padded.slice(0, place)}}${padded.slice(place + 1)}`
  })
}

function timeCheck(source: string): number {
  const start = performance.now()
  checkExpression(source, scheme)
  return performance.now() - start
}

function benchLongest(): void {
  const sources = longSources()
  for (const source of sources.slice(0, 50)) checkExpression(source, scheme)
  // The best of three, to exclude the time when the machine was busy with other work.
  const times = sources.map((source) => Math.min(timeCheck(source), timeCheck(source), timeCheck(source)))
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): string =>
    `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(2)} ms`
  console.log(
    `\nChecking ${sources.length} inputs of ${MAX_BYTES} bytes: median ${at(0.5)}, 99th percentile ${at(0.99)}, worst ${at(1)}`,
  )
}

const hex = (i: number): string => (0x1000 + 2 * i).toString(16)

/** Patterns that are expensive for their length; each expression differs from the others. */
const HEAVY: Readonly<Record<string, (seed: number) => string>> = {
  '[^\\p{L}] folded': () => `(?iu)${'[^\\p{L}]'.repeat(80)}`,
  '\\p{L} folded, 50': () => `(?iu)${'\\p{L}'.repeat(50)}`,
  '\\p{L} folded, 150': () => `(?iu)${'\\p{L}'.repeat(150)}`,
  '\\p{L}{3}': () => `(?u)${'\\p{L}{3}'.repeat(60)}`,
  '\\p{L}\\p{N}': () => `(?u)${'\\p{L}\\p{N}'.repeat(60)}`,
  letters: () => `(?iu)${'aK\u00e9'.repeat(1000)}`,
  'classes all different': (seed) =>
    `(?iu)${Array.from({ length: 250 }, (_, i) => `[^\\wA\\x{${hex(seed * 250 + i)}}]`).join('')}`,
  'ranges all different': (seed) =>
    `(?iu)${Array.from({ length: 220 }, (_, i) => `[a-\\x{${hex(seed * 220 + i)}}]`).join('')}`,
  'small classes': (seed) =>
    `(?iu)${Array.from({ length: 330 }, (_, i) => `[\\s\\x{${hex(seed + i)}}]`).join('')}`,
  'set operations': () => `(?iu)[\\p{L}${'--a&&\\w'.repeat(120)}]`,
  'nested classes': () => `(?iu)${'[^'.repeat(240)}\\p{L}${']'.repeat(240)}`,
}

function benchHeavy(): void {
  console.log('\nChecking up to 4096 bytes with a heavy pattern, first use and then 100 times')
  for (const [name, patternOf] of Object.entries(HEAVY)) {
    const sources = Array.from({ length: 101 }, (_, i) => {
      const source = `http.host matches r"${patternOf(i)}"`
      return source + ' '.repeat(Math.max(0, MAX_BYTES - Buffer.byteLength(source)))
    })
    const first = timeCheck(sources[0] ?? '')
    // The best of three, as above: each input differs, and everything except tables is computed every time.
    const times = sources
      .slice(1)
      .map((source) => Math.min(timeCheck(source), timeCheck(source), timeCheck(source)))
    const sorted = times.toSorted((a, b) => a - b)
    const p99 = sorted[Math.floor((sorted.length - 1) * 0.99)] ?? 0
    const refused = checkExpression(sources[0] ?? '', scheme).ok ? '' : ' (refused)'
    console.log(
      `  ${name.padEnd(24)}first ${first.toFixed(2).padStart(6)} ms, 99th percentile ${p99.toFixed(2).padStart(6)} ms${refused}`,
    )
  }
}

// Before the others, so that the first use of a table is measured.
benchHeavy()
benchEvaluation()
benchParsing()
benchLongest()
if (sink === 0) fail('no expression was true')
