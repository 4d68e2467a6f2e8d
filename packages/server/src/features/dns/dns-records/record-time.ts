// Times of a record, as its JSON has them.

/** The live API trims trailing zeros of a record's fractional seconds. */
const trimFraction = (timestamp: string): string =>
  timestamp.replace(/(\.\d*?)0*Z$/, '$1Z').replace('.Z', 'Z')

let lastTime = { stored: '', shown: '' }

/** A time as a record's JSON has it. The records of one change have the same. */
export function shownTime(stored: string): string {
  if (stored !== lastTime.stored) lastTime = { stored, shown: trimFraction(stored) }
  return lastTime.shown
}
