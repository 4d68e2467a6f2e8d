// Long work lets others in between.

/** Resolves when whatever else waits (packets, requests, timers) has had its turn. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** What works for longer at a stretch is noticed by who asks the nameserver. */
const SLICE_MILLIS = 8

/** Carries out work that yields between its steps, and pauses whenever it has gone on for long. @returns what it comes to. */
export async function inSlices<Result>(work: Iterator<unknown, Result>): Promise<Result> {
  let began = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() - began < SLICE_MILLIS) continue
    await pause()
    began = performance.now()
  }
}
