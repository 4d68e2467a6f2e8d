// Maps watched pages and their snapshots to wire format.
import type { WireChangedSnapshot, WireSnapshot, WireWatchedPage } from '@zonereeve/contract'
import type { ChangedSnapshot, CurrentPage } from './watched-pages.service.ts'
import type { NumberedSnapshot } from './watched-pages.store.ts'

export const toWireWatchedPage = ({ page, current }: CurrentPage): WireWatchedPage => ({
  id: page.id,
  url: page.url,
  interval_minutes: page.intervalMinutes,
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
