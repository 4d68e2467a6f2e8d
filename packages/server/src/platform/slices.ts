// Work that can be done at once or in slices: written once, as a generator that yields wherever others may have a turn.
import { pause } from './pause.ts'

export type Sliced<Result> = Generator<void, Result, void>

/** Does all of it before anything else. */
export function atOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** What works for longer at a stretch is noticed by who asks the nameserver; shorter slices cost more turns than they give. */
const SLICE_MILLIS = 4

/** Lets others have their turns on the way. */
export async function inSlices<Result>(work: Sliced<Result>): Promise<Result> {
  let began = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() - began < SLICE_MILLIS) continue
    await pause()
    began = performance.now()
  }
}
