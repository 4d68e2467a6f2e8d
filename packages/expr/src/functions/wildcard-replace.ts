// wildcard_replace(source, pattern, replacement, flags)
import { BYTES } from '../types.ts'
import { captureWildcard, parseWildcard } from '../wildcard.ts'
import { defineFunction } from './definition.ts'
import { fieldBytes, literalBytes, literalFlags } from './parameters.ts'
import { checkReplacement, fillReplacement, parseReplacement } from './replacement.ts'

const NO_STAR_LIMIT = Number.POSITIVE_INFINITY

function checkPattern(pattern: string): string | undefined {
  const wildcard = parseWildcard(pattern, true, NO_STAR_LIMIT)
  return typeof wildcard === 'string' ? wildcard : undefined
}

export const wildcardReplace = defineFunction({
  name: 'wildcard_replace',
  summary:
    'Rewrites a source that matches the wildcard as a whole, else returns it unchanged. Flag s: case counts.',
  parameters: [
    fieldBytes('source'),
    literalBytes('pattern', checkPattern),
    literalBytes('replacement', checkReplacement),
  ],
  optional: [literalFlags('s')],
  returns: BYTES,
  oncePerExpression: true,
  implement: ([, pattern, replacement, flags]) => {
    const wildcard = parseWildcard(String(pattern), flags === 's', NO_STAR_LIMIT)
    const parsed = parseReplacement(String(replacement))
    if (typeof wildcard === 'string' || typeof parsed === 'string') return () => undefined
    return ([source]) => {
      if (typeof source !== 'string') return undefined
      const captures = captureWildcard(wildcard, source)
      return captures === undefined ? source : fillReplacement(parsed, [source, ...captures])
    }
  },
})
