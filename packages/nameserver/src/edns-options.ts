// EDNS options of an answer: NSID (RFC 5001), cookies (RFC 7873), keepalive (RFC 7828), padding (RFC 7830).
import { putUint16 } from '@zonereeve/dns'
import type { Cookies } from './cookies.ts'
import { CLIENT_COOKIE_OCTETS, SERVER_COOKIE_OCTETS } from './cookies.ts'
import { OPT_OCTETS, OPTION } from './edns.ts'
import { addressOctets, isEncrypted } from './peer.ts'
import type { Peer } from './peer.ts'
import type { Query } from './query.ts'

/** Octets before an option's data: code and length. */
const OPTION_HEAD_OCTETS = 4

/** Encrypted answers are padded to a multiple of this many octets (RFC 8467 §4.1). */
const PADDING_BLOCK_OCTETS = 468

/** Largest message; padding must not exceed it. */
const MAX_OCTETS = 65_535

/** Offset of the rdata length in an OPT record. */
const LENGTH_AT = 9

const KEEPALIVE_OCTETS = 2
/** Keepalive is in units of 100 ms. */
const TENTH_MS = 100

export interface EdnsOptionsDeps {
  readonly cookies?: Cookies | undefined
  /** Identifies this server to clients that ask with NSID. */
  readonly nsid?: Uint8Array | undefined
  readonly tcpIdleMs: number
}

export type EdnsOptions = ReturnType<typeof createEdnsOptions>

/** Holds the options of one answer at a time. */
export function createEdnsOptions({ cookies, nsid, tcpIdleMs }: EdnsOptionsDeps) {
  let octets = 0
  let hasKeepalive = false
  let hasNsid = false
  let isPadded = false
  let client: Uint8Array = NO_OCTETS
  let server: Uint8Array = NO_OCTETS

  return { prepare, write }

  /**
   * Decides on the options of the answer to a query. Returns their octets without padding, and whether the client has
   * proven its address with a cookie.
   */
  function prepare(
    query: Query,
    packet: Uint8Array,
    peer: Peer,
  ): { octets: number; hasValidCookie: boolean } {
    hasNsid = query.wantsNsid && nsid !== undefined
    // Over UDP, clients must not send it and the answer would not help them (RFC 7828 §3.2.1); HTTP has its own
    // keepalive.
    hasKeepalive = query.wantsKeepalive && (peer.transport === 'tcp' || peer.transport === 'tls')
    isPadded = query.isPadded && isEncrypted(peer)
    const hasValidCookie = bake(query, packet, peer)
    octets =
      (hasNsid && nsid !== undefined ? OPTION_HEAD_OCTETS + nsid.length : 0) +
      (client.length > 0 ? OPTION_HEAD_OCTETS + client.length + server.length : 0) +
      (hasKeepalive ? OPTION_HEAD_OCTETS + KEEPALIVE_OCTETS : 0)
    return octets === 0 ? NO_OPTIONS : { octets, hasValidCookie }
  }

  function bake({ cookieAt, cookieOctets }: Query, packet: Uint8Array, peer: Peer): boolean {
    client = NO_OCTETS
    if (cookies === undefined || cookieOctets === 0) return false
    const address = addressOctets(peer.address)
    client = packet.slice(cookieAt, cookieAt + CLIENT_COOKIE_OCTETS)
    const sent = packet.slice(cookieAt + CLIENT_COOKIE_OCTETS, cookieAt + cookieOctets)
    const valid = cookies.isValid(client, sent, address)
    server = cookies.answer(client, sent, address, valid)
    return valid
  }

  /** Writes the options after an OPT record that begins at `opt`. Returns the end of the message. */
  function write(out: Uint8Array, opt: number): number {
    let at = opt + OPT_OCTETS
    if (hasNsid && nsid !== undefined) at = put(out, at, OPTION.NSID, nsid)
    if (client.length > 0) {
      at = put(out, at, OPTION.COOKIE, client, SERVER_COOKIE_OCTETS)
      out.set(server, at)
      at += server.length
    }
    if (hasKeepalive) {
      const tenths = Math.floor(tcpIdleMs / TENTH_MS)
      at = put(out, at, OPTION.KEEPALIVE, Uint8Array.of(tenths >> 8, tenths & 0xff))
    }
    if (isPadded) at = pad(out, at)
    const length = at - opt - OPT_OCTETS
    putUint16(out, opt + LENGTH_AT, length)
    return at
  }
}

function pad(out: Uint8Array, at: number): number {
  const least = at + OPTION_HEAD_OCTETS
  const end = Math.min(Math.ceil(least / PADDING_BLOCK_OCTETS) * PADDING_BLOCK_OCTETS, MAX_OCTETS, out.length)
  return end < least ? at : put(out, at, OPTION.PADDING, new Uint8Array(end - least))
}

/**
 * Writes an option whose length is that of `data` plus `more` octets that the caller adds. Returns the position of
 * those octets.
 */
function put(out: Uint8Array, at: number, code: number, data: Uint8Array, more = 0): number {
  const octets = data.length + more
  putUint16(out, at, code)
  putUint16(out, at + 2, octets)
  out.set(data, at + OPTION_HEAD_OCTETS)
  return at + OPTION_HEAD_OCTETS + data.length
}

const NO_OCTETS = new Uint8Array()
const NO_OPTIONS = { octets: 0, hasValidCookie: false }
