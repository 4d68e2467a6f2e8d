// starts_with(source, part), ends_with(source, part)
import { BOOL } from '../types.ts'
import { defineFunction } from './definition.ts'
import { anyBytes, fieldBytes } from './parameters.ts'

export const startsWith = defineFunction({
  name: 'starts_with',
  summary: 'Whether the source begins with the part. Case counts.',
  parameters: [fieldBytes('source'), anyBytes('part')],
  returns: BOOL,
  implement:
    () =>
    ([source, part]) =>
      typeof source === 'string' && typeof part === 'string' ? source.startsWith(part) : undefined,
})

export const endsWith = defineFunction({
  name: 'ends_with',
  summary: 'Whether the source ends with the part. Case counts.',
  parameters: [fieldBytes('source'), anyBytes('part')],
  returns: BOOL,
  implement:
    () =>
    ([source, part]) =>
      typeof source === 'string' && typeof part === 'string' ? source.endsWith(part) : undefined,
})
