// The service parameters that we know, one object each: presentation value to octets and back (RFC 9460 §7, §14.3.2).

import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from '../address.ts'
import { base64FromOctets, octetsFromBase64 } from '../base64.ts'
import { latin1FromOctets, octetsFromLatin1 } from '../octets.ts'

/** One service parameter key. */
export interface SvcParamKind {
  readonly key: number
  readonly name: string
  /** Octets of a presentation value, escapes of the character string resolved; undefined when it is none. */
  parse(value: Uint8Array): Uint8Array | undefined
  /** Presentation value of octets that fit; undefined = no value, not even an equals sign. */
  format(octets: Uint8Array): Uint8Array | undefined
  /** Whether the octets are a value of this key. */
  fits(octets: Uint8Array): boolean
}

/** Highest key; 65535 itself is reserved as "invalid key" (RFC 9460 §14.3.2). */
const MAX_KEY = 65_534

/** Keys that a record needs, ascending, without itself (RFC 9460 §8). */
const mandatory: SvcParamKind = {
  key: 0,
  name: 'mandatory',
  parse: (value) => {
    const keys = latin1FromOctets(value).split(',').map(svcParamKey)
    if (keys.some((key) => key === undefined)) return undefined
    const sorted = keys.filter((key) => key !== undefined).toSorted((a, b) => a - b)
    return Uint8Array.from(sorted.flatMap((key) => [key >> 8, key & 0xff]))
  },
  format: (octets) => octetsFromLatin1(mandatoryKeys(octets).map(svcParamName).join(',')),
  fits: (octets) => {
    const keys = mandatoryKeys(octets)
    const ascending = keys.every((key, i) => key > (keys[i - 1] ?? 0) && key <= MAX_KEY)
    return octets.length > 0 && octets.length % 2 === 0 && ascending
  },
}

/** Protocol identifiers of 1 to 255 octets, at least one (RFC 9460 §7.1.1). */
const alpn: SvcParamKind = {
  key: 1,
  name: 'alpn',
  parse: (value) => {
    const ids = splitList(value)
    if (ids === undefined || ids.some((id) => id.length === 0 || id.length > 255)) return undefined
    return Uint8Array.from(ids.flatMap((id) => [id.length, ...id]))
  },
  format: (octets) => joinList(alpnIds(octets) ?? []),
  fits: (octets) => {
    const ids = alpnIds(octets)
    return ids !== undefined && ids.length > 0 && ids.every((id) => id.length > 0)
  },
}

const port: SvcParamKind = {
  key: 3,
  name: 'port',
  parse: (value) => {
    const text = latin1FromOctets(value)
    const number = /^\d{1,5}$/.test(text) ? Number(text) : 0x1_0000
    return number > 0xffff ? undefined : Uint8Array.of(number >> 8, number & 0xff)
  },
  format: (octets) => octetsFromLatin1(String(((octets[0] ?? 0) << 8) | (octets[1] ?? 0))),
  fits: (octets) => octets.length === 2,
}

const ech: SvcParamKind = {
  key: 5,
  name: 'ech',
  parse: (value) => octetsFromBase64(latin1FromOctets(value)),
  format: (octets) => octetsFromLatin1(base64FromOctets(octets)),
  fits: (octets) => octets.length > 0,
}

/** A relative URI template with the variable `dns` (RFC 9461 §5). */
const dohpath: SvcParamKind = {
  key: 7,
  name: 'dohpath',
  parse: (value) => value,
  format: (octets) => octets,
  fits: (octets) => /^\/.*\{[^}]*\bdns\b[^}]*\}/s.test(latin1FromOctets(octets)),
}

/** All kinds that have a name, in the order of their keys. */
const SVC_PARAM_KINDS: readonly SvcParamKind[] = [
  mandatory,
  alpn,
  flag(2, 'no-default-alpn'),
  port,
  addressHints(4, 'ipv4hint', 4, parseIpv4, formatIpv4),
  ech,
  addressHints(6, 'ipv6hint', 16, parseIpv6, formatIpv6),
  dohpath,
  flag(8, 'ohttp'), // RFC 9540 §4
]

