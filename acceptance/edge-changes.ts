// Rules that change requests and responses, behind real proxies with the generated configuration: what the origin gets, and
// what the client gets back.
import { deepEqual, equal, match } from 'node:assert/strict'
import { missingOf } from '../scripts/requirements.ts'
import { createApi } from './browsers/api.ts'
import { startSite, until } from './browsers/site.ts'
import { startEdge } from './edge-process.ts'
import { ADAPTERS, exchange, startProxies, type Adapter } from './edge-proxies.ts'
import type { Target } from './program.ts'
import type { Report } from './report.ts'

const ZONE = 'changed.example'
const rewriting = (expression: string, action_parameters: object) => ({
  action: 'rewrite',
  expression,
  action_parameters,
})
const onPage = 'http.request.uri.path eq "/changed"'
const RULES = {
  http_request_transform: [
    rewriting('http.request.uri.path eq "/old"', {
      uri: { path: { value: '/new%20a/%2fb' }, query: { value: 'y=1&z=%zz' } },
    }),
  ],
  http_request_late_transform: [
    rewriting(onPage, {
      headers: {
        'x-set': { operation: 'set', expression: 'http.request.uri.path' },
        'X-Added': { operation: 'add', value: 'by a rule' },
        'x-removed': { operation: 'remove' },
        x_underscore: { operation: 'set', value: 'u' },
      },
    }),
  ],
  http_response_headers_transform: [
    rewriting(onPage, {
      headers: {
        'x-set': { operation: 'set', value: 'back "100%" {of} $it' },
        'x-added': { operation: 'add', value: 'more' },
        'X-Powered-By': { operation: 'remove' },
      },
    }),
    rewriting('http.response.code eq 404', { headers: { 'x-missing': { operation: 'set', value: 'yes' } } }),
  ],
}
const MANAGED = {
  managed_request_headers: [{ id: 'add_true_client_ip_headers', enabled: true }],
  managed_response_headers: [{ id: 'add_security_headers', enabled: true }],
}
/** What the origin says of itself. */
const ORIGIN_HEADERS = { 'x-set': 'of the origin', 'x-added': 'of the origin', 'x-powered-by': 'origin' }
const CLIENT_HEADERS = [
  'X-Set: of the client',
  'X-Added: of the client',
  'X-Removed: secret',
  'True-Client-IP: forged',
]
/** What docs/edge.md says that a proxy cannot do. */
const REWRITES: readonly Adapter[] = ['nginx', 'haproxy', 'embedded']
const SEES_RESPONSES: readonly Adapter[] = ['haproxy', 'embedded']

/** @param launcher of the program whose edge is started. */
export async function runEdgeChanges(
  target: Target,
  launcher: string,
  report: Report,
  folder: string,
): Promise<void> {
  const missing = missingOf(['nginx', 'haproxy', 'caddy'])
  if (missing !== undefined)
    return report.skip('changed requests behind proxies', missing.reason, missing.required)
  const api = createApi(target)
  const { id } = await api.post<{ id: string }>('/zones', { name: ZONE })
  for (const [phase, rules] of Object.entries(RULES))
    await api.call('PUT', `/zones/${id}/rulesets/phases/${phase}/entrypoint`, { rules })
  await api.call('PATCH', `/zones/${id}/managed_headers`, MANAGED)
  const origin = await startSite(({ path, headers }) => ({
    status: path === '/missing' ? 404 : 200,
    headers: ORIGIN_HEADERS,
    body: JSON.stringify({ path, headers }),
  }))
  const edge = await startEdge(launcher, target, origin.port)
  try {
    const world = { launcher, target, zone: ZONE, edge, originPort: origin.port, folder }
    const proxies = await startProxies(world)
    try {
      await until(
        async () => (await get(edge.proxy, '/')).status === 200,
        () => 'the edge has no configuration',
      )
      for (const adapter of ADAPTERS) await judge(adapter, proxies.portOf(adapter), report)
    } finally {
      await proxies.stop()
    }
  } finally {
    edge.stop()
    await origin.close()
    await api.call('DELETE', `/zones/${id}`)
  }
}

async function judge(adapter: Adapter, port: number, report: Report): Promise<void> {
  await report.check(`behind ${adapter}, the origin gets the path and query of a rewrite`, async () => {
    const { received } = await get(port, '/old?x=1')
    equal(received.path, REWRITES.includes(adapter) ? '/new%20a/%2fb?y=1&z=%zz' : '/old?x=1')
    // What no rule rewrites stays as the client has sent it.
    equal((await get(port, '/kept%20a/%2fb?x=%41')).received.path, '/kept%20a/%2fb?x=%41')
  })
  await report.check(`behind ${adapter}, rules change headers of requests`, async () => {
    const { received } = await get(port, '/changed')
    equal(received.headers['x-set'], '/changed')
    equal(received.headers['x-added'], 'of the client, by a rule')
    equal(received.headers['x-removed'], undefined)
    equal(received.headers['x_underscore'], 'u')
    const unchanged = (await get(port, '/kept')).received.headers
    equal(unchanged['true-client-ip'], '127.0.0.1')
    deepEqual(
      [unchanged['x-set'], unchanged['x-added'], unchanged['x-removed'], unchanged['x_underscore']],
      ['of the client', 'of the client', 'secret', undefined],
    )
  })
  await report.check(`behind ${adapter}, rules change headers of responses`, async () => {
    const changed = await get(port, '/changed')
    deepEqual(changed.valuesOf('x-set'), ['back "100%" {of} $it'])
    deepEqual(changed.valuesOf('x-added').join(', '), 'of the origin, more')
    deepEqual(changed.valuesOf('x-powered-by'), [])
    match(changed.valuesOf('x-ray-id').join(), /^[0-9a-f]{16}$/)
    const unchanged = await get(port, '/kept')
    for (const [name, value] of Object.entries(ORIGIN_HEADERS)) deepEqual(unchanged.valuesOf(name), [value])
    deepEqual(unchanged.valuesOf('x-content-type-options'), ['nosniff'])
    const reading = await get(port, '/missing')
    deepEqual(reading.valuesOf('x-missing'), SEES_RESPONSES.includes(adapter) ? ['yes'] : [])
  })
}

interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

async function get(port: number, target: string) {
  const head = [`GET ${target} HTTP/1.1`, `Host: ${ZONE}`, 'Connection: close', ...CLIENT_HEADERS, '', '']
  const { status, text } = await exchange(port, Buffer.from(head.join('\r\n')))
  const [replied = '', body = ''] = text.split('\r\n\r\n')
  const json = /\{.*\}/s.exec(body)?.[0] ?? '{"path":"","headers":{}}' // a reply of a proxy
  return {
    status,
    received: JSON.parse(json) as Received, // as the origin writes it
    valuesOf: (name: string): string[] =>
      replied
        .split('\r\n')
        .filter((line) => line.toLowerCase().startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).trim()),
  }
}
