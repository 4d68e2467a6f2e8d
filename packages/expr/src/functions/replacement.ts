// Replacement strings: ${1} to ${8} for captures, $$ for a dollar.
import { elementAt } from '../checked-reads.ts'
import type { Bytes } from '../bytes.ts'

const MAX_REFERENCES = 8

/** Text between references, and the referenced captures: `strings` is one longer than `captures`. */
type Replacement = { readonly strings: readonly Bytes[]; readonly captures: readonly number[] }

/** Parses a replacement string, or returns what is wrong with it. */
export function parseReplacement(text: Bytes): Replacement | string {
  const strings: Bytes[] = []
  const captures: number[] = []
  let current = ''
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] !== '$') current += text.charAt(i)
    else if (text[i + 1] === '$') {
      current += '$'
      i += 1
    } else {
      const digit = text.charCodeAt(i + 2) - 0x30
      const isReference = text[i + 1] === '{' && digit >= 1 && digit <= MAX_REFERENCES && text[i + 3] === '}'
      if (!isReference) return `$ must be part of $$ or of \${1} to \${${MAX_REFERENCES}}`
      strings.push(current)
      captures.push(digit)
      current = ''
      i += 3
    }
  }
  if (captures.length > MAX_REFERENCES) return `more than ${MAX_REFERENCES} references`
  return { strings: [...strings, current], captures }
}

/** Fills in the captures; an unmatched one is empty. */
export function fillReplacement(
  { strings, captures }: Replacement,
  values: readonly (Bytes | undefined)[],
): Bytes {
  return strings.reduce(
    // The first text precedes all captures.
    (out, text, i) => out + (values[elementAt(captures, i - 1)] ?? '') + text,
  )
}

/** What is wrong with a replacement text, if anything. */
export function checkReplacement(text: Bytes): string | undefined {
  const parsed = parseReplacement(text)
  return typeof parsed === 'string' ? parsed : undefined
}
