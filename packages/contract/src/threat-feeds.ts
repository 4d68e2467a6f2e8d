// Threat feeds: lists of malicious domains and URLs that the inventory of client-side monitoring is held against.
// Zonereeve's own, outside the vendor's paths. They belong to the server, and act on all of its zones.
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import {
  Deleted,
  givenName,
  nullable,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
  uploadedFile,
} from './primitives.ts'

const tag = 'Threat feeds'
const base = '/zonereeve/threat_feeds'
const one = `${base}/{threat_feed_id}`

/** Feeds in a page where the query says nothing. */
export const THREAT_FEEDS_PER_PAGE = 50

export const THREAT_FEED_FORMATS = [
  'adblock',
  'hosts',
  'openphish',
  'phishtank',
  'plain',
  'threatfox',
  'urlhaus',
] as const

export const THREAT_FEED_CATEGORIES = [
  'Security threats',
  'Command-and-Control (C2) & Botnet',
  'Crypto mining',
  'Spyware',
  'Phishing',
  'Malware',
  'Domain Generation Algorithm (DGA) domain',
  'Typosquatting & Impersonation',
] as const

const MIN_INTERVAL_MINUTES = 5
const MAX_INTERVAL_MINUTES = 43_200
const MAX_UPLOAD_BYTES = 33_554_432

const format = oneOf(THREAT_FEED_FORMATS, {
  description:
    '`urlhaus` CSV or URLs, `threatfox` CSV, `phishtank` CSV or JSON, `openphish` URLs, `hosts` hosts file, `adblock` list for ad blockers such as NoCoin, `plain` one domain, address or URL a line. UTF-8, gzip or not.',
})
const url = Type.String({
  maxLength: 2048,
  description:
    'http or https, without user and password. Addresses of networks of one’s own are not fetched.',
  examples: ['https://feeds.example.com/malware.txt'],
})
const categories = Type.Array(oneOf(THREAT_FEED_CATEGORIES), {
  minItems: 1,
  maxItems: THREAT_FEED_CATEGORIES.length,
  uniqueItems: true,
  description: 'What its entries are; for the formats adblock, hosts and plain, whose entries do not say it.',
})
const intervalMinutes = (more: object) =>
  Type.Integer({
    minimum: MIN_INTERVAL_MINUTES,
    maximum: MAX_INTERVAL_MINUTES,
    description: 'Minutes between two fetches, up to a tenth more.',
    ...more,
  })

const WireThreatFeed = Type.Object(
  {
    id: objectId('the feed'),
    name: Type.String(),
    format,
    url: nullable(Type.String({ description: 'null = its entries are uploaded.' })),
    categories: nullable(categories),
    interval_minutes: nullable(intervalMinutes({})),
    enabled: Type.Boolean({ description: 'Its entries flag, and it is fetched.' }),
    created_on: timestamp('When it was made.'),
    status: Type.Object({
      state: oneOf(['waiting', 'imported', 'held_back', 'failed'], {
        description:
          '`waiting`: never imported. `held_back`: the last import has less than a tenth of the entries that count, and waits to be accepted. `failed`: the last attempt did; what was imported before still counts.',
      }),
      problem: nullable(Type.String({ description: 'Why it was held back or failed.' })),
      entries: Type.Integer({ description: 'Entries that count now, repetitions among them.' }),
      passed_over: Type.Integer({
        description:
          'Entries that can mean nothing here: local names, hashes of files, and hosts that many share, named as a whole.',
      }),
      unreadable: Type.Integer({ description: 'Lines or objects that are not of the format.' }),
      held_entries: nullable(Type.Integer({ description: 'Entries of the import that was held back.' })),
      imported_at: nullable(timestamp('Since when its entries count.')),
      attempted_at: nullable(timestamp('When it was fetched or uploaded last, with whatever outcome.')),
      next_attempt_at: nullable(timestamp('When it is fetched next; null = never, or not while it is off.')),
    }),
  },
  { $id: 'ThreatFeed', title: 'ThreatFeed' },
)
export type WireThreatFeed = Static<typeof WireThreatFeed>

const WireThreatMatch = Type.Object(
  {
    threat_feed_id: objectId('the feed'),
    threat_feed_name: Type.String(),
    kind: oneOf(['domain', 'host', 'url'], {
      description:
        '`domain`: a domain, with all names below it. `host`: the host of a URL that is reported. `url`: a URL, or all below it where it ends with a slash.',
    }),
    entry: Type.String({ description: 'As it is held against others: without scheme and fragment.' }),
    categories: Type.Array(oneOf(THREAT_FEED_CATEGORIES)),
  },
  { $id: 'ThreatMatch', title: 'ThreatMatch' },
)
export type WireThreatMatch = Static<typeof WireThreatMatch>

