// Rules that change requests and responses, through an edge with its embedded proxy, against a real server and origin.
import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startEdge, type Edge } from '@zonereeve/edge'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { START, startTestApp, type TestApp } from '../testing/app.ts'
import { edgeOptions } from '../testing/edge-options.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'

interface Received {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

interface World {
  readonly app: TestApp
  readonly zoneId: string
  readonly origin: Server
  readonly edge: Edge
}

let world: World
const HOST = 'www.example.com'

const RULES = {
  http_request_dynamic_redirect: [
    {
      action: 'redirect',
      expression: 'starts_with(http.request.uri.path, "/moved/")',
      action_parameters: {
        from_value: {
          status_code: 308,
          preserve_query_string: true,
          target_url: {
            expression:
              'wildcard_replace(http.request.full_uri, "http://*/moved/*", "https://${1}/new/${2}")',
          },
        },
      },
    },
  ],
  http_request_transform: [
    {
      action: 'rewrite',
      expression: 'starts_with(http.request.uri.path, "/blog/")',
      action_parameters: {
        uri: {
          path: { expression: 'regex_replace(http.request.uri.path, "^/blog/", "/news/")' },
          query: { expression: 'concat("from=", url_decode(http.request.uri.query))' },
        },
      },
    },
  ],
  http_request_firewall_custom: [
    { action: 'block', expression: 'http.request.uri.path eq "/news/secret"' },
    { action: 'log', expression: 'http.request.uri.query contains "logged"' },
  ],
  http_request_late_transform: [
    {
      action: 'rewrite',
      expression: 'starts_with(raw.http.request.uri.path, "/blog/")',
      action_parameters: {
        headers: {
          'X-Original': { operation: 'set', expression: 'url_decode(raw.http.request.uri.path)' },
          'X-Now': { operation: 'set', expression: 'http.request.uri.path' },
          'X-Debug': { operation: 'remove' },
          Cookie: { operation: 'remove' },
          Accept: { operation: 'set', value: 'text/plain' },
        },
      },
    },
  ],
  http_response_headers_transform: [
    {
      action: 'rewrite',
      expression: 'true',
      action_parameters: {
        headers: {
          'X-Frame-Options': { operation: 'set', value: 'DENY' },
          'X-Powered-By': { operation: 'remove' },
          'Set-Cookie': { operation: 'add', value: 'edge=1' },
          'X-Code': { operation: 'set', expression: 'to_string(http.response.code)' },
        },
      },
    },
  ],
  http_log_custom_fields: [
    {
      action: 'log_custom_field',
      expression: 'true',
      action_parameters: {
        request_fields: [{ name: 'X-Debug' }],
        transformed_request_fields: [{ name: 'X-Now' }],
        raw_response_fields: [{ name: 'X-Powered-By' }],
        response_fields: [{ name: 'Set-Cookie', preserve_duplicates: true }],
        cookie_fields: [{ name: 'sid' }],
      },
    },
  ],
  http_custom_errors: [
    {
      action: 'serve_error',
      expression: 'starts_with(http.request.uri.path, "/missing/page") and http.response.code eq 404',
      action_parameters: {
        content: '<h1>Gone: 100% "äöü"</h1>',
        content_type: 'text/html',
        status_code: 410,
      },
    },
    {
      action: 'serve_error',
      expression: 'http.request.uri.path eq "/news/secret" and http.response.code eq 403',
      action_parameters: { content: 'stopped', content_type: 'text/plain' },
    },
  ],
}

beforeAll(async () => {
  const app = await startTestApp()
  const zone = await app.must('POST', '/zones', { name: 'example.com' })
  for (const [phase, rules] of Object.entries(RULES))
    await app.must('PUT', `/zones/${zone.id}/rulesets/phases/${phase}/entrypoint`, { rules })
  const token = await makeToken(app, [allow(['Edge Decide'], 'account.zone.*')])
  const origin = createServer(({ url, headers }, response) => {
    response.writeHead(url?.startsWith('/missing') === true ? 404 : 200, {
      'content-type': 'application/json',
      'x-powered-by': 'a program',
      'set-cookie': ['a=1', 'b=2'],
    })
    response.end(JSON.stringify({ url, headers }))
  })
  await new Promise<void>((resolve) => {
    origin.listen(0, '127.0.0.1', resolve)
  })
  const edge = await startEdge(
    edgeOptions(app, token, (origin.address() as AddressInfo).port, { now: () => START }), // it listens on TCP
  )
  await edge.synced
  world = { app, zoneId: zone.id, origin, edge }
})

afterAll(async () => {
  await world.edge.close()
  await world.app.close()
  world.origin.closeAllConnections()
  world.origin.close()
})

function exchange(
  endpoint: { readonly port?: number | undefined } | undefined,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Received> {
  if (endpoint?.port === undefined) throw new Error('the listener is off')
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: endpoint.port, path, headers, agent: false })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers: received } = response // a response has a status
        resolve({ status, headers: received, text: Buffer.concat(chunks).toString() })
      })
    })
    outgoing.end()
  })
}