/** The kind of a key: its own, or octets as they are. */
export function svcParamKind(key: number): SvcParamKind {
  return SVC_PARAM_KINDS[key] ?? opaque(key)
}

/** The key of a name or of `keyNNNNN` without leading zeros; undefined for anything else (RFC 9460 §2.1). */
export function svcParamKey(name: string): number | undefined {
  const known = SVC_PARAM_KINDS.find((kind) => kind.name === name)
  if (known !== undefined) return known.key
  const key = /^key(?:0|[1-9]\d{0,4})$/.test(name) ? Number(name.slice(3)) : 0x1_0000
  return key > MAX_KEY ? undefined : key
}

/** The keys that a `mandatory` parameter lists. */
export function mandatoryKeys(octets: Uint8Array): number[] {
  return Array.from(
    { length: Math.floor(octets.length / 2) },
    (_, i) => ((octets[2 * i] ?? 0) << 8) | (octets[2 * i + 1] ?? 0),
  )
}

/** A key without a name here takes any octets; so does a known one that is written by its number. */
export function opaque(key: number): SvcParamKind {
  return {
    key,
    name: `key${key}`,
    parse: (value) => value,
    format: (octets) => (octets.length === 0 ? undefined : octets),
    fits: () => key <= MAX_KEY,
  }
}

const svcParamName = (key: number): string => svcParamKind(key).name

function flag(key: number, name: string): SvcParamKind {
  const fits = (octets: Uint8Array) => octets.length === 0
  return { key, name, parse: (value) => (fits(value) ? value : undefined), format: () => undefined, fits }
}

function addressHints(
  key: number,
  name: string,
  size: number,
  parse: (text: string) => Uint8Array | undefined,
  format: (octets: Uint8Array) => string,
): SvcParamKind {
  return {
    key,
    name,
    parse: (value) => {
      const addresses = latin1FromOctets(value).split(',').map(parse)
      if (addresses.some((address) => address === undefined)) return undefined
      return Uint8Array.from(addresses.flatMap((address) => [...(address ?? [])]))
    },
    format: (octets) => {
      const count = octets.length / size
      const addresses = Array.from({ length: count }, (_, i) => octets.subarray(size * i, size * (i + 1)))
      return octetsFromLatin1(addresses.map(format).join(','))
    },
    fits: (octets) => octets.length > 0 && octets.length % size === 0,
  }
}

function alpnIds(octets: Uint8Array): Uint8Array[] | undefined {
  const ids: Uint8Array[] = []
  for (let at = 0; at < octets.length; at += 1 + (octets[at] ?? 0)) {
    const end = at + 1 + (octets[at] ?? 0)
    if (end > octets.length) return undefined
    ids.push(octets.subarray(at + 1, end))
  }
  return ids
}

const COMMA = 0x2c
const BACKSLASH = 0x5c

/** Items between commas; a backslash keeps a comma or a backslash (RFC 9460 Appendix A.1). */
function splitList(value: Uint8Array): number[][] | undefined {
  const items: number[][] = [[]]
  for (let at = 0; at < value.length; at += 1) {
    const octet = value[at] ?? 0
    if (octet === COMMA) items.push([])
    else if (octet !== BACKSLASH) items.at(-1)?.push(octet)
    else {
      at += 1
      const escaped = value[at]
      if (escaped !== COMMA && escaped !== BACKSLASH) return undefined
      items.at(-1)?.push(escaped)
    }
  }
  return items
}

function joinList(items: readonly Uint8Array[]): Uint8Array {
  const escaped = items.map((item) =>
    [...item].flatMap((octet) => (octet === COMMA || octet === BACKSLASH ? [BACKSLASH, octet] : [octet])),
  )
  return Uint8Array.from(escaped.flatMap((item, i) => (i === 0 ? item : [COMMA, ...item])))
}
