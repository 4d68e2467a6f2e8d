// Parses policies as browsers do: never an error, the first directive of a name wins.
import { DIRECTIVES } from './directives.ts'
import { parseSource, type Source } from './source.ts'

/** A part of the parsed text. Start and end in UTF-16 units; the end is exclusive. */
export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface Directive {
  /** Lower case. */
  readonly name: string
  readonly nameToken: Token
  readonly values: readonly Token[]
  /** The parsed values without those that have no meaning. Empty for directives without a source list. */
  readonly sources: readonly Source[]
}

export interface Policy {
  /** In order; unknown names are kept and have no effect. */
  readonly directives: readonly Directive[]
}

/** A directive in the text, and whether browsers skip it. */
export interface WrittenDirective extends Directive {
  readonly ignored: 'duplicate' | 'not-ascii' | null
}

/**
 * Parses a serialized policy (CSP3 §2.2.1 "Parse a serialized CSP"). Never throws: invalid parts are skipped, as in a
 * browser; `checkPolicy` reports them.
 */
export function parsePolicy(text: string): Policy {
  const directives = readDirectives(text).filter(({ ignored }) => ignored === null)
  return {
    directives: directives.map(({ name, nameToken, values, sources }) => ({
      name,
      nameToken,
      values,
      sources,
    })),
  }
}

/**
 * Parses a header value, which may contain several policies separated by commas (CSP3 §2.2.2). Each of them applies.
 * Those without a directive are left out.
 */
export function parsePolicyList(text: string): readonly Policy[] {
  return text
    .split(',')
    .map(parsePolicy)
    .filter(({ directives }) => directives.length > 0)
}

/** The text of a policy; parsing it gives the same directives and values. */
export function printPolicy({ directives }: Policy): string {
  return directives.map(({ name, values }) => [name, ...values.map(({ text }) => text)].join(' ')).join('; ')
}

/** All directives in a text, including those that browsers ignore. */
export function readDirectives(text: string): readonly WrittenDirective[] {
  const seen = new Set<string>()
  const directives: WrittenDirective[] = []
  for (const part of partsBetween(text, ';')) {
    const [nameToken, ...values] = wordsOf(part)
    if (nameToken === undefined) continue
    const name = nameToken.text.toLowerCase()
    const ignored = !isAscii(part.text) ? 'not-ascii' : seen.has(name) ? 'duplicate' : null
    if (ignored === null) seen.add(name)
    directives.push({ name, nameToken, values, sources: sourcesOf(name, values), ignored })
  }
  return directives
}

function sourcesOf(name: string, values: readonly Token[]): readonly Source[] {
  const kind = DIRECTIVES.get(name)?.value
  if (kind !== 'sources' && kind !== 'ancestors') return []
  return values.flatMap(({ text }) => parseSource(text) ?? []) // an invalid source matches nothing
}

function partsBetween(text: string, separator: string): readonly Token[] {
  let start = 0
  return text.split(separator).map((part) => {
    const token = { text: part, start, end: start + part.length }
    start = token.end + separator.length
    return token
  })
}

/** Only ASCII whitespace separates (WPT: generic/only-valid-whitespaces-are-allowed). */
function wordsOf(part: Token): readonly Token[] {
  return [...part.text.matchAll(/[^\t\n\f\r ]+/g)].map((found) => ({
    text: found[0],
    start: part.start + found.index,
    end: part.start + found.index + found[0].length,
  }))
}

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text)
