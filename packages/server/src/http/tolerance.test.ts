// Input of real clients that a strict server would reject. Each row is a client that would break.
import { scenarios, type Scenario, type Send } from '../testing/scenarios.ts'

const RECORDS = '/zones/{zone}/dns_records'
const FIRST = `${RECORDS}/{0}`

const www = { type: 'A', name: 'www', content: '192.0.2.1' }
const www6 = { type: 'AAAA', name: 'www', content: '2001:db8::1' }
const alias = { type: 'CNAME', name: 'alias', content: 'www.example.net' }
const bare = { type: 'TXT', name: '_acme-challenge', content: 'dGhlIHRva2Vu' }
const sentences = { type: 'TXT', name: 'words', content: '"v=spf1 include:example.net" " ~all"' }
const sip = {
  type: 'SRV',
  name: '_sip._tcp',
  data: { priority: 10, weight: 20, port: 5060, target: 'sip.example.net' },
}
const caa = { type: 'CAA', name: '@', data: { flags: 0, tag: 'issue', value: 'ca.example.net' } }
const mx = { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 }

const get = (path: string): Send => ({ method: 'GET', path })
const post = (body: unknown): Send => ({ method: 'POST', path: RECORDS, body })
const patch = (body: unknown): Send => ({ method: 'PATCH', path: FIRST, body })
const put = (body: unknown): Send => ({ method: 'PUT', path: FIRST, body })

const found = (...results: object[]) => ({ status: 200, result: results, info: { count: results.length } })
const nothing = { status: 200, result: [], info: { count: 0, total_count: 0, total_pages: 1 } }
const created = (result: object) => ({ status: 200, changes: 1, events: ['records +1'], records: 1, result })
const changed = (result: object) => ({ status: 200, changes: 1, events: ['records -1 +1'], result })

const paths: Scenario[] = [
  {
    name: 'a trailing slash before the query (ddclient, cloudflare-ddns)',
    send: get('/zones/?name=example.com'),
    expect: found({ name: 'example.com' }),
  },
  {
    name: 'a trailing slash on a list of records',
    given: [www],
    send: get(`${RECORDS}/?type=AAAA`),
    expect: nothing,
  },
  {
    name: 'a trailing slash on a record',
    given: [www],
    send: get(`${FIRST}/`),
    expect: { status: 200, result: { name: 'www.example.com' } },
  },
  {
    name: 'a trailing slash on a creation',
    send: { ...post(www), path: `${RECORDS}/` },
    expect: created({ name: 'www.example.com' }),
  },
  ...['/client/v4', '/api/v4', '/v4'].map((base): Scenario => ({
    name: `the base path ${base}`,
    given: [www],
    send: { ...get(FIRST), base },
    expect: { status: 200, result: { name: 'www.example.com' } },
  })),
  {
    name: 'the base path /v4 with a query right behind a list',
    send: { ...get('/zones?name=example.com'), base: '/v4' },
    expect: found({ name: 'example.com' }),
  },
  {
    name: 'an api-version header is ignored (SDK 7, Python 4.3)',
    given: [www],
    send: { ...get(FIRST), headers: { 'api-version': '2026-01-05' } },
    expect: { status: 200 },
  },
  {
    name: 'Accept: text/plain does not matter',
    given: [www],
    send: { ...get(FIRST), headers: { accept: 'text/plain' } },
    expect: { status: 200 },
  },
  {
    name: 'an unsupported option with its default value',
    given: [www],
    send: get(`${RECORDS}?include_shadow_metadata=false`),
    expect: found({ name: 'origin.example.com' }, { name: 'www.example.com' }),
  },
  {
    name: 'of a parameter that is sent twice, the last one counts',
    given: [www],
    send: get(`${RECORDS}?name=other.example.com&name=www.example.com`),
    expect: found({ name: 'www.example.com' }),
  },
  {
    name: 'a page past the end is an empty list (all SDKs)',
    given: [www],
    send: get(`${RECORDS}?page=2`),
    expect: {
      status: 200,
      result: [],
      info: { page: 2, per_page: 100, count: 0, total_count: 2, total_pages: 1 },
    },
  },
  {
    name: 'a page far past the end',
    send: get(`${RECORDS}?page=9007199254740991&per_page=5000000`),
    expect: { status: 200, result: [] },
  },
  {
    name: 'a page far past the end of the zones',
    send: get('/zones?page=99999999999999999999'),
    expect: { status: 200, result: [], info: { total_count: 1 } },
  },
  {
    name: 'one item a page (certbot)',
    send: get('/zones?name=example.com&per_page=1'),
    expect: found({ name: 'example.com' }),
  },
  {
    name: 'fifty thousand items a page',
    given: [www],
    send: get(`${RECORDS}?per_page=50000`),
    expect: { status: 200, info: { per_page: 50_000, count: 2 } },
  },
]