const SENT = { 'x-debug': 'yes', cookie: 'sid=secret', accept: 'text/html', 'x-original': 'forged' }
const byProxy = (path: string) => exchange(world.edge.proxy, path, { host: HOST, ...SENT })
const byNginx = (path: string) =>
  exchange(world.edge.decisions, '/auth/nginx', {
    ...SENT,
    'x-original-method': 'GET',
    'x-original-uri': path,
    'x-original-host': HOST,
    'x-original-scheme': 'http',
    'x-original-client': '127.0.0.1',
  })

interface Edit {
  readonly operation: string
  readonly name: string
  readonly value?: string
}
interface Trace {
  readonly new: {
    readonly action: string
    readonly response: { readonly location?: string } | null
    readonly changes: {
      readonly uri: string | null
      readonly request_headers: readonly Edit[]
      readonly response_headers: readonly Edit[]
      readonly error_page: object | null
    } | null
    readonly steps: readonly { readonly phase: string; readonly because?: readonly string[] }[]
  }
}
const traced = (path: string, more: object = {}): Promise<Trace> =>
  world.app.must<Trace>('POST', `/zonereeve/zones/${world.zoneId}/firewall/trace`, {
    url: `http://${HOST}${path}`,
    headers: SENT,
    ip: '127.0.0.1',
    steps: 'matched',
    ...more,
  })

