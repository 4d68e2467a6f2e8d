// Every kind of failure, in the envelope: status, code, order of members; the bodies that clients compare, byte for
// byte.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { zones } from '@zonereeve/contract'
import { DomainError } from '@zonereeve/platform'
import { ADMIN_EMAIL, ADMIN_KEY, ADMIN_TOKEN, startTestApp, type Call, type TestApp } from '../testing/app.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'
import { expectEnvelope, scenarios, type Scenario } from '../testing/scenarios.ts'
import { MAX_BODY_BYTES } from './bodies.ts'
import { route } from './route.ts'
import { MAX_VIOLATIONS } from './validation.ts'

const RECORDS = '/zones/{zone}/dns_records'
const NO_ID = 'f'.repeat(32)
const UNKNOWN_TOKEN = 'x'.repeat(40)
const www = { type: 'A', name: 'www', content: '192.0.2.1' }
const bearer = (value: string) => ({ authorization: value })
const legacy = (email: string, key: string) => ({ 'x-auth-email': email, 'x-auth-key': key })

const routing: Scenario[] = [
  {
    name: 'an unknown path',
    send: { method: 'GET', path: '/nowhere' },
    expect: { status: 404, codes: [7000], text: 'No route for that URI' },
  },
  {
    name: 'an unknown path below a zone',
    send: { method: 'GET', path: '/zones/{zone}/nowhere' },
    expect: { status: 404, codes: [7000] },
  },
  { name: 'only the base path', send: { method: 'GET', path: '' }, expect: { status: 404, codes: [7000] } },
  {
    name: 'a path outside every base path',
    send: { method: 'GET', path: '/zones', base: '/client/v5' },
    expect: { status: 404, codes: [7000] },
  },
  {
    name: 'a path that only begins like a base path',
    send: { method: 'GET', path: '/zones', base: '/v4x' },
    expect: { status: 404, codes: [7000] },
  },
  {
    name: 'an unknown path without a credential reveals no more',
    send: { method: 'GET', path: '/nowhere', token: null },
    expect: { status: 404, codes: [7000] },
  },
  ...[
    'abc',
    'F'.repeat(32),
    'f'.repeat(31),
    'f'.repeat(33),
    'example.com',
    '%2e%2e',
    ' ',
    'a'.repeat(301),
  ].map((id): Scenario => ({
    name: `the identifier ${id.slice(0, 40)} (${id.length})`,
    send: { method: 'GET', path: `/zones/${encodeURI(decodeURI(id))}` },
    expect: { status: 400, codes: [7003], text: 'perhaps your object identifier is invalid?' },
  })),
  {
    name: 'an empty identifier',
    send: { method: 'GET', path: '/zones//dns_records' },
    expect: {
      status: 400,
      codes: [7003],
      text: 'Could not route to /client/v4/zones//dns_records, perhaps your object identifier is invalid?',
    },
  },
  {
    name: 'an invalid identifier is reported with the path as sent',
    send: { method: 'GET', path: '/zones/abc/dns_records?name=x', base: '/v4' },
    expect: { status: 400, codes: [7003], text: 'Could not route to /v4/zones/abc/dns_records, perhaps' },
  },
  {
    name: 'an invalid identifier is reported before a missing credential',
    send: { method: 'GET', path: '/zones/abc', token: null },
    expect: { status: 400, codes: [7003] },
  },
  {
    name: 'an invalid identifier in second place',
    send: { method: 'GET', path: `${RECORDS}/abc` },
    expect: { status: 400, codes: [7003] },
  },
  {
    name: 'a path that cannot be decoded',
    send: { method: 'GET', path: '/zones/%zz' },
    expect: { status: 400, codes: [6007] },
  },
  {
    name: 'a path with an incomplete UTF-8 sequence',
    send: { method: 'GET', path: '/zones/%c3' },
    expect: { status: 400, codes: [6007] },
  },
  {
    name: 'an unknown zone',
    send: { method: 'GET', path: `/zones/${NO_ID}` },
    expect: { status: 404, codes: [1001] },
  },
  {
    name: 'records of an unknown zone',
    send: { method: 'GET', path: `/zones/${NO_ID}/dns_records` },
    expect: { status: 404, codes: [1001] },
  },
  {
    name: 'an unknown account',
    send: { method: 'GET', path: `/accounts/${NO_ID}` },
    expect: { status: 404, codes: [1003] },
  },
  {
    name: 'an unknown token',
    send: { method: 'GET', path: `/user/tokens/${NO_ID}` },
    expect: { status: 404, codes: [1003] },
  },
]

