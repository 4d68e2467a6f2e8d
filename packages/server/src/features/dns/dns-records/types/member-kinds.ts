// The common kinds of members of `data`.
import {
  base64FromOctets,
  hexFromOctets,
  octetsFromBase64,
  octetsFromHex,
  ROOT,
  type Name,
} from '@zonereeve/dns'
import type { MemberKind } from './data-type.ts'
import { readHost } from './host-content.ts'

const integer = (maximum: number): MemberKind<number> => ({
  read: (reader, member) => reader.integer(member, maximum),
  show: (value) => value,
})

export const u8 = integer(255)
export const u16 = integer(65_535)

/** Octets as hexadecimal digits; whitespace is ignored as in zone files. */
export const hex = (options: { readonly upper: boolean }): MemberKind<Uint8Array> =>
  octets('hexadecimal digits, in pairs', octetsFromHex, (value) =>
    options.upper ? hexFromOctets(value).toUpperCase() : hexFromOctets(value),
  )

export const base64 = octets('base64 with its padding', octetsFromBase64, base64FromOctets)

/** UTF-8 text, or one character string. */
export const utf8: MemberKind<Uint8Array> = {
  read: (reader, member) => Uint8Array.from(Buffer.from(reader.text(member), 'utf8')),
  show: (value) => Buffer.from(value).toString('utf8'),
}

/** UTF-8 text in a character string, which has one code unit per octet. */
export const characterString: MemberKind<string> = {
  read: (reader, member) => Buffer.from(reader.text(member), 'utf8').toString('latin1'),
  show: (value) => Buffer.from(value, 'latin1').toString('utf8'),
}

/** A name shown with its trailing dot. */
export const absoluteName: MemberKind<Name> = {
  read: (reader, member, { apex }) => {
    const before = reader.issues.length
    const text = reader.text(member)
    const name = readHost(text, apex)
    if (name === undefined && reader.issues.length === before) reader.reject(member, 'a domain name')
    return name ?? ROOT
  },
  show: showAbsolute,
}

export function showAbsolute(name: Name): string {
  return name === ROOT ? name : `${name}.`
}

function octets(
  what: string,
  parse: (text: string) => Uint8Array | undefined,
  format: (octets: Uint8Array) => string,
): MemberKind<Uint8Array> {
  return {
    read: (reader, member) => {
      const text = reader.text(member).replaceAll(/\s/g, '')
      const parsed = parse(text)
      if (parsed === undefined) reader.reject(member, what)
      // Copied from the shared Buffer pool, so that values are plain data.
      return parsed ?? new Uint8Array()
    },
    show: format,
  }
}
