// Common fields of rdata (RFC 1035 §3.3). A type that has only these needs no code of its own.
//
// Canonical form (RFC 4034 §6.2): Name is folded by construction, and only domainName({ compress }) ever compresses,
// into a writer that does. So the uncompressed rdata that we serve is the canonical rdata, for every type.

import { elementAt } from '../checked-reads.ts'
import { WireError } from '../errors.ts'
import { ROOT } from '../name.ts'
import type { Name } from '../name.ts'
import { latin1FromOctets, octetsFromLatin1 } from '../octets.ts'
import { quoteOctets, unescapeOctets, wordOctets } from '../presentation.ts'
import { MAX_STRING_OCTETS } from '../txt-content.ts'
import type { Reader, Writer } from '../wire.ts'
import type { Field } from './define.ts'

/** Unsigned number of 8 bits. */
export const u8: Field<number> = integer(
  0xff,
  (r) => r.u8(),
  (w, value) => w.u8(value),
)

/** Unsigned number of 16 bits. */
export const u16: Field<number> = integer(
  0xffff,
  (r) => r.u16(),
  (w, value) => w.u16(value),
)

/** Unsigned number of 32 bits. */
export const u32: Field<number> = integer(
  0xffff_ffff,
  (r) => r.u32(),
  (w, value) => w.u32(value),
)

/** A domain name. `compress` only for types of RFC 1035: later ones must not be compressed (RFC 3597 §4). */
export function domainName({ compress = false } = {}): Field<Name> {
  return {
    read: (r) => r.name(),
    write: (w, value) => w.name(value, compress),
    toText: (value) => (value === '.' ? value : `${value}.`),
    fromText: (tokens) => tokens.name(),
    check: () => undefined,
  }
}

/** An IP address of `octets` octets, stored as text; `format` can print everything that `parse` accepts. */
export function address(
  octets: number,
  parse: (text: string) => Uint8Array | undefined,
  format: (octets: Uint8Array) => string,
): Field<string> {
  const parseOctets = (text: string, at: number): Uint8Array => {
    const result = parse(text)
    if (result === undefined)
      throw new WireError('wire.value', at, `${text} is not an address of ${octets} octets`)
    return result
  }
  return {
    read: (r) => format(r.bytes(octets)),
    write: (w, value) => w.bytes(parseOctets(value, w.offset)),
    toText: (value) => format(parseOctets(value, 0)),
    fromText: (tokens) => {
      const { text } = tokens.next()
      const result = parse(text)
      return result === undefined ? text : format(result)
    },
    check: (value) => (parse(value) === undefined ? `must be an address of ${octets} octets` : undefined),
  }
}

/** A character string of at most 255 octets, one code unit 0..255 per octet. `quoted` is how it is printed. */
export function characterString({ quoted }: { readonly quoted: boolean }): Field<string> {
  return {
    read: (r) => latin1FromOctets(r.bytes(r.u8())),
    write: (w, value) => writeString(w, octetsOf(value, w.offset)),
    toText: (value) => (quoted ? quoteOctets : wordOctets)(octetsFromLatin1(value)),
    fromText: (tokens) => latin1FromOctets(tokens.octets()),
    check: (value) => (isOctets(value) && value.length <= MAX_STRING_OCTETS ? undefined : STRING_LIMIT),
  }
}

/** A character string that may be absent at the end of the rdata; printed with quotes. */
export const optionalString: Field<string | undefined> = {
  read: (r) => (r.remaining === 0 ? undefined : QUOTED.read(r)),
  write: (w, value) => {
    if (value !== undefined) QUOTED.write(w, value)
  },
  toText: (value) => (value === undefined ? '' : QUOTED.toText(value)),
  fromText: (tokens) => (tokens.remaining === 0 ? undefined : QUOTED.fromText(tokens)),
  check: (value) => (value === undefined ? undefined : QUOTED.check(value)),
}

/** Names up to the end of the rdata, never compressed. */
export const domainNames: Field<readonly Name[]> = {
  read: (r) => {
    const names: Name[] = []
    while (r.remaining > 0) names.push(r.name())
    return names
  },
  write: (w, value) => value.forEach((name) => w.name(name, false)),
  toText: (value) => value.map((name) => (name === ROOT ? name : `${name}.`)).join(' '),
  fromText: (tokens) => {
    const names: Name[] = []
    while (tokens.remaining > 0) names.push(tokens.name())
    return names
  },
  check: () => undefined,
}

/** One or more character strings up to the end of the rdata (RFC 1035 §3.3.14). */
export const characterStrings: Field<readonly Uint8Array[]> = {
  read: (r) => {
    const strings = [r.bytes(r.u8())]
    while (r.remaining > 0) strings.push(r.bytes(r.u8()))
    return strings
  },
  write: (w, value) => {
    if (value.length === 0) throw new WireError('wire.value', w.offset, 'a string is required')
    for (const string of value) writeString(w, string)
  },
  toText: (value) => value.map(quoteOctets).join(' '),
  fromText: (tokens) => {
    const strings = [tokens.octets()]
    while (tokens.remaining > 0) strings.push(tokens.octets())
    return strings
  },
  check: (value) => {
    if (value.length === 0) return 'a string is required'
    return value.some((string) => string.length > MAX_STRING_OCTETS) ? STRING_LIMIT : undefined
  },
}

/** All octets up to the end of the rdata, printed as one quoted string. */
export const quotedRest: Field<Uint8Array> = {
  read: (r) => r.rest(),
  write: (w, value) => w.bytes(value),
  toText: quoteOctets,
  fromText: (tokens) => {
    const { text, offset } = tokens.next()
    return unescapeOctets(text, offset)
  },
  check: () => undefined,
}

const QUOTED = characterString({ quoted: true })
const STRING_LIMIT = `a string is at most ${MAX_STRING_OCTETS} octets`

function integer(
  max: number,
  read: (reader: Reader) => number,
  write: (writer: Writer, value: number) => void,
): Field<number> {
  return {
    read,
    write,
    toText: String,
    fromText: (tokens) => tokens.number(),
    check: (value) => {
      const fits = Number.isInteger(value) && value >= 0 && value <= max
      return fits ? undefined : `must be a whole number from 0 to ${max}`
    },
  }
}

function isOctets(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0xff) return false
  return true
}

function octetsOf(text: string, at: number): Uint8Array {
  if (!isOctets(text)) throw new WireError('wire.value', at, 'a character is not one octet')
  return octetsFromLatin1(text)
}

function writeString(writer: Writer, octets: Uint8Array): void {
  writer.u8(octets.length)
  writer.bytes(octets)
}

/** Whether each number is greater than the one before it. */
export function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, i) => i === 0 || number > elementAt(numbers, i - 1))
}
