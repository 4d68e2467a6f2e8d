// The PROXY protocol, version 2: a load balancer in front of the nameserver says which client a message or a connection
// is from (https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt, §2.2). Only trusted addresses may say so, and
// they must.
import { formatIpv4, formatIpv6 } from '@zonereeve/dns'
import { u16 } from './query.ts'

const SIGNATURE = Uint8Array.of(0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a)
const COMMAND_AT = 12
const FAMILY_AT = 13
const LENGTH_AT = 14
const ADDRESSES_AT = 16
const COMMAND = { LOCAL: 0x20, PROXY: 0x21 } as const
/** By the family in the upper four bits: octets of an address, and of both addresses and ports. */
const FAMILIES: Readonly<Record<number, { readonly address: number; readonly all: number }>> = {
  1: { address: 4, all: 12 },
  2: { address: 16, all: 36 },
}
/** Longer headers are not accepted: addresses and a few extensions take less. */
export const MAX_PROXY_HEADER_OCTETS = ADDRESSES_AT + 1024

export type ProxyHeader =
  /** More octets are needed. */
  | 'incomplete'
  | 'invalid'
  | {
      /** Octets of the header; the message or the stream follows. */
      readonly octets: number
      /** Undefined: the proxy speaks for itself. */
      readonly client: string | undefined
    }

/** Reads the header at the start of a datagram or of a connection. */
export function readProxyHeader(received: Uint8Array, length: number): ProxyHeader {
  for (let i = 0; i < SIGNATURE.length; i += 1) {
    if (i >= length) return 'incomplete'
    if (received[i] !== SIGNATURE[i]) return 'invalid'
  }
  if (length < ADDRESSES_AT) return 'incomplete'
  const command = received[COMMAND_AT]
  const octets = ADDRESSES_AT + u16(received, LENGTH_AT)
  if (octets > MAX_PROXY_HEADER_OCTETS) return 'invalid'
  if (command !== COMMAND.LOCAL && command !== COMMAND.PROXY) return 'invalid'
  if (length < octets) return 'incomplete'
  if (command === COMMAND.LOCAL) return { octets, client: undefined }
  const kind = received[FAMILY_AT] ?? 0 // within the length
  const family = FAMILIES[kind >> 4]
  const isKnown = (kind & 0xf) === 1 || (kind & 0xf) === 2
  if (family === undefined || !isKnown || octets < ADDRESSES_AT + family.all) return 'invalid'
  const address = received.subarray(ADDRESSES_AT, ADDRESSES_AT + family.address)
  return { octets, client: family.address === 4 ? formatIpv4(address) : formatIpv6(address) }
}
