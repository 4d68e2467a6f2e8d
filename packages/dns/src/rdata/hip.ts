// HIP: the identity of a host and its rendezvous servers.

import { octetsFromBase64, base64FromOctets } from '../base64.ts'
import { TextError, WireError } from '../errors.ts'
import type { Name } from '../name.ts'
import { hexFromOctets, octetsFromHex } from '../octets.ts'
import type { TokenReader } from '../presentation.ts'
import { defineRecordType } from './define.ts'
import type { Field } from './define.ts'
import { domainNames, u8 } from './fields.ts'

/** A host identity (RFC 8005 §5). */
export interface Hip {
  /** As in IPSECKEY. */
  readonly algorithm: number
  /** Host identity tag, 1 to 255 octets. */
  readonly tag: Uint8Array
  readonly publicKey: Uint8Array
  /** Rendezvous servers, in order of preference. */
  readonly servers: readonly Name[]
}

const tag = word(0xff, 'pairs of hexadecimal digits', octetsFromHex, (octets) =>
  hexFromOctets(octets).toUpperCase(),
)
const publicKey = word(0xffff, 'padded base64', octetsFromBase64, base64FromOctets)

/** On the wire the lengths of tag and key surround the algorithm; in the presentation the algorithm comes first. */
export const hip = defineRecordType<Hip>({
  type: 'HIP',
  code: 55,
  refs: ['RFC 8005 §5'],
  fields: { algorithm: u8, tag, publicKey, servers: domainNames },
  read: (r) => {
    const [tagOctets, algorithm, keyOctets] = [r.u8(), r.u8(), r.u16()]
    if (tagOctets === 0 || keyOctets === 0)
      throw new WireError('wire.value', r.offset, 'tag and key have at least one octet')
    return {
      algorithm,
      tag: r.bytes(tagOctets),
      publicKey: r.bytes(keyOctets),
      servers: domainNames.read(r),
    }
  },
  write: (w, value) => {
    w.u8(value.tag.length)
    w.u8(value.algorithm)
    w.u16(value.publicKey.length)
    w.bytes(value.tag)
    w.bytes(value.publicKey)
    domainNames.write(w, value.servers)
  },
})

/** Octets as one word, because more words follow; their length is stored elsewhere. */
function word(
  max: number,
  what: string,
  parse: (text: string) => Uint8Array | undefined,
  toText: (octets: Uint8Array) => string,
): Field<Uint8Array> {
  const fromText = (tokens: TokenReader): Uint8Array => {
    const { text, offset } = tokens.next()
    const octets = parse(text)
    if (octets === undefined) throw new TextError('text.octets', offset, `${what} must follow`)
    return octets
  }
  return {
    read: (r) => r.rest(),
    write: (w, value) => w.bytes(value),
    toText,
    fromText,
    check: (value) => (value.length > 0 && value.length <= max ? undefined : `must have 1 to ${max} octets`),
  }
}
