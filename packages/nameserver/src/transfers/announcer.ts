// Says that a zone has a new serial. That of a zone with a digest is announced when the digest has been made, which takes
// time in proportion to the zone: such a zone is announced less often the larger it is.
import { type Chunked, runInChunks, type Semaphore, yieldNow } from '@zonereeve/cooperate'
import type { Zone } from '../zone.ts'
import { hasDigest, MAX_DIGEST_NAMES } from './content-digest.ts'
import type { TransferableZone } from './transferable-zone.ts'

/** Pause after a digest, in times of what it took: digests of a zone take a tenth of the time of the main thread. */
const PAUSES = 9

export interface AnnouncerDeps {
  readonly own: Pick<TransferableZone, 'preparing'>
  /** Called when peers are to be notified of the newest serial. */
  readonly announced: (zoneId: string) => void
  /** Of the zones whose digest is made now: each needs memory in proportion to the zone. */
  readonly semaphore: Semaphore
  readonly failed: (zoneId: string, error: unknown) => void
}

/** @returns to be called after each change of the zone, and whenever its digest may be missing. */
export function createAnnouncer(
  zone: Zone,
  { own, announced, semaphore, failed }: AnnouncerDeps,
): (isNewSerial: boolean) => void {
  const { zoneId } = zone
  let isChanged = false
  /** Whether the newest serial is still to be announced. */
  let isUnannounced = false
  let isBusy = false
  /** Once, until the zone is small enough again. */
  let isReported = false

  return (isNewSerial) => {
    const isMade = hasDigest(zone)
    const isTooLarge = zone.authority.hasDigest === true && !isMade
    if (isTooLarge && !isReported) failed(zoneId, new Error(`it has more than ${MAX_DIGEST_NAMES} names`))
    isReported = isTooLarge
    if (!isMade) {
      if (isNewSerial) announced(zoneId)
      return
    }
    isChanged = true
    isUnannounced ||= isNewSerial
    if (!isBusy) void announceAll()
  }

  /** Never rejects. */
  async function announceAll(): Promise<void> {
    isBusy = true
    while (isChanged) {
      const spent = { millis: 0 }
      let isNewSerial = false
      await semaphore.run(async () => {
        // A change set may be several changes, and its client waits for it.
        await yieldNow()
        isNewSerial = isUnannounced
        isChanged = isUnannounced = false
        await runInChunks(takeSteps(own.preparing(), spent)).catch((error: unknown) => failed(zoneId, error))
      })
      if (isNewSerial) announced(zoneId)
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