interface AtOrigin {
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

describe('pages for errors', () => {
  test('in place of a response of the origin', async () => {
    const { status, text, headers } = await byProxy('/missing/page')
    expect([status, text, headers['content-type']]).toEqual([
      410,
      '<h1>Gone: 100% "äöü"</h1>',
      'text/html; charset=utf-8',
    ])
    expect([headers['x-frame-options'], headers['x-powered-by']]).toEqual(['DENY', undefined])
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2', 'edge=1'])
    const response = { status_code: 404, headers: {} }
    expect((await traced('/missing/page', { response })).new.changes?.error_page).toMatchObject({
      status_code: 410,
      content_type: 'text/html',
    })
  })
  test('another response, and another error, stay', async () => {
    expect((await byProxy('/missing/other')).status).toBe(404)
    expect((await byProxy('/page')).status).toBe(200)
    const response = { status_code: 404, headers: {} }
    expect((await traced('/missing/other', { response })).new.changes?.error_page).toBeNull()
  })
  test('in place of the page of a refused request', async () => {
    const { status, text, headers } = await byProxy('/news/secret')
    expect([status, text, headers['content-type']]).toEqual([403, 'stopped', 'text/plain; charset=utf-8'])
    expect(headers['content-security-policy']).toBeUndefined()
    expect(headers['x-ray-id']).toMatch(/^[0-9a-f]{16}$/)
  })
})

describe('through the embedded proxy', () => {
  test('the origin gets the new path, query and headers', async () => {
    const path = '/blog/a%0d%0aX:%20y?q=1%20%23'
    const { text } = await byProxy(path)
    const { url, headers } = JSON.parse(text) as AtOrigin // as the origin above answers
    expect(url).toBe('/news/a%0D%0AX:%20y?from=q=1%20%23') // rules see digits of escapes in upper case
    expect(headers).toMatchObject({
      'x-original': '/blog/a  X: y',
      'x-now': '/news/a%0D%0AX:%20y',
      accept: 'text/plain',
      host: HOST,
    })
    expect(headers).not.toHaveProperty('x-debug')
    expect(headers).not.toHaveProperty('cookie')
    expect(headers).not.toHaveProperty('x')
    const { changes } = (await traced(path)).new
    expect(changes?.uri).toBe(url)
    const set = new Map(changes?.request_headers.map(({ name, value }) => [name, value]))
    expect([set.get('x-original'), set.get('x-now')]).toEqual([headers['x-original'], headers['x-now']])
    expect(changes?.request_headers).toContainEqual({ operation: 'remove', name: 'cookie' })
  })

  test('a request that no rule changes arrives as it was sent', async () => {
    const { text } = await byProxy('/plain/a%20b?x=%41')
    const { url, headers } = JSON.parse(text) as AtOrigin // as above
    expect(url).toBe('/plain/a%20b?x=%41')
    expect(headers).toMatchObject(SENT)
    expect((await traced('/plain')).new.changes).toEqual({
      uri: null,
      error_page: null,
      request_headers: [],
      response_headers: [],
    })
  })

  test('later rules see the new path', async () => {
    expect((await byProxy('/blog/secret')).status).toBe(403)
    const trace = await traced('/blog/secret')
    expect([trace.new.action, trace.new.changes]).toEqual(['block', null])
    expect(trace.new.steps.map(({ phase }) => phase)).toEqual([
      'http_request_transform',
      'http_request_firewall_custom',
      'http_log_custom_fields',
    ])
    expect(trace.new.steps[1]?.because).toEqual(['http.request.uri.path eq "/news/secret"'])
  })

  test('headers of responses', async () => {
    const { status, headers } = await byProxy('/missing')
    expect(status).toBe(404)
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-code': '404',
      'set-cookie': ['a=1', 'b=2', 'edge=1'],
    })
    expect(headers).not.toHaveProperty('x-powered-by')
    const response = { status_code: 404, headers: { 'x-powered-by': 'a program' } }
    expect((await traced('/missing', { response })).new.changes?.response_headers).toEqual([
      { operation: 'set', name: 'x-frame-options', value: 'DENY' },
      { operation: 'remove', name: 'x-powered-by' },
      { operation: 'add', name: 'set-cookie', value: 'edge=1' },
      { operation: 'set', name: 'x-code', value: '404' },
    ])
  })

  test('also of those that the edge itself sends', async () => {
    const { status, headers } = await byProxy('/blog/secret')
    expect([status, headers['x-frame-options'], headers['x-code']]).toEqual([403, 'DENY', '403'])
    expect(headers['x-ray-id']).toMatch(/^[0-9a-f]{16}$/)
  })

  test('a redirect by wildcards keeps the query', async () => {
    const { status, headers } = await byProxy('/moved/a/b?c=1')
    const location = `https://${HOST}/new/a/b?c=1`
    expect([status, headers.location]).toEqual([308, location])
    expect((await traced('/moved/a/b?c=1')).new.response?.location).toBe(location)
  })

  test('a described response that is invalid is refused', async () => {
    const described = { url: `http://${HOST}/`, response: { status_code: 200, headers: { 'a\r\n': 'b' } } }
    const path = `/zonereeve/zones/${world.zoneId}/firewall/trace`
    const { status, json } = await world.app.call({ method: 'POST', path, body: described })
    expect([status, json.errors.map(({ source }) => source?.pointer)]).toEqual([400, ['/response/headers']])
  })
})

test('forward authentication says what a proxy can copy', async () => {
  const { status, headers } = await byNginx('/blog/a')
  expect(status).toBe(204)
  expect(headers).toMatchObject({
    'x-edge-target': '/news/a?from=',
    'x-original': '/blog/a',
    'x-now': '/news/a',
    accept: 'text/plain',
    'x-envoy-auth-headers-to-remove': 'x-debug,cookie',
  })
  const plain = await byNginx('/plain')
  expect(plain.headers).not.toHaveProperty('x-edge-target')
  expect(plain.headers).not.toHaveProperty('x-original')
})

