// Every query parameter of the three lists with invalid values: rejected with its name, never ignored.
import { scenarios, type Scenario } from '../../../testing/scenarios.ts'
import { get, observe, OWN, SETTINGS } from './observing.cases.ts'

/** A query, and its error code. */
type Refused = readonly [query: string, code: number]

const PATTERNS = (name: string): readonly Refused[] => [
  [`${name}=a*b`, 19662],
  [`${name}=a,*b*c*`, 19662],
  [`${name}=${'*'.repeat(3)}`, 19662],
  [`${name}=a,%25zz`, 19663],
  [`${name}=100%25`, 19663],
  [`${name}=%25`, 19663],
  [`${name}=%zz`, 19663],
  [`${name}=${'a'.repeat(8193)}`, 6008],
]
const STRINGS = (name: string): readonly Refused[] => [
  [`${name}=*lib*`, 19662],
  [`${name}=a*b`, 19662],
  [`${name}=a.js?*,b*`, 19662],
  [`${name}=a%25`, 19663],
  [`${name}=${'a'.repeat(8193)}`, 6008],
]
const SWITCH = (name: string): readonly Refused[] =>
  ['yes', '1', '', 'TRUE', 'null'].map((text) => [`${name}=${text}`, 6008])
const OF_ALL: readonly Refused[] = [
  ...['hosts', 'exclude_hosts', 'page_url'].flatMap(PATTERNS),
  ...[
    'hosts',
    'exclude_hosts',
    'page_url',
    'status',
    'page',
    'per_page',
    'order_by',
    'direction',
    'export',
  ].map((name): Refused => [`${name}=1&${name}=2`, 6008]),
  ...['hosts', 'exclude_hosts'].flatMap((name): Refused[] => [
    [`${name}=%ff`, 19663],
    [`${name}=a,*%25C3`, 19663],
  ]),
  ...['0', '-1', '1.5', 'x', '', 'ALL', '1e3', '01'].map((text): Refused => [`page=${text}`, 19618]),
  ...['0', '101', '-1', '1.5', 'x', 'all'].map((text): Refused => [`per_page=${text}`, 6008]),
  ...['', 'url', 'LAST_SEEN_AT', 'added_at'].map((text): Refused => [`order_by=${text}`, 6008]),
  ...['', 'up', 'ASC', 'descending'].map((text): Refused => [`direction=${text}`, 6008]),
  ...['', 'pdf', 'CSV', 'json'].map((text): Refused => [`export=${text}`, 6008]),
  ...['', 'gone', 'Active', 'active,', 'active,,inactive', 'active;inactive'].map((text): Refused => [
    `status=${text}`,
    19622,
  ]),
]
const OF_RESOURCES: readonly Refused[] = [
  ...['urls', 'exclude_urls'].flatMap(STRINGS),
  ...['urls', 'exclude_urls'].map((name): Refused => [`${name}=a&${name}=b`, 6008]),
  ...['exclude_cdn_cgi', 'prioritize_malicious'].flatMap(SWITCH),
  ...['exclude_cdn_cgi', 'prioritize_malicious'].map((name): Refused => [`${name}=true&${name}=true`, 6008]),
]
const OF_COOKIES: readonly Refused[] = [
  ['name=a*b', 19662],
  [`name=${'a'.repeat(1025)}`, 6008],
  [`path=${'a'.repeat(1025)}`, 6008],
  [`domain=${'a'.repeat(1025)}`, 6008],
  ...['secure', 'http_only'].flatMap(SWITCH),
  ...['', 'Lax', 'any'].map((text): Refused => [`same_site=${text}`, 6008]),
  ...['', 'third_party', 'UNKNOWN'].map((text): Refused => [`type=${text}`, 6008]),
]

const refused = (kind: string, rows: readonly Refused[]): Scenario[] =>
  rows.map(([query, code]) => ({
    name: `${kind}: ${query.slice(0, 50)}`,
    send: get(`${SETTINGS}/${kind}?${query}`),
    expect: { status: 400, codes: [code], pointers: [`/${query.slice(0, query.indexOf('='))}`] },
  }))

scenarios('what lists refuse', [
  ...refused('scripts', [...OF_ALL, ...OF_RESOURCES, ...SWITCH('exclude_duplicates')]),
  ...refused('connections', [...OF_ALL, ...OF_RESOURCES]),
  ...refused('cookies', [...OF_ALL, ...OF_COOKIES]),
  {
    name: 'all invalid values at once',
    send: get(`${SETTINGS}/scripts?page=0&per_page=0&status=x`),
    expect: { status: 400, codes: [19622, 19618, 6008], pointers: ['/status', '/page', '/per_page'] },
  },
])

scenarios('what a text must be is said in words', [
  {
    name: 'a date',
    send: observe({ page_url: 'https://example.com/', observed_at: 'yesterday' }),
    expect: {
      status: 400,
      codes: [6008],
      pointers: ['/observations/0/observed_at'],
      text: 'must be a date and time such as 2026-01-05T10:20:30Z',
    },
  },
  {
    name: 'an identifier',
    send: get(`${OWN}/violations?policy_id=1`),
    expect: { status: 400, codes: [6008], pointers: ['/policy_id'], text: 'must be 32 hexadecimal digits' },
  },
  {
    name: 'a justification',
    send: {
      method: 'PUT',
      path: `${OWN}/scripts/${'f'.repeat(32)}/authorization`,
      body: { owner: 'a\u0000', justification: '  ' },
    },
    expect: {
      status: 400,
      codes: [6008, 6008],
      pointers: ['/owner', '/justification'],
      text: /owner must be a string that is not only whitespace.*justification must be a string that is not only whitespace/,
    },
  },
])
