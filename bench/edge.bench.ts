// npm run bench -- edge [--rounds N]: what an edge costs in front of one origin, beside the same proxies without it, and beside
// ModSecurity with the Core Rule Set. CPU of proxy and edge together, and the latency that is added. The sides take turns.
// Agents that decide nothing stand beside it: they show the part of the cost that we can reduce.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { LEGACY_ALWAYS_ON, PACKAGE_IDS } from '@zonereeve/firewall'
import { createApi, type Api } from '../acceptance/browsers/api.ts'
import { until } from '../acceptance/browsers/site.ts'
import { getFrom, startEdge, type RunningEdge } from '../acceptance/edge-process.ts'
import { startProxies, type RunningProxies } from '../acceptance/edge-proxies.ts'
import { startServer } from '../acceptance/program.ts'
import { setup as bundleProgram } from '../scripts/bundled.ts'
import { missingOf } from '../scripts/requirements.ts'
import { type InspectingServer, missingServers, startInspectingServers } from './inspecting-servers.ts'
import { cpuMicros, machineClass, median, printTable } from './measure.ts'
import { type PlainProxy, startIdleAgents, startOrigin, startPlainProxy } from './plain-proxies.ts'
import { sendAll } from './raw-requests.ts'
import { createRequests, octetsOf, type RequestKind } from './varied-requests.ts'

const PROXIES = ['nginx', 'haproxy', 'caddy'] as const
const ADAPTERS = [...PROXIES, 'embedded'] as const
const TITLES = {
  nginx: 'nginx, auth_request',
  haproxy: 'HAProxy, SPOE',
  caddy: 'Caddy, forward_auth',
  embedded: 'embedded proxy',
} as const
/** As many as keep proxy and edge busy, as on a site with traffic. */
const CONNECTIONS = 32
/** Those of the servers with ModSecurity: Apache has 25 threads here. */
const FEW_CONNECTIONS = 8
/** Requests of a chain in a round, and one after the other for the latency. */
const CHEAP = 1_500
const EXPENSIVE = 120
const LATENCY = 100
/** What Node compiles at all is compiled after these. */
const WARM_UP = 2_000
const AIMS = { nginx: '45', haproxy: '25', caddy: '', embedded: '' } as const
const MANAGED_RULESETS = ['efb7b8c949ac4650a09736fc376e9aee', '4814384a9e5d4991b9815dcfc25d2f1f']
const blocking = (expression: string) => ({ action: 'block', expression })
/** None of them matches an ordinary page. */
const CUSTOM_RULES = [
  'http.request.uri.path contains "/wp-login.php"',
  'starts_with(http.request.uri.path, "/admin/") and not ip.src in {192.0.2.0/24}',
  'http.request.uri.path matches "^/(?:backup|old|dump)[0-9]*/"',
  'lower(http.user_agent) contains "sqlmap"',
  'not http.request.method in {"GET" "HEAD" "POST" "PUT" "DELETE" "OPTIONS"}',
  'http.request.uri.query contains "../"',
  'any(http.request.headers["x-debug"][*] eq "1")',
  'ends_with(http.request.uri.path, ".env") or ends_with(http.request.uri.path, ".git/config")',
  'ip.src in {198.51.100.0/24 203.0.113.0/24 2001:db8::/32}',
  'http.request.uri.path eq "/xmlrpc.php" and http.request.method eq "POST"',
].map(blocking)

const SETS = {
  none: { title: 'no rules', rules: {} },
  legacy: { title: 'no rules, a new zone with the legacy WAF off', rules: {} },
  custom: { title: '10 custom rules', rules: { http_request_firewall_custom: CUSTOM_RULES } },
  managed: {
    title: 'all managed rules',
    rules: {
      http_request_firewall_managed: MANAGED_RULESETS.map((id) => ({
        action: 'execute',
        expression: 'true',
        action_parameters: { id },
      })),
    },
  },
} as const
type RuleSet = keyof typeof SETS
const SET_NAMES = ['none', 'legacy', 'custom', 'managed'] as const satisfies readonly RuleSet[]
const zoneOf = (set: RuleSet): string => `${set}.example`

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } })
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a positive integer')
const missing = missingOf(['nginx', 'haproxy', 'caddy'])
if (missing !== undefined) throw new Error(missing.reason)

