// Checks the Host header. A web page can point a name of its own to this machine (DNS rebinding), and the browser
// then treats our answers as that page's own: on loopback, only unambiguous local names are answered.
import type { IncomingMessage, Server } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { DomainError } from './domain-error.ts'

/**
 * Names allowed besides addresses and localhost; `any` turns the check off. With names, the check also applies beyond
 * loopback.
 */
export type AllowedHosts = readonly string[] | 'any'

/** @throws DomainError: request.malformed for two Host headers, request.host for a name that is not allowed. */
export type RequireHost = (request: IncomingMessage, isAnyAllowed?: boolean) => void

export function createHostCheck(server: Server, allowed: AllowedHosts): RequireHost {
  const names = new Set(allowed === 'any' ? [] : allowed)
  let isChecked = allowed !== 'any'
  let lastAccepted: string | undefined
  server.once('listening', () => {
    const address = server.address()
    const isLocal = address !== null && typeof address === 'object' && isLoopback(address.address)
    isChecked = allowed !== 'any' && (isLocal || names.size > 0)
  })
  return (request, isAnyAllowed = false) => {
    if (hasTwoHosts(request)) throw new DomainError({ reason: 'request.malformed' })
    const { host } = request.headers
    // Over TLS, a browser has checked that the certificate has the name.
    const isNeeded = isEncrypted(request.socket) ? names.size > 0 : isChecked
    if (!isNeeded || isAnyAllowed || host === undefined) return // HTTP/1.0 without a Host header; browsers do not send that
    if (host === lastAccepted) return
    const name = hostNameOf(host)
    if (isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || names.has(name))
      return void (lastAccepted = host)
    throw new DomainError({ reason: 'request.host', values: { host: name } })
  }
}

const isEncrypted = (socket: Socket): boolean => 'encrypted' in socket && socket.encrypted === true

/** A proxy and this server might choose different ones (RFC 9112 §3.2). */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts > 1
}

export const isLoopback = (address: string): boolean => /^(?:::1$|(?:::ffff:)?127\.)/i.test(address)

/** Removes the port, the brackets of IPv6, and the trailing dot. */
export const hostNameOf = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
