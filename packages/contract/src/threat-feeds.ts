// Threat feeds: lists of malicious domains and URLs that the inventory of client-side monitoring is compared with. A
// Zonereeve extension, outside the vendor's paths. Feeds belong to the server and apply to all of its zones.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import {
  closedObject,
  Deleted,
  givenName,
  namedObject,
  nullable,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
  uploadedFile,
} from './primitives.ts'

const base = '/zonereeve/threat_feeds'
const one = `${base}/{threat_feed_id}`

/** Default number of feeds in a page. */
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
    '`urlhaus` CSV or URLs, `threatfox` CSV, `phishtank` CSV or JSON, `openphish` URLs, `hosts` hosts file, `adblock` list for ad blockers such as NoCoin, `plain` one domain, address or URL per line. UTF-8, optionally gzip.',
})
const url = Type.String({
  maxLength: 2048,
  description: 'http or https, without user and password. Addresses in private networks are not fetched.',
  examples: ['https://feeds.example.com/malware.txt'],
})
const categories = Type.Array(oneOf(THREAT_FEED_CATEGORIES), {
  minItems: 1,
  maxItems: THREAT_FEED_CATEGORIES.length,
  uniqueItems: true,
  description: 'Category of its entries; for the formats adblock, hosts and plain, whose entries have none.',
})
const intervalMinutes = (more: object) =>
  Type.Integer({
    minimum: MIN_INTERVAL_MINUTES,
    maximum: MAX_INTERVAL_MINUTES,
    description: 'Minutes between two fetches, plus up to a tenth.',
    ...more,
  })

const WireThreatFeed = namedObject('ThreatFeed', {
  id: objectId('the feed'),
  name: Type.String(),
  format,
  url: nullable(Type.String({ description: 'null = its entries are uploaded.' })),
  categories: nullable(categories),
  interval_minutes: nullable(intervalMinutes({})),
  enabled: Type.Boolean({ description: 'Whether its entries flag resources and it is fetched.' }),
  created_on: timestamp('When it was created.'),
  status: Type.Object({
    state: oneOf(['waiting', 'imported', 'held_back', 'failed'], {
      description:
        '`waiting`: never imported. `held_back`: the last import has less than a tenth of the active entries and must be accepted. `failed`: the last attempt failed; the entries imported before stay active.',
    }),
    problem: nullable(Type.String({ description: 'Why it was held back or failed.' })),
    entries: Type.Integer({ description: 'Active entries, including duplicates.' }),
    passed_over: Type.Integer({
      description:
        'Entries that cannot apply: local names, hashes of files, and whole hosts that many sites share.',
    }),
    unreadable: Type.Integer({ description: 'Lines or objects that do not follow the format.' }),
    held_entries: nullable(Type.Integer({ description: 'Entries of the import that was held back.' })),
    imported_at: nullable(timestamp('Time since which its entries are active.')),
    attempted_at: nullable(timestamp('When it was last fetched or uploaded, whatever the outcome.')),
    next_attempt_at: nullable(timestamp('Time of the next fetch; null = never, or not while it is off.')),
  }),
})
export type WireThreatFeed = Static<typeof WireThreatFeed>

const WireThreatMatch = namedObject('ThreatMatch', {
  threat_feed_id: objectId('the feed'),
  threat_feed_name: Type.String(),
  kind: oneOf(['domain', 'host', 'url'], {
    description:
      '`domain`: a domain with all names below it. `host`: the host of a reported URL. `url`: a URL, or everything below it if it ends with a slash.',
  }),
  entry: Type.String({ description: 'As it is compared: without scheme and fragment.' }),
  categories: Type.Array(oneOf(THREAT_FEED_CATEGORIES)),
})
export type WireThreatMatch = Static<typeof WireThreatMatch>

const ThreatFeedPost = closedObject({
  name: givenName(200),
  format,
  url: Type.Optional(url),
  categories: Type.Optional(categories),
  interval_minutes: Type.Optional(intervalMinutes({ default: 360 })),
  enabled: Type.Optional(Type.Boolean({ default: true })),
})
export type ThreatFeedPost = Static<typeof ThreatFeedPost>

