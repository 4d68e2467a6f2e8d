// DNS cookies tell clients that have sent a query before from forged addresses (RFC 7873). The format is that of RFC
// 9018, so that different server implementations that share a secret accept each other's cookies.
import { elementAt } from '@zonereeve/dns'
import { SIPHASH_KEY_OCTETS, sipHash } from './siphash.ts'

/** Octets of a client's cookie (RFC 7873 §4.1). */
export const CLIENT_COOKIE_OCTETS = 8

/** Octets of the server cookie: version, three zeros, seconds, hash (RFC 9018 §4). */
export const SERVER_COOKIE_OCTETS = 16

/** Octets of the secret that servers share. */
export const COOKIE_SECRET_OCTETS = SIPHASH_KEY_OCTETS

const VERSION = 1
/**
 * Seconds after which a cookie is no longer accepted, and how far ahead another server's clock may be (RFC 9018
 * §4.3).
 */
const MAX_AGE_SECONDS = 3600
const MAX_AHEAD_SECONDS = 300
/** Seconds for which a client gets the cookie that it sent back unchanged. */
const RENEW_AFTER_SECONDS = 1800
/** How often a generated secret is replaced (RFC 7873 §7.1 requires 26 hours and recommends a day). */
const ROTATE_AFTER_SECONDS = 86_400

export interface CookiesOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /**
   * The generated secret of a day, counted from the epoch: the same for all threads, and unpredictable. Used without
   * `secrets`.
   */
  readonly secretOf: (day: number) => Uint8Array
  /**
   * New cookies are made with the first one; all are accepted. Without any, secrets are random and change once a day.
   */
  readonly secrets?: readonly Uint8Array[] | undefined
}

export type Cookies = ReturnType<typeof createCookies>

export function createCookies({ now, secretOf, secrets = [] }: CookiesOptions) {
  const isOurs = secrets.length === 0
  let day = dayNow()
  let accepted = isOurs ? secretsOf(day) : secrets

  return { isValid, answer }

  /** Whether the server cookie was recently issued to this client, by us or by a server with the same secret. */
  function isValid(client: Uint8Array, server: Uint8Array, address: Uint8Array): boolean {
    if (server.length !== SERVER_COOKIE_OCTETS || server[0] !== VERSION) return false
    const made = madeAt(server)
    const age = (seconds() - made) | 0
    if (age > MAX_AGE_SECONDS || age < -MAX_AHEAD_SECONDS) return false
    rotate()
    // Stopping at the first difference leaks nothing useful: a hash is bound to its second and address.
    return accepted.some((secret) => isSame(server, make(secret, client, address, made)))
  }

  /** The server cookie of the answer: the received one while it is valid and young, otherwise a new one. */
  function answer(client: Uint8Array, server: Uint8Array, address: Uint8Array, valid: boolean): Uint8Array {
    if (valid && ((seconds() - madeAt(server)) | 0) <= RENEW_AFTER_SECONDS) return server
    rotate()
    return make(elementAt(accepted, 0), client, address, seconds())
  }

  /** The previous secret is still accepted: clients renew their cookies within an hour. */
  function rotate(): void {
    if (!isOurs || dayNow() === day) return
    day = dayNow()
    accepted = secretsOf(day)
  }

  function secretsOf(newest: number): readonly Uint8Array[] {
    return [secretOf(newest), secretOf(newest - 1)]
  }

  function dayNow(): number {
    return Math.floor(now() / (1000 * ROTATE_AFTER_SECONDS))
  }

  /** 32-bit seconds, which wrap around in 2106: ages are differences (RFC 9018 §4.3). */
  function seconds(): number {
    return Math.floor(now() / 1000) >>> 0
  }
}

function make(secret: Uint8Array, client: Uint8Array, address: Uint8Array, made: number): Uint8Array {
  const hashAt = CLIENT_COOKIE_OCTETS + 8
  const input = new Uint8Array(hashAt + address.length)
  input.set(client)
  input[CLIENT_COOKIE_OCTETS] = VERSION
  new DataView(input.buffer).setUint32(CLIENT_COOKIE_OCTETS + 4, made)
  input.set(address, hashAt)
  const cookie = new Uint8Array(SERVER_COOKIE_OCTETS)
  cookie.set(input.subarray(CLIENT_COOKIE_OCTETS, hashAt))
  cookie.set(sipHash(secret, input), 8)
  return cookie
}

function madeAt(server: Uint8Array): number {
  return new DataView(server.buffer, server.byteOffset).getUint32(4)
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.every((octet, i) => octet === other[i])
}
