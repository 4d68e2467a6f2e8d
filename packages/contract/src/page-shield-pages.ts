// Watched pages: security-relevant headers and scripts of pages, compared over time.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { FETCH_PROBLEMS } from './page-shield-extensions.ts'
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
  source: oneOf(['fetch', 'edge'], {
    description: '`fetch`: fetched by the server. `edge`: sent to a visitor through an edge.',
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
  created_on: timestamp('When it was added.'),
  status: Type.Object({
    checked_at: nullable(timestamp('When it was last fetched; null = never.')),
    next_check_at: timestamp('When the next check is due.'),
    failures: Type.Integer({ description: 'Failed checks since the last successful one.' }),
    problem: nullable(
      oneOf(FETCH_PROBLEMS, {
        description: 'Why the last check failed, as for scripts; null = it did not. `type`: it is not HTML.',
      }),
    ),
  }),
  current: nullable(WireSnapshot),
})
export type WireWatchedPage = Static<typeof WireWatchedPage>

const WatchedPagePost = closedObject({ url, interval_minutes: Type.Optional(intervalMinutes) })
export type WatchedPagePost = Static<typeof WatchedPagePost>
const WatchedPagePatch = closedObject({ interval_minutes: intervalMinutes })
export type WatchedPagePatch = Static<typeof WatchedPagePatch>

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
    summary: 'Change the interval of a watched page',
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
  delete: {
    route: `DELETE ${base}/{page_id}`,
    summary: 'Stop watching a page',
    description: 'Its history is deleted. Its events stay.',
    permission: PAGE_SHIELD_WRITE,
    result: Type.Object({ id: objectId('the watched page') }),
  },
})
