// Client-side monitoring: its settings, and the scripts, connections and cookies that browsers detected on a zone's
// pages (specification §2.3 to §2.6, §4.2).
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { closedObject, namedObject, nullable, objectId, oneOf, perPage, timestamp } from './primitives.ts'

const CSV = ['text/csv'] as const

/** Default number of items in a page. */
export const INVENTORY_PER_PAGE = 20

export const INVENTORY_STATUSES = ['active', 'infrequent', 'inactive'] as const

const READ = [
  'Domain Page Shield Read',
  'Domain Page Shield',
  'Zone Settings Read',
  'Zone Settings Write',
] as const
const WRITE = ['Domain Page Shield', 'Zone Settings Write'] as const
export const PAGE_SHIELD_READ = { on: 'zone', anyOf: READ } as const
export const PAGE_SHIELD_WRITE = { on: 'zone', anyOf: WRITE } as const

export const pageShieldZonePath = Type.Object({ zone_id: objectId('the zone') })
export const pageShieldScriptPath = Type.Object({
  zone_id: objectId('the zone'),
  script_id: objectId('the script'),
})

const wholeSeconds = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-01-05T10:20:30Z'] })

const WirePageShield = namedObject('PageShield', {
  enabled: Type.Boolean({ description: 'Reports are collected.' }),
  updated_at: timestamp('When one of these was last changed.'),
  use_service_reporting_endpoint: Type.Optional(
    Type.Boolean({
      description:
        'Browsers send their reports to the collector’s own address, if one is configured, instead of the page’s host. Not in profile `vendor`.',
    }),
  ),
  use_connection_url_path: Type.Boolean({
    description:
      'Connections are stored with path and query (which may contain secrets), not only with scheme and host.',
  }),
  use_cloudflare_reporting_endpoint: Type.Optional(
    Type.Boolean({ description: 'Alias of `use_service_reporting_endpoint`.' }),
  ),
})
export type WirePageShield = Static<typeof WirePageShield>

const flag = (description: string) =>
  Type.Optional(
    // One list of values instead of a union, which would report an error for each of its branches.
    Type.Unsafe<boolean | 'true' | 'false'>({
      enum: [true, false, 'true', 'false'],
      description,
      reason: 'page_shield.switch',
    }),
  )

const PageShieldPut = closedObject({
  enabled: flag('Members that are not sent are not changed.'),
  use_service_reporting_endpoint: flag(
    'Same as `use_cloudflare_reporting_endpoint`: if both are sent, they must be equal.',
  ),
  use_cloudflare_reporting_endpoint: flag('Alias of `use_service_reporting_endpoint`.'),
  use_connection_url_path: flag('Applies to new detections; known connections are not changed.'),
  // Clients send settings back as they were returned.
  updated_at: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
})
export type PageShieldPut = Static<typeof PageShieldPut>

const score = (what: string) =>
  Type.Optional(
    nullable(
      Type.Integer({ minimum: 1, maximum: 99, description: `${what} 1 = certainly, 99 = certainly not.` }),
    ),
  )

export const ScoreMembers = {
  js_integrity_score: score('Malicious.'),
  obfuscation_score: score('Obfuscated.'),
  dataflow_score: score('Sends entered data elsewhere.'),
  malware_score: score('Malware.'),
  cryptomining_score: score('Mines.'),
  magecart_score: score('Skims payment data.'),
}

const hash = (description: string) =>
  nullable(Type.String({ pattern: '^[0-9a-f]{64}$', description: `${description} null = unknown.` }))

const fetchedAt = nullable(wholeSeconds('When the content was last fetched; null = never.'))

const SeenMembers = {
  id: objectId('the resource; the same every time it is detected'),
  url: Type.String(),
  added_at: timestamp('When it was first stored.'),
  first_seen_at: wholeSeconds('When a browser first detected it.'),
  last_seen_at: wholeSeconds('When a browser last detected it.'),
  host: Type.String({ description: 'Host of the pages that load it.' }),
  domain_reported_malicious: Type.Optional(Type.Boolean()),
  malicious_domain_categories: Type.Optional(Type.Array(Type.String())),
  url_reported_malicious: Type.Optional(Type.Boolean()),
  malicious_url_categories: Type.Optional(Type.Array(Type.String())),
  first_page_url: Type.Optional(
    Type.String({ description: 'The first page it was detected on, without scheme and query.' }),
  ),
  status: oneOf(INVENTORY_STATUSES),
  url_contains_cdn_cgi_path: Type.Boolean(),
}

