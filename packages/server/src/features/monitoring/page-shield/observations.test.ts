// Observations over HTTP: what is rejected entirely, what is skipped, and that no cookie value is ever stored.
import { scenarios } from '../../../testing/scenarios.ts'
import { get, observe, ON, OWN, SETTINGS, views } from './observing.cases.ts'

const COOKIES = `${SETTINGS}/cookies`
const PAGE = 'https://shop.example.com/store/products?x=1'
const send = (body: unknown) => ({ method: 'POST', path: `${OWN}/observations`, body })
const observationCounts = (scripts: number, connections: number, cookies: number, ignored: number) => ({
  status: 200,
  result: { scripts, connections, cookies, ignored },
})
const SET =
  'PHPSESSID=secret; Domain=example.com; Path=/store; Expires=Mon, 21 Oct 2030 12:28:20 GMT; HttpOnly; Secure; SameSite=Strict'

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://a.example/${index}.js`)

scenarios('/zonereeve/zones/:id/page_shield/observations', [
  {
    name: 'while monitoring is disabled',
    send: observe({ page_url: PAGE }),
    expect: { status: 400, codes: [19613] },
  },
  {
    name: 'only a page',
    before: [ON],
    send: observe({ page_url: PAGE }),
    expect: observationCounts(0, 0, 0, 0),
  },
  {
    name: 'resources that the inventory does not accept',
    before: [ON],
    send: observe({
      page_url: PAGE,
      scripts: [
        'data:text/javascript,1',
        'blob:https://example.com/1',
        'chrome-extension://a/b.js',
        'about:blank',
      ],
      connections: ['data:,x', 'https://example.com/cdn-cgi/script_monitor/report?v=1'],
      set_cookie: ['', '=x', 'no', 'a=b; Domain=other.example'],
      cookie: '; =x; ;',
    }),
    expect: observationCounts(0, 0, 0, 10),
  },
  {
    name: 'a resource twice in one view counts once',
    before: [ON],
    send: observe({
      page_url: PAGE,
      scripts: ['https://a.example/', 'https://a.example#x', 'https://b.example'],
    }),
    expect: observationCounts(2, 0, 0, 0),
  },
  {
    name: 'the maximum size of a request',
    before: [ON],
    send: observe(...views(10, { page_url: PAGE, scripts: numbered(200) })),
    expect: observationCounts(2000, 0, 0, 0),
  },
  {
    name: 'one cookie over the maximum',
    before: [ON],
    send: observe(...views(10, { page_url: PAGE, scripts: numbered(200) }), {
      page_url: PAGE,
      cookie: 'a=b',
    }),
    expect: { status: 400, codes: [6008], pointers: ['/observations/10/cookie'] },
  },
  {
    name: 'a host with only /cdn-cgi/ requests, stored without the path',
    before: [ON, observe(...views(3, { page_url: PAGE, connections: ['https://example.com/cdn-cgi/rum?'] }))],
    send: get(`${SETTINGS}/connections?exclude_cdn_cgi=false`),
    expect: { status: 200, result: [{ url: 'https://example.com', url_contains_cdn_cgi_path: true }] },
  },
  {
    name: 'such a host is not in the default list',
    before: [ON, observe(...views(3, { page_url: PAGE, connections: ['https://example.com/cdn-cgi/rum?'] }))],
    send: get(`${SETTINGS}/connections`),
    expect: { status: 200, result: [] },
  },
  {
    name: 'unless it also has other requests',
    before: [
      ON,
      observe(...views(3, { page_url: PAGE, connections: ['https://example.com/cdn-cgi/rum?'] }), {
        page_url: PAGE,
        connections: ['https://example.com/api', 'https://example.com/cdn-cgi/rum'],
      }),
    ],
    send: get(`${SETTINGS}/connections`),
    expect: { status: 200, result: [{ url: 'https://example.com', url_contains_cdn_cgi_path: false }] },
  },
  ...[
    'https://example.org/',
    'https://badexample.com/',
    'ftp://example.com/',
    '/checkout',
    '',
    'https://',
  ].map((page_url) => ({
    name: `not a page of the zone: ${JSON.stringify(page_url)}`,
    before: [ON],
    send: observe({ page_url: PAGE }, { page_url }),
    expect: { status: 400, codes: [19619], pointers: ['/observations/1/page_url'] },
  })),
  {
    name: 'all errors at once, and nothing is stored',
    before: [ON],
    send: observe(
      { page_url: 'https://example.org/', scripts: ['https://ok.example/', 'not a url'] },
      { page_url: PAGE, connections: ['//example.com/x'], observed_at: '2026-01-03T00:00:00Z' },
    ),
    expect: {
      status: 400,
      codes: [19619, 19624, 19617, 19624],
      pointers: [
        '/observations/0/page_url',
        '/observations/0/scripts/1',
        '/observations/1/observed_at',
        '/observations/1/connections/0',
      ],
    },
  },
  {
    name: 'of tomorrow',
    before: [ON],
    send: observe({ page_url: PAGE, observed_at: '2026-01-06T10:20:30Z' }),
    expect: { status: 400, codes: [19617], pointers: ['/observations/0/observed_at'] },
  },
  {
    name: 'of an hour ago',
    before: [
      ON,
      observe(
        ...views(3, {
          page_url: PAGE,
          observed_at: '2026-01-05T10:20:30+01:00',
          scripts: ['https://a.example/'],
        }),
      ),
    ],
    send: get(`${SETTINGS}/scripts`),
    expect: { status: 200, result: [{ last_seen_at: '2026-01-05T09:20:30Z' }] },
  },
  ...[
    [{}, '/observations'],
    [{ observations: [] }, '/observations'],
    [{ observations: [{}] }, '/observations/0/page_url'],
    [{ observations: [{ page_url: PAGE, script: [] }] }, '/observations/0/script'],
    [{ observations: [{ page_url: PAGE, scripts: 'x' }] }, '/observations/0/scripts'],
    [{ observations: [{ page_url: PAGE, cookie: [] }] }, '/observations/0/cookie'],
    [{ observations: [{ page_url: PAGE, observed_at: 'now' }] }, '/observations/0/observed_at'],
    [{ observations: views(101, { page_url: PAGE }) }, '/observations'],
    [
      {
        observations: [{ page_url: PAGE, scripts: Array.from({ length: 201 }, () => 'https://a.example/') }],
      },
      '/observations/0/scripts',
    ],
  ].map(([body, pointer], index) => ({
    name: `refused, ${index}: ${JSON.stringify(body).slice(0, 60)}`,
    before: [ON],
    send: send(body),
    expect: { status: 400, codes: [6008], pointers: [pointer as string] }, // the second of each pair
  })),
])

