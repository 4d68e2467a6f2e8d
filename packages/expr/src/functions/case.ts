// lower(text), upper(text)
import { asciiLower, asciiUpper } from '../bytes.ts'
import { BYTES } from '../types.ts'
import { defineFunction } from './definition.ts'
import { anyBytes } from './parameters.ts'

export const lower = defineFunction({
  name: 'lower',
  summary: 'A-Z in lower case; every other byte is kept.',
  parameters: [anyBytes('source')],
  returns: BYTES,
  implement:
    () =>
    ([text]) =>
      typeof text === 'string' ? asciiLower(text) : undefined,
})

export const upper = defineFunction({
  name: 'upper',
  summary: 'a-z in upper case; every other byte is kept.',
  parameters: [anyBytes('source')],
  returns: BYTES,
  implement:
    () =>
    ([text]) =>
      typeof text === 'string' ? asciiUpper(text) : undefined,
})
