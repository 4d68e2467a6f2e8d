// Regular expressions that the interpreter runs itself: a sequence of single characters or classes with at most one
// repetition, or alternatives without any, so each start takes at most linear time; `stepsOf` gives the total.
// Decoders use no others.

const ATOM = String.raw`(?:\\[bBdDsSwWnrtfv.\\/$^|*+?(){}\[\]-]|\\x[\da-fA-F]{2}|\\u[\da-fA-F]{4}|\[(?:\\.|[^\]\\])+\]|[^\\()[\]{}*+?|^$])`
const SEQUENCE = String.raw`(?:${ATOM})+(?:[+*]|\{\d{1,2}(?:,\d{1,2})?\})?(?:${ATOM})*`
/** A group around all of it changes nothing: `(..)` cuts a text into pairs. */
const PLAIN = new RegExp(`^(?:\\^?${SEQUENCE}\\$?|\\(${SEQUENCE}\\))$`, 'u')
/** A brace alone stands for itself. */
const ALTERNATIVE = String.raw`(?:${ATOM}|[{}](?!\d))+`
const ALTERNATIVES = new RegExp(`^${ALTERNATIVE}(?:\\|${ALTERNATIVE})+$`, 'u')

/** The expression if it is plain, otherwise null. Only the flags `global` and `i` are accepted. */
export function compilePlain(pattern: string, flags: string): RegExp | null {
  if (pattern.length > 200 || !(PLAIN.test(pattern) || ALTERNATIVES.test(pattern))) return null
  try {
    return new RegExp(pattern, `${flags.includes('g') ? 'g' : ''}${flags.includes('i') ? 'i' : ''}`)
  } catch {
    // Not supported by this engine: unknown, like all others that are not plain.
    return null
  }
}

/** Something follows a repetition: on a text without it, each start walks the repetition again. */
const WALKS_AGAIN = new RegExp(`^(?:${ATOM})+[+*](?:${ATOM}|\\$)`, 'u')

/** Maximum steps of running a plain expression over a text of this length: linear, or quadratic. */
export const stepsOf = (regex: RegExp, length: number): number =>
  (length >> 3) * regex.source.split('|').length +
  (WALKS_AGAIN.test(regex.source) ? (length * length) / 128 : 0)
