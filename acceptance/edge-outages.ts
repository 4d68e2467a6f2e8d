// Faults under load: the decision process is killed, stalled and refused behind real proxies, its server goes away, and
// a configuration arrives damaged.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { missingOf } from '../scripts/requirements.ts'
import { createApi, type Api } from './browsers/api.ts'
import { startSite, until, type Site } from './browsers/site.ts'
import { getFrom, startEdge, type RunningEdge } from './edge-process.ts'
import { exchange, startProxies, type Adapter, type RunningProxies } from './edge-proxies.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import type { Target } from './program.ts'
import { reportTimes, type Report } from './report.ts'

const ZONE = 'outage.example'
const BLOCKED = { action: 'block', expression: 'http.request.uri.path eq "/blocked"' }
const CUSTOM = 'rulesets/phases/http_request_firewall_custom/entrypoint'
const CLIENTS = 6
/** Requests that must be answered during a fault, and after it. */
const DURING = 12
/** A change should arrive within a second; the machine of the suite is busy. */
const MAX_ARRIVAL_MILLIS = 5_000
/** How long proxies wait for the edge. */
const WAIT_MILLIS = 1_000

interface World {
  readonly api: Api
  readonly zoneId: string
  readonly target: Target
  readonly launcher: string
  readonly origin: Site
  readonly folder: string
  readonly report: Report
}

/** @param launcher of the program whose edge is started. */
export async function runEdgeOutages(
  target: Target,
  launcher: string,
  report: Report,
  folder: string,
): Promise<void> {
  const missing = missingOf(['nginx', 'haproxy', 'caddy'])
  if (missing !== undefined) return report.skip('outages of an edge', missing.reason, missing.required)
  const api = createApi(target)
  const { id } = await api.post<{ id: string }>('/zones', { name: ZONE })
  await api.call('PUT', `/zones/${id}/${CUSTOM}`, { rules: [BLOCKED] })
  const origin = await startSite(() => ({ headers: { 'x-origin': 'reached' } }))
  const world = { api, zoneId: id, target, launcher, origin, folder, report }
  try {
    for (const mode of ['closed', 'open'] as const) await faultsOfTheEdge(mode, world)
    for (const mode of ['closed', 'open'] as const) await withoutConfiguration(mode, world)
    await withoutServer(world)
    await changesAndDamage(world)
  } finally {
    await origin.close()
    await api.call('DELETE', `/zones/${id}`)
  }
}

type Mode = 'closed' | 'open'
type Fault = 'killed' | 'stalled' | 'refused'

/** Caddy only has `closed`. */
const ADAPTERS_BY_MODE: Readonly<Record<Mode, readonly Exclude<Adapter, 'embedded'>[]>> = {
  closed: ['nginx', 'haproxy', 'caddy'],
  open: ['nginx', 'haproxy'],
}

async function faultsOfTheEdge(mode: Mode, world: World): Promise<void> {
  const { launcher, target, origin, folder, report } = world
  const ports = { decisions: await freePort(), spop: await freePort() }
  const flags = ['--decisions', `127.0.0.1:${ports.decisions}`, '--spop', `127.0.0.1:${ports.spop}`]
  const start = async (): Promise<RunningEdge> => {
    const started = await startEdge(launcher, target, origin.port, { flags })
    await untilDeciding(started)
    return started
  }
  let edge = await start()
  const proxies = await startProxies({
    launcher,
    target,
    zone: ZONE,
    edge,
    originPort: origin.port,
    folder: join(folder, `outage-${mode}`),
    waitMillis: WAIT_MILLIS,
    flags: ['--undecided', mode],
    only: ADAPTERS_BY_MODE[mode],
  })
  try {
    for (const adapter of ADAPTERS_BY_MODE[mode])
      for (const fault of ['killed', 'stalled', 'refused'] as const)
        await report.check(`${mode}: the edge behind ${adapter} is ${fault} under load`, async () => {
          const seen = await underLoad(proxies.portOf(adapter), origin, async (answered) => {
            const mend = await inflict(fault, edge, start)
            await answered(DURING)
            edge = await mend()
            await untilBlocking(proxies, adapter)
            await answered(DURING)
          })
          // With a ray ID, a rule has let it pass.
          const withoutDecision = seen.replies.filter(({ hasRayId }) => !hasRayId)
          ok(withoutDecision.length >= DURING, `${withoutDecision.length} without a decision`)
          ok(withoutDecision.length < seen.replies.length, 'some have one')
          const passed = withoutDecision.filter(({ isFromOrigin }) => isFromOrigin)
          equal(seen.reachedWithoutRayId, passed.length, 'what the origin got is what clients were given')
          equal(passed.length, mode === 'open' ? withoutDecision.length : 0)
        })
  } finally {
    await proxies.stop()
    edge.stop()
  }
}

