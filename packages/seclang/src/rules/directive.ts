// The lines of SecLang files: directives with their arguments.

export interface Directive {
  readonly name: string
  readonly args: readonly string[]
  readonly file: string
  readonly line: number
  /** True if the file ends, or a quote does not, before the directive does. */
  readonly isUnfinished: boolean
}

/** Splits a file into directives. Comments are dropped; a backslash at the end of a line continues it. Reads any text. */
export function readDirectives(file: string, text: string): readonly Directive[] {
  const directives: Directive[] = []
  let pending = ''
  let start = 0
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (pending === '') {
      if (line === '' || line.startsWith('#')) continue
      start = index + 1
    }
    if (line.endsWith('\\') && !line.endsWith('\\\\')) {
      pending += line.slice(0, -1)
      continue
    }
    add(pending + line, false)
    pending = ''
  }
  if (pending !== '') add(pending, true)
  return directives

  function add(whole: string, isCut: boolean): void {
    const { args, hasOpenQuote } = readArguments(whole)
    const [name = '', ...others] = args
    const isUnfinished = isCut || hasOpenQuote
    if (name !== '') directives.push({ name, args: others, file, line: start, isUnfinished })
  }
}

/**
 * Arguments are separated by whitespace. `\\` is one backslash, and in double quotes `\"` is a quote, as in Apache's
 * configuration, for which the Core Rule Set 3 is written; other backslashes stay.
 */
function readArguments(line: string): { readonly args: readonly string[]; readonly hasOpenQuote: boolean } {
  const args: string[] = []
  let hasOpenQuote = false
  let at = 0
  while (at < line.length) {
    const first = line.charAt(at)
    if (first === ' ' || first === '\t') {
      at += 1
      continue
    }
    const isQuoted = first === '"'
    let argument = ''
    if (isQuoted) at += 1
    while (at < line.length) {
      const character = line.charAt(at)
      const next = line.charAt(at + 1)
      if (character === '\\' && (next === '\\' || (isQuoted && next === '"'))) {
        argument += next
        at += 2
        continue
      }
      if (isQuoted ? character === '"' : character === ' ' || character === '\t') break
      argument += character
      at += 1
    }
    if (isQuoted && at >= line.length) hasOpenQuote = true
    at += 1
    args.push(argument)
  }
  return { args, hasOpenQuote }
}
