// Every action: accepted parameters, which are returned as they were sent, and rejected ones with their
// pointers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Scenario } from '../../../testing/scenarios.ts'
import { type ActionName, ACTIONS, PHASES } from '@zonereeve/firewall'

interface Case {
  readonly action: ActionName
  readonly phase: keyof typeof PHASES
  /** Each is accepted. */
  readonly good: readonly (object | undefined)[]
  /** Each with the pointers of its errors. */
  readonly bad: readonly (readonly [parameters: unknown, ...places: string[]])[]
}

const names = (...all: string[]) => all.map((name) => ({ name }))
const response = { status_code: 429, content: 'no', content_type: 'text/plain' }

const CASES: readonly Case[] = [
  {
    action: 'block',
    phase: 'http_request_firewall_custom',
    good: [undefined, {}, { response }],
    bad: [
      [{ response: { ...response, status_code: 399 } }, '/response/status_code'],
      [{ response: { ...response, status_code: 500 } }, '/response/status_code'],
      [{ response: { ...response, status_code: '403' } }, '/response/status_code'],
      [{ response: {} }, '/response/status_code', '/response/content', '/response/content_type'],
      [{ response: { ...response, content: 'a'.repeat(30_721) } }, '/response/content'],
      [{ status_code: 403 }, '/status_code'],
    ],
  },
  {
    action: 'challenge',
    phase: 'http_request_firewall_custom',
    good: [undefined, {}],
    bad: [[{ a: 1 }, '/a']],
  },
  {
    action: 'js_challenge',
    phase: 'http_request_firewall_custom',
    good: [undefined, {}],
    bad: [[{ a: 1 }, '/a']],
  },
  {
    action: 'managed_challenge',
    phase: 'http_request_firewall_custom',
    good: [undefined, {}],
    bad: [[{ a: 1 }, '/a']],
  },
  { action: 'log', phase: 'http_request_firewall_custom', good: [undefined, {}], bad: [[[], '']] },
  { action: 'ddos_dynamic', phase: 'ddos_l7', good: [undefined, {}], bad: [[{ a: 1 }, '/a']] },
  { action: 'force_connection_close', phase: 'ddos_l7', good: [undefined, {}], bad: [[5, '']] },
  {
    action: 'execute',
    phase: 'http_request_firewall_managed',
    good: [{ id: 'efb7b8c949ac4650a09736fc376e9aee' }],
    bad: [
      [{ id: 5 }, '/id'],
      [{ id: 'x', overrides: { rules: {} } }, '/overrides/rules'],
      [{ id: 'x', matched_data: {} }, '/matched_data/public_key'],
      [
        { id: 'x', overrides: { rules: [{ id: 'a', score_threshold: 0 }] } },
        '/overrides/rules/0/score_threshold',
      ],
    ],
  },
  {
    action: 'skip',
    phase: 'http_request_firewall_custom',
    good: [{ products: ['waf'] }],
    bad: [
      [{ products: 'waf' }, '/products'],
      [{ rules: { a: [] } }, '/rules/a'],
      [{ ruleset: null }, '/ruleset'],
    ],
  },
  {
    action: 'score',
    phase: 'http_request_firewall_managed',
    good: [{ increment: 5 }, { increment: -1 }],
    bad: [
      [{ increment: 1.5 }, '/increment'],
      [{}, '/increment'],
    ],
  },
  {
    action: 'redirect',
    phase: 'http_request_dynamic_redirect',
    good: [
      { from_value: { target_url: { value: 'https://example.com/' } } },
      {
        from_value: {
          target_url: { expression: 'concat("https://example.com", http.request.uri.path)' },
          status_code: 308,
          preserve_query_string: true,
        },
      },
    ],
    bad: [
      [{ from_value: { target_url: {} } }, '/from_value/target_url'],
      [{ from_value: { target_url: { value: 'a', expression: 'http.host' } } }, '/from_value/target_url'],
      [{ from_value: { target_url: { expression: 'http.hosts' } } }, '/from_value/target_url/expression'],
      [{ from_value: { target_url: { expression: 'ip.src' } } }, '/from_value/target_url/expression'],
      [{ from_value: { target_url: { value: 'a' }, status_code: 304 } }, '/from_value/status_code'],
      [{ from_list: { name: 'a', key: 'http.host' } }, '/from_list'],
      [{}, ''],
    ],
  },
  {
    action: 'redirect',
    phase: 'http_request_redirect',
    good: [], // in list-references.test.ts, because the list must exist
    bad: [
      [{ from_list: { name: 'a', key: '' } }, '/from_list/key'],
      [{ from_list: {} }, '/from_list/name', '/from_list/key'],
    ],
  },
  {
    action: 'rewrite',
    phase: 'http_request_transform',
    good: [
      { uri: { path: { value: '/new' } } },
      { uri: { query: { value: '' } } },
      {
        uri: {
          path: { expression: 'regex_replace(http.request.uri.path, "^/a", "/b")' },
          query: { expression: 'http.request.uri.query' },
        },
      },
    ],
    bad: [
      [{ uri: {} }, '/uri'],
      [{ uri: { path: { value: '' } } }, '/uri/path/value'],
      [{ uri: { path: { value: 'a', expression: 'http.host' } } }, '/uri/path'],
      [{ uri: { path: { value: 'new' } } }, '/uri/path/value'],
      [{ uri: { path: { value: '/a b' } } }, '/uri/path/value'],
      [{ uri: { path: { value: '/a?b' } } }, '/uri/path/value'],
      [{ uri: { path: { value: '/a\r\nX: y' } } }, '/uri/path/value'],
      [{ uri: { query: { value: 'a=é' } } }, '/uri/query/value'],
      [{ uri: { query: { value: 'a#b' } } }, '/uri/query/value'],
      [{ uri: { origin: true } }, '/uri/origin'],
      [{ headers: { a: { operation: 'remove' } } }, '/headers'],
      [
        { uri: { path: { expression: 'regex_replace(http.request.uri.path, "(", "")' } } },
        '/uri/path/expression',
      ],
    ],
  },
  {
    action: 'rewrite',
    phase: 'http_response_headers_transform',
    good: [
      {
        headers: {
          'x-a': { operation: 'set', value: 'b' },
          x_c: { operation: 'remove' },
          'set-cookie': { operation: 'add', value: 'a=b' },
          d: { operation: 'add', expression: 'http.host' },
        },
      },
    ],
    bad: [
      [{ headers: {} }, '/headers'],
      [{ headers: { 'x/a': { operation: 'set' } } }, '/headers/x~1a'],
      [{ headers: { a: { operation: 'remove', value: 'b' } } }, '/headers/a/value'],
      [{ headers: { a: { operation: 'drop' } } }, '/headers/a/operation'],
      [{ headers: { a: { value: 'b' } } }, '/headers/a/operation'],
      [{ headers: { 'x/a': { operation: 'remove' } } }, '/headers/x~1a'],
      [{ headers: { 'a\r\nb': { operation: 'remove' } } }, '/headers/a\r\nb'],
      [{ headers: { a: { operation: 'set', value: 'b\r\nX: y' } } }, '/headers/a/value'],
      [{ headers: { a: { operation: 'set', value: 'b\0' } } }, '/headers/a/value'],
      [{ headers: { a: { operation: 'set', value: 'é' } } }, '/headers/a/value'],
      [{ headers: { a: { operation: 'add', value: ' ' } } }, '/headers/a/value'],
      ...['CF-Ray', 'x-cf-a', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Server', 'X-Ray-Id'].map(
        (name) => [{ headers: { [name]: { operation: 'remove' } } }, `/headers/${name}`] as const,
      ),
      [{ uri: { path: { value: '/a' } } }, '/uri'],
    ],
  },
  {
    action: 'rewrite',
    phase: 'http_request_late_transform',
    good: [
      {
        headers: {
          'X-Client': { operation: 'set', expression: 'http.host' },
          cookie: { operation: 'remove' },
          server: { operation: 'set', value: 'x' },
        },
      },
    ],
    bad: [
      ...['Host', 'Content-Length', 'X-Forwarded-For', 'x-forwarded-host', 'X-Real-IP', 'cf-ipcountry'].map(
        (name) => [{ headers: { [name]: { operation: 'set', value: 'a' } } }, `/headers/${name}`] as const,
      ),
      [{ headers: { cookie: { operation: 'set', value: 'a=b' } } }, '/headers/cookie'],
      [{ headers: { a: { operation: 'set', expression: 'http.response.code' } } }, '/headers/a/expression'],
      [{ uri: { query: { value: '' } } }, '/uri'],
    ],
  },
  {
    action: 'route',
    phase: 'http_request_origin',
    good: [
      { host_header: 'a.example', origin: { host: 'b.example', port: 8443 }, sni: { value: 'c.example' } },
    ],
    bad: [
      [{ origin: { port: 65_536 } }, '/origin/port'],
      [{ origin: {} }, '/origin'],
      [{ sni: {} }, '/sni/value'],
      [{}, ''],
    ],
  },
  {
    action: 'serve_error',
    phase: 'http_custom_errors',
    good: [
      { content: 'no', content_type: 'text/plain', status_code: 503 },
      { asset_name: 'page', content_type: 'text/html' },
      { content: '漢'.repeat(10_240), content_type: 'text/html' },
    ],
    bad: [
      [{ content: '漢'.repeat(10_241), content_type: 'text/html' }, '/content'],
      [{ content: 'a'.repeat(30_721), content_type: 'text/html' }, '/content'],
      [{ content_type: 'text/html' }, ''],
      [{ content: 'a' }, '/content_type', ''],
      [{ content: 'a', content_type: 'image/png' }, '/content_type'],
      [{ content: 'a', content_type: 'text/html', status_code: 399 }, '/status_code'],
    ],
  },
  {
    action: 'compress_response',
    phase: 'http_response_compression',
    good: [{ algorithms: names('zstd', 'brotli', 'auto') }],
    bad: [
      [{ algorithms: [] }, '/algorithms'],
      [{ algorithms: names('lzma') }, '/algorithms/0/name'],
      [{ algorithms: names('gzip', 'gzip') }, '/algorithms/1'],
    ],
  },
  {
    action: 'log_custom_field',
    phase: 'http_log_custom_fields',
    good: [
      {
        request_fields: names('a'),
        response_fields: [{ name: 'b', preserve_duplicates: true }],
        cookie_fields: names('c'),
        raw_response_fields: names('d'),
        transformed_request_fields: names('e'),
      },
    ],
    bad: [
      [{}, ''],
      [{ request_fields: [] }, '/request_fields'],
      [{ cookie_fields: [{ name: 'a', preserve_duplicates: true }] }, '/cookie_fields/0/preserve_duplicates'],
    ],
  },
  {
    action: 'set_cache_control',
    phase: 'http_response_cache_settings',
    good: [
      {
        'max-age': { operation: 'set', value: 60, cloudflare_only: true },
        's-maxage': { operation: 'remove' },
        'no-store': { operation: 'set' },
        private: { operation: 'set', qualifiers: ['set-cookie'] },
      },
    ],
    bad: [
      [{ 'max-age': { operation: 'set' } }, '/max-age/value'],
      [{ 'max-age': { operation: 'remove', value: 1 } }, '/max-age/value'],
      [{ 'no-store': { operation: 'set', value: 1 } }, '/no-store/value'],
      [{ public: {} }, '/public/operation'],
    ],
  },
  {
    action: 'set_cache_settings',
    phase: 'http_request_cache_settings',
    good: [
      { cache: false },
      {
        cache: true,
        browser_ttl: { mode: 'override_origin', default: 60 },
        edge_ttl: {
          mode: 'respect_origin',
          status_code_ttl: [
            { status_code: 404, value: -1 },
            { status_code_range: { from: 500 }, value: 0 },
          ],
        },
        cache_key: {
          custom_key: { query_string: { include: { list: ['a'] } }, header: { contains: { a: ['b'] } } },
          cache_by_device_type: true,
        },
        cache_reserve: { eligible: true, minimum_file_size: 1 },
        additional_cacheable_ports: [8443],
        read_timeout: 6_000,
        serve_stale: { disable_stale_while_updating: true },
        shared_dictionary: { match_pattern: '/*' },
        strip_etags: true,
        vary: {
          default: { action: 'bypass' },
          headers: { accept: { action: 'normalize', media_types: ['image/webp'] } },
        },
      },
    ],
    bad: [
      [{ browser_ttl: {} }, '/browser_ttl/mode'],
      [{ edge_ttl: { mode: 'bypass' } }, '/edge_ttl/mode'],
      [
        { edge_ttl: { mode: 'respect_origin', status_code_ttl: [{ value: 1 }] } },
        '/edge_ttl/status_code_ttl/0',
      ],
      [
        { cache_key: { custom_key: { query_string: { include: { all: true }, exclude: { all: true } } } } },
        '/cache_key/custom_key/query_string',
      ],
      [
        { cache_key: { custom_key: { query_string: { include: { all: false } } } } },
        '/cache_key/custom_key/query_string/include/all',
      ],
      [{ read_timeout: 99 }, '/read_timeout'],
      [{ additional_cacheable_ports: [0] }, '/additional_cacheable_ports/0'],
    ],
  },
  {
    action: 'set_cache_tags',
    phase: 'http_response_cache_settings',
    good: [
      { operation: 'set', values: ['a', 'b'] },
      { operation: 'add', expression: 'http.response.headers["cache-tag"]' },
      { operation: 'add', expression: 'http.host' },
    ],
    bad: [
      [{ operation: 'set' }, ''],
      [{ operation: 'set', values: ['a'], expression: 'http.host' }, ''],
      [{ operation: 'set', values: Array.from({ length: 101 }, (_, index) => `t${index}`) }, '/values'],
      [{ operation: 'set', expression: 'ssl' }, '/expression'],
    ],
  },
  {
    action: 'set_config',
    phase: 'http_config_settings',
    good: [
      {
        bic: true,
        security_level: 'under_attack',
        autominify: { css: true },
        disable_zaraz: true,
        ssl: 'strict',
        polish: 'lossy',
      },
    ],
    bad: [
      [{}, ''],
      [{ disable_zaraz: false }, '/disable_zaraz'],
      [{ ssl: 'on' }, '/ssl'],
      [{ waf: true }, '/waf'],
    ],
  },
  {
    action: 'transform_response_html',
    phase: 'http_response_headers_transform',
    good: [{ link_maze: {} }, { link_maze: { any: 1 } }],
    bad: [
      [{}, '/link_maze'],
      [{ link_maze: true }, '/link_maze'],
    ],
  },
]