const ThreatFeedPatch = Type.Object(
  {
    name: Type.Optional(givenName(200)),
    url: Type.Optional(url),
    categories: Type.Optional(categories),
    interval_minutes: Type.Optional(intervalMinutes({})),
    enabled: Type.Optional(
      Type.Boolean({ description: 'false: it is stored, but flags nothing and is not fetched.' }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type ThreatFeedPatch = Static<typeof ThreatFeedPatch>

const READ = { on: 'every-account', anyOf: ['Account Settings Read', 'Account Settings Write'] } as const
const WRITE = { on: 'every-account', anyOf: ['Account Settings Write'] } as const

const section = { tag: 'Threat feeds', params: { threat_feed_id: objectId('the feed') } }

export const threatFeeds = operations('threat_feeds', section, {
  list: {
    route: `GET ${base}`,
    summary: 'List threat feeds',
    permission: READ,
    query: Type.Object({ page, per_page: perPage(1, 100, THREAT_FEEDS_PER_PAGE) }),
    onceInQuery: 'all',
    result: WireThreatFeed,
    list: true,
  },
  create: {
    route: `POST ${base}`,
    summary: 'Add a threat feed',
    description:
      'A feed with a URL is fetched at once in the background; entries of one without are uploaded.',
    permission: WRITE,
    body: ThreatFeedPost,
    result: WireThreatFeed,
  },
  matches: {
    route: `GET ${base}/matches`,
    summary: 'Find the entries that flag a URL',
    description: 'Why an item of the inventory is flagged, or whether a URL would be.',
    permission: READ,
    query: Type.Object({
      url: Type.String({
        minLength: 1,
        maxLength: 8192,
        description: 'As in the inventory; for connections, scheme and host are enough.',
        examples: ['https://cdn.example.net/kit/loader.js'],
      }),
    }),
    onceInQuery: 'all',
    result: Type.Array(WireThreatMatch),
  },
  get: {
    route: `GET ${base}/{threat_feed_id}`,
    summary: 'Get a threat feed and the outcome of its last import',
    permission: READ,
    result: WireThreatFeed,
  },
  edit: {
    route: `PATCH ${base}/{threat_feed_id}`,
    summary: 'Edit a threat feed',
    description:
      'Members that are not sent are not changed. New categories also apply to existing entries; after a change of the URL the feed is fetched at once. The format of a feed cannot change.',
    permission: WRITE,
    body: ThreatFeedPatch,
    result: WireThreatFeed,
  },
  delete: {
    route: `DELETE ${base}/{threat_feed_id}`,
    summary: 'Delete a threat feed',
    description: 'Resources that only this feed flagged are cleared.',
    permission: WRITE,
    result: Deleted,
  },
  refresh: {
    route: `POST ${one}/refresh`,
    summary: 'Fetch a threat feed now',
    description: 'Runs in the background; `attempted_at` changes when it is done.',
    permission: WRITE,
    body: closedObject({}),
    bodyOptional: true,
    result: WireThreatFeed,
  },
  accept: {
    route: `POST ${one}/accept`,
    summary: 'Accept an import that was held back',
    permission: WRITE,
    body: closedObject({}),
    bodyOptional: true,
    result: WireThreatFeed,
  },
  upload: {
    id: 'threat_feeds.entries.put',
    route: `PUT ${one}/entries`,
    summary: 'Replace the entries of a threat feed',
    description: 'For a feed without URL, even if it has far fewer entries than before. All or nothing.',
    permission: WRITE,
    upload: {
      alone: [
        'text/plain',
        'text/csv',
        'application/json',
        'application/gzip',
        'application/x-gzip',
        'application/octet-stream',
        // Archives are not feeds; the error says so instead of listing media types.
        'application/zip',
        'application/x-zip-compressed',
        'application/x-bzip2',
      ],
      maxFileBytes: MAX_UPLOAD_BYTES,
    },
    body: Type.Object({ file: uploadedFile('A file in the feed’s format.', 'text/plain') }),
    result: WireThreatFeed,
  },
})
