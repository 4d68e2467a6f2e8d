// Long work in slices, so that whoever else waits gets a turn in between.

/** Milliseconds of work between two turns of the event loop. */
const SLICE_MILLIS = 10

/** @returns a function to await between two pieces of work: it gives way when the slice is used up. */
export function createSlices(): () => Promise<void> {
  let end = performance.now() + SLICE_MILLIS
  return async () => {
    if (performance.now() < end) return
    await new Promise((resolve) => setImmediate(resolve))
    end = performance.now() + SLICE_MILLIS
  }
}