const put = ({ phase }: Case, rule: object) => ({
  method: 'PUT',
  path: `/zones/{zone}/rulesets/phases/${phase}/entrypoint`,
  body: { rules: [rule] },
})
const titleOf = (action: string, value: unknown) => `${action} ${JSON.stringify(value)?.slice(0, 150)}`

scenarios(
  'accepted parameters',
  CASES.flatMap((one): Scenario[] =>
    one.good.map((parameters) => {
      const { action } = one
      const rule = {
        action,
        expression: 'true',
        ...(parameters === undefined ? {} : { action_parameters: parameters }),
      }
      const shown = JSON.stringify(rule).slice(1, -1).replace(`,"expression":"true"`, '')
      return {
        name: titleOf(`${one.phase} ${action}`, parameters),
        send: put(one, rule),
        // Byte for byte, in the order in which they were sent.
        expect: {
          status: 200,
          changes: 1,
          result: { rules: [rule] },
          text: `${shown},"expression":"true","last_updated"`,
        },
      }
    }),
  ),
)

const REFUSALS = [19529, 19533, 19535, 20127]

describe('rejected parameters', () => {
  let app: TestApp
  let zone = ''
  beforeAll(async () => {
    app = await startTestApp()
    zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
  })
  afterAll(() => app.close())

  const rows = CASES.flatMap(({ action, phase, bad }) =>
    bad.map(
      ([parameters, ...places]) =>
        [titleOf(`${phase} ${action}`, parameters), action, phase, parameters, places] as const,
    ),
  )
  test.each(rows)('%s', async (_, action, phase, parameters, places) => {
    const before = await app.changeCount()
    const path = `/zones/${zone}/rulesets/phases/${phase}/entrypoint`
    const body = { rules: [{ action, expression: 'true', action_parameters: parameters }] }
    const { status, json } = await app.call({ method: 'PUT', path, body })
    expect([status, json.errors.map(({ source }) => source?.pointer)]).toEqual([
      400,
      places.map((place) => `/rules/0/action_parameters${place}`),
    ])
    for (const { code, message } of json.errors) {
      expect(REFUSALS).toContain(code)
      expect(message).not.toMatch(/undefined|\[object/)
    }
    expect(await app.changeCount()).toBe(before)
  })
})

describe('actions', () => {
  test('each have a case', () => {
    expect(Object.keys(ACTIONS).filter((name) => !CASES.some(({ action }) => action === name))).toEqual([])
  })
  test('each have a phase, and phases have actions', () => {
    const used = new Set(Object.values(PHASES).flatMap(({ actions }) => actions as readonly string[]))
    expect(Object.keys(ACTIONS).filter((name) => !used.has(name))).toEqual([])
  })
})