const filters: Scenario[] = [
  ...['example.com', 'EXAMPLE.com', 'example.com.', 'Example.Com.'].map((name): Scenario => ({
    name: `a zone found as ${name} (libdns sends the dot)`,
    send: get(`/zones?name=${name}`),
    expect: found({ name: 'example.com' }),
  })),
  ...['www.example.com', 'WWW.example.COM', 'www.example.com.'].flatMap((name) =>
    ['name', 'name.exact', 'name.endswith'].map((operator): Scenario => ({
      name: `records found by ${operator}=${name}`,
      given: [www],
      send: get(`${RECORDS}?${operator}=${name}`),
      expect: found({ name: 'www.example.com' }),
    })),
  ),
  {
    name: 'type=A,AAAA (cloudflare-ddns)',
    given: [www, www6, alias],
    send: get(`${RECORDS}?type=A,AAAA&name=www.example.com`),
    expect: found({ type: 'A' }, { type: 'AAAA' }),
  },
  {
    name: 'type=a, aaaa in lower case with a space',
    given: [www, www6, alias],
    send: get(`${RECORDS}?type=a,%20aaaa&name=www.example.com`),
    expect: found({ type: 'A' }, { type: 'AAAA' }),
  },
  { name: 'an unknown type', given: [www], send: get(`${RECORDS}?type=LOC`), expect: nothing },
  ...[
    ['content', 'dGhlIHRva2Vu'],
    ['content', '%22dGhlIHRva2Vu%22'],
    ['content.exact', 'dGhlIHRva2Vu'],
    ['content.exact', '%22dGhlIHRva2Vu%22'],
    ['content', 'DGHLIHRVA2VU'],
    ['content.contains', 'lIHRv'],
    ['content.contains', 'dGhlIHRva2Vu'],
    ['content.contains', '%22dGhlIHRva2Vu%22'],
    ['content.startswith', 'dGhl'],
    ['content.startswith', '%22dGhl'],
    ['content.endswith', 'Vu'],
    ['content.endswith', 'Vu%22'],
  ].map(([operator, text]): Scenario => ({
    name: `TXT by ${operator}=${text} (certbot, lexicon, acme.sh, libdns)`,
    given: [bare],
    send: get(`${RECORDS}?type=TXT&${operator}=${text}`),
    expect: found({ name: '_acme-challenge.example.com', content: '"dGhlIHRva2Vu"' }),
  })),
  ...[
    ['content', 'v=spf1 include:example.net ~all'],
    ['content', '"v=spf1 include:example.net" " ~all"'],
    ['content.contains', 'example.net ~all'],
    ['content.contains', 'example.net" " ~all'],
  ].map(([operator, text]): Scenario => ({
    name: `TXT in two strings by ${operator}=${text}`,
    given: [sentences],
    send: get(`${RECORDS}?${operator}=${encodeURIComponent(text ?? '')}`),
    expect: found({ content: '"v=spf1 include:example.net" " ~all"' }),
  })),
  {
    name: 'TXT by a text that no record has',
    given: [bare],
    send: get(`${RECORDS}?type=TXT&content=dGhlIHRva2V`),
    expect: nothing,
  },
  ...[
    '20%205060%20sip.example.net',
    '20%095060%09sip.example.net',
    '%2020%20%205060%20sip.example.net.%20',
  ].map((text): Scenario => ({
    name: `SRV by content=${text} (ansible sends tabs)`,
    given: [sip],
    send: get(`${RECORDS}?type=SRV&content=${text}`),
    expect: found({ content: '20 5060 sip.example.net' }),
  })),
  {
    name: 'CAA by content with tabs',
    given: [caa],
    send: get(`${RECORDS}?content=0%09issue%09%22ca.example.net%22`),
    expect: found({ type: 'CAA' }),
  },
  {
    name: 'CNAME by its target with a trailing dot, in upper case',
    given: [alias],
    send: get(`${RECORDS}?type=CNAME&content=WWW.example.NET.`),
    expect: found({ type: 'CNAME', content: 'www.example.net' }),
  },
  ...['include_shadow_metadata=true', 'shadowed_by_name=a', 'shadowing_name=a'].map((option): Scenario => ({
    name: `an unsupported list option is rejected by name: ${option}`,
    given: [www],
    send: get(`${RECORDS}?${option}`),
    expect: {
      status: 400,
      codes: [19402],
      pointers: [`/${option.split('=')[0]}`],
      text: `${option.split('=')[0]} is not supported.`,
    },
  })),
  ...[
    'search=%00',
    'search=%0A',
    'search=www%00',
    'name.contains=%00',
    'name.startswith=%00',
    'content=%09',
    'content.contains=%00',
    'content.contains=%0A',
    'comment.endswith=%00',
    'comment.contains=%00',
    'tag=a%00',
    'tag.present=b%0Aa',
    'tag.contains=a:%00',
    'tag.startswith=a:b%0Aa',
  ].map((filter): Scenario => ({
    name: `records by control characters, which no record contains: ${filter}`,
    given: [{ ...www, comment: 'c', tags: ['b', 'a:b', 'a2:c'] }],
    send: get(`${RECORDS}?${filter}`),
    expect: nothing,
  })),
  ...['name=contains:%00', 'name=starts_with:%00', 'account.name=ends_with:%00'].map((filter): Scenario => ({
    name: `zones by control characters, which no zone contains: ${filter}`,
    send: get(`/zones?${filter}`),
    expect: nothing,
  })),
  {
    name: 'an operator before a name, a form used in the past, is rejected with a hint',
    given: [www],
    send: get(`${RECORDS}?name=contains:www`),
    expect: { status: 400, codes: [6008], pointers: ['/name'], text: 'use name.contains' },
  },
]

