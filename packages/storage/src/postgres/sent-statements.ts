// Statements of a transaction that were sent without waiting for their replies. The server runs statements in their order,
// and none after one that failed.

/** Statements whose replies are outstanding; with more, the next one waits for some that were sent long before. */
const MAX_OUTSTANDING = 400
const MARKED_EVERY = MAX_OUTSTANDING / 2

export interface SentStatements {
  /** Resolves at once, unless too many replies are outstanding. @throws the first failure, if it is known. */
  add(reply: Promise<unknown>): Promise<void>
  /** Waits for all replies. @returns the first failure. */
  failure(): Promise<unknown>
  /** @throws the first failure, if it is known. */
  throwKnown(): void
  /** Its unit is rolled back: the statements after it can succeed. */
  forgetFailure(): void
}

export function createSentStatements(): SentStatements {
  let last: Promise<void> = Promise.resolve()
  /** The last two marks. */
  let [older, newer] = [last, last]
  let added = 0
  let outstanding = 0
  let failure: unknown
  return {
    throwKnown,
    async add(reply) {
      outstanding += 1
      last = reply.then(
        () => void (outstanding -= 1),
        (thrown: unknown) => {
          outstanding -= 1
          failure ??= thrown
        },
      )
      added += 1
      if (added % MARKED_EVERY === 0) [older, newer] = [newer, last]
      if (outstanding > MAX_OUTSTANDING) await older
      throwKnown()
    },
    async failure() {
      await last
      return failure
    },
    forgetFailure() {
      failure = undefined
    },
  }

  function throwKnown(): void {
    if (failure !== undefined) throw failure
  }
}