const bodies: Scenario[] = [
  ...['{', '{"type":"A",}', "{'type':'A'}", 'type=A', '[1,2', '\u{1}', '{"type":"A"}{}', 'NaN'].map(
    (body): Scenario => ({
      name: `malformed JSON: ${JSON.stringify(body)}`,
      send: { method: 'POST', path: RECORDS, body },
      expect: { status: 400, codes: [6007], text: '"message":"Malformed JSON in request body"' },
    }),
  ),
  ...['', '   ', '\n', '\0\0'].map((body): Scenario => ({
    name: `missing body: ${JSON.stringify(body)}`,
    send: { method: 'POST', path: RECORDS, body },
    expect: { status: 400, codes: [9207] },
  })),
  {
    name: 'missing body and content type',
    send: { method: 'POST', path: RECORDS },
    expect: { status: 400, codes: [9207] },
  },
  {
    name: 'a body of nested arrays, deeper than the limit',
    send: { method: 'POST', path: RECORDS, body: '['.repeat(100_000) + ']'.repeat(100_000) },
    expect: { status: 400, codes: [19682] },
  },
  ...['[]', '"text"', '5', 'true', 'null'].map((body): Scenario => ({
    name: `a body that is not an object: ${body.slice(0, 10)} (${body.length})`,
    send: { method: 'POST', path: RECORDS, body },
    expect: { status: 400, codes: [6008], pointers: [null] },
  })),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/vnd.api+json',
    'multipart/form-data; boundary=x',
    'application/xml',
    'garbage',
  ].map((type): Scenario => ({
    name: `a body of type ${type}`,
    send: { method: 'POST', path: RECORDS, body: www, headers: { 'content-type': type } },
    expect: {
      status: 415,
      codes: [6003],
      text: '"error_chain":[{"code":6105,"message":"Invalid Content-Type header, valid values are application/json,multipart/form-data"}]',
    },
  })),
  {
    name: 'a body of exactly the limit is accepted',
    send: { method: 'POST', path: RECORDS, body: padded(MAX_BODY_BYTES) },
    expect: { status: 200, changes: 1, events: ['records +1'], records: 1 },
  },
  {
    name: 'a body of one byte more',
    send: { method: 'POST', path: RECORDS, body: padded(MAX_BODY_BYTES + 1) },
    expect: { status: 413, codes: [19413], text: String(MAX_BODY_BYTES) },
  },
  {
    name: 'a large body without a type',
    send: {
      method: 'POST',
      path: RECORDS,
      body: padded(MAX_BODY_BYTES + 1),
      headers: { 'content-type': null },
    },
    expect: { status: 413, codes: [19413] },
  },
  {
    name: 'two invalid members are reported at once, in order',
    send: { method: 'POST', path: RECORDS, body: { ...www, content: 5, ttl: 'x', proxied: 'yes' } },
    expect: { status: 400, codes: [6008, 9021, 6008], pointers: ['/content', '/ttl', '/proxied'] },
  },
  {
    name: 'a missing member is reported with its pointer',
    send: { method: 'POST', path: '/zones', body: {} },
    expect: { status: 400, codes: [6008], pointers: ['/name'], text: 'name is required' },
  },
  {
    name: 'of a great many invalid members, the first are reported',
    send: { method: 'POST', path: RECORDS, body: { ...www, tags: Array<number>(200_000).fill(5) } },
    expect: {
      status: 400,
      codes: Array<number>(MAX_VIOLATIONS).fill(6008),
      pointers: Array.from({ length: MAX_VIOLATIONS }, (_, index) => `/tags/${index}`),
    },
  },
  {
    name: 'members of the prototype change nothing',
    send: {
      method: 'POST',
      path: RECORDS,
      body: '{"__proto__":{"proxied":true},"constructor":{"prototype":{"ttl":5}},"type":"A","name":"www","content":"192.0.2.1"}',
    },
    expect: {
      status: 200,
      changes: 1,
      events: ['records +1'],
      records: 1,
      result: { proxied: false, ttl: 1 },
    },
  },
]

