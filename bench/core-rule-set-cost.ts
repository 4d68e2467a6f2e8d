// What an inspection costs: our managed rules, the Core Rule Set by us, and the same by ModSecurity 3 in this process and
// by ModSecurity 2.9 and 3 in servers.
// Every request is a new one. The sides take turns.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  HOSTILE_REQUESTS,
  type HostileRequest,
} from '../packages/firewall/src/managed-rules/hostile-requests.cases.ts'
import { replaceCoreRuleSet } from '../packages/firewall/src/index.ts'
import { judgeByUs, type CoreRules, readCoreRules, readParsedCoreRules } from './core-rule-set.ts'
import { type InspectingServer, missingServers, startInspectingServers } from './inspecting-servers.ts'
import { type Judge, type JudgedRequest, openLibModSecurity } from './libmodsecurity.ts'
import { cpuMicros as cpuMicrosOf, median, printTable } from './measure.ts'
import { sendAll } from './raw-requests.ts'
import { createRequests, octetsOf, type RequestKind } from './varied-requests.ts'

const KINDS: readonly (readonly [name: string, kind: RequestKind, size: number, count: number])[] = [
  ['page', 'page', 0, 300],
  ['form of 2 kB', 'form', 2_000, 100],
  ['form of 4 kB', 'form', 4_000, 60],
  ['order of 2 kB (JSON)', 'order', 2_000, 60],
  ['order of 4 kB (JSON)', 'order', 4_000, 40],
]
const ROUNDS = 7
/** Until automata have met most states. */
const WARM_UP = 1_500
const AIM = 1 / 3

/**
 * @param decideOwn a decision with our own managed rules
 * @param makeDetectAll all managed rules of this moment on a request, of which none ends it
 */
export async function benchCoreRuleSet(
  decideOwn: (request: JudgedRequest) => number,
  makeDetectAll: () => (request: JudgedRequest) => number,
): Promise<void> {
  const ours = readCoreRules(1)
  const theirs = openLibModSecurity(1)
  const create = createRequests(1)
  const sides: readonly ((request: JudgedRequest) => number)[] = [
    decideOwn,
    (request) => judgeByUs(ours, request).size,
    (request) => theirs.judge(request).size,
  ]
  for (let i = 0; i < WARM_UP; i += 1)
    for (const side of sides.slice(0, 2)) side(create(i % 3 === 0 ? 'page' : 'order', 1_500))
  const rows = KINDS.map(([name, kind, size, count]) => {
    const micros: number[][] = sides.map(() => [])
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [i, side] of sides.entries()) {
        const requests = Array.from({ length: count }, () => create(kind, size))
        micros[i]?.push(cpuMicros(() => requests.reduce((sum, request) => sum + side(request), 0)) / count)
      }
    }
    const [own = Number.NaN, core = Number.NaN, module = Number.NaN] = micros.map(median) // one for each side
    return { name, own, core, module }
  })
  console.log(
    '\nThe Core Rule Set 3.3.4 at paranoia level 1, µs of CPU for each request, all of them new ones:\n',
  )
  printTable(
    ['request', 'our managed rules', 'CRS by us', 'CRS by ModSecurity 3', 'CRS by us / ModSecurity 3', 'aim'],
    rows.map(({ name, own, core, module }) => [
      name,
      own.toFixed(0),
      core.toFixed(0),
      module.toFixed(0),
      (core / module).toFixed(2),
      AIM.toFixed(2),
    ]),
  )
  const sidesOf = (core: CoreRules) => (request: JudgedRequest) => judgeByUs(core, request).size
  const own = makeDetectAll()
  await replaceCoreRuleSet(readParsedCoreRules())
  benchHostile([own, sidesOf(ours), sidesOf(readCoreRules(4)), makeDetectAll()], theirs)
  await replaceCoreRuleSet(undefined)
  theirs.close()
  const missing = missingServers()
  if (missing === '') await benchServers()
  else console.warn(`SKIPPED: nginx and Apache with ModSecurity, which need apt-get install ${missing}`)
}

const SERVER_REQUESTS = 400
const CLIENTS = 4

/** What the module costs a server is the difference between its two rows. */
async function benchServers(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-inspecting-'))
  const servers: InspectingServer[] = []
  try {
    servers.push(...(await startInspectingServers(folder, 1)))
    const create = createRequests(2)
    const rows: string[][] = []
    for (const { name, port, pid } of servers.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const costs: string[] = []
      for (const [, kind, size] of KINDS) {
        const requests = Array.from({ length: SERVER_REQUESTS }, () => octetsOf(create(kind, size)))
        const before = cpuMicrosOf(pid)
        await sendAll(port, requests, CLIENTS)
        costs.push(((cpuMicrosOf(pid) - before) / SERVER_REQUESTS).toFixed(0))
      }
      rows.push([name, ...costs])
    }
    console.log('\nWhole servers as proxies, the same rules, µs of CPU of the server for each request:\n')
    printTable(['server', ...KINDS.map(([name]) => name)], rows)
  } finally {
    for (const server of servers) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function cpuMicros(work: () => number): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return user + system
}

const REPEATS = 7
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Ours are warm; ModSecurity builds nothing on first use and takes minutes. */
function benchHostile(sides: readonly ((request: JudgedRequest) => number)[], theirs: Judge): void {
  console.log(
    `\nRequests of up to 128 kB that are meant to be slow, ms of CPU, median / longest of ${REPEATS} after the first two:\n`,
  )
  printTable(
    [
      'request',
      'our managed rules',
      'CRS by us',
      'CRS by us at level 4',
      'both rulesets',
      'CRS by ModSecurity 3',
      'aim',
    ],
    HOSTILE_REQUESTS.map((hostile) => {
      const request = judgedFrom(hostile)
      return [
        hostile.name,
        ...sides.map((side) => costOf(() => side(request))),
        JUDGED_BY_MODULE.has(hostile.name) ? costOf(() => theirs.judge(request).size, 1) : '',
        '50',
      ]
    }),
  )
}

function judgedFrom({ target, headers, body }: HostileRequest): JudgedRequest {
  return {
    method: body === '' ? 'GET' : 'POST',
    target,
    version: 'HTTP/1.1',
    headers: [
      ['Host', 'www.example.com'],
      ...Object.entries(headers),
      ...(body === '' ? [] : [['Content-Length', String(body.length)] as const]),
    ],
    body,
  }
}

/**
 * Garbage of other requests is not part of the cost. Its collection discards compiled code, too, so two inspections are
 * not counted.
 */
function costOf(side: () => number, repeats: number = REPEATS): string {
  if (repeats === 1) return (cpuMicros(side) / 1000).toFixed(0)
  collectGarbage()
  side()
  side()
  const costs = Array.from({ length: repeats }, () => cpuMicros(side) / 1000)
  return `${median(costs).toFixed(0)} / ${Math.max(...costs).toFixed(0)}`
}

/** Of the others it takes minutes for some. */
const JUDGED_BY_MODULE = new Set([
  'one value of quotes',
  'one value of attack words',
  '15,000 arguments',
  '5,000 arguments of attack words',
  '200 arguments of punctuation',
])
