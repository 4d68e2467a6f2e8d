// Says that a zone has a new serial. That of a zone with a digest is announced when the digest has been made, which takes
// time in proportion to the zone: such a zone is announced less often the larger it is.
import { type Chunked, runInChunks, yieldNow } from '@zonereeve/cooperate'
import type { Zone } from '../zone.ts'
import { hasDigest } from './content-digest.ts'
import type { TransferableZone } from './transferable-zone.ts'

/** Pause after a digest, in times of what it took: digests of a zone take a tenth of the time of the main thread. */
const PAUSES = 9

export interface AnnouncerDeps {
  readonly own: Pick<TransferableZone, 'preparing'>
  readonly stepped: (zoneId: string) => void
}

/** @returns to be called after each change of the zone, and whenever its digest may be missing. */
export function createAnnouncer(zone: Zone, { own, stepped }: AnnouncerDeps): (isNewSerial: boolean) => void {
  const { zoneId } = zone
  let isChanged = false
  /** Whether the newest serial is still to be announced. */
  let isUnannounced = false
  let isBusy = false

  return (isNewSerial) => {
    if (!hasDigest(zone)) {
      if (isNewSerial) stepped(zoneId)
      return
    }
    isChanged = true
    isUnannounced ||= isNewSerial
    if (!isBusy) void announceAll()
  }

  /** Never rejects. */
  async function announceAll(): Promise<void> {
    isBusy = true
    // A change set may be several changes, and its client waits for it.
    await yieldNow()
    while (isChanged) {
      const isNewSerial = isUnannounced
      isChanged = isUnannounced = false
      // A transfer makes the digest too: its failure is logged with the peer's name.
      const spent = { millis: 0 }
      await runInChunks(takeSteps(own.preparing(), spent)).catch(() => {})
      if (isNewSerial) stepped(zoneId)
      const pauseMillis = spent.millis * PAUSES
      if (pauseMillis >= 1) await new Promise((resolve) => setTimeout(resolve, pauseMillis).unref())
    }
    isBusy = false
  }
}

function* takeSteps(steps: Iterable<undefined>, spent: { millis: number }): Chunked<void> {
  let began = performance.now()
  for (const _ of steps) {
    spent.millis += performance.now() - began
    yield
    began = performance.now()
  }
  spent.millis += performance.now() - began
}
