// Interprets a violation report: which directive, and what was blocked. Anyone can send reports; all members are
// strings.
import { DIRECTIVES, governingNames } from './directives.ts'
import { readUrl } from './url.ts'

/** The relevant members of a report as sent; the body reader handles both spellings of names. */
export interface ReportedViolation {
  readonly documentUri: string
  readonly blockedUri: string
  /** May contain a whole directive (`script-src 'self' …`): old browsers sent it in `violated-directive`. */
  readonly effectiveDirective: string
}

/** The meaning of `blocked-uri` (CSP3 §5.2 "Obtain the blockedURI of a violation's resource"). */
export type Blocked =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'inline' | 'eval' | 'wasm-eval' | 'trusted-types' }
  /** Only a scheme; the URL is not reported (`data`, `blob`, `moz-extension`). */
  | { readonly kind: 'scheme'; readonly scheme: string }
  | { readonly kind: 'unreadable' }

export type ResourceKind = 'script' | 'connection' | 'other'

export interface ReportMeaning {
  /** Lower case; undefined for unknown names. */
  readonly directive: string | undefined
  readonly resource: ResourceKind
  readonly blocked: Blocked
}

const SPECIAL: ReadonlyMap<string, Exclude<Blocked['kind'], 'url' | 'scheme' | 'unreadable'>> = new Map([
  ['inline', 'inline'],
  ['eval', 'eval'],
  ['wasm-eval', 'wasm-eval'],
  ['trusted-types-policy', 'trusted-types'],
  ['trusted-types-sink', 'trusted-types'],
])

/** Interprets a report (CSP3 §5.2 and §5.3, and what three engines send). Never throws. */
export function classifyReport(report: ReportedViolation): ReportMeaning {
  const [name = ''] = report.effectiveDirective.trim().toLowerCase().split(/\s/)
  const directive = DIRECTIVES.has(name) ? name : undefined
  return { directive, resource: resourceOf(directive), blocked: blockedBy(report) }
}

function resourceOf(directive: string | undefined): ResourceKind {
  if (directive === undefined) return 'other'
  if (directive === 'connect-src') return 'connection'
  return governingNames(directive).includes('script-src') ? 'script' : 'other'
}

function blockedBy({ blockedUri, documentUri }: ReportedViolation): Blocked {
  const text = blockedUri.trim()
  const special = SPECIAL.get(text.toLowerCase())
  if (special !== undefined) return { kind: special }
  // Old browsers sent `self` for a load from the page's own origin.
  if (text.toLowerCase() === 'self') return { kind: 'url', url: documentUri }
  if (/^[a-z][a-z0-9+.-]*$/i.test(text)) return { kind: 'scheme', scheme: text.toLowerCase() }
  const url = readUrl(text)
  if (url === undefined) return { kind: 'unreadable' }
  return url.host === null ? { kind: 'scheme', scheme: url.scheme } : { kind: 'url', url: text }
}