describe('the event of a request', () => {
  const eventOf = async ({ headers }: Received): Promise<unknown> => {
    await world.edge.flush()
    const [event] = await world.app.must<object[]>(
      'GET',
      `/zonereeve/zones/${world.zoneId}/security/events?ray_id=${String(headers['x-ray-id'])}`,
    )
    return event
  }
  const ofRequest = { cookies: { sid: 'secret' }, shortened: false }

  test('has what the origin answered, and what rules log', async () => {
    expect(await eventOf(await byProxy('/blog/a?logged'))).toMatchObject({
      action: 'log',
      origin_status: 200,
      logged_fields: {
        ...ofRequest,
        request_headers: { 'x-debug': 'yes', 'x-now': '/news/a' },
        response_headers: { 'x-powered-by': 'a program', 'set-cookie': ['a=1', 'b=2', 'edge=1'] },
      },
    })
  })

  test('has the status of the origin, also if the client gets a page in its place', async () => {
    const reply = await byProxy('/missing/page?logged')
    expect(reply.status).toBe(410)
    expect(await eventOf(reply)).toMatchObject({
      origin_status: 404,
      logged_fields: { response_headers: { 'x-powered-by': 'a program' } },
    })
  })

  test('has nothing of a response if a rule stopped it', async () => {
    expect(await eventOf(await byProxy('/blog/secret'))).toMatchObject({
      action: 'block',
      origin_status: null,
      logged_fields: { ...ofRequest, request_headers: { 'x-debug': 'yes' }, response_headers: {} },
    })
  })

  test('has nothing of a response that the adapter does not see', async () => {
    expect(await eventOf(await byNginx('/?logged'))).toMatchObject({
      origin_status: null,
      logged_fields: { ...ofRequest, response_headers: {} },
    })
  })

  test('has no fields if an edge sends more than edges do', async () => {
    const event = {
      ray_id: '00000000000000aa',
      occurred_at: new Date(START).toISOString(),
      action: 'log',
      source: 'firewallCustom',
      level: 'zone',
      phase: 'http_request_firewall_custom',
      ruleset_id: null,
      rule_id: 'r',
      description: null,
      expression: null,
      matched_field: null,
      method: 'GET',
      host: HOST,
      target: '/',
      ip: '192.0.2.1',
      logged_fields: {
        request_headers: {
          a: 'x'.repeat(1_024),
          b: ['x'.repeat(1_024), 'x'.repeat(1_024)],
          c: 'x'.repeat(1_024),
        },
        response_headers: {},
        cookies: {},
        shortened: false,
      },
    }
    const token = await makeToken(world.app, [allow(['Edge Decide'], 'account.zone.*')])
    const path = `/zonereeve/zones/${world.zoneId}/edge/activity`
    const sent = await world.app.call({ method: 'POST', path, token, body: { events: [event] } })
    expect(sent.json).toMatchObject({ result: { recorded: 1 } })
    const events = `/zonereeve/zones/${world.zoneId}/security/events?ray_id=${event.ray_id}`
    expect(await world.app.must('GET', events)).toMatchObject([
      { logged_fields: { request_headers: {}, response_headers: {}, cookies: {}, shortened: true } },
    ])
  })

  test('of a decision over the API has what rules log of the request', async () => {
    const decided = await world.app.must<{ readonly ray_id: string }>(
      'POST',
      `/zonereeve/zones/${world.zoneId}/firewall/decide`,
      { url: `http://${HOST}/?logged`, headers: SENT },
    )
    const events = await world.app.must<object[]>(
      'GET',
      `/zonereeve/zones/${world.zoneId}/security/events?ray_id=${decided.ray_id}`,
    )
    expect(events).toMatchObject([{ origin_status: null, logged_fields: ofRequest }])
  })
})