function padded(bytes: number): string {
  const text = JSON.stringify(www)
  return text + ' '.repeat(bytes - text.length)
}

const queries: Scenario[] = [
  ['page=0', '/page'],
  ['page=-1', '/page'],
  ['page=x', '/page'],
  ['page=1.5', '/page'],
  ['per_page=0', '/per_page'],
  ['per_page=5000001', '/per_page'],
  ['order=size', '/order'],
  ['direction=up', '/direction'],
  ['match=some', '/match'],
  ['proxied=maybe', '/proxied'],
  ['tag_match=none', '/tag_match'],
].map(([query, pointer]) => ({
  name: `the query ${query}`,
  send: { method: 'GET', path: `${RECORDS}?${query}` },
  expect: { status: 400, codes: [6008], pointers: [pointer ?? null] },
}))

const dryRuns: Scenario[] = [
  ...['', 'yes', 'TRUE', 'constructor', 'toString', '__proto__'].map((value): Scenario => ({
    name: `dry_run=${value} is neither true nor false`,
    send: { method: 'POST', path: `${RECORDS}?dry_run=${value}`, body: www },
    expect: { status: 400, codes: [6008], pointers: ['/dry_run'] },
  })),
  {
    name: 'dry_run sent twice',
    send: { method: 'POST', path: `${RECORDS}?dry_run=true&dry_run=false`, body: www },
    expect: { status: 400, codes: [6008], pointers: ['/dry_run'] },
  },
  ...['false', '0'].map((value): Scenario => ({
    name: `dry_run=${value} is a real run`,
    send: { method: 'POST', path: `${RECORDS}?dry_run=${value}`, body: www },
    expect: { status: 200, changes: 1, events: ['records +1'], records: 1 },
  })),
]

scenarios('routing', routing)
scenarios('dry runs', dryRuns)
scenarios('request bodies', bodies)
scenarios('query strings', queries)

describe('failures', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({
      alterRoutes: (routes) => [
        ...routes.filter(({ operation }) => operation !== zones.list && operation !== zones.get),
        route(zones.list, () => Promise.reject(new Error('secret detail: the database is at /var/lib'))),
        route(zones.get, () => Promise.reject(new DomainError({ reason: 'server.stopping' }))),
      ],
    })
  })
  afterAll(() => app.close())

  test('an unexpected error is a 500 that names the log entry and nothing else', async () => {
    app.logged.length = 0
    const answer = await app.call({ method: 'GET', path: '/zones' })
    const requestId = answer.headers['x-request-id']
    expect([answer.status, answer.text]).toEqual([
      500,
      `{"success":false,"errors":[{"code":19500,"message":"Internal error; see the log for request ${String(requestId)}"}],"messages":[],"result":null}`,
    ])
    expect(app.logged.filter(({ level }) => level === 'error')).toMatchObject([
      { event: 'request failed', fields: { requestId, url: '/client/v4/zones' } },
    ])
  })

  test('a server that is stopping is a 503', async () => {
    const zone = await app.must('POST', '/zones', { name: 'stopping.example' })
    const answer = await app.call({ method: 'GET', path: `/zones/${zone.id}` })
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([503, 19503])
    expectEnvelope(answer)
  })
})

