// Converts between text and the kernel's form of an address and a port (struct sockaddr_in and sockaddr_in6 of
// Linux).
import { BoundedMap } from '@zonereeve/cooperate'
import { byteAt, elementAt, formatIpv4, formatIpv6, uint16At } from '@zonereeve/dns'
import { addressOctets } from './peer.ts'

export const FAMILY = { IPV4: 2, IPV6: 10 } as const

/** Maximum octets of either kind. */
export const MAX_SOCKET_ADDRESS_OCTETS = 28

const IPV4_OCTETS = 16
const FAMILY_AT = 0
const PORT_AT = 2
const IPV4_AT = 4
const IPV6_AT = 8
const INTERFACE_AT = 24

/** @param address text without an interface. */
export function toSocketAddress(address: string, port: number): Uint8Array {
  const octets = addressOctets(address)
  const isIpv6 = address.includes(':')
  const made = new Uint8Array(isIpv6 ? MAX_SOCKET_ADDRESS_OCTETS : IPV4_OCTETS)
  made[FAMILY_AT] = isIpv6 ? FAMILY.IPV6 : FAMILY.IPV4 // little-endian, as on all supported machines
  made[PORT_AT] = port >> 8
  made[PORT_AT + 1] = port & 0xff
  if (isIpv6 && octets.length === 4) {
    made.set([0xff, 0xff, ...octets], IPV6_AT + 10) // an IPv4-mapped IPv6 address
  } else made.set(octets, isIpv6 ? IPV6_AT : IPV4_AT)
  return made
}

export function portAt(octets: Uint8Array, start: number): number {
  return uint16At(octets, start + PORT_AT)
}

/** Whether an address needs an interface, as link-local ones do (RFC 4007 §6). */
export function hasInterface(octets: Uint8Array, start: number): boolean {
  if (octets[start + FAMILY_AT] !== FAMILY.IPV6) return false
  for (let i = 0; i < 4; i += 1) if (octets[start + INTERFACE_AT + i] !== 0) return true
  return false
}

/** The address as text in the system's form, without the interface of a link-local one. */
export function addressAt(octets: Uint8Array, start: number): string {
  return octets[start + FAMILY_AT] === FAMILY.IPV6
    ? formatIpv6(octets.subarray(start + IPV6_AT, start + IPV6_AT + 16))
    : formatIpv4(octets.subarray(start + IPV4_AT, start + IPV4_AT + 4))
}

/** Caches the text of recent addresses: formatting one costs more than answering. */
export function createAddressStrings(places = 1024) {
  const strings = Array.from({ length: places }, () => '')
  const held = new Uint8Array(places * MAX_SOCKET_ADDRESS_OCTETS)

  return textAt

  /** As addressAt(). */
  function textAt(octets: Uint8Array, start: number): string {
    const end = octets[start + FAMILY_AT] === FAMILY.IPV6 ? IPV6_AT + 16 : IPV4_AT + 4
    const from = octets[start + FAMILY_AT] === FAMILY.IPV6 ? IPV6_AT : IPV4_AT
    let sum = 0
    for (let i = from; i < end; i += 1) sum = Math.imul(sum ^ byteAt(octets, start + i), 0x0100_0193)
    const place = (sum >>> 0) % places
    const at = place * MAX_SOCKET_ADDRESS_OCTETS
    let isSame = held[at] === octets[start]
    for (let i = from; isSame && i < end; i += 1) isSame = held[at + i] === octets[start + i]
    if (isSame) return elementAt(strings, place)
    for (let i = 0; i < MAX_SOCKET_ADDRESS_OCTETS; i += 1) held[at + i] = octets[start + i] ?? 0 // an IPv4 address ends earlier
    const text = addressAt(octets, start)
    strings[place] = text
    return text
  }
}

/** Caches the kernel's form of recent client addresses. */
export function createSocketAddresses(places = 1024) {
  const known = new BoundedMap<string, Uint8Array>(places)

  /** As toSocketAddress(), valid until the next call; `undefined` for an address with an interface. */
  return (address: string, port: number): Uint8Array | undefined => {
    let made = known.get(address)
    if (made === undefined) {
      if (address.includes('%')) return undefined
      made = toSocketAddress(address, port)
      known.set(address, made)
    }
    made[PORT_AT] = port >> 8
    made[PORT_AT + 1] = port & 0xff
    return made
  }
}
