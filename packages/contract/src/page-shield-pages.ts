// Watched pages: security-relevant headers and scripts of pages, compared over time.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { FETCH_PROBLEMS, ObservedMembers } from './page-shield-extensions.ts'
import { PAGE_SHIELD_READ, PAGE_SHIELD_WRITE } from './page-shield.ts'
import {
  closedObject,
  namedObject,
  nullable,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
} from './primitives.ts'

const base = '/zonereeve/zones/{zone_id}/page_shield/pages'

const MAX_URL_CHARACTERS = 2048
const MIN_INTERVAL_MINUTES = 10
const MAX_INTERVAL_MINUTES = 7 * 24 * 60
export const DEFAULT_CHECK_MINUTES = 24 * 60
export const PAGES_PER_PAGE = 20

const url = Type.String({
  minLength: 1,
  maxLength: MAX_URL_CHARACTERS,
  description: 'An http or https URL on a host of the zone. It cannot be changed.',
  examples: ['https://www.example.com/checkout'],
})
const intervalMinutes = Type.Integer({
  minimum: MIN_INTERVAL_MINUTES,
  maximum: MAX_INTERVAL_MINUTES,
  default: DEFAULT_CHECK_MINUTES,
  description: 'Minutes between checks. PCI DSS 11.6.1 asks for one at least every seven days.',
})

const scan = Type.Boolean({
  default: false,
  description:
    'Whether a browser opens the page at each check, too (docs/monitoring.md). Without one on the server, checks fail with `browser`.',
})

const ServedHeader = Type.Object({
  name: Type.String({ description: 'In lower case.' }),
  value: Type.String({
    description:
      'Without what differs with every response: values and times of cookies, nonces, and our own reporting addresses.',
  }),
})

const ServedScript = Type.Object({
  kind: oneOf(['external', 'inline', 'handler'], {
    description: '`handler`: an attribute such as `onload`.',
  }),
  url: nullable(Type.String({ description: 'Of an external script.' })),
  integrity: nullable(Type.String({ description: 'Its attribute `integrity`.' })),
  hash: nullable(
    Type.String({ description: 'Of the code of the others, as in a policy: SHA-256 in Base64.' }),
  ),
  sample: nullable(Type.String({ description: 'The first 40 characters of their code.' })),
})
export type WireServedScript = Static<typeof ServedScript>

const SnapshotMembers = {
  number: Type.Integer({ description: 'Increases with each observation that differs from the one before.' }),
  source: oneOf(['fetch', 'edge', 'scan'], {
    description:
      '`fetch`: fetched by the server. `edge`: sent to a visitor through an edge. `scan`: opened by a browser; `scripts` are those that it loaded.',
  }),
  final_url: Type.String({ description: 'After redirects.' }),
  first_seen_at: timestamp('When the page was first like this.'),
  last_seen_at: timestamp('When it was last like this.'),
  headers: Type.Array(ServedHeader),
  scripts: nullable(
    Type.Array(ServedScript, { description: 'In the HTML, before any of them runs. null = from an edge.' }),
  ),
  omitted_scripts: Type.Integer({ description: 'Scripts beyond the first thousand.' }),
  missing_policies: Type.Array(objectId('a policy'), {
    description:
      'Policies of the zone that should have been sent with the page as they are stored, and were not.',
  }),
}
const WireSnapshot = namedObject('PageSnapshot', SnapshotMembers)
export type WireSnapshot = Static<typeof WireSnapshot>

const WireChangedSnapshot = namedObject('PageSnapshotWithChanges', {
  ...SnapshotMembers,
  changed_headers: Type.Array(
    Type.Object({
      name: Type.String(),
      before: nullable(Type.String({ description: 'null = it was not sent.' })),
      after: nullable(Type.String({ description: 'null = it is no longer sent.' })),
    }),
    { description: 'Against the observation before it from the same source.' },
  ),
  added_scripts: Type.Array(ServedScript),
  removed_scripts: Type.Array(ServedScript),
})
export type WireChangedSnapshot = Static<typeof WireChangedSnapshot>

const WireWatchedPage = namedObject('WatchedPage', {
  id: objectId('the watched page'),
  url,
  interval_minutes: intervalMinutes,
  scan,
  created_on: timestamp('When it was added.'),
  status: Type.Object({
    checked_at: nullable(timestamp('When it was last fetched; null = never.')),
    next_check_at: timestamp('When the next check is due.'),
    failures: Type.Integer({ description: 'Failed checks since the last successful one.' }),
    problem: nullable(
      oneOf([...FETCH_PROBLEMS, 'browser'], {
        description:
          'Why the last check failed, as for scripts; null = it did not. `type`: it is not HTML. `browser`: there is none, or it could not open the page; the log says why.',
      }),
    ),
  }),
  current: nullable(WireSnapshot),
})
export type WireWatchedPage = Static<typeof WireWatchedPage>