/** @returns what ends the fault, with the edge that decides from then on. */
async function inflict(
  fault: Fault,
  edge: RunningEdge,
  start: () => Promise<RunningEdge>,
): Promise<() => Promise<RunningEdge>> {
  if (fault === 'stalled') {
    edge.process.kill('SIGSTOP')
    return () => {
      edge.process.kill('SIGCONT')
      return Promise.resolve(edge)
    }
  }
  // A process that ends itself closes its listeners first: connections are refused while it finishes.
  const ended = once(edge.process, 'exit')
  edge.process.kill(fault === 'killed' ? 'SIGKILL' : 'SIGTERM')
  await ended
  return start
}

interface Reply {
  readonly hasRayId: boolean
  readonly isFromOrigin: boolean
}

/** Clients that send one request after the other until `act` has ended. */
async function underLoad(
  port: number,
  origin: Site,
  act: (answered: (count: number) => Promise<void>) => Promise<void>,
): Promise<{ readonly replies: readonly Reply[]; readonly reachedWithoutRayId: number }> {
  const replies: Reply[] = []
  const before = origin.requests.length
  let isOver = false
  const client = async (): Promise<void> => {
    while (!isOver) {
      const { text } = await exchange(port, requestTo('/page'))
      replies.push({
        hasRayId: /^x-ray-id: [0-9a-f]{16}\r$/im.test(text),
        isFromOrigin: /^x-origin: reached\r$/im.test(text),
      })
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, client))
  const answered = async (count: number): Promise<void> => {
    const from = replies.length
    // Requests that were sent before may be answered late.
    await until(
      () => replies.length >= from + CLIENTS + count,
      () => `${replies.length - from} answered`,
    )
  }
  try {
    await Promise.race([answered(DURING), clients])
    await Promise.race([act(answered), clients])
  } finally {
    isOver = true
    await clients
  }
  const reached = origin.requests.slice(before).filter(({ path }) => path === '/page')
  const rayIds = reached.filter(({ headers }) => /^[0-9a-f]{16}$/.test(String(headers['x-ray-id'])))
  return { replies, reachedWithoutRayId: reached.length - rayIds.length }
}

const requestTo = (path: string): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${ZONE}\r\nConnection: close\r\n\r\n`)

const untilDeciding = (edge: RunningEdge): Promise<void> =>
  until(
    async () => (await getFrom(edge.proxy, ZONE, '/blocked')).status === 403,
    () => 'the edge does not decide',
  )

const untilBlocking = (proxies: RunningProxies, adapter: Adapter): Promise<void> =>
  until(
    async () => (await exchange(proxies.portOf(adapter), requestTo('/blocked'))).status === 403,
    () => `${adapter} does not ask the edge again`,
  )

/** Nothing answers there. */
const REFUSED_URL = 'http://127.0.0.1:9'

/** The log lines of an edge with this message. */
function createLogCount() {
  let text = ''
  return {
    onLog: (chunk: string) => void (text += chunk),
    count: (message: string): number => text.split(message).length - 1,
  }
}

async function withoutConfiguration(mode: Mode, { launcher, target, origin, report }: World): Promise<void> {
  const log = createLogCount()
  const nowhere = { http: REFUSED_URL, token: target.token }
  const edge = await startEdge(launcher, nowhere, origin.port, {
    flags: ['--undecided', mode],
    onLog: log.onLog,
  })
  try {
    await report.check(
      `${mode}: without any configuration, what is undecided is counted and logged`,
      async () => {
        const before = origin.requests.length
        const statuses = await Promise.all(
          Array.from({ length: 120 }, async () => (await getFrom(edge.proxy, ZONE, '/page')).status),
        )
        deepEqual([...new Set(statuses)], [mode === 'open' ? 200 : 503])
        equal(origin.requests.length - before, mode === 'open' ? statuses.length : 0)
        const { requests } = await statusOf(edge)
        equal(requests.undecided, statuses.length)
        await until(
          () => log.count('request undecided') >= statuses.length,
          () => `${log.count('request undecided')} lines`,
        )
        equal(log.count('request undecided'), statuses.length)
      },
    )
  } finally {
    edge.stop()
  }
}

async function statusOf(edge: RunningEdge) {
  const { text } = await getFrom(edge.decisions, '127.0.0.1', '/status')
  return JSON.parse(text) as { readonly requests: { readonly decided: number; readonly undecided: number } } // as it writes it
}

/** Between an edge and its server: damages replies, or refuses and stalls them. */
async function startDamagingProxy({ http }: Target) {
  let damage: 'none' | 'refuse' | 'stall' | ((body: string) => string) = 'none'
  const stalled: ServerResponse[] = []
  const server = createServer((request, response) => void pass(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    http: `http://127.0.0.1:${port}`,
    set: (next: typeof damage): void => {
      damage = next
      for (const response of stalled.splice(0)) response.destroy()
      server.closeAllConnections()
    },
    close: (): void => {
      server.closeAllConnections()
      server.close()
    },
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (damage === 'refuse') return void response.destroy()
    if (damage === 'stall') return void stalled.push(response)
    const options = { method: request.method, headers: { ...request.headers, host: new URL(http).host } }
    const forwarded = send(new URL(request.url ?? '/', http), options, (reply) => {
      let body = ''
      reply.setEncoding('utf8').on('data', (text: string) => (body += text))
      reply.on('end', () => {
        const isConfiguration = request.url?.endsWith('/edge/configuration') === true
        const sent = isConfiguration && typeof damage === 'function' ? damage(body) : body
        response.writeHead(reply.statusCode ?? 502, { 'content-type': 'application/json' }).end(sent)
      })
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    forwarded.end(Buffer.concat(chunks))
  }
}

