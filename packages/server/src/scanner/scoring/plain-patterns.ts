// Regular expressions that the interpreter runs itself: a sequence of single characters or classes with at most one repetition, which
// cannot take more than linear time a start; what all starts together take, `stepsOf` tells. Decoders use no others.

const ATOM = String.raw`(?:\\[bBdDsSwW.\\/$^|*+?(){}\[\]-]|\\x[\da-fA-F]{2}|\\u[\da-fA-F]{4}|\[(?:\\.|[^\]\\])+\]|[^\\()[\]{}*+?|^$])`
const PLAIN = new RegExp(`^\\^?(?:${ATOM})+(?:[+*]|\\{\\d{1,2}\\})?(?:${ATOM})*\\$?$`, 'u')

/** The expression when it is plain, else null. `global` is kept, other flags than i are not. */
export function compilePlain(pattern: string, flags: string): RegExp | null {
  if (pattern.length > 200 || !PLAIN.test(pattern)) return null
  try {
    return new RegExp(pattern, `${flags.includes('g') ? 'g' : ''}${flags.includes('i') ? 'i' : ''}`)
  } catch {
    // Not one that this engine reads: not known, like all others that are not plain.
    return null
  }
}

/** Something stands behind a repetition: on a text that never has it, each start walks the repetition again. */
const WALKS_AGAIN = new RegExp(`^(?:${ATOM})+[+*](?:${ATOM}|\\$)`, 'u')

/** Steps, at most, of running a plain expression over a text of that length: linear, or quadratic. */
export const stepsOf = (regex: RegExp, length: number): number =>
  (length >> 3) + (WALKS_AGAIN.test(regex.source) ? (length * length) / 128 : 0)
