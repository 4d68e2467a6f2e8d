// Fields of octets up to the end of the rdata: digests and keys, as hexadecimal or base64 (RFC 4034 §2.2, §5.3).

import { base64FromOctets, octetsFromBase64 } from '../base64.ts'
import { TextError, WireError } from '../errors.ts'
import { hexFromOctets, octetsFromHex } from '../octets.ts'
import type { TokenReader } from '../presentation.ts'
import type { Field } from './define.ts'

/** At least one octet in hexadecimal, in one or more words. `upper` is how it is printed; both cases are read. */
export function hexRest({ upper }: { readonly upper: boolean }): Field<Uint8Array> {
  return octetsRest('text.hex', octetsFromHex, (octets) =>
    upper ? hexFromOctets(octets).toUpperCase() : hexFromOctets(octets),
  )
}

/** At least one octet in base64, in one or more words. */
export const base64Rest: Field<Uint8Array> = octetsRest('text.base64', octetsFromBase64, base64FromOctets)

/** Empty octets have no text, so they are not a value: such rdata has only a generic form. */
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
      if (value.length === 0) throw new WireError('wire.value', w.offset, 'must have at least one octet')
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

/** All remaining words, joined. @throws TextError `text.missing` if there is none */
function restOf(tokens: TokenReader): string {
  let text = tokens.next().text
  while (tokens.remaining > 0) text += tokens.next().text
  return text
}

/** A fixed number of octets, written as one word. `what` describes the word. */
export function fixedOctets(
  size: number,
  what: string,
  parse: (text: string) => Uint8Array | undefined,
  format: (octets: Uint8Array) => string,
): Field<Uint8Array> {
  return {
    read: (r) => r.bytes(size),
    write: (w, value) => {
      if (value.length !== size) throw new WireError('wire.value', w.offset, `must have ${size} octets`)
      w.bytes(value)
    },
    toText: format,
    fromText: (tokens) => {
      const { text, offset } = tokens.next()
      const octets = parse(text)
      if (octets?.length === size) return octets
      throw new TextError('text.octets', offset, `${what} must follow`)
    },
    check: (value) => (value.length === size ? undefined : `must have ${size} octets`),
  }
}

/** `size` pairs of hexadecimal digits separated by hyphens (RFC 7043 §3.2). */
export const hyphenatedOctets = (size: number): Field<Uint8Array> =>
  fixedOctets(
    size,
    `${size} pairs of hexadecimal digits between hyphens`,
    (text) =>
      /^[\da-f]{2}(?:-[\da-f]{2})*$/i.test(text) ? octetsFromHex(text.replaceAll('-', '')) : undefined,
    (octets) => hexFromOctets(octets).replaceAll(/..(?=.)/g, '$&-'),
  )

/**
 * 64 bits as four groups of hexadecimal digits separated by colons, printed with leading zeros, which some readers
 * need (RFC 6742 §2.1.2).
 */
export const groups64: Field<Uint8Array> = fixedOctets(
  8,
  'four groups of hexadecimal digits between colons',
  (text) =>
    /^[\da-f]{1,4}(?::[\da-f]{1,4}){3}$/i.test(text)
      ? octetsFromHex(
          text
            .split(':')
            .map((group) => group.padStart(4, '0'))
            .join(''),
        )
      : undefined,
  (octets) => hexFromOctets(octets).replaceAll(/.{4}(?=.)/g, '$&:'),
)

/** Octets in base64 up to the end of the rdata; may be empty, and then has no text. */
export const optionalBase64Rest: Field<Uint8Array> = {
  read: (r) => r.rest(),
  write: (w, value) => w.bytes(value),
  toText: base64FromOctets,
  fromText: (tokens) => (tokens.remaining === 0 ? new Uint8Array() : base64Rest.fromText(tokens)),
  check: () => undefined,
}
