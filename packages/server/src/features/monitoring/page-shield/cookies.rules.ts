// Parses cookies as sites set them and browsers send them. Values are skipped and never stored.
import { parseSetCookie } from 'set-cookie-parser'
import { wholeSeconds } from './life-cycle.rules.ts'
import type { Page } from './resources.rules.ts'

export const MAX_COOKIE_CHARACTERS = 1024

export type SameSite = 'lax' | 'strict' | 'none'

/** A cookie defined by a Set-Cookie header; null = not specified. */
export interface CookieDefinition {
  readonly name: string
  readonly domain: string | null
  readonly path: string | null
  /** In whole seconds. */
  readonly expires: string | null
  readonly maxAgeSeconds: number | null
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite: SameSite | null
}

/** @returns undefined if browsers would ignore the header (RFC 6265bis §5.6). */
export function readSetCookie(header: string): CookieDefinition | undefined {
  // Splitting is off: each string is one header. Values are not decoded because they are not used.
  const [cookie] = parseSetCookie([header], { decodeValues: false, split: false, silent: true })
  if (cookie === undefined || !isName(cookie.name)) return undefined
  const sameSite = cookie.sameSite?.toLowerCase()
  return {
    name: cookie.name,
    domain: truncateValue(cookie.domain?.replace(/^\./, '').toLowerCase()),
    path: cookie.path?.startsWith('/') === true ? truncateValue(cookie.path) : null,
    expires: readExpires(cookie.expires),
    maxAgeSeconds: Number.isSafeInteger(cookie.maxAge) ? (cookie.maxAge ?? null) : null,
    httpOnly: cookie.httpOnly === true,
    secure: cookie.secure === true,
    sameSite: isSameSite(sameSite) ? sameSite : null,
  }
}

/** The distinct names in a Cookie header. What has no `=` is the value of a cookie without a name (RFC 6265bis §5.6). */
export function readCookieNames(header: string): readonly string[] {
  const named = header.split(';').filter((part) => part.includes('='))
  const names = named.map((part) => part.replace(/=.*$/s, '').trim())
  return [...new Set(names.filter(isName))]
}

// Cookie names are non-empty and contain no control characters.
const isName = (name: string): boolean => /^[^\p{Cc};=]{1,1024}$/u.test(name) && name.trim() !== ''

const truncateValue = (text: string | undefined): string | null =>
  text === undefined || text === '' || text.length > MAX_COOKIE_CHARACTERS || /\p{Cc}/u.test(text)
    ? null
    : text

const isSameSite = (text: string | undefined): text is SameSite =>
  text === 'lax' || text === 'strict' || text === 'none'

// Timestamps have no room for years of more than four digits.
const LATEST_MILLIS = Date.parse('9999-12-31T23:59:59Z')

function readExpires(date: Date | undefined): string | null {
  const millis = date?.getTime() ?? Number.NaN
  return millis >= 0 && millis <= LATEST_MILLIS ? wholeSeconds(millis) : null
}

/**
 * The path to which a cookie without Path attribute is sent: the directory of the page (RFC 6265bis §5.1.4).
 */
export function defaultPath({ pageUrl }: Page): string {
  const path = pageUrl.slice(pageUrl.indexOf('/'))
  const last = path.lastIndexOf('/')
  return last <= 0 ? '/' : path.slice(0, last)
}

/** True if browsers send a cookie of this domain to `host` (RFC 6265bis §5.1.3). */
export function isSentTo(
  host: string,
  { domain, isHostOnly }: { readonly domain: string; readonly isHostOnly: boolean },
): boolean {
  return host === domain || (!isHostOnly && host.endsWith(`.${domain}`))
}
