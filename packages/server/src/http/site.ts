// The site that a request was sent to, as its browser sees it: for the session cookie and for the check of the origin.
import type { IncomingHttpHeaders } from 'node:http'
import { DomainError, hostNameOf, isLoopback } from '@zonereeve/platform'

export interface Site {
  /** Scheme, host and port. */
  readonly origin: string
  /** Host name or address, without port. */
  readonly name: string
  readonly isSecure: boolean
  /** Whether a session cookie may be sent: over HTTPS, within this machine, or where the operator chose HTTP. */
  readonly takesCookies: boolean
}

/** The parts of a request that determine its site; the host may be reported by a trusted proxy. */
export interface SiteRequest {
  readonly method: string
  readonly protocol: string
  readonly host: string
  readonly headers: IncomingHttpHeaders
}

/** @param publicUrl the origin under which browsers reach the server, if it is configured. */
export function siteOf({ protocol, host }: SiteRequest, publicUrl: string | undefined): Site {
  const name = hostNameOf(host)
  const configured = publicUrl === undefined ? undefined : new URL(publicUrl)
  // A proxy need not report that it was reached over HTTPS.
  const isConfigured = configured !== undefined && configured.host === host.toLowerCase()
  const origin = isConfigured ? configured.origin : `${protocol}://${host.toLowerCase()}`
  const isSecure = origin.startsWith('https:')
  const isLocal = name === 'localhost' || name.endsWith('.localhost') || isLoopback(name)
  return { origin, name, isSecure, takesCookies: isSecure || isLocal || isConfigured }
}

/** Browsers accept the prefix only over HTTPS; it keeps other hosts and plain HTTP from setting the cookie. */
const cookieName = ({ isSecure }: Site): string => (isSecure ? '__Host-zonereeve' : 'zonereeve')

export function readCookie(headers: IncomingHttpHeaders, site: Site): string | undefined {
  const prefix = `${cookieName(site)}=`
  const cookie = headers.cookie?.split(/; */).find((pair) => pair.startsWith(prefix))
  return cookie?.slice(prefix.length)
}

/** A Set-Cookie header. @param value undefined = deletes the cookie. */
export function writeCookie(site: Site, value: string | undefined, maxAgeSeconds: number): string {
  const secure = site.isSecure ? '; Secure' : ''
  const pair = value === undefined ? '; Max-Age=0' : `${value}; Max-Age=${maxAgeSeconds}`
  return `${cookieName(site)}=${pair}; Path=/; HttpOnly; SameSite=Strict${secure}`
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Requests with a session come from our own pages: other sites, also on other ports and names of this host, could
 * otherwise write with it.
 *
 * @throws DomainError: session.origin.
 */
export function requireSameOrigin(request: SiteRequest, site: Site): void {
  const { 'sec-fetch-site': from, origin } = request.headers
  const isSafe = SAFE_METHODS.has(request.method)
  // `none`: the user typed the address. Such a request cannot write.
  if (from === 'same-origin' || (isSafe && (from === undefined || from === 'none'))) return
  if (from === undefined && origin !== undefined && origin.toLowerCase() === site.origin) return
  throw new DomainError({ reason: 'session.origin', values: { origin: site.origin } })
}

/**
 * Signing in: a page of another site could sign its visitors in as somebody else. Programs send neither header.
 *
 * @throws DomainError: session.origin.
 */
export function requireNoOtherOrigin(request: SiteRequest, site: Site): void {
  const { 'sec-fetch-site': from, origin } = request.headers
  if (from !== undefined || origin !== undefined) requireSameOrigin(request, site)
}