const JSON_TYPE = { 'content-type': 'application/json' }
const bodies: Scenario[] = [
  {
    name: 'GET that announces JSON and sends nothing',
    given: [www],
    send: { ...get(FIRST), headers: JSON_TYPE },
    expect: { status: 200 },
  },
  {
    name: 'GET with the body {} (lexicon)',
    given: [www],
    send: { ...get(RECORDS), body: '{}' },
    expect: { status: 200, info: { count: 2 } },
  },
  {
    name: 'GET with a body that is not JSON',
    given: [www],
    send: { ...get(FIRST), body: '{oops' },
    expect: { status: 200 },
  },
  {
    name: 'DELETE that announces JSON and sends nothing',
    given: [www],
    send: { method: 'DELETE', path: FIRST, headers: JSON_TYPE },
    expect: { status: 200, changes: 1, events: ['records -1'], records: -1 },
  },
  {
    name: 'DELETE with the body {} (lexicon, cloudflare 2.9.1)',
    given: [www],
    send: { method: 'DELETE', path: FIRST, body: '{}' },
    expect: { status: 200, changes: 1, events: ['records -1'], records: -1 },
  },
  {
    name: 'DELETE with a body and without its type',
    given: [www],
    send: { method: 'DELETE', path: FIRST, body: '{}', headers: { 'content-type': null } },
    expect: { status: 200, changes: 1, events: ['records -1'], records: -1 },
  },
  {
    name: 'PUT without a body where none is needed',
    send: { method: 'PUT', path: '/zones/{zone}/activation_check' },
    expect: { status: 200 },
  },
  {
    name: 'PUT that announces JSON and sends nothing where nothing is needed',
    send: { method: 'PUT', path: '/zones/{zone}/activation_check', headers: JSON_TYPE },
    expect: { status: 200 },
  },
  {
    name: 'a JSON body without a content type (cert-manager)',
    send: { ...post(www), headers: { 'content-type': null } },
    expect: created({ name: 'www.example.com' }),
  },
  {
    name: 'a content type with parameters and capitals',
    send: { ...post(www), headers: { 'content-type': 'Application/JSON; Charset=UTF-8' } },
    expect: created({ name: 'www.example.com' }),
  },
  {
    name: 'a byte order mark before the JSON',
    send: post(`\u{feff}${JSON.stringify(www)}`),
    expect: created({ name: 'www.example.com' }),
  },
  {
    name: 'NUL bytes after the JSON',
    send: post(`${JSON.stringify(www)}\0\0\0`),
    expect: created({ name: 'www.example.com' }),
  },
]

