// The known service parameters, one object each: converts presentation values to octets and back (RFC 9460 §7,
// §14.3.2).

import { byteAt, uint16At } from '../checked-reads.ts'
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from '../address.ts'
import { base64FromOctets, octetsFromBase64 } from '../base64.ts'
import { concatOctets } from '../dnssec/octet-strings.ts'
import { latin1FromOctets, octetsFromLatin1 } from '../octets.ts'
import { isAscending } from './fields.ts'

/** One service parameter key. */
export interface SvcParamKind {
  readonly key: number
  readonly name: string
  /** Octets of a presentation value whose character-string escapes are resolved; undefined if it is invalid. */
  parse(value: Uint8Array): Uint8Array | undefined
  /** Presentation value of valid octets; undefined = no value and no equals sign. */
  format(octets: Uint8Array): Uint8Array | undefined
  /** Whether the octets are a valid value of this key. */
  fits(octets: Uint8Array): boolean
}

/** Highest key; 65535 itself is reserved as "invalid key" (RFC 9460 §14.3.2). */
const MAX_KEY = 65_534

/** Keys that a record requires, ascending, without `mandatory` itself (RFC 9460 §8). */
const mandatory: SvcParamKind = {
  key: 0,
  name: 'mandatory',
  parse: (value) => {
    const names = latin1FromOctets(value).split(',')
    const keys = names.map(svcParamKey).filter((key) => key !== undefined)
    if (keys.length < names.length) return undefined
    return Uint8Array.from(keys.toSorted((a, b) => a - b).flatMap((key) => [key >> 8, key & 0xff]))
  },
  format: (octets) => octetsFromLatin1(mandatoryKeys(octets).map(svcParamName).join(',')),
  fits: (octets) => {
    const keys = mandatoryKeys(octets)
    const isGood = isAscending([mandatory.key, ...keys]) && keys.every((key) => key <= MAX_KEY)
    return octets.length > 0 && octets.length % 2 === 0 && isGood
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
  format: (octets) => joinList(alpnIds(octets)),
  fits: (octets) => {
    const ids = alpnIds(octets)
    return isWholeList(octets) && ids.length > 0 && ids.every((id) => id.length > 0)
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
  format: (octets) => octetsFromLatin1(String(uint16At(octets, 0))),
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

/** All parameters with a name, in the order of their keys. */
const SVC_PARAM_KINDS: readonly SvcParamKind[] = [
  mandatory,
  alpn,
  flag(2, 'no-default-alpn'),
  port,
  addressHints(4, 'ipv4hint', 4, parseIpv4, formatIpv4),
  ech,
  addressHints(6, 'ipv6hint', 16, parseIpv6, formatIpv6),
  dohpath,
  flag(8, 'key8'),
]

/** Names that are accepted but printed as numbers, because many readers do not know them: ohttp (RFC 9540 §4). */
const READ_NAMES: ReadonlyMap<string, number> = new Map([['ohttp', 8]])

/** The kind of a key; unknown keys take any octets. */
export function svcParamKind(key: number): SvcParamKind {
  return SVC_PARAM_KINDS[key] ?? opaque(key)
}

/** The key of a name or of `keyNNNNN` without leading zeros; undefined for anything else (RFC 9460 §2.1). */
export function svcParamKey(name: string): number | undefined {
  const known = SVC_PARAM_KINDS.find((kind) => kind.name === name)
  if (known !== undefined) return known.key
  const other = READ_NAMES.get(name)
  if (other !== undefined) return other
  const key = /^key(?:0|[1-9]\d{0,4})$/.test(name) ? Number(name.slice(3)) : 0x1_0000
  return key > MAX_KEY ? undefined : key
}

/** The keys listed in a `mandatory` parameter. */
export function mandatoryKeys(octets: Uint8Array): number[] {
  return Array.from({ length: Math.floor(octets.length / 2) }, (_, i) => uint16At(octets, 2 * i))
}

/** A key without a name here takes any octets; so does a known key written by its number. */
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
      const strings = latin1FromOctets(value).split(',')
      const addresses = strings.map(parse).filter((address) => address !== undefined)
      return addresses.length < strings.length ? undefined : concatOctets(addresses)
    },
    format: (octets) => {
      const count = octets.length / size
      const addresses = Array.from({ length: count }, (_, i) => octets.subarray(size * i, size * (i + 1)))
      return octetsFromLatin1(addresses.map(format).join(','))
    },
    fits: (octets) => octets.length > 0 && octets.length % size === 0,
  }
}

/** The last one ends with the octets, even if its length is larger. */
function alpnIds(octets: Uint8Array): Uint8Array[] {
  const ids: Uint8Array[] = []
  for (let at = 0; at < octets.length;) {
    const end = at + 1 + byteAt(octets, at)
    ids.push(octets.subarray(at + 1, end))
    at = end
  }
  return ids
}

/** Whether the last identifier is complete. */
function isWholeList(octets: Uint8Array): boolean {
  let at = 0
  while (at < octets.length) at += 1 + byteAt(octets, at)
  return at === octets.length
}

const COMMA = 0x2c
const BACKSLASH = 0x5c

/** Items separated by commas; a backslash escapes a comma or a backslash (RFC 9460 Appendix A.1). */
function splitList(value: Uint8Array): number[][] | undefined {
  const items: number[][] = [[]]
  for (let at = 0; at < value.length; at += 1) {
    const octet = byteAt(value, at)
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
