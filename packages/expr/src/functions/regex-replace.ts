// regex_replace(source, pattern, replacement)
import { decodeUtf8 } from '../bytes.ts'
import { DEFAULT_LIMITS } from '../limits.ts'
import { parseRegex } from '../regex.ts'
import { BYTES } from '../types.ts'
import { defineFunction } from './definition.ts'
import { anyBytes, literalBytes } from './parameters.ts'
import { checkReplacement, fillReplacement, parseReplacement } from './replacement.ts'

function checkPattern(pattern: string): string | undefined {
  const regex = parseRegex(decodeUtf8(pattern), DEFAULT_LIMITS.maxRegexBytes)
  return typeof regex === 'string' ? regex : undefined
}

export const regexReplace = defineFunction({
  name: 'regex_replace',
  summary: 'Replaces the first match; without one the source comes back unchanged. Once in an expression.',
  parameters: [
    anyBytes('source'),
    literalBytes('pattern', checkPattern),
    literalBytes('replacement', checkReplacement),
  ],
  returns: BYTES,
  oncePerExpression: true,
  implement: ([, pattern, replacement]) => {
    const regex = parseRegex(decodeUtf8(String(pattern)), Number.POSITIVE_INFINITY)
    const parsed = parseReplacement(String(replacement))
    if (typeof regex === 'string' || typeof parsed === 'string') return () => undefined
    return ([source]) => {
      if (typeof source !== 'string') return undefined
      const match = regex.find(source)
      if (match === undefined) return source
      return source.slice(0, match.start) + fillReplacement(parsed, match.groups) + source.slice(match.end)
    }
  },
})
