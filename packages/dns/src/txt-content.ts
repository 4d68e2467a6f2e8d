// TXT content as people and APIs write it: one plain string, or quoted character strings (RFC 1035 §3.3.14, §5.1).

import { codePointAt } from './checked-reads.ts'
import { TextError } from './errors.ts'
import { quoteOctets, unescapeOctets } from './presentation.ts'
import { utf8Octets } from './octets.ts'

/** Longest character string in octets (RFC 1035 §3.3). */
export const MAX_STRING_OCTETS = 255

/**
 * The character strings of a TXT content. Content without any quote is one literal string, including its backslashes;
 * otherwise it must be quoted strings only, with `\"`, `\\` and `\DDD` escapes. Strings over 255 octets are split.
 * @throws TextError `txt.empty`, `txt.unbalanced-quote`, `txt.mixed-quoting` or `text.bad-escape`, each with its
 * offset.
 */
export function txtFromText(content: string): Uint8Array[] {
  if (content === '') throw new TextError('txt.empty', 0, 'the content is empty')
  if (!content.includes('"')) return splitTxt(literalOctets(content))
  if (!/^\s*"/.test(content)) {
    throw new TextError('txt.mixed-quoting', content.indexOf('"'), 'a quote inside unquoted text')
  }
  const strings: Uint8Array[] = []
  for (let at = skipWhitespace(content, 0); at < content.length; at = skipWhitespace(content, at)) {
    if (content[at] !== '"') throw new TextError('txt.mixed-quoting', at, 'text outside the quotes')
    const end = closingQuote(content, at)
    strings.push(...splitTxt(unescapeOctets(content.slice(at + 1, end), at + 1)))
    at = end + 1
  }
  return strings
}

/** Quoted strings separated by single spaces, as in zone files; octets outside 0x20..0x7e as `\DDD`. */
export function txtToText(strings: readonly Uint8Array[]): string {
  return strings.map(quoteOctets).join(' ')
}

/** Splits octets into chunks of 255, the last one shorter; one empty chunk for no octets. */
export function splitTxt(octets: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let at = 0; at < octets.length; at += MAX_STRING_OCTETS)
    chunks.push(octets.slice(at, at + MAX_STRING_OCTETS))
  return chunks.length === 0 ? [octets] : chunks
}

function literalOctets(content: string): Uint8Array {
  return Uint8Array.from([...content].flatMap((character) => utf8Octets(codePointAt(character, 0))))
}

function skipWhitespace(content: string, start: number): number {
  let at = start
  while (/\s/.test(content.charAt(at))) at += 1
  return at
}

function closingQuote(content: string, start: number): number {
  let at = start + 1
  while (content[at] !== '"') {
    if (at >= content.length) throw new TextError('txt.unbalanced-quote', start, 'this quote is not closed')
    at += content[at] === '\\' ? 2 : 1
  }
  return at
}
