// Fields of octets up to the end of the rdata: digests and keys, as hexadecimal or base64 (RFC 4034 §2.2, §5.3).

import { base64FromOctets, octetsFromBase64 } from '../base64.ts'
import { TextError, WireError } from '../errors.ts'
import { hexFromOctets, octetsFromHex } from '../octets.ts'
import type { TokenReader } from '../presentation.ts'
import type { Field } from './define.ts'

/** At least one octet in hexadecimal, in one word or several. `upper` is how it is printed; both cases are read. */
export function hexRest({ upper }: { readonly upper: boolean }): Field<Uint8Array> {
  return octetsRest('text.hex', octetsFromHex, (octets) =>
    upper ? hexFromOctets(octets).toUpperCase() : hexFromOctets(octets),
  )
}

/** At least one octet in base64, in one word or several. */
export const base64Rest: Field<Uint8Array> = octetsRest('text.base64', octetsFromBase64, base64FromOctets)

/** None would have no text, so none is no value: such rdata has its generic text only. */
function octetsRest(
  rule: string,
  parse: (text: string) => Uint8Array | undefined,
  format: (octets: Uint8Array) => string,
): Field<Uint8Array> {
  return {
    read: (r) => {
      if (r.remaining === 0) throw new WireError('wire.truncated', r.offset, 'at least one octet must follow')
      return r.rest()
    },
    write: (w, value) => {
      if (value.length === 0) throw new WireError('wire.value', w.offset, 'there must be an octet')
      w.bytes(value)
    },
    toText: format,
    fromText: (tokens) => {
      const { offset } = tokens
      const octets = parse(restOf(tokens))
      if (octets !== undefined) return octets
      const what = rule === 'text.hex' ? 'pairs of hexadecimal digits' : 'padded base64'
      throw new TextError(rule, offset, `${what} must follow`)
    },
    check: (value) => (value.length === 0 ? 'must have at least one octet' : undefined),
  }
}

/** All words that are left, joined. @throws TextError `text.missing` when there is none */
function restOf(tokens: TokenReader): string {
  let text = tokens.next().text
  while (tokens.remaining > 0) text += tokens.next().text
  return text
}