describe('methods', () => {
  let app: TestApp
  let zone: string
  beforeAll(async () => {
    app = await startTestApp()
    zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
  })
  afterAll(() => app.close())

  const rows: [method: string, path: string, allow: string][] = [
    ['DELETE', '/zones', 'GET, POST'],
    ['PUT', '/zones', 'GET, POST'],
    ['POST', '/zones/{zone}', 'GET, PATCH, DELETE'],
    ['PUT', '/zones/{zone}/', 'GET, PATCH, DELETE'],
    ['PUT', '/zones/{zone}/dns_records', 'GET, POST'],
    ['PATCH', '/zones/{zone}/dns_records', 'GET, POST'],
    ['POST', `/zones/{zone}/dns_records/${NO_ID}`, 'GET, PUT, PATCH, DELETE'],
    ['GET', '/zones/{zone}/activation_check', 'PUT'],
    ['POST', '/user', 'GET'],
    ['POST', '/memberships', 'GET'],
    ['OPTIONS', '/zones', 'GET, POST'],
    ['TRACE', '/zones', 'GET, POST'],
    ['PURGE', '/zones', 'GET, POST'],
    ['PROPFIND', '/zones', 'GET, POST'],
  ]
  test.each(rows)('%s %s is a 405 that lists the allowed methods', async (method, path, allow) => {
    const answer = await app.call({ method, path: path.replace('{zone}', zone) })
    expect([answer.status, answer.headers['allow'], answer.text]).toEqual([
      405,
      allow,
      `{"result":null,"success":false,"errors":[{"code":10000,"message":"${method} method not allowed for the api_token authentication scheme"}],"messages":[]}`,
    ])
  })

  test('HEAD is GET without the body', async () => {
    const answer = await app.server.inject({
      method: 'HEAD',
      url: '/client/v4/user',
      headers: bearer(`Bearer ${ADMIN_TOKEN}`),
    })
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    const refused = await app.server.inject({ method: 'HEAD', url: '/client/v4/user' })
    expect([refused.statusCode, refused.body]).toEqual([400, ''])
  })
})

