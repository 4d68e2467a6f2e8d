// npm run bench -- rulesets: decisions per second of CPU time with all managed rules, for an ordinary request of two
// kilobytes and for attacks, in one process without the network; the cost of single rules; and the warm-up time.
//
// A decision is a pure function without an API of its own, so this benchmark imports it from the server's index.ts.
import { parseIp, type RequestFacts, utf8 } from '../packages/expr/src/index.ts'
import {
  decideLegacy,
  DEFAULT_LEGACY_CONFIGURATION,
  detect,
  evaluateRequest,
  executingManagedRulesets,
  inspect,
  type InspectedRequest,
  MANAGED_RULES,
  managedRulesets,
  replaceCoreRuleSet,
  warmUpDecisions,
} from '../packages/firewall/src/index.ts'
import { missingOf } from '../scripts/requirements.ts'
import { readParsedCoreRules } from './core-rule-set.ts'
import { benchCoreRuleSet } from './core-rule-set-cost.ts'
import type { JudgedRequest } from './libmodsecurity.ts'
import { machineClass, median, printTable, quantile } from './measure.ts'

const ROUNDS = 12
const ROUND_MS = 150

interface BodyToSend {
  readonly facts: RequestFacts
  readonly body: Uint8Array
}

function request(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): BodyToSend {
  const clientIp = parseIp('192.0.2.7')
  if (clientIp === undefined) throw new Error('no address')
  const lines = Object.entries({ host: 'www.example.com', ...BROWSER, ...headers })
  return {
    facts: {
      method,
      version: 'HTTP/2',
      isTls: true,
      host: 'www.example.com',
      target: utf8(target),
      headers: lines.map(([name, value]) => [utf8(name), utf8(value)] as const),
      clientIp,
      receivedAtMs: 0,
    },
    body: new TextEncoder().encode(body),
  }
}

const BROWSER = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.9,de;q=0.7',
  'accept-encoding': 'gzip, deflate, br',
  referer: 'https://www.example.com/products?category=tools&page=2',
  cookie:
    '_ga=GA1.2.1234567890.1714550000; session=4f2a9c81d0e37b56a1; cart=%7B%22items%22%3A%5B%7B%22id%22%3A4%2C%22n%22%3A2%7D%5D%7D; theme=dark',
}

/** An order of 1.2 kB, after about 800 octets of headers. */
const ORDER = JSON.stringify({
  customer: { name: "O'Brien", street: "12 St. John's Road, Apt #3", city: "Coeur d'Alene" },
  note: 'Please ring twice & leave it at the door; thanks! '.repeat(8),
  items: Array.from({ length: 14 }, (_, i) => ({ sku: `A-${i}`, title: `Select item ${i}`, amount: i + 1 })),
})

const REQUESTS: readonly (readonly [name: string, sent: BodyToSend])[] = [
  ['ordinary page, 0.6 kB', request('GET', '/products/4711-bed?page=2&sort=price-asc&q=union+station', {})],
  ['ordinary order, 2 kB', request('POST', '/api/orders', { 'content-type': 'application/json' }, ORDER)],
  ['SQL injection', request('GET', "/item?id=-1'%20UNION%20SELECT%201,password,3%20FROM%20users--%20-", {})],
  [
    'script injection in a form',
    request(
      'POST',
      '/posts',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'text=%22%3E%3Csvg%2Fonload%3Dalert(document.cookie)%3E',
    ),
  ],
]

const sizeOf = ({ facts, body }: BodyToSend): number =>
  facts.headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0) +
  facts.target.length +
  body.length

const enabledRules = () =>
  managedRulesets().flatMap(({ rules }) =>
    rules.flatMap(({ rule }) => (rule?.enabled === true ? [rule] : [])),
  )
const ENABLED = enabledRules()

const open = ({ facts, body }: BodyToSend): InspectedRequest => inspect(facts, body)

const FIREWALL = executingManagedRulesets()

const decideNew = (sent: BodyToSend): number => evaluateRequest(FIREWALL, open(sent)).steps.length

/** As for a zone that only logs: no rule ends the request. */
function detectAll(rules: typeof ENABLED, sent: BodyToSend): number {
  const inspected = open(sent)
  return rules.filter((rule) => detect(rule, inspected) !== null).length
}

const toSent = ({ method, target, headers, body }: JudgedRequest): BodyToSend =>
  request(
    method,
    target,
    Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body,
  )

const decideLegacyRules = (sent: BodyToSend): number =>
  decideLegacy(DEFAULT_LEGACY_CONFIGURATION, open(sent)).matches.length

/** Uses results, so that no call is optimized away. */
let sink = 0

/** Calls per second of CPU time, because wall time would include other work of the machine. */
function callsPerSecond(call: () => number): number {
  const start = process.cpuUsage()
  let calls = 0
  let micros = 0
  do {
    for (let i = 0; i < 10; i += 1) sink += call()
    calls += 10
    const { user, system } = process.cpuUsage(start)
    micros = user + system
  } while (micros < ROUND_MS * 1000)
  return (calls / micros) * 1e6
}