const ThreatFeedPost = Type.Object(
  {
    name: givenName(200),
    format,
    url: Type.Optional(url),
    categories: Type.Optional(categories),
    interval_minutes: Type.Optional(intervalMinutes({ default: 360 })),
    enabled: Type.Optional(Type.Boolean({ default: true })),
  },
  { additionalProperties: false },
)
export type ThreatFeedPost = Static<typeof ThreatFeedPost>

const ThreatFeedPatch = Type.Object(
  {
    name: Type.Optional(givenName(200)),
    url: Type.Optional(url),
    categories: Type.Optional(categories),
    interval_minutes: Type.Optional(intervalMinutes({})),
    enabled: Type.Optional(
      Type.Boolean({ description: 'false: it is kept, but flags nothing and is not fetched.' }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type ThreatFeedPatch = Static<typeof ThreatFeedPatch>

const READ = {
  on: 'every-account',
  anyOf: ['Account Settings Read', 'Account Settings Write'],
} as const
const WRITE = { on: 'every-account', anyOf: ['Account Settings Write'] } as const
const params = Type.Object({ threat_feed_id: objectId('the feed') })

export const threatFeeds = {
  list: operation({
    id: 'threat_feeds.list',
    method: 'GET',
    path: base,
    summary: 'List threat feeds',
    tag,
    permission: READ,
    query: Type.Object({ page, per_page: perPage(1, 100, THREAT_FEEDS_PER_PAGE) }),
    onceInQuery: 'all',
    result: WireThreatFeed,
    list: true,
  }),
  create: operation({
    id: 'threat_feeds.create',
    method: 'POST',
    path: base,
    summary: 'Add a threat feed',
    description:
      'One with a URL is fetched at once, in the background; to one without, entries are uploaded.',
    tag,
    permission: WRITE,
    body: ThreatFeedPost,
    result: WireThreatFeed,
  }),
  matches: operation({
    id: 'threat_feeds.matches',
    method: 'GET',
    path: `${base}/matches`,
    summary: 'Tell which entries flag a URL',
    description: 'Why something of the inventory is flagged, or what would be.',
    tag,
    permission: READ,
    query: Type.Object({
      url: Type.String({
        minLength: 1,
        maxLength: 8192,
        description: 'As the inventory has it; of connections, scheme and host may be all of it.',
        examples: ['https://cdn.example.net/kit/loader.js'],
      }),
    }),
    onceInQuery: 'all',
    result: Type.Array(WireThreatMatch),
  }),
  get: operation({
    id: 'threat_feeds.get',
    method: 'GET',
    path: one,
    summary: 'Get a threat feed and the outcome of its last import',
    tag,
    permission: READ,
    params,
    result: WireThreatFeed,
  }),
  edit: operation({
    id: 'threat_feeds.edit',
    method: 'PATCH',
    path: one,
    summary: 'Edit a threat feed',
    description:
      'Members that are not sent stay. Categories count for the entries that there are, too; at another URL it is fetched at once. The format of a feed stays.',
    tag,
    permission: WRITE,
    params,
    body: ThreatFeedPatch,
    result: WireThreatFeed,
  }),
  delete: operation({
    id: 'threat_feeds.delete',
    method: 'DELETE',
    path: one,
    summary: 'Delete a threat feed',
    description: 'What it alone reported is cleared.',
    tag,
    permission: WRITE,
    params,
    result: Deleted,
  }),
  refresh: operation({
    id: 'threat_feeds.refresh',
    method: 'POST',
    path: `${one}/refresh`,
    summary: 'Fetch a threat feed now',
    description: 'In the background; `attempted_at` moves when it is done.',
    tag,
    permission: WRITE,
    params,
    body: Type.Object({}, { additionalProperties: false }),
    bodyOptional: true,
    result: WireThreatFeed,
  }),
  accept: operation({
    id: 'threat_feeds.accept',
    method: 'POST',
    path: `${one}/accept`,
    summary: 'Take over an import that was held back',
    tag,
    permission: WRITE,
    params,
    body: Type.Object({}, { additionalProperties: false }),
    bodyOptional: true,
    result: WireThreatFeed,
  }),
  upload: operation({
    id: 'threat_feeds.entries.put',
    method: 'PUT',
    path: `${one}/entries`,
    summary: 'Replace the entries of a threat feed',
    description: 'Of a feed without URL, however many entries less it has. All or nothing.',
    tag,
    permission: WRITE,
    params,
    upload: {
      alone: [
        'text/plain',
        'text/csv',
        'application/json',
        'application/gzip',
        'application/x-gzip',
        'application/octet-stream',
        // Archives are no feeds; what is said of them is what they are, and not how to send them.
        'application/zip',
        'application/x-zip-compressed',
        'application/x-bzip2',
      ],
      maxFileBytes: MAX_UPLOAD_BYTES,
    },
    body: Type.Object({ file: uploadedFile('A file of the feed’s format.', 'text/plain') }),
    result: WireThreatFeed,
  }),
}
