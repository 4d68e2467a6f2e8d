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

/** Lets others have their turns on the way. */
export async function inSlices<Result>(work: Sliced<Result>): Promise<Result> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await pause()
  }
}