async function withoutServer(world: World): Promise<void> {
  const { launcher, target, origin, report } = world
  const between = await startDamagingProxy(target)
  const edge = await startEdge(launcher, { http: between.http, token: target.token }, origin.port)
  try {
    await untilDeciding(edge)
    for (const fault of ['refuse', 'stall'] as const)
      await report.check(`the edge decides as before while its server is away (${fault})`, async () => {
        between.set(fault)
        const before = await statusOf(edge)
        const statuses = await Promise.all(
          Array.from({ length: 60 }, async (_, index) => {
            const path = index % 3 === 0 ? '/blocked' : '/page'
            return [path, (await getFrom(edge.proxy, ZONE, path)).status] as const
          }),
        )
        for (const [path, status] of statuses) equal(status, path === '/blocked' ? 403 : 200)
        const { requests } = await statusOf(edge)
        equal(requests.undecided, before.requests.undecided)
        equal(requests.decided - before.requests.decided, statuses.length)
        between.set('none')
      })
  } finally {
    edge.stop()
    between.close()
  }
}

const DAMAGES: readonly (readonly [name: string, damage: (body: string) => string])[] = [
  ['cut off', (body) => body.slice(0, body.length / 2)],
  [
    'with an expression that does not compile',
    (body) => body.replaceAll('http.request.uri.path eq', 'http.request eq'),
  ],
  ['of an unknown format', (body) => body.replace(/"format":\d+/, '"format":9999')],
  ['without its rules', (body) => body.replace('"rulesets"', '"rules"')],
]

async function changesAndDamage(world: World): Promise<void> {
  const { api, zoneId, launcher, target, origin, report } = world
  const between = await startDamagingProxy(target)
  let log = ''
  const edges = [
    await startEdge(launcher, { http: between.http, token: target.token }, origin.port, {
      onLog: (text) => void (log += text),
    }),
    await startEdge(launcher, target, origin.port),
  ] as const
  let number = 0
  const block = async (): Promise<string> => {
    const path = `/change-${(number += 1)}`
    const rule = { action: 'block', expression: `http.request.uri.path eq "${path}"` }
    await api.call('PUT', `/zones/${zoneId}/${CUSTOM}`, { rules: [BLOCKED, rule] })
    return path
  }
  const isBlocked = async (edge: RunningEdge, path: string): Promise<boolean> =>
    (await getFrom(edge.proxy, ZONE, path)).status === 403
  const arrives = async (edge: RunningEdge, path: string): Promise<void> =>
    until(
      () => isBlocked(edge, path),
      () => `${path} is not blocked`,
    )
  try {
    for (const edge of edges) await untilDeciding(edge)
    await report.check('changes reach every edge', async () => {
      const took: number[] = []
      for (let change = 0; change < 7; change += 1) {
        const path = await block()
        const began = performance.now()
        await Promise.all(edges.map((edge) => arrives(edge, path)))
        took.push(performance.now() - began)
      }
      reportTimes(took)
      const median = took.toSorted((one, other) => one - other)[3] ?? Infinity // of seven
      ok(median < MAX_ARRIVAL_MILLIS, `the median is ${median.toFixed(0)} ms`)
    })
    for (const [name, damage] of DAMAGES)
      await report.check(`a configuration ${name} changes nothing`, async () => {
        const [damaged, healthy] = edges
        log = ''
        between.set(damage)
        const path = await block()
        await arrives(healthy, path)
        // Until the edge has met the damage, nothing is shown.
        await until(
          () => Promise.resolve(/configuration not usable|server not followed/.test(log)),
          () => `the edge has not said that it cannot use the configuration: ${log}`,
        )
        equal(await isBlocked(damaged, path), false)
        equal(await isBlocked(damaged, '/blocked'), true)
        equal((await getFrom(damaged.proxy, ZONE, '/page')).status, 200)
        between.set('none')
        await arrives(damaged, await block())
      })
  } finally {
    for (const edge of edges) edge.stop()
    between.close()
  }
}
