// One corpus of requests through real proxies in front of one origin: nginx with auth_request, HAProxy with its SPOE filter,
// Caddy with forward_auth, and the embedded proxy. What happens to a request is what a trace says of it, as far as the
// adapter sees the request.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { ATTACK_REQUESTS } from '../packages/firewall/src/managed-rules/corpus/attack-requests.cases.ts'
import { BENIGN_REQUESTS } from '../packages/firewall/src/managed-rules/corpus/benign-requests.cases.ts'
import { bodyOfSample, factsOfSample } from '../packages/firewall/src/managed-rules/request-sample.cases.ts'
import { inParallel } from '../scripts/process.ts'
import { missingOf, sharedFile } from '../scripts/requirements.ts'
import { createApi, type Api } from './browsers/api.ts'
import { until } from './browsers/site.ts'
import { startEdge } from './edge-process.ts'
import { ADAPTERS, exchange, startProxies, type Adapter } from './edge-proxies.ts'
import type { Target } from './program.ts'
import type { Report } from './report.ts'

const ZONE = 'corpus.example'
const HOST = `www.${ZONE}`
const SHARED_CASES = 500
const IN_PARALLEL = 8
/** Proxies refuse some requests themselves, which no adapter ever sees: fewer than one of twenty of the corpus. */
const LARGEST_REFUSED_SHARE = 0.05
/** Of the two managed rulesets. */
const MANAGED = ['efb7b8c949ac4650a09736fc376e9aee', '4814384a9e5d4991b9815dcfc25d2f1f']
const CUSTOM = [
  { action: 'block', expression: 'http.request.uri.path eq "/app/save" and http.request.method eq "PUT"' },
  { action: 'log', expression: 'http.request.uri.path eq "/"' },
  { action: 'managed_challenge', expression: 'http.request.uri.path contains "/xmlrpc"' },
  { action: 'block', expression: 'any(http.request.headers["accept-language"][*] eq "tlh")' },
]

type Line = readonly [name: string, value: string]

interface CorpusRequest {
  readonly name: string
  readonly method: string
  readonly target: string
  readonly version: string
  readonly headers: readonly Line[]
  readonly body: Buffer
}

/** @param launcher of the program whose edge is started. */
export async function runEdgeCorpus(
  target: Target,
  launcher: string,
  report: Report,
  folder: string,
): Promise<void> {
  const missing = missingOf(['nginx', 'haproxy', 'caddy'])
  if (missing !== undefined) return report.skip('requests through proxies', missing.reason, missing.required)
  const api = createApi(target)
  const { id } = await api.post<{ id: string }>('/zones', { name: ZONE })
  const put = (phase: string, rules: readonly object[]) =>
    api.call('PUT', `/zones/${id}/rulesets/phases/${phase}/entrypoint`, { rules })
  await put('http_request_firewall_custom', CUSTOM)
  const execute = (managed: string) => ({
    action: 'execute',
    expression: 'true',
    action_parameters: { id: managed },
  })
  await put('http_request_firewall_managed', MANAGED.map(execute))
  const origin = await startOrigin()
  const edge = await startEdge(launcher, target, origin.port)
  const proxies = await startProxies({
    launcher,
    target,
    zone: ZONE,
    edge,
    originPort: origin.port,
    folder,
  }).catch(async (error: unknown) => {
    edge.stop()
    await origin.close()
    throw error
  })
  try {
    await until(
      async () => (await send(proxies.portOf('embedded'), PLAIN)).verdict === 'passes',
      () => 'the edge has no configuration',
    )
    await judge(api, id, proxies.portOf, report)
  } finally {
    await proxies.stop()
    edge.stop()
    await origin.close()
    await api.call('DELETE', `/zones/${id}`)
  }
}

async function judge(
  api: Api,
  zoneId: string,
  portOf: (adapter: Adapter) => number,
  report: Report,
): Promise<void> {
  const sets: (readonly [name: string, requests: readonly CorpusRequest[], least: number])[] = [
    ['the corpus of the product', ownCorpus(), 800],
  ]
  const missing = missingOf(['shared-data'])
  if (missing === undefined)
    sets.push(["requests of other projects' rule tests", await sharedCorpus(api, zoneId), SHARED_CASES])
  else report.skip("requests of other projects' rule tests", missing.reason, missing.required)
  for (const [name, requests, least] of sets)
    for (const adapter of ADAPTERS)
      await report.check(`${name}: every verdict behind ${adapter} is that of a trace`, async () => {
        ok(requests.length >= least, `${requests.length} requests`)
        await compare(api, zoneId, adapter, portOf(adapter), requests)
      })
}

async function compare(
  api: Api,
  zoneId: string,
  adapter: Adapter,
  port: number,
  requests: readonly CorpusRequest[],
): Promise<void> {
  const found = await inParallel(
    IN_PARALLEL,
    requests.map((request) => async () => {
      const sent = await send(port, request)
      if (sent.verdict === 'proxy') return { request, verdict: 'proxy', expected: 'proxy' }
      const { effective } = await trace(api, zoneId, LACKS[adapter](request))
      const expected = ['allow', 'log'].includes(effective.action) ? 'passes' : 'stopped'
      return { request, verdict: sent.verdict, expected }
    }),
  )
  const count = (verdict: string): number => found.filter((one) => one.verdict === verdict).length
  console.log(
    `      ${adapter}: ${count('passes')} pass, ${count('stopped')} are stopped, ${count('proxy')} are refused by the proxy itself`,
  )
  const different = found.filter(({ verdict, expected }) => verdict !== expected)
  deepEqual(
    different.map(({ request, verdict, expected }) => `${request.name}: ${verdict}, not ${expected}`),
    [],
  )
  ok(count('proxy') <= requests.length * LARGEST_REFUSED_SHARE, `${count('proxy')} refused by the proxy`)
  ok(count('passes') > 0 && count('stopped') > 0, 'some pass, and some do not')
}

