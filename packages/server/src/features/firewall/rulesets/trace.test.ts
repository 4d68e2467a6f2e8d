// Firewall traces over HTTP: the verdict, its steps, and no side effects.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectDocumented } from '../../../testing/documented.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'

const TRACE = '/zonereeve/zones/{zone}/firewall/trace'
const CUSTOM = 'http_request_firewall_custom'
const MANAGED = 'http_request_firewall_managed'
const rules = (phase: string, ...list: object[]): Send => ({
  method: 'PUT',
  path: `/zones/{zone}/rulesets/phases/${phase}/entrypoint`,
  body: { rules: list },
  as: 'entry',
})
const ask = (body: object): Send => ({
  method: 'POST',
  path: TRACE,
  body: { url: 'https://www.example.com/login?a=1', ...body },
})
const LOG_FIELDS = {
  action: 'log_custom_field',
  action_parameters: {
    request_fields: [{ name: 'x-team' }],
    raw_response_fields: [{ name: 'server' }, { name: 'x-from' }],
    response_fields: [{ name: 'x-from' }],
  },
}
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f'
const MANAGED_RULESET = 'efb7b8c949ac4650a09736fc376e9aee'
const execute = (id: string) => ({ action: 'execute', expression: 'true', action_parameters: { id } })

scenarios('/zonereeve/zones/:id/firewall/trace', [
  {
    name: 'no rule decides',
    send: ask({}),
    expect: {
      status: 200,
      result: {
        new: {
          action: 'allow',
          ended_by: null,
          response: null,
          skipped_products: [],
          logged_fields: null,
          steps: [],
        },
      },
    },
  },
  {
    name: 'a rule blocks, with the deciding parts',
    before: [
      rules(CUSTOM, {
        action: 'block',
        expression: 'ip.src eq 203.0.113.9 and http.request.uri.path eq "/login"',
        description: 'no',
      }),
    ],
    send: ask({ ip: '203.0.113.9' }),
    expect: {
      status: 200,
      result: {
        new: {
          action: 'block',
          ended_by: { level: 'zone', phase: CUSTOM, description: 'no' },
          response: { status_code: 403 },
          steps: [
            {
              action: 'block',
              outcome: 'matched',
              because: ['ip.src eq 203.0.113.9', 'http.request.uri.path eq "/login"'],
            },
          ],
        },
      },
    },
  },
  {
    name: 'a rule that does not match, with the deciding parts',
    before: [rules(CUSTOM, { action: 'block', expression: 'ip.src eq 203.0.113.9 and ssl' })],
    send: ask({}),
    expect: {
      status: 200,
      result: {
        new: { action: 'allow', steps: [{ outcome: 'passed', because: ['ip.src eq 203.0.113.9'] }] },
      },
    },
  },
  {
    name: 'only matches, on request',
    before: [rules(CUSTOM, { action: 'block', expression: 'not ssl' }, { action: 'log', expression: 'ssl' })],
    send: ask({ steps: 'matched' }),
    expect: { status: 200, result: { new: { steps: [{ action: 'log' }] } } },
  },
  {
    name: 'a custom response',
    before: [
      rules(CUSTOM, {
        action: 'block',
        expression: 'true',
        action_parameters: { response: { status_code: 418, content: 'tea', content_type: 'text/plain' } },
      }),
    ],
    send: ask({}),
    expect: {
      status: 200,
      result: { new: { response: { status_code: 418, content: 'tea', content_type: 'text/plain' } } },
    },
  },
  {
    name: 'a redirect to a computed URL, with the query',
    before: [
      rules('http_request_dynamic_redirect', {
        action: 'redirect',
        expression: 'true',
        action_parameters: {
          from_value: {
            target_url: { expression: 'concat("https://example.net", http.request.uri.path)' },
            status_code: 302,
            preserve_query_string: true,
          },
        },
      }),
    ],
    send: ask({}),
    expect: {
      status: 200,
      result: {
        new: {
          action: 'redirect',
          response: { status_code: 302, location: 'https://example.net/login?a=1' },
        },
      },
    },
  },
  {
    name: 'a rate limit is counted',
    before: [
      rules('http_ratelimit', {
        action: 'block',
        expression: 'true',
        ratelimit: { characteristics: ['ip.src'], period: 60, requests_per_period: 1 },
      }),
    ],
    send: ask({}),
    expect: { status: 200, result: { new: { action: 'allow', steps: [{ outcome: 'counted' }] } } },
  },
  {
    name: 'method, version, headers and body are as described',
    before: [
      rules(CUSTOM, {
        action: 'challenge',
        expression:
          'http.request.method eq "PUT" and http.request.version eq "HTTP/2" and http.request.headers["x-a"][1] eq "é" and http.request.body.raw eq "b\\xff" and not ssl and http.host eq "www.example.com"',
      }),
    ],
    send: ask({
      url: 'http://www.example.com',
      method: 'PUT',
      http_version: 'HTTP/2',
      headers: { 'X-A': ['1', 'é'] },
      body_base64: 'Yv8=',
    }),
    expect: { status: 200, result: { new: { action: 'challenge', response: { status_code: 403 } } } },
  },
  {
    name: 'a path is not normalized',
    before: [
      rules(CUSTOM, { action: 'block', expression: 'raw.http.request.uri contains "/a/../..//b%2e"' }),
    ],
    send: ask({ url: 'https://www.example.com/a/../..//b%2e?x' }),
    expect: { status: 200, result: { new: { action: 'block' } } },
  },
  {
    name: 'skipped products are named',
    before: [rules(CUSTOM, { action: 'skip', expression: 'true', action_parameters: { products: ['waf'] } })],
    send: ask({}),
    expect: { status: 200, result: { new: { action: 'allow', skipped_products: ['waf'] } } },
  },
  {
    name: 'fields that rules log, of a request that passes',
    before: [
      rules('http_response_headers_transform', {
        action: 'rewrite',
        expression: 'true',
        action_parameters: { headers: { 'x-from': { operation: 'set', value: 'edge' } } },
      }),
      rules('http_log_custom_fields', {
        ...LOG_FIELDS,
        expression: 'http.response.code eq 200',
      }),
    ],
    send: ask({
      headers: { 'X-Team': 'one' },
      response: { status_code: 200, headers: { Server: 'origin', 'X-From': 'origin' } },
    }),
    expect: {
      status: 200,
      result: {
        new: {
          action: 'allow',
          logged_fields: {
            request_headers: { 'x-team': 'one' },
            response_headers: { server: 'origin', 'x-from': 'edge' },
            cookies: {},
            shortened: false,
          },
          steps: [
            { phase: 'http_response_headers_transform', outcome: 'matched' },
            {
              phase: 'http_log_custom_fields',
              action: 'log_custom_field',
              outcome: 'matched',
              because: ['http.response.code eq 200'],
            },
          ],
        },
      },
    },
  },
  {
    name: 'fields that rules log, of a request that a rule ends: its response has no headers',
    before: [
      rules(CUSTOM, { action: 'block', expression: 'true' }),
      rules('http_log_custom_fields', { ...LOG_FIELDS, expression: 'http.response.code eq 403' }),
    ],
    send: ask({
      headers: { 'x-team': 'one' },
      response: { status_code: 200, headers: { server: 'origin' } },
    }),
    expect: {
      status: 200,
      result: {
        new: {
          action: 'block',
          logged_fields: { request_headers: { 'x-team': 'one' }, response_headers: {} },
          steps: [
            { phase: CUSTOM, outcome: 'matched' },
            { outcome: 'matched', because: ['http.response.code eq 403'] },
          ],
        },
      },
    },
  },
  {
    name: 'a log rule that does not match is a step, and logs nothing',
    before: [rules('http_log_custom_fields', { ...LOG_FIELDS, expression: 'http.response.code eq 200' })],
    send: ask({}),
    expect: { status: 200, result: { new: { logged_fields: null, steps: [{ outcome: 'passed' }] } } },
  },
  {
    name: 'rules change the headers of a page in place of an error, as at the edge',
    before: [
      rules('http_response_headers_transform', {
        action: 'rewrite',
        expression: 'http.response.code eq 503 or http.host eq "other"',
        action_parameters: { headers: { 'retry-after': { operation: 'set', value: '60' } } },
      }),
      rules('http_custom_errors', {
        action: 'serve_error',
        expression: 'http.response.code eq 500',
        action_parameters: { content: 'later', content_type: 'text/plain', status_code: 503 },
      }),
      rules('http_log_custom_fields', {
        action: 'log_custom_field',
        expression: 'true',
        action_parameters: { response_fields: [{ name: 'content-type' }, { name: 'etag' }] },
      }),
    ],
    send: ask({ response: { status_code: 500, headers: { ETag: '"1"', 'Content-Type': 'text/html' } } }),
    expect: {
      status: 200,
      result: {
        new: {
          changes: {
            response_headers: [{ operation: 'set', name: 'retry-after', value: '60' }],
            error_page: { status_code: 503, content_type: 'text/plain', content: 'later' },
          },
          logged_fields: { response_headers: { 'content-type': 'text/plain; charset=utf-8' } },
          steps: [
            { phase: 'http_custom_errors', because: ['http.response.code eq 500'] },
            { phase: 'http_response_headers_transform', because: ['http.response.code eq 503'] },
            { phase: 'http_log_custom_fields', because: ['true'] },
          ],
        },
      },
    },
  },
  {
    name: 'a new version takes effect at once',
    before: [rules(CUSTOM, { action: 'block', expression: 'true' }), ask({}), rules(CUSTOM)],
    send: ask({}),
    expect: { status: 200, result: { new: { action: 'allow', steps: [] } } },
  },
  ...(
    [
      ['/search', '/url'],
      ['ftp://www.example.com/', '/url'],
      ['https://www.example.net/', '/url'],
      ['https://user@www.example.com/', '/url'],
      ['https://notexample.com/', '/url'],
      ['https://www.example.com/a b', '/url'],
    ] as const
  ).map(([url, pointer]) => ({
    name: `not a URL of the zone: ${url}`,
    send: ask({ url }),
    expect: { status: 400, codes: [19540], pointers: [pointer] },
  })),
  {
    name: 'all errors at once',
    send: ask({ url: 'x', ip: '1.2.3', headers: { 'a b': 'c' }, body: 'a', body_base64: '!' }),
    expect: {
      status: 400,
      codes: [19540, 19540, 19540, 19540, 19540],
      pointers: ['/url', '/ip', '/headers', '/body_base64', '/body_base64'],
    },
  },
  {
    name: 'a header of two lines',
    send: ask({ headers: { a: 'b\r\nc: d' } }),
    expect: { status: 400, codes: [19540], pointers: ['/headers'] },
  },
  { name: 'unknown members', send: ask({ uri: '/' }), expect: { status: 400, codes: [6008] } },
  {
    name: 'no URL',
    send: { method: 'POST', path: TRACE, body: {} },
    expect: { status: 400, codes: [6008], pointers: ['/url'] },
  },
  {
    name: 'an invalid method',
    send: ask({ method: 'GE T' }),
    expect: { status: 400, codes: [6008], pointers: ['/method'] },
  },
])

