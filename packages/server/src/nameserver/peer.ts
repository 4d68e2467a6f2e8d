// Whom a message comes from.
import { parseIpv4, parseIpv6 } from '@zonereeve/dns'

/** How messages come. `tls` is DNS over TLS (RFC 7858), `https` DNS over HTTPS (RFC 8484). */
export type Transport = 'udp' | 'tcp' | 'tls' | 'https'

/** Sender of a message. Its address is text as the system writes it, an IPv4 address on an IPv6 socket included. */
export interface Peer {
  readonly transport: Transport
  readonly address: string
}

/** Whether others on the way can read along: where they cannot, answers may hide their length. */
export function isEncrypted({ transport }: Peer): boolean {
  return transport === 'tls' || transport === 'https'
}

/** 4 octets, or 16; none for what is no address. `::ffff:192.0.2.1` is the IPv4 address that it stands for. */
export function addressOctets(address: string): Uint8Array {
  const mapped = address.startsWith('::ffff:') ? parseIpv4(address.slice(7)) : undefined
  // A link-local address has its interface behind it.
  const [plain = ''] = address.split('%', 1)
  return mapped ?? (plain.includes(':') ? parseIpv6(plain) : parseIpv4(plain)) ?? NO_OCTETS
}

const NO_OCTETS = new Uint8Array()
