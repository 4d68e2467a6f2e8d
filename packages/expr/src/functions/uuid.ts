// uuidv4(source)
import { toOctets } from '../bytes.ts'
import { BYTES } from '../types.ts'
import { defineFunction } from './definition.ts'
import { anyBytes } from './parameters.ts'
import { sha256 } from './sha256.ts'

const UUID_BYTES = 16

/** The text of a version 4 UUID made of 16 bytes (RFC 9562 §5.4). */
function uuidText(source: string): string {
  const octets = toOctets(source.length < UUID_BYTES ? sha256(source) : source).slice(0, UUID_BYTES)
  const marked = octets.map((octet, i) =>
    i === 6 ? (octet & 0x0f) | 0x40 : i === 8 ? (octet & 0x3f) | 0x80 : octet,
  )
  const hex = [...marked].map((octet) => octet.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export const uuidv4 = defineFunction({
  name: 'uuidv4',
  summary:
    'A version 4 UUID out of random bytes. The same bytes give the same UUID; short sources are hashed.',
  parameters: [anyBytes('source')],
  returns: BYTES,
  implement:
    () =>
    ([source]) =>
      typeof source === 'string' ? uuidText(source) : undefined,
})
