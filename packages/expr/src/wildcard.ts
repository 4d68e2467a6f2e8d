// Wildcards: `*` matches any bytes, `\*` and `\\` are literal, the whole text must match.
import { elementAt } from './checked-reads.ts'
import { asciiLower, type Bytes } from './bytes.ts'

/** The literal parts between the stars; one part means there is no star. */
export type Wildcard = { readonly parts: readonly Bytes[]; readonly isStrict: boolean }

/**
 * Parses a pattern. Two stars in a row are refused, as is any escape except `\*` and `\\`.
 * @returns the wildcard, or the error text
 */
export function parseWildcard(pattern: Bytes, isStrict: boolean, maxStars: number): Wildcard | string {
  const parts: Bytes[] = []
  let part = ''
  let hasDoubleStar = false
  for (let i = 0; i < pattern.length; i += 1) {
    const byte = pattern[i]
    if (byte === '*') {
      hasDoubleStar ||= part === '' && parts.length > 0
      parts.push(part)
      part = ''
    } else if (byte === '\\') {
      const escaped = pattern[i + 1]
      if (escaped === undefined)
        return syntaxError(i, 'incomplete escape sequence at the end of the wildcard')
      if (escaped !== '*' && escaped !== '\\') return syntaxError(i, 'invalid escape sequence')
      part += escaped
      i += 1
    } else part += byte
  }
  if (parts.length > maxStars) {
    return `wildcard has ${parts.length} star metacharacters, but the limit is ${maxStars}`
  }
  if (hasDoubleStar) return 'wildcard contains a double star'
  parts.push(part)
  return { parts: isStrict ? parts : parts.map(asciiLower), isStrict }
}

const syntaxError = (position: number, reason: string): string =>
  `invalid wildcard: wildcard syntax error at position ${position}: ${reason}`

/** True if the whole text matches. Strict wildcards are case-sensitive; others ignore the case of ASCII letters. */
export function matchesWildcard(wildcard: Wildcard, text: Bytes): boolean {
  return findParts(wildcard, wildcard.isStrict ? text : asciiLower(text)) !== undefined
}

/** What each star matches, every star as little as possible; undefined without a match. */
export function captureWildcard(wildcard: Wildcard, text: Bytes): readonly Bytes[] | undefined {
  const starts = findParts(wildcard, wildcard.isStrict ? text : asciiLower(text))
  if (starts === undefined) return undefined
  return starts.slice(1).map((start, i) => {
    const previousEnd = elementAt(starts, i) + elementAt(wildcard.parts, i).length
    return text.slice(previousEnd, start)
  })
}

/**
 * The position of each literal part: the first at the start, the last at the end, the others as early as possible.
 */
function findParts({ parts }: Wildcard, text: Bytes): readonly number[] | undefined {
  const first = elementAt(parts, 0)
  if (parts.length === 1) return text === first ? [0] : undefined
  if (!text.startsWith(first)) return undefined
  const starts = [0]
  let at = first.length
  for (let i = 1; i < parts.length - 1; i += 1) {
    const part = elementAt(parts, i)
    const found = text.indexOf(part, at)
    if (found === -1) return undefined
    starts.push(found)
    at = found + part.length
  }
  const last = elementAt(parts, parts.length - 1)
  const lastStart = text.length - last.length
  if (lastStart < at || !text.endsWith(last)) return undefined
  return [...starts, lastStart]
}