const ZERO_TIME = '0001-01-01T00:00:00Z'
const plain = { ttl: 1, proxied: false, comment: null, tags: [], locked: false, settings: {} }
const strays = {
  id: 'x',
  zone_id: 'y',
  zone_name: 'z',
  created_on: ZERO_TIME,
  modified_on: ZERO_TIME,
  locked: true,
  data: null,
  settings: {},
  priority: 0,
  tags: null,
  comment: null,
  meta: {},
  proxiable: false,
  proxied: null,
  extra: { a: 1 },
  t: 'A',
  l: 1,
  p: null,
}
const drafts: Scenario[] = [
  {
    name: 'stray members of an A record (cloudflare-go, dnscontrol, lexicon, cfcli)',
    send: post({ ...www, ...strays }),
    expect: created({ name: 'www.example.com', content: '192.0.2.1', proxiable: true, ...plain }),
  },
  {
    name: 'data without meaning on TXT (libdns)',
    send: post({ ...bare, data: { tag: '' }, created_on: ZERO_TIME }),
    expect: created({ content: '"dGhlIHRva2Vu"', ...plain }),
  },
  {
    name: 'data without meaning on MX (libdns)',
    send: post({ ...mx, data: { tag: '' } }),
    expect: created({ content: 'mail.example.net', priority: 10 }),
  },
  {
    name: 'content: null beside data',
    send: post({ ...caa, content: null }),
    expect: created({ content: '0 issue "ca.example.net"' }),
  },
  { name: 'proxied: false on TXT', send: post({ ...bare, proxied: false }), expect: created(plain) },
  { name: 'proxied: false on MX', send: post({ ...mx, proxied: false }), expect: created(plain) },
  { name: 'proxied: false on SRV', send: post({ ...sip, proxied: false }), expect: created(plain) },
  {
    name: 'content and data of SRV: data wins',
    send: post({ ...sip, content: '1 1 1 other.example.net' }),
    expect: created({ content: '20 5060 sip.example.net' }),
  },
  {
    name: 'content and data of CAA: data wins',
    send: post({ ...caa, content: '0 issue "other.example.net"' }),
    expect: created({ content: '0 issue "ca.example.net"' }),
  },
  { name: 'a missing ttl is automatic', send: post(www), expect: created({ ttl: 1 }) },
  { name: 'ttl: null is automatic', send: post({ ...www, ttl: null }), expect: created({ ttl: 1 }) },
  {
    name: 'a proxied record is automatic, whatever ttl was sent (octodns, ansible)',
    send: post({ ...www, proxied: true, ttl: 3600 }),
    expect: { ...created({ proxied: true, ttl: 1 }), messages: [19012] },
  },
  ...[
    ['www', 'www.example.com'],
    ['WWW', 'www.example.com'],
    ['@', 'example.com'],
    ['example.com', 'example.com'],
    ['example.com.', 'example.com'],
    ['www.example.com', 'www.example.com'],
    ['www.example.com.', 'www.example.com'],
    ['WwW.Example.COM.', 'www.example.com'],
    ['a.b', 'a.b.example.com'],
    ['www.other.test', 'www.other.test.example.com'],
    [' www ', 'www.example.com'],
  ].map(([name, full]): Scenario => ({
    name: `the name "${name}" is ${full}`,
    send: post({ ...www, name }),
    expect: created({ name: full }),
  })),
  ...(
    [
      [{ ...alias, content: 'www.example.net.' }, { content: 'www.example.net' }],
      [{ ...alias, content: '@' }, { content: 'example.com' }],
      [{ ...mx, content: 'Mail.Example.NET.' }, { content: 'mail.example.net' }],
      [{ ...mx, content: '.', priority: 0 }, { content: '.' }],
      [{ type: 'NS', name: 'sub', content: 'ns1.example.net.' }, { content: 'ns1.example.net' }],
      [
        { ...sip, data: { ...sip.data, target: 'sip.example.net.' } },
        { content: '20 5060 sip.example.net', data: sip.data },
      ],
      [{ ...sip, data: { ...sip.data, target: '.' } }, { content: '20 5060 .' }],
    ] as const
  ).map(([body, result]): Scenario => ({
    name: `a trailing dot on the host in ${JSON.stringify(body)} (octodns)`,
    send: post(body),
    expect: created(result),
  })),
  {
    name: 'numbers as strings in data (libcloud)',
    send: post({ ...sip, data: { priority: '10', weight: '20', port: '5060', target: 'sip.example.net' } }),
    expect: created({ priority: 10, data: sip.data }),
  },
  { name: 'priority as a string', send: post({ ...mx, priority: '10' }), expect: created({ priority: 10 }) },
  ...['0\tissue\tca.example.net', '0 issue "ca.example.net"', ' 0   issue  ca.example.net '].map(
    (content): Scenario => ({
      name: `CAA by content ${JSON.stringify(content)} (libcloud, octodns)`,
      send: post({ type: 'CAA', name: '@', content }),
      expect: created({
        content: '0 issue "ca.example.net"',
        data: { flags: 0, tag: 'issue', value: 'ca.example.net' },
      }),
    }),
  ),
  {
    name: 'SRV without a name: it is in data (ansible)',
    send: post({ type: 'SRV', data: { ...sip.data, service: '_sip', proto: '_tcp', name: 'example.com' } }),
    expect: created({ name: '_sip._tcp.example.com', data: sip.data }),
  },
  {
    name: 'SRV without a name: for a host below the apex',
    send: post({ type: 'SRV', data: { ...sip.data, service: '_sip', proto: '_udp', name: 'voice' } }),
    expect: created({ name: '_sip._udp.voice.example.com' }),
  },
  {
    name: 'SRV without a name: for the apex as @',
    send: post({ type: 'SRV', data: { ...sip.data, service: '_sip', proto: '_tcp', name: '@' } }),
    expect: created({ name: '_sip._tcp.example.com' }),
  },
  {
    name: 'SRV with a name, and the old members in data (octodns, dnscontrol)',
    send: post({ ...sip, data: { ...sip.data, service: '_sip', proto: '_tcp', name: 'elsewhere' } }),
    expect: created({ name: '_sip._tcp.example.com', data: sip.data }),
  },
  {
    name: 'the priority of SRV at the top level only',
    send: post({ ...sip, priority: 10, data: { weight: 20, port: 5060, target: 'sip.example.net' } }),
    expect: created({ priority: 10, data: sip.data }),
  },
  {
    name: 'PATCH with only content (ddclient)',
    given: [{ ...www, ttl: 300, comment: 'kept' }],
    send: patch({ content: '192.0.2.2' }),
    expect: changed({ name: 'www.example.com', content: '192.0.2.2', ttl: 300, comment: 'kept' }),
  },
  {
    name: 'PATCH with only a comment',
    given: [www],
    send: patch({ comment: 'new' }),
    expect: changed({ content: '192.0.2.1', comment: 'new' }),
  },
  {
    name: 'PATCH with nulls without meaning (flarectl)',
    given: [www],
    send: patch({ content: '192.0.2.3', tags: null, priority: 0, data: null, name: null, type: null }),
    expect: changed({ name: 'www.example.com', content: '192.0.2.3' }),
  },
  {
    name: 'PUT of a whole reply, as clients send it back',
    given: [{ ...mx, comment: 'a' }],
    send: put({
      ...mx,
      id: '{0}',
      zone_id: '{zone}',
      zone_name: 'example.com',
      ...plain,
      content: 'mail2.example.net',
    }),
    expect: changed({ content: 'mail2.example.net', priority: 10, comment: null }),
  },
]

