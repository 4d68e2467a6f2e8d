// Wires the collector: zone lookup, and storage of batches.
import { BoundedMap } from '@zonereeve/cooperate'
import { causesOf, MONITORING_POLICY, parsePolicyList, type ReportedViolation } from '@zonereeve/csp'
import { createCollector, type Collector, type CollectorDeps, type NotStored } from './collector.ts'
import type { Batch } from './batch-buffer.ts'
import {
  recordCode,
  recordCookieNames,
  recordDetections,
  type BudgetDeps,
  type RecordingDeps,
} from '../page-shield/index.ts'
import { countReports } from '../page-shield-policies/index.ts'
import { judge } from '../threat-feeds/index.ts'
import type { ReportLog } from '@zonereeve/report-log'
import type { Storage, Transaction } from '@zonereeve/storage'
import { appendBatch, createStoringFromLog } from './storing-from-log.ts'

export interface CollectingDeps
  extends Omit<CollectorDeps, 'store' | 'isPossible' | 'flushMillis' | 'isAnsweredWhenStored'>, BudgetDeps {
  readonly storage: Storage
  /** Has reports until the node that writes has stored them; undefined: each node stores its own. */
  readonly reportLog?: ReportLog | undefined
  readonly noteEvicted: RecordingDeps['noteEvicted']
}

export function createCollecting({ storage, noteEvicted, reportLog, ...deps }: CollectingDeps) {
  const causesUnder = createPolicyReader()
  const recording = { ...deps, judge, noteEvicted }
  const collector: Collector = createCollector({
    ...deps,
    isAnsweredWhenStored: reportLog !== undefined,
    // The reporting browser is unknown, so it is enough that one browser would report it.
    isPossible: (cause) => causesUnder(cause.originalPolicy ?? MONITORING_POLICY)(cause),
    store: (batch) =>
      reportLog === undefined
        ? storage.write((tx) => storeBatch(tx, recording, batch))
        : appendBatch(reportLog, batch),
  })
  return {
    ...collector,
    /** Stores what nodes have put into the log. */
    storeReported:
      reportLog &&
      createStoringFromLog({
        reportLog,
        storage,
        log: deps.log,
        store: (tx, batch) => storeBatch(tx, recording, batch),
        noteLost: (reports) => deps.observe('failed', reports),
      }),
  }
}

/** Recently parsed policies. A site has few, and each of its reports repeats one of them. */
const POLICIES_KNOWN = 256

/**
 * Whether a policy can have caused a report. The result depends only on the policy's text, so cached entries
 * never become stale.
 */
function createPolicyReader(): (text: string) => (report: ReportedViolation) => boolean {
  const known = new BoundedMap<string, (report: ReportedViolation) => boolean>(POLICIES_KNOWN)
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const causes = causesOf(parsePolicyList(text))
    known.set(text, causes)
    return causes
  }
}

async function storeBatch(
  tx: Transaction,
  deps: RecordingDeps,
  { detections, violations, code, cookies }: Batch,
): Promise<ReadonlyMap<string, NotStored>> {
  const recorded = new Map<string, NotStored>(await recordDetections(tx, deps, detections))
  for (const zoneId of new Set(code.map((detection) => detection.zoneId))) {
    const own = code.filter((detection) => detection.zoneId === zoneId)
    // A batch has either detections or code, so there is no count to add to.
    recorded.set(zoneId, { ...(await recordCode(tx, deps, zoneId, own)), unmatched: 0 })
  }
  for (const zoneId of new Set(cookies.map((cookie) => cookie.zoneId))) {
    const own = cookies.filter((cookie) => cookie.zoneId === zoneId)
    recorded.set(zoneId, { ...(await recordCookieNames(tx, deps, zoneId, own)), unmatched: 0 })
  }
  for (const zoneId of new Set(violations.map((violation) => violation.zoneId))) {
    const own = violations.filter((violation) => violation.zoneId === zoneId)
    await countReports(tx, zoneId, own)
  }
  return recorded
}
