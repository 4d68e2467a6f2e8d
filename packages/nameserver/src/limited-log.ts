// Rate-limits log lines that remote clients can cause: the first is logged at once, then at most one per interval
// with a count.

const EVERY_MILLIS = 60_000

/**
 * @param write is called with the number of events since the last line. Returns a function to call for each event.
 */
export function createLimitedLog(write: (count: number) => void, everyMillis = EVERY_MILLIS): () => void {
  let timer: NodeJS.Timeout | undefined
  let count = 0
  return () => {
    count += 1
    if (timer === undefined) flush()
  }

  function flush(): void {
    timer = undefined
    if (count === 0) return
    write(count)
    count = 0
    // The timer does not keep the process alive.
    timer = setTimeout(flush, everyMillis).unref()
  }
}
