// Determines the client of a request: the peer of the connection, or the address that trusted proxies report.
import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

/** Whether an address is a proxy that may report another one. */
export type TrustProxy = (address: string, hop: number) => boolean

/** @param proxies addresses and networks. @returns undefined if there are none. */
export const trustIn = (proxies: readonly string[]): TrustProxy | undefined =>
  proxies.length === 0 ? undefined : proxyAddress.compile([...proxies])

/** Does for requests that bypass the framework what the framework does for its own. '' for a closed connection. */
export function createClientAddress(proxies: readonly string[]): (request: IncomingMessage) => string {
  const trust = trustIn(proxies)
  return (request) =>
    (trust === undefined ? request.socket.remoteAddress : proxyAddress(request, trust)) ?? '' // closed
}
