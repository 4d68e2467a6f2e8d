// Cookies as a site sets them and browsers send them. Their values are read past, and never kept.
import { parseSetCookie } from 'set-cookie-parser'
import { wholeSeconds } from './life-cycle.rules.ts'
import type { Page } from './resources.rules.ts'

export const MAX_COOKIE_CHARACTERS = 1024

export type SameSite = 'lax' | 'strict' | 'none'

/** A cookie as a Set-Cookie header has it; null = the header does not say. */
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

/** @returns undefined where the header sets no cookie that a browser would take (RFC 6265bis §5.6). */
export function readSetCookie(header: string): CookieDefinition | undefined {
  // Splitting is off: each text is one header. Values are not decoded: nobody looks at them.
  const [cookie] = parseSetCookie([header], { decodeValues: false, split: false, silent: true })
  if (cookie === undefined || !isName(cookie.name)) return undefined
  const sameSite = cookie.sameSite?.toLowerCase()
  return {
    name: cookie.name,
    domain: bounded(cookie.domain?.replace(/^\./, '').toLowerCase()),
    path: cookie.path?.startsWith('/') === true ? bounded(cookie.path) : null,
    expires: readExpires(cookie.expires),
    maxAgeSeconds: Number.isSafeInteger(cookie.maxAge) ? (cookie.maxAge ?? null) : null,
    httpOnly: cookie.httpOnly === true,
    secure: cookie.secure === true,
    sameSite: isSameSite(sameSite) ? sameSite : null,
  }
}

/** The names in a Cookie header, each once. */
export function readCookieNames(header: string): readonly string[] {
  const names = header.split(';').map((part) => part.split('=', 1)[0]?.trim() ?? '')
  return [...new Set(names.filter(isName))]
}

// A name with control characters, or none at all, is no cookie's.
const isName = (name: string): boolean => /^[^\p{Cc};=]{1,1024}$/u.test(name) && name.trim() !== ''

const bounded = (text: string | undefined): string | null =>
  text === undefined || text === '' || text.length > MAX_COOKIE_CHARACTERS || /\p{Cc}/u.test(text)
    ? null
    : text

const isSameSite = (text: string | undefined): text is SameSite =>
  text === 'lax' || text === 'strict' || text === 'none'

// Dates of more than four digits a year have no place in a timestamp.
const LATEST_MILLIS = Date.parse('9999-12-31T23:59:59Z')

function readExpires(date: Date | undefined): string | null {
  const millis = date?.getTime() ?? Number.NaN
  return millis >= 0 && millis <= LATEST_MILLIS ? wholeSeconds(millis) : null
}

/** Where a cookie without a path of its own is sent: the folder of the page (RFC 6265bis §5.1.4). */
export function defaultPath({ pageUrl }: Page): string {
  const path = pageUrl.slice(pageUrl.indexOf('/'))
  const last = path.lastIndexOf('/')
  return last <= 0 ? '/' : path.slice(0, last)
}

/** True where a browser sends a cookie of this domain to `host` (RFC 6265bis §5.1.3). */
export function isSentTo(
  host: string,
  { domain, isHostOnly }: { readonly domain: string; readonly isHostOnly: boolean },
): boolean {
  return host === domain || (!isHostOnly && host.endsWith(`.${domain}`))
}
