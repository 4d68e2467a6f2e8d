// Whose request it is: the other end of the connection, or whom the proxies that are trusted name.
import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

/** Whether an address is that of a proxy which may name another one. */
export type TrustProxy = (address: string, hop: number) => boolean

/** @param proxies addresses and networks. @returns undefined where there are none. */
export const trustIn = (proxies: readonly string[]): TrustProxy | undefined =>
  proxies.length === 0 ? undefined : proxyAddress.compile([...proxies])

/** What the framework does for its own requests, for those that do not come to it. '' for a connection that is closed. */
export function createClientAddress(proxies: readonly string[]): (request: IncomingMessage) => string {
  const trust = trustIn(proxies)
  return (request) =>
    (trust === undefined ? request.socket.remoteAddress : proxyAddress(request, trust)) ?? ''
}
