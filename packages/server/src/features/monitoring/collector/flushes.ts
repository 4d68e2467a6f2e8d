// Flushes of the batch, one after another, and which of them a sender waits for.
import { createPromise, type OpenPromise } from '@zonereeve/cooperate'

export interface FlushesDeps {
  /** Whether something waits for the next flush. */
  readonly hasNext: () => boolean
  /** Takes the batch and stores it; false if any of it is not stored. */
  readonly storeNext: () => Promise<boolean>
}

export function createFlushes({ hasNext, storeNext }: FlushesDeps) {
  let last: Promise<void> = Promise.resolve()
  let storing: Promise<boolean> | undefined
  let next: OpenPromise<boolean> | undefined
  return { flush, awaitStored }

  // Each takes its batch when it starts, and with it who waits for it: a slow database holds back one batch.
  function flush(): Promise<void> {
    last = last.then(async () => {
      const waiting = next
      next = undefined
      storing = storeNext()
      const isStored = await storing
      storing = undefined
      waiting?.resolve(isStored)
    })
    return last
  }

  /** Whether what was taken so far is stored, once that is known; undefined if nothing is on its way. */
  function awaitStored(): Promise<boolean> | undefined {
    const following = hasNext() ? (next ??= createPromise<boolean>()).promise : undefined
    // What repeats a report of the batch that is being stored is not in the next one.
    if (storing === undefined || following === undefined) return storing ?? following
    return Promise.all([storing, following]).then((all) => all.every(Boolean))
  }
}
