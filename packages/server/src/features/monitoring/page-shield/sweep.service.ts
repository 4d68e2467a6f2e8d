// The sweeper: emits events for scripts that became inactive and deletes what is past retention, zone by
// zone, on one node at a time.
import { CHUNK_SIZE } from '@zonereeve/cooperate'
import type { Clock } from '@zonereeve/platform'
import type { Storage, Transaction } from '@zonereeve/storage'
import { insertEvent, silentScripts } from './events.store.ts'
import { cutoffsAt, wholeSeconds, type Cutoffs } from './life-cycle.rules.ts'
import { deletePastSpending } from './reporters.store.ts'
import { retentionOf } from './settings.store.ts'
import { deleteForgotten, endLease, isAnyZoneMonitored, monitoredZones, takeLease } from './sweep.store.ts'

/** Longer than any sweep takes, so that a node that died blocks the others for at most this long. */
const LEASE_MILLIS = 600_000

/** Per zone and sweep; the next sweep continues. */
const MAX_REPORTED = 1000

export interface SweepDeps {
  readonly storage: Storage
  readonly clock: Clock
}

export function createSweep({ storage, clock }: SweepDeps) {
  /** @returns how many rows were deleted; undefined if another node is sweeping. */
  return async function sweep(): Promise<number | undefined> {
    const now = clock.now()
    const isOurs = await storage.write((tx) =>
      takeLease(tx, wholeSeconds(now), wholeSeconds(now + LEASE_MILLIS)),
    )
    if (!isOurs) return undefined
    let deleted = 0
    // The offloaded reader is a process, which most servers need not start.
    const zones = (await isAnyZoneMonitored(storage)) ? await monitoredZones(storage.offload) : []
    for (const zoneId of zones) {
      const cutoffs = cutoffsAt(now, await retentionOf(storage, zoneId))
      await storage.write((tx) => noteSilent(tx, zoneId, cutoffs))
      let some: number
      do {
        some = await storage.write((tx) => deleteForgotten(tx, zoneId, cutoffs))
        deleted += some
      } while (some === CHUNK_SIZE)
      const today = wholeSeconds(now).slice(0, '2026-01-05'.length)
      do some = await storage.write((tx) => deletePastSpending(tx, zoneId, today))
      while (some === CHUNK_SIZE)
    }
    await storage.write(endLease)
    return deleted
  }

  async function noteSilent(tx: Transaction, zoneId: string, cutoffs: Cutoffs): Promise<void> {
    for (const { id, url, host, firstPageUrl, hash } of await silentScripts(
      tx,
      zoneId,
      cutoffs,
      MAX_REPORTED,
    )) {
      const event = { zoneId, at: clock.timestamp(), resourceId: id, url, host, pageUrl: firstPageUrl, hash }
      await insertEvent(tx, { ...event, kind: 'script.inactive', previousHash: null })
    }
  }
}
