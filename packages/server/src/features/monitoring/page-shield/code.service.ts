// Records and lists code without a URL of its own.
import type { Clock } from '@zonereeve/platform'
import type { Storage, Transaction } from '@zonereeve/storage'
import { requireZone } from '../../zones/index.ts'
import { identityOf, sampleHash, type Code } from './code.rules.ts'
import { countCode, deleteInfrequentCode, findCode, listCode, saveCode } from './code.store.ts'
import type { CodeQuery, StoredCode } from './code.store.ts'
import { existingZones } from './detections.store.ts'
import { cutoffsAt, statusOf, type Status } from './life-cycle.rules.ts'
import { mergePages, resourceId } from './resources.rules.ts'
import { createReporterBudget, type BudgetDeps } from './reporters.service.ts'
import { retentionOf } from './settings.store.ts'

/** Maximum of a zone: pages that write data into their inline scripts never repeat themselves. */
export const MAX_CODE = 5000
const EVICTION_CHUNK_SIZE = 100

/** One or more equal reports. */
export interface CodeDetection extends Code {
  readonly zoneId: string
  readonly host: string
  readonly line: number | null
  readonly pageUrl: string
  /** In whole seconds. */
  readonly seenAt: string
  readonly pageViews: number
  /** The network that first reported it. */
  readonly reporter: string
}

export interface ShownCode {
  readonly code: StoredCode
  readonly status: Status
}

export interface CodeDeps {
  readonly storage: Storage
  readonly clock: Clock
}

export function createCode({ storage, clock }: CodeDeps) {
  return {
    /** @throws DomainError: zone.unknown. */
    async list(
      zoneId: string,
      desired: CodeQuery,
    ): Promise<{ readonly items: readonly ShownCode[]; readonly totalCount: number }> {
      await requireZone(storage, zoneId)
      const cutoffs = cutoffsAt(clock.now(), await retentionOf(storage, zoneId))
      const { items, totalCount } = await listCode(storage, zoneId, cutoffs, desired)
      return { items: items.map((code) => ({ code, status: statusOf(code, cutoffs) })), totalCount }
    },
  }
}

export type CodeInventory = ReturnType<typeof createCode>

/** Stores detections, unless the zone was deleted. @returns how many were not, because of which limit. */
export async function recordCode(
  tx: Transaction,
  deps: BudgetDeps,
  zoneId: string,
  detections: readonly CodeDetection[],
): Promise<{ readonly refused: number; readonly overBudget: number }> {
  if (!(await existingZones(tx, [zoneId])).has(zoneId)) return { refused: 0, overBudget: 0 }
  const budget = createReporterBudget(tx, deps, zoneId)
  const { activePageViews } = await retentionOf(tx, zoneId)
  let count = await countCode(tx, zoneId)
  let refused = 0
  let overBudget = 0
  for (const detection of detections) {
    const id = resourceId(zoneId, 'code', detection.kind, detection.host, identityOf(detection))
    const known = await findCode(tx, id)
    if (known === undefined && !(await budget.admits([detection.reporter], 'code'))) {
      overBudget += 1
      continue
    }
    if (known === undefined && count >= MAX_CODE)
      count -= await deleteInfrequentCode(tx, zoneId, activePageViews, EVICTION_CHUNK_SIZE)
    if (known === undefined && count >= MAX_CODE) {
      refused += 1
      continue
    }
    await saveCode(tx, merge(id, known, detection))
    if (known === undefined) count += 1
    await tx.yieldIfDue()
  }
  await budget.save()
  return { refused, overBudget }
}

function merge(id: string, known: StoredCode | undefined, detection: CodeDetection): StoredCode {
  const { zoneId, kind, host, sample, sourceUrl, line, pageUrl, seenAt, pageViews } = detection
  const identified = { id, zoneId, kind, host, sample, sampleSha256: sampleHash(sample) }
  if (known === undefined) {
    const seen = { firstSeenAt: seenAt, lastSeenAt: seenAt, pageViews }
    return { ...identified, sourceUrl, line, ...seen, firstPageUrl: pageUrl, pageUrls: [pageUrl] }
  }
  const isLater = seenAt >= known.lastSeenAt
  return {
    ...known,
    ...(isLater && sourceUrl !== '' ? { sourceUrl, line } : {}),
    lastSeenAt: isLater ? seenAt : known.lastSeenAt,
    pageViews: known.pageViews + pageViews,
    pageUrls: mergePages([pageUrl], known.pageUrls),
  }
}