scenarios('/zones/:id/page_shield/cookies', [
  {
    name: 'of a new zone: none',
    send: get(COOKIES),
    expect: { status: 200, result: [], info: { page: 1, per_page: 20, total_count: 0 } },
  },
  {
    name: 'a cookie that the site sets, all members in order; its value is nowhere',
    before: [ON, observe({ page_url: PAGE, set_cookie: [SET] })],
    send: get(COOKIES),
    expect: {
      status: 200,
      text: new RegExp(
        [
          '^\\{"result":\\[\\{"id":"[0-9a-f]{32}","type":"first_party","name":"PHPSESSID","host":"shop.example.com",',
          '"domain_attribute":"example.com","expires_attribute":"2030-10-21T12:28:20Z","http_only_attribute":true,',
          '"max_age_attribute":null,"path_attribute":"/store","same_site_attribute":"strict","secure_attribute":true,',
          '"first_seen_at":"2026-01-05T10:20:30Z","last_seen_at":"2026-01-05T10:20:30Z",',
          '"first_page_url":"shop.example.com/store/products","page_urls":\\["shop.example.com/store/products"\\],"set_by":"response"\\}\\]',
        ].join(''),
      ),
    },
  },
  {
    name: 'a cookie that browsers send but no site sets is unknown, without attributes',
    before: [ON, observe({ page_url: PAGE, cookie: 'tracker=secret' })],
    send: get(COOKIES),
    expect: {
      status: 200,
      text: /"type":"unknown","name":"tracker","host":"shop.example.com","domain_attribute":"shop.example.com","path_attribute":"\/store","first_seen_at"/,
    },
  },
  {
    name: 'a cookie that is sent and set is known',
    before: [
      ON,
      observe({ page_url: PAGE, cookie: 'PHPSESSID=1' }),
      observe({ page_url: PAGE, set_cookie: [SET] }),
      observe({ page_url: 'https://www.example.com/', cookie: 'PHPSESSID=2' }),
    ],
    send: get(COOKIES),
    expect: {
      status: 200,
      result: [{ type: 'first_party', page_urls: ['www.example.com/', 'shop.example.com/store/products'] }],
    },
  },
  {
    name: 'a cookie of one host does not apply to another host',
    before: [
      ON,
      observe({ page_url: PAGE, set_cookie: ['a=1'] }),
      observe({ page_url: 'https://www.example.com/', cookie: 'a=1' }),
    ],
    send: get(`${COOKIES}?type=unknown`),
    expect: { status: 200, result: [{ name: 'a', host: 'www.example.com' }] },
  },
  ...(
    [
      ['name=PHPSESSID', 1],
      ['name=PHP*', 1],
      ['name=*ID', 1],
      ['name=*SES*', 1],
      ['name=*', 2],
      ['name=phpsessid', 0],
      ['secure=true', 1],
      ['secure=false', 0],
      ['http_only=true', 1],
      ['http_only=false', 0],
      ['same_site=strict', 1],
      ['same_site=lax', 0],
      ['type=unknown', 1],
      ['type=first_party', 1],
      ['path=/store', 2],
      ['path=/', 0],
      ['domain=Example.com', 1],
      ['domain=shop.example.com', 1],
      ['hosts=*.example.com', 2],
      ['hosts=example.com', 0],
      ['exclude_hosts=shop*', 0],
      ['page_url=*products', 2],
      ['page_url=x', 0],
      ['status=infrequent', 2],
      ['page=all&order_by=first_seen_at&direction=asc', 2],
      ['page=2', 0],
    ] as const
  ).map(([text, count]) => ({
    name: `${count} of two with ${text}`,
    before: [ON, observe({ page_url: PAGE, set_cookie: [SET], cookie: 'tracker=1' })],
    send: get(`${COOKIES}?${text}`),
    expect: { status: 200, info: { count } },
  })),
  ...(
    [
      ['type=third_party', '/type', 6008],
      ['same_site=Lax', '/same_site', 6008],
      ['secure=1', '/secure', 6008],
      ['status=expired', '/status', 19622],
      [`name=${'n'.repeat(1025)}`, '/name', 6008],
      ['page=0', '/page', 19618],
    ] as const
  ).map(([text, pointer, code]) => ({
    name: `refused: ${text.slice(0, 30)}`,
    send: get(`${COOKIES}?${text}`),
    expect: { status: 400, codes: [code], pointers: [pointer] },
  })),
  {
    name: 'a file: formulas are escaped as text',
    before: [ON, observe({ page_url: PAGE, cookie: '@SUM(1)=1; -x=2; "q"=3' })],
    send: get(`${COOKIES}?export=csv&name=*S*`),
    expect: { status: 200, file: 'text/csv; charset=utf-8', text: /,unknown,'@SUM\(1\),shop\.example\.com,/ },
  },
  {
    name: 'no such cookie',
    send: get(`${COOKIES}/${'f'.repeat(32)}`),
    expect: { status: 404, codes: [19612] },
  },
  { name: 'plan pro: none', plan: 'pro', send: get(COOKIES), expect: { status: 403, codes: [19616] } },
  {
    name: 'a domain as in Set-Cookie',
    before: [ON, observe({ page_url: PAGE, set_cookie: [SET] })],
    send: get(`${COOKIES}?domain=.Example.com`),
    expect: { status: 200, info: { total_count: 1 } },
  },
  ...['secure=true', 'http_only=false', 'same_site=lax'].map((filter) => ({
    name: `plan business: no filter by attributes, ${filter}`,
    plan: 'business' as const,
    send: get(`${COOKIES}?${filter}`),
    expect: { status: 403, codes: [19616], pointers: [`/${filter.split('=')[0]}`] },
  })),
  {
    name: 'plan business: no attributes except domain and path',
    plan: 'business',
    before: [ON, observe({ page_url: PAGE, set_cookie: [SET] })],
    send: get(COOKIES),
    expect: {
      status: 200,
      text: /"domain_attribute":"example.com","path_attribute":"\/store","first_seen_at"/,
    },
  },
])
