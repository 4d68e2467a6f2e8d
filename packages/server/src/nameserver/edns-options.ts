// EDNS options of an answer: NSID (RFC 5001), cookies (RFC 7873), keepalive (RFC 7828), padding (RFC 7830).
import type { Cookies } from './cookies.ts'
import { CLIENT_COOKIE_OCTETS, SERVER_COOKIE_OCTETS } from './cookies.ts'
import { OPT_OCTETS, OPTION } from './edns.ts'
import { addressOctets, isEncrypted } from './peer.ts'
import type { Peer } from './peer.ts'
import type { Query } from './query.ts'

/** Octets before an option's data: code and length. */
const OPTION_HEAD_OCTETS = 4

/** Encrypted answers are a multiple of this many octets long (RFC 8467 §4.1). */
const PADDING_BLOCK_OCTETS = 468

/** Largest message; padding must not make a longer one. */
const MAX_OCTETS = 65_535

/** Where the rdata length stands in an OPT record that begins at 0. */
const LENGTH_AT = 9

const KEEPALIVE_OCTETS = 2
/** Keepalive counts tenths of a second. */
const TENTH_MS = 100

export interface EdnsOptionsDeps {
  readonly cookies?: Cookies | undefined
  /** What names this server to those who ask which one they have reached. */
  readonly nsid?: Uint8Array | undefined
  readonly tcpIdleMs: number
}

export type EdnsOptions = ReturnType<typeof createEdnsOptions>

/** Options of one answer at a time. */
export function createEdnsOptions({ cookies, nsid, tcpIdleMs }: EdnsOptionsDeps) {
  let octets = 0
  let hasKeepalive = false
  let hasNsid = false
  let isPadded = false
  let client: Uint8Array = NO_OCTETS
  let server: Uint8Array = NO_OCTETS

  return { prepare, write }

  /**
   * Decides on the options of the answer to a query. Returns their octets, padding apart, and whether the client has shown
   * by its cookie that it is where it says it is.
   */
  function prepare(
    query: Query,
    packet: Uint8Array,
    peer: Peer,
  ): { octets: number; hasValidCookie: boolean } {
    hasNsid = query.wantsNsid && nsid !== undefined
    // Clients must not ask for it over UDP, and would not be helped (RFC 7828 §3.2.1); over HTTP it is HTTP's affair.
    hasKeepalive = query.wantsKeepalive && (peer.transport === 'tcp' || peer.transport === 'tls')
    isPadded = query.isPadded && isEncrypted(peer)
    const hasValidCookie = bake(query, packet, peer)
    octets =
      (hasNsid ? OPTION_HEAD_OCTETS + (nsid?.length ?? 0) : 0) +
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

  /** Writes the options behind an OPT record that begins at `opt`. Returns the end of the message. */
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
    out[opt + LENGTH_AT] = length >> 8
    out[opt + LENGTH_AT + 1] = length & 0xff
    return at
  }
}

function pad(out: Uint8Array, at: number): number {
  const least = at + OPTION_HEAD_OCTETS
  const end = Math.min(Math.ceil(least / PADDING_BLOCK_OCTETS) * PADDING_BLOCK_OCTETS, MAX_OCTETS, out.length)
  return end < least ? at : put(out, at, OPTION.PADDING, new Uint8Array(end - least))
}

/** Writes an option whose length is that of `data` and of `more` octets that the caller adds. Returns where they go. */
function put(out: Uint8Array, at: number, code: number, data: Uint8Array, more = 0): number {
  const octets = data.length + more
  out[at] = code >> 8
  out[at + 1] = code & 0xff
  out[at + 2] = octets >> 8
  out[at + 3] = octets & 0xff
  out.set(data, at + OPTION_HEAD_OCTETS)
  return at + OPTION_HEAD_OCTETS + data.length
}

const NO_OCTETS = new Uint8Array()
const NO_OPTIONS = { octets: 0, hasValidCookie: false }
