// Maps watched pages and their snapshots to wire format.
import type {
  PageScanPost,
  WatchedPagePatch,
  WireChangedSnapshot,
  WireRecordedScan,
  WireSnapshot,
  WireWatchedPage,
} from '@zonereeve/contract'
import type { PageScan, RecordedScan } from './scans.service.ts'
import type { WatchedPage } from './watched-pages.rules.ts'
import type { ChangedSnapshot, CurrentPage } from './watched-pages.service.ts'
import type { NumberedSnapshot } from './watched-pages.store.ts'

export const toWireWatchedPage = ({ page, current }: CurrentPage): WireWatchedPage => ({
  id: page.id,
  url: page.url,
  interval_minutes: page.intervalMinutes,
  scan: page.isScanned,
  created_on: page.createdOn,
  status: {
    checked_at: page.checkedAt,
    next_check_at: page.nextCheckAt,
    failures: page.failures,
    problem: page.problem,
  },
  current: current === undefined ? null : toWireSnapshot(current),
})

const toWireSnapshot = (snapshot: NumberedSnapshot): WireSnapshot => ({
  number: snapshot.number,
  source: snapshot.source,
  final_url: snapshot.finalUrl,
  first_seen_at: snapshot.firstSeenAt,
  last_seen_at: snapshot.lastSeenAt,
  headers: [...snapshot.headers],
  scripts: snapshot.scripts === null ? null : [...snapshot.scripts],
  omitted_scripts: snapshot.omittedScripts,
  missing_policies: [...snapshot.missingPolicies],
})

export const toWireChangedSnapshot = ({
  snapshot,
  headers,
  scripts,
}: ChangedSnapshot): WireChangedSnapshot => ({
  ...toWireSnapshot(snapshot),
  changed_headers: [...headers],
  added_scripts: [...scripts.added],
  removed_scripts: [...scripts.removed],
})

export const toPagePatch = ({
  interval_minutes: intervalMinutes,
  scan: isScanned,
}: WatchedPagePatch): Partial<Pick<WatchedPage, 'intervalMinutes' | 'isScanned'>> => ({
  ...(intervalMinutes === undefined ? {} : { intervalMinutes }),
  ...(isScanned === undefined ? {} : { isScanned }),
})

export const toPageScan = ({
  url,
  final_url: finalUrl = url,
  headers = [],
  scripts = [],
  connections = [],
  frames = [],
  set_cookie: setCookie = [],
  script_cookies: scriptCookies = [],
}: PageScanPost): PageScan => ({
  finalUrl,
  headers: headers.map(({ name, value }) => [name, value] as const),
  scripts,
  connections,
  frames,
  setCookie,
  scriptCookies,
})

export const toWireRecordedScan = ({ isWatched, ...observed }: RecordedScan): WireRecordedScan => ({
  ...observed,
  watched: isWatched,
})
