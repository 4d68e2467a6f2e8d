// Addresses of a host, told by the system or by nameservers that the operator names. Nothing is remembered here.
import { lookup, Resolver } from 'node:dns/promises'
import { isIPv6 } from 'node:net'

/** All addresses of a host. Rejects where there are none to be had. */
export type HostAddresses = (host: string, signal: AbortSignal) => Promise<readonly string[]>

export interface NameServerAddress {
  readonly host: string
  readonly port: number
}

/** Names of this machine are not asked for (RFC 6761 §6.3): whether it may be connected to is for others to say. */
const LOOPBACK = ['127.0.0.1', '::1']
const LOCALHOST = /(^|\.)localhost\.?$/i

const ATTEMPT_MILLIS = 1500
const ATTEMPTS = 2

/** As every program of this machine finds them, its hosts file included. */
export const systemHostAddresses: HostAddresses = async (host) =>
  LOCALHOST.test(host)
    ? LOOPBACK
    : (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/** As these recursive nameservers tell them: none at all, where there are none. */
export function createHostAddresses(servers: readonly NameServerAddress[]): HostAddresses {
  return async (host, signal) => {
    if (LOCALHOST.test(host)) return LOOPBACK
    if (servers.length === 0) throw new Error('there is no nameserver to ask')
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
