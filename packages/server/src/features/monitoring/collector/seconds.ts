// Writes times in whole seconds.

let lastSecond = 0
let lastText = ''

/**
 * In whole seconds. Many reports share a second, and formatting the time is the most expensive step per
 * report.
 */
export function secondsOf(millis: number): string {
  const second = Math.floor(millis / 1000)
  if (second !== lastSecond) {
    lastSecond = second
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`
  }
  return lastText
}