/** Something that answers requests, and the processes that it needs. */
interface Chain {
  readonly name: string
  readonly port: number
  readonly pids: readonly number[]
  readonly host: string
  /** Requests of a round. */
  readonly count: number
  readonly connections: number
  /** As octets of the protocol of the chain; default: as a client sends it. */
  readonly octets?: (request: Parameters<typeof octetsOf>[0]) => Buffer
}

interface Cost {
  /** Of all processes, in µs for each request. */
  readonly cpu: number
  /** Median of requests one after the other, in ms. */
  readonly latency: number
}

const folder = mkdtempSync(join(tmpdir(), 'zonereeve-edge-bench-'))
await bundleProgram()
const launcher = join(folder, 'zonereeve')
const bundled = fileURLToPath(new URL('../packages/server/dist/start.js', import.meta.url))
writeFileSync(launcher, `#!/bin/sh\nexec '${process.execPath}' '${bundled}' "$@"\n`, { mode: 0o755 })
const server = await startServer(launcher, join(folder, 'data'))
const stops: (() => Promise<void> | void)[] = [() => server.stop()]
async function bench(): Promise<void> {
  const api = createApi(server)
  for (const set of SET_NAMES) await createZone(api, set)
  const origin = await startOrigin(folder)
  stops.push(origin.stop)
  const keyFile = join(folder, 'appsec-key')
  writeFileSync(keyFile, APPSEC_KEY)
  const edge = await startEdge(launcher, server, origin.port, { flags: ['--appsec-key-file', keyFile] })
  stops.push(edge.stop)
  await untilDeciding(edge)
  const plain = new Map<string, PlainProxy>()
  for (const proxy of PROXIES) {
    const one = await startPlainProxy(proxy, origin.port, folder)
    plain.set(proxy, one)
    stops.push(one.stop)
  }
  const proxies = new Map<RuleSet, RunningProxies>()
  for (const set of SET_NAMES) {
    const world = { launcher, target: server, zone: zoneOf(set), edge, originPort: origin.port }
    const one = await startProxies({ ...world, folder: join(folder, set) })
    proxies.set(set, one)
    stops.push(one.stop)
  }
  const idle = await startIdleAgents()
  stops.push(idle.stop)
  const idleProxies = await startProxies({
    launcher,
    target: server,
    zone: zoneOf('none'),
    edge: { ...edge, ...idle.ports },
    originPort: origin.port,
    folder: join(folder, 'idle'),
  })
  stops.push(idleProxies.stop)
  const inspecting = await startInspecting()
  const chains = [
    ...[...plain].map(([name, { port, pid }]): Chain => chainOf(`${name} plain`, port, [pid], 'none')),
    ...PROXIES.map((proxy): Chain =>
      chainOf(`${proxy} idle`, idleProxies.portOf(proxy), [idleProxies.pidOf(proxy) ?? 0, idle.pid], 'none'),
    ),
    ...SET_NAMES.flatMap((set) => edgeChains(set, edge, proxies.get(set))),
    ...inspecting.map(({ name, port, pid }): Chain => ({
      ...chainOf(name, port, [pid], 'none'),
      count: name.includes('ModSecurity') ? EXPENSIVE : CHEAP,
      connections: FEW_CONNECTIONS,
    })),
  ]
  const create = createRequests(1)
  for (const chain of chains)
    await sendAll(chain.port, requestsFor(chain, create, 'page', 0, warmUpOf(chain)), chain.connections)
  console.log(`\n${machineClass()}, ${rounds} rounds\n`)
  const pages = await measure(chains, create, 'page', 0)
  printAdapters(pages)
  if (inspecting.length > 0) printInspection(pages)
  const forms = await measure(chains.filter(seesBodies), create, 'form', 4_000)
  console.log('\nForms of 4 kB, all managed rules, µs of CPU for each request:\n')
  printTable(
    ['chain', 'CPU'],
    [...forms].map(([name, { cpu }]) => [name, cpu.toFixed(0)]),
  )
}

