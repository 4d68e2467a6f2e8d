// What protects the nameserver, from plain data: so that every thread makes the same from it.
import { createHash } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import { BoundedMap } from '@zonereeve/cooperate'
import { COOKIE_SECRET_OCTETS, type Cookies, createCookies } from './cookies.ts'
import { createRateLimits, type RateLimits } from './rate-limits.ts'
import type { IsProxy } from './trusted-proxies.ts'

/** Number of addresses whose network is cached. */
const REMEMBERED_ADDRESSES = 4096

export interface GuardSettings {
  /** Secrets of the operator; without any, they are derived from `cookieSeed`. */
  readonly cookieSecrets: readonly Uint8Array[]
  /** Random. */
  readonly cookieSeed: Uint8Array
  /** Undefined: there is no rate limit. */
  readonly rate: RateSettings | undefined
  readonly nsid: Uint8Array | undefined
  /** Networks or addresses of proxies that say which client a message is from. */
  readonly proxies: readonly string[]
}

export interface RateSettings {
  readonly perSecond: number
  readonly slip: number
  /** Networks or addresses without a limit. */
  readonly exempt: readonly string[]
  /** 32 random bits. */
  readonly seed: number
  /** Of rateLimitMemory(). */
  readonly memory: SharedArrayBuffer
}

export interface Guards {
  readonly cookies: Cookies
  readonly rateLimits: RateLimits | undefined
  readonly nsid: Uint8Array | undefined
  /** Undefined: there are no proxies. */
  readonly isProxy: IsProxy | undefined
}

/** @param now milliseconds since the epoch, the same in all threads */
export function createGuards(settings: GuardSettings, now: () => number): Guards {
  const { cookieSecrets: secrets, cookieSeed, rate, nsid, proxies } = settings
  const secretOf = (day: number): Uint8Array =>
    createHash('sha256').update(cookieSeed).update(String(day)).digest().subarray(0, COOKIE_SECRET_OCTETS)
  return {
    cookies: createCookies({ now, secretOf, secrets }),
    rateLimits: rate && createRateLimits({ ...rate, isExempt: matcherOf(rate.exempt), now }),
    nsid,
    isProxy: proxies.length === 0 ? undefined : matcherOf(proxies),
  }
}

/** Searching the block list costs more than answering a query, and one address sends many. */
function matcherOf(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  const known = new BoundedMap<string, boolean>(REMEMBERED_ADDRESSES)
  return (address) => {
    let found = known.get(address)
    if (found === undefined)
      known.set(address, (found = list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')))
    return found
  }
}
