// NSAP: an address in an OSI network.

import { TextError, WireError } from '../errors.ts'
import { hexFromOctets, octetsFromHex } from '../octets.ts'
import { defineRecordType } from './define.ts'
import type { Field } from './define.ts'

/** A network service access point (RFC 1706 §5). */
export interface Nsap {
  readonly address: Uint8Array
}

/** `0x` and hexadecimal digits, with dots anywhere (RFC 1706 §7). */
const nsapAddress: Field<Uint8Array> = {
  read: (r) => {
    if (r.remaining === 0) throw new WireError('wire.truncated', r.offset, 'at least one octet must follow')
    return r.rest()
  },
  write: (w, value) => w.bytes(value),
  toText: (value) => `0x${hexFromOctets(value)}`,
  fromText: (tokens) => {
    const { text, offset } = tokens.next()
    const octets = /^0x/i.test(text) ? octetsFromHex(text.slice(2).replaceAll('.', '')) : undefined
    if (octets !== undefined && octets.length > 0) return octets
    throw new TextError('text.hex', offset, '0x and pairs of hexadecimal digits must follow')
  },
  check: (value) => (value.length === 0 ? 'must have at least one octet' : undefined),
}

export const nsap = defineRecordType<Nsap>({
  type: 'NSAP',
  code: 22,
  refs: ['RFC 1706 §5'],
  fields: { address: nsapAddress },
})
