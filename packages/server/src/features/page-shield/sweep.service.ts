// The sweeper: tells of scripts that nobody meets any more and deletes what nobody has met for long enough, zone by zone, on
// one node at a time.
import type { Clock } from '../../platform/clock.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { insertEvent, silentScripts } from './events.store.ts'
import { cutoffsAt, wholeSeconds, type Cutoffs } from './life-cycle.rules.ts'
import { retentionOf } from './settings.store.ts'
import { deleteForgotten, endLease, monitoredZones, ROWS_AT_ONCE, takeLease } from './sweep.store.ts'

/** Longer than any sweep takes: after it, a node that has died holds nobody up. */
const LEASE_MILLIS = 600_000

/** Of one zone, in one sweep: the next goes on. */
const TOLD_AT_ONCE = 1000

export interface SweepDeps {
  readonly storage: Storage
  readonly clock: Clock
}

export function createSweep({ storage, clock }: SweepDeps) {
  /** @returns how many rows were deleted; undefined while another node sweeps. */
  return async function sweep(): Promise<number | undefined> {
    const now = clock.now()
    const isOurs = await storage.write((tx) =>
      takeLease(tx, wholeSeconds(now), wholeSeconds(now + LEASE_MILLIS)),
    )
    if (!isOurs) return undefined
    let deleted = 0
    for (const zoneId of await monitoredZones(storage.aside)) {
      const cutoffs = cutoffsAt(now, await retentionOf(storage, zoneId))
      await storage.write((tx) => noteSilent(tx, zoneId, cutoffs))
      let some: number
      do {
        some = await storage.write((tx) => deleteForgotten(tx, zoneId, cutoffs))
        deleted += some
      } while (some === ROWS_AT_ONCE)
    }
    await storage.write(endLease)
    return deleted
  }

  async function noteSilent(tx: Transaction, zoneId: string, cutoffs: Cutoffs): Promise<void> {
    for (const { id, url, host, firstPageUrl, hash } of await silentScripts(
      tx,
      zoneId,
      cutoffs,
      TOLD_AT_ONCE,
    )) {
      const event = { zoneId, at: clock.timestamp(), resourceId: id, url, host, pageUrl: firstPageUrl, hash }
      await insertEvent(tx, { ...event, kind: 'script.inactive', previousHash: null })
    }
  }
}