/** The sides alternate; the best round of each counts, because a busy machine can only make it slower. */
function rates(calls: readonly (() => number)[]): readonly number[] {
  const best = calls.map(() => 0)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [i, call] of calls.entries()) best[i] = Math.max(best[i] ?? 0, callsPerSecond(call))
  }
  return best
}

function benchDecisions(): void {
  const found = rates(REQUESTS.flatMap(([, sent]) => [() => decideNew(sent), () => decideLegacyRules(sent)]))
  const perSecond = (rate: number | undefined): string => Math.round(rate ?? 0).toLocaleString('en')
  const each = (rate: number | undefined): string => (1e6 / (rate ?? Number.NaN)).toFixed(0)
  console.log(
    `\nBoth managed rulesets with their ${ENABLED.length} enabled rules, and legacy managed rules, with default settings.\n`,
  )
  printTable(
    [
      'request',
      'bytes',
      'steps in rulesets',
      'rulesets, decisions per CPU second',
      'µs each',
      'legacy, decisions per CPU second',
      'µs each',
    ],
    REQUESTS.map(([name, sent], i) => [
      name,
      String(sizeOf(sent)),
      String(decideNew(sent)),
      perSecond(found[2 * i]),
      each(found[2 * i]),
      perSecond(found[2 * i + 1]),
      each(found[2 * i + 1]),
    ]),
  )
}

/** Cost of one rule in nanoseconds, after the request's strings were searched. */
function benchRules(name: string, sent: BodyToSend): void {
  const inspected = open(sent)
  const costs = ENABLED.map((rule) => {
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now()
      for (let i = 0; i < 400; i += 1) if (detect(rule, inspected) !== null) sink += 1
      return ((performance.now() - start) / 400) * 1e6
    })
    return { rule, nanoseconds: Math.min(...times) }
  }).toSorted((a, b) => b.nanoseconds - a.nanoseconds)
  const all = costs.map(({ nanoseconds }) => nanoseconds)
  const total = all.reduce((sum, cost) => sum + cost, 0)
  console.log(
    `\n${name}: a rule costs ${median(all).toFixed(0)} ns in the median, ${quantile(all, 0.95).toFixed(0)} ns at the 95th percentile, all of them ${(total / 1000).toFixed(0)} µs. The most expensive:`,
  )
  for (const { rule, nanoseconds } of costs.slice(0, 5)) {
    console.log(
      `  ${(nanoseconds / 1000).toFixed(1).padStart(7)} µs  ${rule.legacy?.id ?? rule.id}  ${rule.description}`,
    )
  }
}

/** @param ruleSet the Core Rule Set as it is stored after an import; undefined without it */
async function benchWarmUp(ruleSet: ReturnType<typeof readParsedCoreRules> | undefined): Promise<void> {
  const cpuMs = (since: NodeJS.CpuUsage): number => {
    const { user, system } = process.cpuUsage(since)
    return (user + system) / 1000
  }
  const start = process.cpuUsage()
  const startedAt = performance.now()
  if (ruleSet !== undefined) await replaceCoreRuleSet(ruleSet)
  let last = process.cpuUsage()
  let longest = 0
  let isDone = false
  const watch = (): void => {
    longest = Math.max(longest, cpuMs(last))
    last = process.cpuUsage()
    if (!isDone) setImmediate(watch)
  }
  setImmediate(watch)
  await warmUpDecisions()
  isDone = true
  console.log(
    `${MANAGED_RULES.length} rules${ruleSet === undefined ? '' : ' and the Core Rule Set'} are ready after ${(performance.now() - startedAt).toFixed(0)} ms, ${cpuMs(start).toFixed(0)} ms of CPU time of all threads, at most ${longest.toFixed(0)} ms without yielding.`,
  )
  const [first] = REQUESTS
  if (first === undefined) return
  const before = process.cpuUsage()
  sink += decideNew(first[1])
  console.log(`The first decision after that takes ${cpuMs(before).toFixed(1)} ms.`)
}

console.log(machineClass())
const missing = missingOf(['libmodsecurity', 'modsecurity-crs'])
await benchWarmUp(missing === undefined ? readParsedCoreRules() : undefined)
// The rest of this benchmark is about our own rules and about those of a compiled set of its own.
await replaceCoreRuleSet(undefined)
benchDecisions()
for (const [name, sent] of REQUESTS) benchRules(name, sent)
if (missing === undefined) {
  await benchCoreRuleSet(
    (judged) => decideNew(toSent(judged)),
    () => {
      const rules = enabledRules()
      return (judged) => detectAll(rules, toSent(judged))
    },
  )
}
if (missing !== undefined) console.warn(`SKIPPED: the Core Rule Set, which needs ${missing.reason}`)
if (sink === 0) throw new Error('no rule matched')