const WatchedPagePost = closedObject({
  url,
  interval_minutes: Type.Optional(intervalMinutes),
  scan: Type.Optional(scan),
})
export type WatchedPagePost = Static<typeof WatchedPagePost>
const WatchedPagePatch = closedObject({
  interval_minutes: Type.Optional(intervalMinutes),
  scan: Type.Optional(scan),
})
export type WatchedPagePatch = Static<typeof WatchedPagePatch>

const MAX_SCANNED_URLS = 1_500
const MAX_SCANNED_HEADERS = 300
const MAX_HEADER_CHARACTERS = 8_192
const scannedUrls = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: 2 * MAX_URL_CHARACTERS }), {
      maxItems: MAX_SCANNED_URLS,
      description,
    }),
  )
const cookieHeaders = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_HEADER_CHARACTERS }), {
      maxItems: MAX_SCANNED_HEADERS,
      description,
    }),
  )

const PageScanPost = closedObject({
  url,
  final_url: Type.Optional(
    Type.String({ maxLength: 2 * MAX_URL_CHARACTERS, description: 'After redirects.' }),
  ),
  headers: Type.Optional(
    Type.Array(
      closedObject({
        name: Type.String({ maxLength: MAX_HEADER_CHARACTERS }),
        value: Type.String({ maxLength: MAX_HEADER_CHARACTERS }),
      }),
      { maxItems: MAX_SCANNED_HEADERS, description: 'Of the page’s response.' },
    ),
  ),
  scripts: scannedUrls('URLs of scripts that the page loaded.'),
  connections: scannedUrls('URLs that it connected to.'),
  frames: scannedUrls('URLs of documents in its frames.'),
  set_cookie: cookieHeaders('Cookies that responses have set, as headers. Values are not stored.'),
  script_cookies: cookieHeaders('Cookies that scripts have set, written like headers.'),
})
export type PageScanPost = Static<typeof PageScanPost>

const WireRecordedScan = namedObject('RecordedPageScan', {
  ...ObservedMembers,
  watched: Type.Boolean({ description: 'Whether the page is watched, and the scan is in its history.' }),
})
export type WireRecordedScan = Static<typeof WireRecordedScan>

const section = {
  tag: 'Client-side monitoring: extensions',
  params: { zone_id: objectId('the zone'), page_id: objectId('the watched page') },
}

export const pageShieldPages = operations('page_shield.pages', section, {
  list: {
    route: `GET ${base}`,
    summary: 'List the watched pages of a zone',
    permission: PAGE_SHIELD_READ,
    query: Type.Object({ page, per_page: perPage(1, 100, PAGES_PER_PAGE) }),
    onceInQuery: 'all',
    result: WireWatchedPage,
    list: true,
  },
  create: {
    route: `POST ${base}`,
    summary: 'Watch the headers and scripts of a page',
    description:
      'The server fetches the page at once and then at the interval, without cookies and without running anything. Differences are events: `page.headers_changed`, `page.scripts_changed`, `page.policy_drift`; `page.failed` after three failed checks in a row. While monitoring is off, nothing is fetched.',
    permission: PAGE_SHIELD_WRITE,
    body: WatchedPagePost,
    result: WireWatchedPage,
  },
  get: {
    route: `GET ${base}/{page_id}`,
    summary: 'Get a watched page with what it last was',
    permission: PAGE_SHIELD_READ,
    result: WireWatchedPage,
  },
  edit: {
    route: `PATCH ${base}/{page_id}`,
    summary: 'Change the interval of a watched page, or whether a browser scans it',
    permission: PAGE_SHIELD_WRITE,
    body: WatchedPagePatch,
    result: WireWatchedPage,
  },
  check: {
    route: `POST ${base}/{page_id}/check`,
    summary: 'Check a watched page as soon as possible',
    description: 'At most once a minute.',
    permission: PAGE_SHIELD_WRITE,
    body: closedObject({}),
    result: WireWatchedPage,
  },
  history: {
    route: `GET ${base}/{page_id}/history`,
    summary: 'List what a watched page was, newest first, with the changes',
    description: 'The last hundred observations that differ from the one before.',
    permission: PAGE_SHIELD_READ,
    query: Type.Object({ page, per_page: perPage(1, 100, PAGES_PER_PAGE) }),
    onceInQuery: 'all',
    result: WireChangedSnapshot,
    list: true,
  },
  recordScan: {
    id: 'page_shield.scans.create',
    route: 'POST /zonereeve/zones/{zone_id}/page_shield/scans',
    summary: 'Record a scan of a page by a browser',
    description:
      'As `zonereeve scan-page` sends it: one page view for the inventory, and an observation of the page if it is watched. Refused while monitoring is off.',
    permission: PAGE_SHIELD_WRITE,
    body: PageScanPost,
    result: WireRecordedScan,
  },
  delete: {
    route: `DELETE ${base}/{page_id}`,
    summary: 'Stop watching a page',
    description: 'Its history is deleted. Its events stay.',
    permission: PAGE_SHIELD_WRITE,
    result: Type.Object({ id: objectId('the watched page') }),
  },
})