describe('managed rules in a trace', () => {
  let app: TestApp
  let zone = ''
  beforeAll(async () => {
    app = await startTestApp()
    zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
    await app.must('PUT', `/zones/${zone}/rulesets/phases/${MANAGED}/entrypoint`, {
      rules: [execute(MANAGED_RULESET), execute(OWASP)],
    })
  })
  afterAll(() => app.close())

  interface Traced {
    readonly new: {
      readonly action: string
      readonly ended_by: { readonly rule_id: string; readonly description?: string } | null
      readonly steps: readonly {
        readonly level: string
        readonly rule_id: string
        readonly outcome: string
        readonly action: string
        readonly score?: number
        readonly description?: string
        readonly because?: readonly string[]
        readonly detected?: object
      }[]
    }
  }

  async function trace(body: object): Promise<Traced['new']> {
    const path = `/zonereeve/zones/${zone}/firewall/trace`
    const { status, json } = await app.call<Traced>({ method: 'POST', path, body })
    expectDocumented('POST', path, status, json)
    return json.result.new
  }

  test('an attack is blocked, and the match is reported', async () => {
    const {
      action,
      ended_by: by,
      steps,
    } = await trace({
      url: "https://www.example.com/item?id=1'%20UNION%20SELECT%20password%20FROM%20users--%20-",
    })
    expect([action, by]).not.toEqual(['allow', null])
    expect(steps.filter(({ detected }) => detected !== undefined).length).toBeGreaterThan(0)
  })

  test('an ordinary request passes every enabled rule', async () => {
    const { action, steps } = await trace({
      url: 'https://www.example.com/search?q=green+tea',
      headers: {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
        accept: 'text/html',
      },
    })
    expect(action).toBe('allow')
    expect(steps.length).toBeGreaterThan(100)
    expect(steps.filter(({ outcome }) => outcome === 'matched').map(({ action: done }) => done)).toEqual([
      'execute',
      'execute',
    ])
    expect(steps.at(-1)).toMatchObject({ outcome: 'passed', score: 0 })
  })

  test('a body beyond the limits of the inspection is reported, also without steps that match', async () => {
    const body = 'a'.repeat(128 * 1024)
    const request = { method: 'POST', url: 'https://example.com/', steps: 'matched' }
    expect(await trace({ ...request, body: `${body}a` })).toMatchObject({
      action: 'allow',
      uninspected_field: 'http.request.body.raw',
    })
    expect(await trace({ ...request, body })).toMatchObject({ action: 'allow', uninspected_field: null })
  })

  test('rules of the account come first, without their descriptions', async () => {
    await app.must('PUT', `/accounts/${app.accountId}/rulesets/phases/${CUSTOM}/entrypoint`, {
      rules: [{ action: 'block', expression: 'http.request.uri.path eq "/x"', description: 'secret' }],
    })
    const { ended_by: by, steps } = await trace({ url: 'https://example.com/x' })
    expect([by, steps.at(-1)]).toMatchObject([{ level: 'account' }, { level: 'account', outcome: 'matched' }])
    expect(JSON.stringify([by, steps])).not.toContain('secret')
    expect(steps[0]).not.toHaveProperty('because')
  })

  test('a trace changes nothing', async () => {
    const before = await app.changeCount()
    await trace({ url: 'https://example.com/' })
    expect(await app.changeCount()).toBe(before)
  })
})