const replies: Scenario[] = [
  {
    name: 'id is the first key of a record, without spaces (acme.sh)',
    given: [www],
    send: get(`${RECORDS}?name=www.example.com`),
    expect: { status: 200, text: /^\{"result":\[\{"id":"[0-9a-f]{32}",/ },
  },
  {
    name: 'id is the first key of a zone',
    send: get('/zones?name=example.com'),
    expect: { status: 200, text: /^\{"result":\[\{"id":"[0-9a-f]{32}","name":"example\.com",/ },
  },
  {
    name: 'count is followed by a comma (acme.sh, K0p1)',
    given: [www],
    send: get(`${RECORDS}?name=www.example.com`),
    expect: { status: 200, text: '"count":1,' },
  },
  {
    name: 'an empty list has an empty array',
    send: get(`${RECORDS}?name=none`),
    expect: { status: 200, text: '"count":0,' },
  },
  {
    name: 'success is written without spaces',
    given: [www],
    send: get(FIRST),
    expect: { status: 200, text: '"success":true,"errors":[],"messages":[]}' },
  },
  {
    name: 'every record has zone_id and zone_name (libcloud, libdns)',
    given: [www],
    send: get(`${RECORDS}?name=www.example.com`),
    expect: { status: 200, text: /"zone_id":"[0-9a-f]{32}","zone_name":"example\.com"/ },
  },
  {
    name: 'data has the documented keys and no others (ansible compares)',
    given: [sip],
    send: get(FIRST),
    expect: {
      status: 200,
      text: '"data":{"port":5060,"priority":10,"target":"sip.example.net","weight":20}',
    },
  },
  {
    name: 'data of CAA likewise',
    given: [caa],
    send: get(FIRST),
    expect: { status: 200, text: '"data":{"flags":0,"tag":"issue","value":"ca.example.net"}' },
  },
  {
    name: 'the identical record is 81058 in its exact words',
    given: [www],
    send: post(www),
    expect: { status: 400, codes: [81058], text: '"message":"An identical record already exists."' },
  },
  {
    name: 'a missing record is a 404 with 81044',
    send: get(`${RECORDS}/${'0'.repeat(32)}`),
    expect: { status: 404, codes: [81044], text: '"message":"Record does not exist."' },
  },
  {
    name: 'a plain validation error is never a 409, which SDKs would retry',
    given: [alias],
    send: post({ ...www, name: 'alias' }),
    expect: { status: 400, codes: [81054] },
  },
]

scenarios('paths and queries', paths)
scenarios('filters', filters)
scenarios('bodies', bodies)
scenarios('drafts', drafts)
scenarios('replies', replies)
