// Times of a record, as its JSON has them.

/** The live API trims trailing zeros of a record's fractional seconds. */
function trimFraction(timestamp: string): string {
  if (!timestamp.includes('.')) return timestamp
  let end = timestamp.length - 1 // without the Z
  while (timestamp[end - 1] === '0') end -= 1
  if (timestamp[end - 1] === '.') end -= 1
  return `${timestamp.slice(0, end)}Z`
}

let lastTime = { stored: '', shown: '' }

/** A time as a record's JSON has it. The records of one change have the same. */
export function shownTime(stored: string): string {
  if (stored !== lastTime.stored) lastTime = { stored, shown: trimFraction(stored) }
  return lastTime.shown
}
