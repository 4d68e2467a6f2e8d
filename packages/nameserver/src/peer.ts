// The sender of a message.
import { parseIpv4, parseIpv6 } from '@zonereeve/dns'

/** Transports. `tls` is DNS over TLS (RFC 7858), `https` DNS over HTTPS (RFC 8484). */
export type Transport = 'udp' | 'tcp' | 'tls' | 'https'

/** Sender of a message. The address has the system's text form; on an IPv6 socket IPv4 addresses are IPv4-mapped. */
export interface Peer {
  readonly transport: Transport
  readonly address: string
}

/** Whether the transport is encrypted; answers over it may be padded to hide their length. */
export function isEncrypted({ transport }: Peer): boolean {
  return transport === 'tls' || transport === 'https'
}

/** Returns 4 or 16 octets, or none if it is not an address. `::ffff:192.0.2.1` becomes the IPv4 address. */
export function addressOctets(address: string): Uint8Array {
  const mapped = address.startsWith('::ffff:') ? parseIpv4(address.slice(7)) : undefined
  // A link-local address has its interface appended.
  const [plain = ''] = address.split('%', 1)
  return mapped ?? (plain.includes(':') ? parseIpv6(plain) : parseIpv4(plain)) ?? NO_OCTETS
}

const NO_OCTETS = new Uint8Array()

/** The peer's address; empty if the connection is already closed. */
export function remoteAddress(socket: { readonly remoteAddress?: string | undefined }): string {
  return socket.remoteAddress ?? '' // closed
}
