// Text of the page that a script cuts into its characters, as decoders do.
import type { BrowserCall } from './browser-requests.ts'
import { TAINT } from './values.ts'

/** Characters of one number in a decoder. */
const MAX_UNIT = 4

/** Whether a text of the page is cut into its characters, or one of them is taken. */
export function isTakenApart({ self, name, args: [first, second] }: BrowserCall): boolean {
  if ((self.taint & (TAINT.page | TAINT.field)) === 0) return false
  if (name === 'charAt' || name === 'charCodeAt') return true
  if (name === 'split') return first === ''
  if (typeof second !== 'number' || typeof first !== 'number') return false
  if (name === 'substr') return second <= MAX_UNIT
  return (name === 'slice' || name === 'substring') && second > first && second - first <= MAX_UNIT
}
