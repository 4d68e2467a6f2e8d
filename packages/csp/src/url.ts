// The parts of a URL that policies use. Browsers report URLs in normalized form.
import { DEFAULT_PORTS } from './source.ts'

export interface UrlParts {
  /** Lower case, without the colon. */
  readonly scheme: string
  /** null for `data:`, `blob:` and others without an authority. */
  readonly host: string | null
  /** null = the default port of the scheme. */
  readonly port: number | null
  readonly path: string
}

const HIERARCHICAL = /^([a-z][a-z0-9+.-]*):\/\/(?:[^@/?#]*@)?(\[[^\]/?#]*\]|[^:/?#]*)(?::(\d{0,5}))?([^?#]*)/i
const OPAQUE = /^([a-z][a-z0-9+.-]*):([^?#]*)/i

/** Splits an absolute URL (WHATWG URL §4.1, as far as policies need it). @returns undefined for other strings. */
export function readUrl(text: string): UrlParts | undefined {
  const [, scheme, host, port, path] = HIERARCHICAL.exec(text) ?? []
  if (scheme !== undefined && host !== undefined && host !== '') {
    if (path !== '' && path?.startsWith('/') !== true) return undefined
    const lower = scheme.toLowerCase()
    const number = port === undefined || port === '' ? null : Number(port)
    return {
      scheme: lower,
      host: host.toLowerCase(),
      port: number === DEFAULT_PORTS.get(lower) ? null : number,
      path: path === '' ? '/' : path,
    }
  }
  const [, opaqueScheme, rest = ''] = OPAQUE.exec(text) ?? []
  if (opaqueScheme === undefined) return undefined
  return { scheme: opaqueScheme.toLowerCase(), host: null, port: null, path: rest }
}

/** `https://example.com:8443`, as reports name a frame of another origin; undefined if there is no host. */
export function originOf({ scheme, host, port }: UrlParts): string | undefined {
  return host === null ? undefined : `${scheme}://${host}${port === null ? '' : `:${port}`}`
}