/** A request without what the table of adapters in docs/edge.md says that an adapter does not see. */
const LACKS: Readonly<Record<Adapter, (request: CorpusRequest) => CorpusRequest>> = {
  nginx: (request) => ({
    ...request,
    headers: request.headers.filter(([name]) => /^[a-z0-9-]+$/i.test(name)),
    body: NO_BODY,
    version: 'HTTP/1.1',
  }),
  caddy: (request) => ({
    ...request,
    headers: request.headers.filter(([name]) => !/^x-forwarded-/i.test(name)),
    body: NO_BODY,
    version: 'HTTP/1.1',
  }),
  haproxy: (request) => request,
  embedded: (request) => request,
}

const NO_BODY = Buffer.alloc(0)
const PLAIN: CorpusRequest = {
  name: 'a page',
  method: 'GET',
  target: '/',
  version: 'HTTP/1.1',
  headers: [
    ['Host', HOST],
    ['User-Agent', 'Mozilla/5.0'],
    ['Connection', 'close'],
  ],
  body: NO_BODY,
}

const STOPPED = 403
/** Replies of proxies to requests that they cannot read, or do not take. */
const OF_PROXY: ReadonlySet<number> = new Set([400, 405, 501, 505])

/** Proxies that refuse a request themselves give it no ray ID. */
async function send(port: number, { method, target, version, headers, body }: CorpusRequest) {
  const lines = [`${method} ${target} ${version}`, ...headers.map((line) => line.join(': ')), '', '']
  const { status, text } = await exchange(
    port,
    Buffer.concat([Buffer.from(lines.join('\r\n'), 'utf8'), body]),
  )
  if (/^x-origin: reached\r$/im.test(text)) return { verdict: 'passes' }
  const hasRayId = /^x-ray-id: [0-9a-f]{16}\r$/im.test(text)
  if (hasRayId) return { verdict: status === STOPPED ? 'stopped' : `status ${status}` }
  return { verdict: OF_PROXY.has(status) ? 'proxy' : `status ${status} without a decision` }
}

const trace = (api: Api, zoneId: string, { method, target, version, headers, body }: CorpusRequest) =>
  api.post<{ effective: { action: string } }>(`/zonereeve/zones/${zoneId}/firewall/trace`, {
    method,
    url: `http://${HOST}${target}`,
    http_version: version,
    headers: grouped(headers),
    body_base64: body.toString('base64'),
    ip: '127.0.0.1',
    steps: 'matched',
  })

function grouped(headers: readonly Line[]): Record<string, string[]> {
  const byName: Record<string, string[]> = {}
  for (const [name, value] of headers) (byName[name.toLowerCase()] ??= []).push(value)
  return byName
}

function ownCorpus(): CorpusRequest[] {
  return [...BENIGN_REQUESTS, ...ATTACK_REQUESTS].map(({ kind, name, request }) => {
    const { method, target, version, headers } = factsOfSample(request)
    const text = (octets: string): string => Buffer.from(octets, 'latin1').toString('utf8')
    const lines = headers.map(([header, value]): Line => [text(header), text(value)])
    const all = { method, target: text(target), version, headers: lines }
    return sendable(`${kind}: ${name}`, { ...all, body: Buffer.from(bodyOfSample(request)) })
  })
}

/** For a host of the zone, with a length that is right, and the last one of its connection. */
function sendable(name: string, request: Omit<CorpusRequest, 'name'>): CorpusRequest {
  const replaced = ['host', 'connection', 'content-length', 'transfer-encoding', 'expect']
  const others = request.headers.filter(([header]) => !replaced.includes(header.toLowerCase()))
  const { length } = request.body
  return {
    ...request,
    name,
    headers: [
      ['Host', HOST],
      ...others,
      ...(length > 0 || request.method === 'POST' ? [['Content-Length', String(length)] as const] : []),
      ['Connection', 'close'],
    ],
  }
}

interface SharedCase extends Omit<CorpusRequest, 'name' | 'target' | 'body'> {
  readonly id: string
  readonly uri: string
  /** Base64. */
  readonly body: string
}

/** Those that a trace can describe: methods and versions of HTTP, and targets that are URLs with this host. */
async function sharedCorpus(api: Api, zoneId: string): Promise<CorpusRequest[]> {
  const file = fileURLToPath(sharedFile('data/crs-cases.json'))
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly SharedCase[] } // its format
  const all = cases
    .filter(({ uri }) => uri.startsWith('/'))
    .map(({ id, uri, body, ...rest }) =>
      sendable(id, { ...rest, target: uri, body: Buffer.from(body, 'base64') }),
    )
  const isTraced = await inParallel(
    IN_PARALLEL,
    all.map(
      (request) => () =>
        trace(api, zoneId, request).then(
          () => true,
          () => false,
        ),
    ),
  )
  const traced = all.filter((_, index) => isTraced[index])
  equal(traced.length >= SHARED_CASES, true, `${traced.length} can be traced`)
  return traced.slice(0, SHARED_CASES)
}

/** Answers everything that reaches it, also what its parser refuses. */
async function startOrigin() {
  const reply = 'HTTP/1.1 200 OK\r\nX-Origin: reached\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
  const server = createServer({ insecureHTTPParser: true }, (request, response) => {
    response.setHeader('x-origin', 'reached')
    request.on('error', () => response.destroy())
    request.resume().on('end', () => response.end())
  })
  server.on('clientError', (_error, socket) => socket.end(reply))
  server.on('connect', (_request, socket) => socket.end(reply))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