const pageUrls = Type.Optional(
  Type.Array(Type.String(), {
    maxItems: 10,
    description: 'The last pages it was detected on, newest first.',
  }),
)

const WireVersion = namedObject('ScriptVersion', {
  hash: Type.Optional(hash('Of the content’s structure.')),
  ...ScoreMembers,
  fetched_at: fetchedAt,
})
export type WireVersion = Static<typeof WireVersion>

export const WireScript = namedObject('Script', {
  ...SeenMembers,
  hash: Type.Optional(hash('Of the content’s structure.')),
  ...ScoreMembers,
  fetched_at: Type.Optional(fetchedAt),
  page_urls: pageUrls,
  versions: Type.Optional(
    nullable(
      Type.Array(WireVersion, {
        maxItems: 10,
        description: 'The last ten, newest first. In details only.',
      }),
    ),
  ),
})
export type WireScript = Static<typeof WireScript>

export const WireConnection = namedObject('Connection', { ...SeenMembers, page_urls: pageUrls })
export type WireConnection = Static<typeof WireConnection>

export const WireCookie = namedObject('Cookie', {
  id: objectId('the cookie; the same every time it is detected'),
  type: oneOf(['first_party', 'unknown'], {
    description:
      '`first_party`: set by the site itself; `unknown`: only its name is known, because browsers sent it or scripts could read it.',
  }),
  name: Type.String(),
  host: Type.String({ description: 'Host of the pages that it was detected on.' }),
  domain_attribute: Type.String(),
  expires_attribute: Type.Optional(nullable(wholeSeconds('null = not set.'))),
  http_only_attribute: Type.Optional(Type.Boolean()),
  max_age_attribute: Type.Optional(nullable(Type.Integer({ description: 'Seconds; null = not set.' }))),
  path_attribute: Type.String(),
  same_site_attribute: Type.Optional(oneOf(['lax', 'strict', 'none'])),
  secure_attribute: Type.Optional(Type.Boolean()),
  first_seen_at: wholeSeconds('When it was first detected.'),
  last_seen_at: wholeSeconds('When it was last detected.'),
  first_page_url: Type.Optional(Type.String()),
  page_urls: pageUrls,
  set_by: Type.Optional(
    nullable(
      oneOf(['response', 'script'], {
        description: '`response`: by a header; `script`: by JavaScript; null = not known.',
      }),
    ),
  ),
})
export type WireCookie = Static<typeof WireCookie>

const MAX_LIST_CHARACTERS = 8192

const textList = (description: string) =>
  Type.Optional(
    Type.String({ maxLength: MAX_LIST_CHARACTERS, description: `${description} Separated by commas.` }),
  )

const WILDCARDS = '`*` at the start, the end or both matches anything; elsewhere it is refused.'
const NO_WILDCARDS = 'No wildcards: write a literal `*` as `%2A`.'

const PagingParameters = {
  page: Type.Optional(
    Type.String({
      pattern: '^(all|[1-9][0-9]{0,14})$',
      default: '1',
      reason: 'page_shield.page',
      description: 'Page, from 1; or `all` for one page with everything (at most 50000).',
    }),
  ),
  per_page: perPage(1, 100, INVENTORY_PER_PAGE),
  order_by: Type.Optional(oneOf(['first_seen_at', 'last_seen_at'], { default: 'last_seen_at' })),
  direction: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc', description: 'Sort direction.' })),
  export: Type.Optional(
    oneOf(['csv'], { description: 'Everything that passes the filters, at most 50000, as a file.' }),
  ),
}

const status = Type.Optional(
  Type.String({
    pattern: `^\\s*(${INVENTORY_STATUSES.join('|')})\\s*(,\\s*(${INVENTORY_STATUSES.join('|')})\\s*)*$`,
    default: 'active',
    reason: 'page_shield.status',
    description: `Any of ${INVENTORY_STATUSES.join(', ')}. Separated by commas.`,
  }),
)

const HostParameters = {
  hosts: textList(`Hosts of pages. ${WILDCARDS}`),
  exclude_hosts: textList(`Hosts of pages to exclude. ${WILDCARDS}`),
  page_url: textList(`Pages, with or without scheme. ${WILDCARDS}`),
}