async function createZone(api: Api, set: RuleSet): Promise<void> {
  const { id } = await api.post<{ id: string }>('/zones', { name: zoneOf(set) })
  // A new zone has the legacy managed rules, of which three stay on without the setting.
  await api.call('PATCH', `/zones/${id}/settings/waf`, { value: 'off' })
  const traditional = `/zones/${id}/firewall/waf/packages/${PACKAGE_IDS.cloudflare}/rules`
  if (set !== 'legacy')
    for (const rule of LEGACY_ALWAYS_ON)
      await api.call('PATCH', `${traditional}/${rule}`, { mode: 'disable' })
  for (const [phase, rules] of Object.entries(SETS[set].rules))
    await api.call('PUT', `/zones/${id}/rulesets/phases/${phase}/entrypoint`, { rules })
}

/** All zones have arrived, because they come in one go. */
const untilDeciding = (edge: RunningEdge): Promise<void> =>
  until(
    async () =>
      (await getFrom(edge.proxy, zoneOf('managed'), '/?a=%27%20UNION%20SELECT%201--')).status === 403,
    () => 'the edge has no configuration',
  )

async function startInspecting(): Promise<readonly InspectingServer[]> {
  const lacking = missingServers()
  if (lacking !== '') {
    console.warn(`SKIPPED: nginx and Apache with ModSecurity, which need apt-get install ${lacking}`)
    return []
  }
  const started = await startInspectingServers(folder, 1)
  stops.push(...started.map(({ stop }) => stop))
  return started
}

const chainOf = (name: string, port: number, pids: readonly number[], set: RuleSet): Chain => ({
  name,
  port,
  pids,
  host: `www.${zoneOf(set)}`,
  count: CHEAP,
  connections: CONNECTIONS,
})

function edgeChains(set: RuleSet, edge: RunningEdge, proxies: RunningProxies | undefined): readonly Chain[] {
  if (proxies === undefined) return []
  const own = edge.process.pid ?? 0 // it runs
  return [
    ...ADAPTERS.map((adapter): Chain => {
      const pid = proxies.pidOf(adapter)
      return chainOf(
        `${adapter} ${set}`,
        proxies.portOf(adapter),
        pid === undefined ? [own] : [pid, own],
        set,
      )
    }),
    {
      ...chainOf(`appsec ${set}`, edge.decisions, [own], set),
      octets: (request) => appSecOctets(request, set),
    },
  ]
}

const APPSEC_KEY = 'the-key-of-the-benchmark'

/** As the protocol describes it: the original headers, and headers about the rest. */
function appSecOctets(request: Parameters<typeof octetsOf>[0], set: RuleSet): Buffer {
  const about = { 'Api-Key': APPSEC_KEY, Ip: '192.0.2.7', Uri: request.target, Host: `www.${zoneOf(set)}` }
  const described = Object.entries({ ...about, Verb: request.method, 'Http-Version': '11' })
  return octetsOf({
    ...request,
    target: '/appsec',
    headers: [
      ...request.headers,
      ...described.map(([name, value]) => [`X-Crowdsec-Appsec-${name}`, value] as const),
    ],
  })
}

function requestsFor(
  chain: Chain,
  create: ReturnType<typeof createRequests>,
  kind: RequestKind,
  size: number,
  count: number,
): Buffer[] {
  const octets = chain.octets ?? ((request: Parameters<typeof octetsOf>[0]) => octetsOf(request, chain.host))
  return Array.from({ length: count }, () => octets(create(kind, size)))
}

const warmUpOf = ({ count }: Chain): number => (count === EXPENSIVE ? EXPENSIVE : WARM_UP)

/** @returns the median of the rounds, by the name of the chain. */
async function measure(
  chains: readonly Chain[],
  create: ReturnType<typeof createRequests>,
  kind: RequestKind,
  size: number,
): Promise<ReadonlyMap<string, Cost>> {
  const found = new Map(chains.map(({ name }) => [name, { cpu: [] as number[], latency: [] as number[] }]))
  for (let round = 0; round < rounds; round += 1)
    for (const chain of chains) {
      const requests = requestsFor(chain, create, kind, size, chain.count)
      const before = sumOf(chain.pids)
      const { statuses } = await sendAll(chain.port, requests, chain.connections)
      found.get(chain.name)?.cpu.push((sumOf(chain.pids) - before) / requests.length)
      if (statuses.get(200) !== requests.length)
        throw new Error(`${chain.name}: ${JSON.stringify([...statuses])} instead of 200`)
      const { times } = await sendAll(chain.port, requestsFor(chain, create, kind, size, LATENCY), 1)
      found.get(chain.name)?.latency.push(median(times))
    }
  return new Map(
    [...found].map(([name, { cpu, latency }]) => [name, { cpu: median(cpu), latency: median(latency) }]),
  )
}

const sumOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuMicros(pid), 0)

const NOTHING: Cost = { cpu: 0, latency: 0 }

function printAdapters(costs: ReadonlyMap<string, Cost>): void {
  const of = (name: string): Cost => costs.get(name) ?? NOTHING
  const rows = ADAPTERS.flatMap((adapter) => {
    // The embedded proxy stands in the place of another one.
    const plain = of(`${adapter === 'embedded' ? 'nginx' : adapter} plain`)
    return [
      ...(adapter === 'embedded'
        ? []
        : [
            row(`${adapter}, plain`, plain, undefined, ''),
            row(`${TITLES[adapter]}, an agent that decides nothing`, of(`${adapter} idle`), plain, ''),
          ]),
      ...SET_NAMES.map((set) =>
        row(
          `${TITLES[adapter]}, ${SETS[set].title}`,
          of(`${adapter} ${set}`),
          plain,
          set === 'none' ? AIMS[adapter] : '',
        ),
      ),
    ]
  })
  const appSec = SET_NAMES.map((set) =>
    row(`AppSec protocol without a proxy, ${SETS[set].title}`, of(`appsec ${set}`), undefined, ''),
  )
  console.log(
    'Ordinary pages, all of them new ones; CPU of proxy and edge together (the embedded one beside nginx):\n',
  )
  printTable(
    ['chain', 'CPU µs', 'added', 'aim', 'times the plain proxy', 'latency ms', 'added'],
    [...rows, ...appSec],
  )
  const decision = SET_NAMES.map(
    (set) =>
      [set, ADAPTERS.map((adapter) => of(`${adapter} ${set}`).cpu - of(`${adapter} none`).cpu)] as const,
  )
  console.log('\nWhat the rules alone cost (difference to no rules), µs of CPU:\n')
  printTable(
    ['rules', ...ADAPTERS, 'aim'],
    decision
      .slice(1)
      .map(([set, micros]) => [
        SETS[set].title,
        ...micros.map((one) => one.toFixed(0)),
        set === 'managed' ? '150' : '',
      ]),
  )
}

function row(name: string, { cpu, latency }: Cost, plain: Cost | undefined, aim: string): string[] {
  return [
    name,
    cpu.toFixed(0),
    plain === undefined ? '' : (cpu - plain.cpu).toFixed(0),
    aim,
    plain === undefined ? '' : `${(cpu / plain.cpu).toFixed(1)}x`,
    latency.toFixed(2),
    plain === undefined ? '' : (latency - plain.latency).toFixed(2),
  ]
}

/** What inspection costs a whole chain, and ours as a part of each of theirs. */
function printInspection(costs: ReadonlyMap<string, Cost>): void {
  const added = (name: string, plain: string): number =>
    (costs.get(name)?.cpu ?? 0) - (costs.get(plain)?.cpu ?? 0)
  const theirs = [
    ['nginx + ModSecurity 3', added('nginx + ModSecurity 3', 'nginx')],
    ['Apache + ModSecurity 2.9', added('Apache + ModSecurity 2.9', 'Apache')],
  ] as const
  console.log(
    '\nInspection of an ordinary page: what is added to the plain proxy, and as a part of ModSecurity with the CRS:\n',
  )
  printTable(
    ['chain', 'added CPU µs', ...theirs.map(([name]) => `/ ${name}`), 'aim'],
    [
      ...PROXIES.map((proxy) => {
        const ours = added(`${proxy} managed`, `${proxy} plain`)
        return [
          TITLES[proxy],
          ours.toFixed(0),
          ...theirs.map(([, micros]) => (ours / micros).toFixed(2)),
          '0.20',
        ]
      }),
      ...theirs.map(([name, micros]) => [name, micros.toFixed(0), '', '', '']),
    ],
  )
}

/** Those that inspect forms at all, and ModSecurity. */
const seesBodies = ({ name }: Chain): boolean =>
  ['haproxy managed', 'embedded managed', 'appsec managed'].includes(name) || name.includes('ModSecurity')

try {
  await bench()
} finally {
  for (const stop of stops.toReversed()) await stop()
  rmSync(folder, { recursive: true, force: true })
}