describe('credentials', () => {
  const MALFORMED = (code: number, header: string) =>
    `{"success":false,"errors":[{"code":6003,"message":"Invalid request headers","error_chain":[{"code":${code},"message":"Invalid format for ${header} header"}]}],"messages":[],"result":null}`
  const MISSING =
    '{"success":false,"errors":[{"code":9106,"message":"Missing X-Auth-Key, X-Auth-Email or Authorization headers"}],"messages":[],"result":null}'
  const UNKNOWN =
    '{"success":false,"errors":[{"code":9109,"message":"Invalid access token"}],"messages":[],"result":null}'
  const UNKNOWN_KEY =
    '{"success":false,"errors":[{"code":9103,"message":"Unknown X-Auth-Key or X-Auth-Email"}],"messages":[],"result":null}'
  const UNKNOWN_ACCOUNT =
    '{"success":false,"errors":[{"code":10000,"message":"Authentication error"}],"messages":[],"result":null}'
  const UNVERIFIED =
    '{"result":null,"success":false,"errors":[{"code":1000,"message":"Invalid API Token"}],"messages":[]}'
  const otherKey = ADMIN_KEY.replace('0', '1')

  const refused: [
    name: string,
    headers: Record<string, string>,
    path: string,
    status: number,
    body: string,
  ][] = [
    ['no header at all', {}, '/zones', 400, MISSING],
    ['only an e-mail address', { 'x-auth-email': ADMIN_EMAIL }, '/zones', 400, MISSING],
    ['a key alone', { 'x-auth-key': ADMIN_KEY }, '/zones', 400, MISSING],
    ['an empty Authorization', bearer(''), '/zones', 400, MALFORMED(6111, 'Authorization')],
    ['a bearer without a token', bearer('Bearer'), '/zones', 400, MALFORMED(6111, 'Authorization')],
    ['a token without its scheme', bearer(ADMIN_TOKEN), '/zones', 400, MALFORMED(6111, 'Authorization')],
    ['another scheme', bearer(`Basic ${UNKNOWN_TOKEN}`), '/zones', 400, MALFORMED(6111, 'Authorization')],
    [
      'a token of 39 characters',
      bearer(`Bearer ${'x'.repeat(39)}`),
      '/zones',
      400,
      MALFORMED(6111, 'Authorization'),
    ],
    [
      'a token of 101 characters',
      bearer(`Bearer ${'x'.repeat(101)}`),
      '/zones',
      400,
      MALFORMED(6111, 'Authorization'),
    ],
    [
      'a token with a dot',
      bearer(`Bearer ${'x'.repeat(40)}.x`),
      '/zones',
      400,
      MALFORMED(6111, 'Authorization'),
    ],
    [
      'a token in quotes',
      bearer(`Bearer "${UNKNOWN_TOKEN}"`),
      '/zones',
      400,
      MALFORMED(6111, 'Authorization'),
    ],
    [
      'two tokens',
      bearer(`Bearer ${UNKNOWN_TOKEN} ${ADMIN_TOKEN}`),
      '/zones',
      400,
      MALFORMED(6111, 'Authorization'),
    ],
    [
      'a malformed bearer beside a good key',
      { ...bearer('Bearer x'), ...legacy(ADMIN_EMAIL, ADMIN_KEY) },
      '/zones',
      400,
      MALFORMED(6111, 'Authorization'),
    ],
    ['a key of 36 digits', legacy(ADMIN_EMAIL, 'a'.repeat(36)), '/zones', 400, MALFORMED(6103, 'X-Auth-Key')],
    [
      'a key with a capital',
      legacy(ADMIN_EMAIL, 'A'.repeat(37)),
      '/zones',
      400,
      MALFORMED(6103, 'X-Auth-Key'),
    ],
    ['no e-mail address', legacy('nobody', ADMIN_KEY), '/zones', 400, MALFORMED(6102, 'X-Auth-Email')],
    ['an unknown token on zones', bearer(`Bearer ${UNKNOWN_TOKEN}`), '/zones', 403, UNKNOWN],
    [
      'an unknown token on a zone that does not exist',
      bearer(`Bearer ${UNKNOWN_TOKEN}`),
      `/zones/${NO_ID}`,
      403,
      UNKNOWN,
    ],
    ['an unknown token on the user', bearer(`Bearer ${UNKNOWN_TOKEN}`), '/user', 403, UNKNOWN],
    ['an unknown token on accounts', bearer(`Bearer ${UNKNOWN_TOKEN}`), '/accounts', 401, UNKNOWN_ACCOUNT],
    [
      'an unknown token on an account',
      bearer(`Bearer ${UNKNOWN_TOKEN}`),
      `/accounts/${NO_ID}`,
      401,
      UNKNOWN_ACCOUNT,
    ],
    [
      'an unknown token to be verified',
      bearer(`Bearer ${UNKNOWN_TOKEN}`),
      '/user/tokens/verify',
      401,
      UNVERIFIED,
    ],
    [
      'an unknown token to be verified for an account',
      bearer(`Bearer ${UNKNOWN_TOKEN}`),
      `/accounts/${NO_ID}/tokens/verify`,
      401,
      UNVERIFIED,
    ],
    ['an unknown key', legacy(ADMIN_EMAIL, otherKey), '/zones', 403, UNKNOWN_KEY],
    ['the key of another address', legacy('other@example.com', ADMIN_KEY), '/zones', 403, UNKNOWN_KEY],
    ['the key in the place of a token', legacy(ADMIN_EMAIL, ADMIN_TOKEN), '/zones', 403, UNKNOWN_KEY],
    ['an unknown key on accounts', legacy(ADMIN_EMAIL, otherKey), '/accounts', 403, UNKNOWN_KEY],
  ]

  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  const get = (path: string, headers: Record<string, string>): Call => ({
    method: 'GET',
    path,
    headers,
    token: null,
  })

  test.each(refused)('%s', async (_, headers, path, status, body) => {
    const answer = await app.call(get(path, headers))
    expect([answer.status, answer.text]).toEqual([status, body])
  })

  const taken: [name: string, headers: Record<string, string>][] = [
    ['a token', bearer(`Bearer ${ADMIN_TOKEN}`)],
    ['a token after several spaces', bearer(`Bearer   ${ADMIN_TOKEN}`)],
    ['a scheme in lower case', bearer(`bearer ${ADMIN_TOKEN}`)],
    ['the legacy key', legacy(ADMIN_EMAIL, ADMIN_KEY)],
    ['the legacy key under an address in capitals', legacy(ADMIN_EMAIL.toUpperCase(), ADMIN_KEY)],
    [
      'a token beside an address, as cert-manager sends them',
      { ...bearer(`Bearer ${ADMIN_TOKEN}`), 'x-auth-email': ADMIN_EMAIL },
    ],
    [
      'a token beside a wrong key: the token counts',
      { ...bearer(`Bearer ${ADMIN_TOKEN}`), ...legacy(ADMIN_EMAIL, otherKey) },
    ],
  ]
  test.each(taken)('%s is accepted', async (_, headers) => {
    expect((await app.call(get('/user', headers))).status).toBe(200)
  })

  const inTheUrl = [
    'token',
    'access_token',
    'api_token',
    'key',
    'authorization',
    'Authorization',
    'x-auth-key',
  ]
  test.each(inTheUrl)('no credential is taken from the query parameter %s', async (name) => {
    const value = name.startsWith('x-')
      ? `${ADMIN_KEY}&x-auth-email=${ADMIN_EMAIL}`
      : encodeURIComponent(ADMIN_TOKEN)
    const answer = await app.call(get(`/user?${name}=${value}`, {}))
    expect([answer.status, answer.text]).toEqual([400, MISSING])
    const bearerToo = await app.call(get(`/user?${name}=${encodeURIComponent(`Bearer ${ADMIN_TOKEN}`)}`, {}))
    expect(bearerToo.status).toBe(400)
  })

  test('no credential is taken from a body or a cookie', async () => {
    const answer = await app.call({
      method: 'POST',
      path: '/zones',
      token: null,
      body: { name: 'example.com', token: ADMIN_TOKEN },
      headers: { cookie: `token=${ADMIN_TOKEN}; authorization=Bearer ${ADMIN_TOKEN}` },
    })
    expect([answer.status, answer.text]).toEqual([400, MISSING])
  })

  test('a refusal for a missing permission names it, beside the exact error', async () => {
    const zone = await app.must('POST', '/zones', { name: 'example.com' })
    const value = await makeToken(app, [allow(['DNS Read'], `account.zone.${zone.id}`)])
    const write = await app.call({
      method: 'POST',
      path: `/zones/${zone.id}/dns_records`,
      body: www,
      token: value,
    })
    expect([write.status, write.text]).toEqual([
      403,
      `{"success":false,"errors":[{"code":10000,"message":"Authentication error"}],"messages":[{"code":19001,"message":"Missing permission: DNS Write on zone ${zone.id}."}],"result":null}`,
    ])
    const list = await app.call({ method: 'GET', path: '/zones', token: value })
    expect([list.status, list.text]).toEqual([
      403,
      expect.stringMatching(
        /^\{"result":null,"success":false,"errors":\[\{"code":0,"message":"Actor 'com\.cloudflare\.api\.token\.[0-9a-f]{32}' requires permission 'com\.cloudflare\.api\.account\.zone\.list' to list zones"\}\],"messages":\[\{"code":19001,"message":"Missing permission: Zone Read or Zone Write on any zone\."\}\]\}$/,
      ),
    ])
    const create = await app.call({
      method: 'POST',
      path: '/zones',
      body: { name: 'new.example' },
      token: value,
    })
    expect([create.status, create.json.errors, create.json.messages]).toMatchObject([
      403,
      [
        {
          code: 0,
          message:
            'Requires permission "com.cloudflare.api.account.zone.create" to create zones for the selected account',
        },
      ],
      [{ code: 19001, message: expect.stringContaining('Zone Write') }],
    ])
  })
})

describe('headers of every reply', () => {
  test('forbid storing and type sniffing, and name the request', async () => {
    const app = await startTestApp()
    for (const path of ['/user', '/nowhere', '/zones/abc', '/zones/%zz']) {
      const { headers } = await app.call({ method: 'GET', path })
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
      })
      expect(headers['ratelimit']).toBeUndefined()
      expect(headers['x-powered-by']).toBeUndefined()
      expect(headers['server']).toBeUndefined()
    }
    await app.close()
  })
})
