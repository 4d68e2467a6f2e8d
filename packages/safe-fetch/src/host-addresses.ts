// Resolves the addresses of a host, by the system or by configured nameservers. Nothing is cached here.
import { lookup, Resolver } from 'node:dns/promises'
import { isIPv6 } from 'node:net'

/** All addresses of a host. Rejects if there are none. */
export type HostAddresses = (host: string, signal: AbortSignal) => Promise<readonly string[]>

export interface NameServerAddress {
  readonly host: string
  readonly port: number
}

/**
 * Names of this machine are not resolved (RFC 6761 §6.3); the address guard decides whether they may be
 * connected to.
 */
const LOOPBACK = ['127.0.0.1', '::1']
const LOCALHOST = /(^|\.)localhost\.?$/i

const ATTEMPT_MILLIS = 1500
const ATTEMPTS = 2

/** As the system resolves them, including its hosts file. */
export const systemHostAddresses: HostAddresses = async (host) =>
  LOCALHOST.test(host)
    ? LOOPBACK
    : (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/** Queries these recursive nameservers; fails if the list is empty. */
export function createHostAddresses(servers: readonly NameServerAddress[]): HostAddresses {
  return async (host, signal) => {
    if (LOCALHOST.test(host)) return LOOPBACK
    if (servers.length === 0) throw new Error('no nameserver is configured')
    const resolver = new Resolver({ timeout: ATTEMPT_MILLIS, tries: ATTEMPTS })
    resolver.setServers(servers.map((one) => `${isIPv6(one.host) ? `[${one.host}]` : one.host}:${one.port}`))
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      if (addresses.length > 0) return addresses
      const failed = answers.find((answer) => answer.status === 'rejected')
      throw failed?.reason instanceof Error ? failed.reason : new Error(`no address of ${host}`)
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}