const ResourceParameters = {
  ...HostParameters,
  urls: textList(`Parts of URLs. ${NO_WILDCARDS}`),
  exclude_urls: textList(`Parts of URLs to exclude. ${NO_WILDCARDS}`),
  exclude_cdn_cgi: Type.Optional(
    Type.Boolean({ default: true, description: 'Excludes URLs with `/cdn-cgi/`.' }),
  ),
  prioritize_malicious: Type.Optional(Type.Boolean({ default: false, description: 'Malicious ones first.' })),
  status,
  ...PagingParameters,
}

const ScriptQuery = Type.Object({
  ...ResourceParameters,
  exclude_duplicates: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Of scripts with the same content, from the same host, on the same host: only the latest.',
    }),
  ),
})
export type ScriptQuery = Static<typeof ScriptQuery>

export const ConnectionQuery = Type.Object(ResourceParameters)
export type ConnectionQuery = Static<typeof ConnectionQuery>

const MAX_COOKIE_TEXT = 1024
const cookieText = (description: string) =>
  Type.Optional(Type.String({ maxLength: MAX_COOKIE_TEXT, description }))

const CookieQuery = Type.Object({
  ...HostParameters,
  name: cookieText(`Name. ${WILDCARDS}`),
  secure: Type.Optional(Type.Boolean()),
  http_only: Type.Optional(Type.Boolean()),
  same_site: Type.Optional(oneOf(['lax', 'strict', 'none'])),
  type: Type.Optional(oneOf(['first_party', 'unknown'])),
  path: cookieText('Path, exactly.'),
  domain: cookieText('Domain, exactly.'),
  status: Type.Optional(
    Type.Unsafe<string>({ ...status, description: 'Checked, but without effect: cookies have no status.' }),
  ),
  ...PagingParameters,
})
export type CookieQuery = Static<typeof CookieQuery>

const section = {
  tag: 'Client-side monitoring',
  params: {
    zone_id: objectId('the zone'),
    script_id: objectId('the script'),
    connection_id: objectId('the connection'),
    cookie_id: objectId('the cookie'),
  },
}

export const pageShield = operations('page_shield', section, {
  get: {
    route: 'GET /zones/{zone_id}/page_shield',
    summary: 'Get the settings of client-side monitoring',
    permission: PAGE_SHIELD_READ,
    result: WirePageShield,
  },
  put: {
    route: 'PUT /zones/{zone_id}/page_shield',
    summary: 'Set the settings of client-side monitoring',
    description: 'Members that are not sent are not changed. Turning it off keeps the collected data.',
    permission: PAGE_SHIELD_WRITE,
    body: PageShieldPut,
    result: WirePageShield,
  },
  listScripts: {
    id: 'page_shield.scripts.list',
    route: 'GET /zones/{zone_id}/page_shield/scripts',
    summary: 'List detected scripts',
    description: 'Active ones only, unless `status` says otherwise.',
    permission: PAGE_SHIELD_READ,
    query: ScriptQuery,
    onceInQuery: 'all',
    result: WireScript,
    list: true,
    files: CSV,
  },
  getScript: {
    id: 'page_shield.scripts.get',
    route: 'GET /zones/{zone_id}/page_shield/scripts/{script_id}',
    summary: 'Get a detected script with its pages and versions',
    permission: PAGE_SHIELD_READ,
    result: WireScript,
  },
  listConnections: {
    id: 'page_shield.connections.list',
    route: 'GET /zones/{zone_id}/page_shield/connections',
    summary: 'List detected connections',
    description: 'Active ones only, unless `status` says otherwise.',
    permission: PAGE_SHIELD_READ,
    query: ConnectionQuery,
    onceInQuery: 'all',
    result: WireConnection,
    list: true,
    files: CSV,
  },
  getConnection: {
    id: 'page_shield.connections.get',
    route: 'GET /zones/{zone_id}/page_shield/connections/{connection_id}',
    summary: 'Get a detected connection with its pages',
    permission: PAGE_SHIELD_READ,
    result: WireConnection,
  },
  listCookies: {
    id: 'page_shield.cookies.list',
    route: 'GET /zones/{zone_id}/page_shield/cookies',
    summary: 'List detected cookies',
    permission: PAGE_SHIELD_READ,
    query: CookieQuery,
    onceInQuery: 'all',
    result: WireCookie,
    list: true,
    files: CSV,
  },
  getCookie: {
    id: 'page_shield.cookies.get',
    route: 'GET /zones/{zone_id}/page_shield/cookies/{cookie_id}',
    summary: 'Get a detected cookie with its pages',
    permission: PAGE_SHIELD_READ,
    result: WireCookie,
  },
})
