// Regular expressions that the interpreter runs itself: a sequence of single characters or classes with at most one repetition, which
// cannot take more than linear time a start. Decoders use no others.

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
