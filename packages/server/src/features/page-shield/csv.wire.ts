// Lists as CSV (RFC 4180): a header line with the names of members, CRLF, cells quoted where they must be.
import { inPieces, type Pieces } from '../../platform/pieces.ts'

export type Cell = string | number | boolean | null | undefined | readonly string[]

/** What spreadsheets take for a formula when a cell begins with it; quotes before it, so that ours can be taken off again. */
const FORMULA_START = /^'*[=+\-@\t\r]/

/** In pieces. @param rows members by name; what a row does not have is an empty cell. */
export function toCsv<const Name extends string>(
  names: readonly Name[],
  rows: Iterable<Readonly<Partial<Record<Name, Cell>>>>,
): Pieces {
  return inPieces(linesOf(names, rows))
}

function* linesOf<Name extends string>(
  names: readonly Name[],
  rows: Iterable<Readonly<Partial<Record<Name, Cell>>>>,
): Generator<string> {
  yield `${names.join(',')}\r\n`
  for (const row of rows) yield `${names.map((name) => cellText(row[name])).join(',')}\r\n`
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  const text = typeof cell === 'object' ? cell.join('|') : String(cell)
  const harmless = FORMULA_START.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export const CSV_TYPE = 'text/csv; charset=utf-8'

/** `scripts-example.com-2026-01-05.csv`. */
export const csvName = (what: string, zoneName: string, at: string): string =>
  `${what}-${zoneName.replaceAll(/[^a-z0-9.-]/g, '_')}-${at.slice(0, 10)}.csv`

const SEEN = [
  'id',
  'url',
  'added_at',
  'first_seen_at',
  'last_seen_at',
  'host',
  'domain_reported_malicious',
  'malicious_domain_categories',
  'url_reported_malicious',
  'malicious_url_categories',
  'first_page_url',
  'status',
  'url_contains_cdn_cgi_path',
] as const

export const SCRIPT_COLUMNS = [
  ...SEEN,
  'hash',
  'js_integrity_score',
  'obfuscation_score',
  'dataflow_score',
  'malware_score',
  'cryptomining_score',
  'magecart_score',
  'fetched_at',
  'page_urls',
] as const

export const CONNECTION_COLUMNS = [...SEEN, 'page_urls'] as const

export const COOKIE_COLUMNS = [
  'id',
  'type',
  'name',
  'host',
  'domain_attribute',
  'expires_attribute',
  'http_only_attribute',
  'max_age_attribute',
  'path_attribute',
  'same_site_attribute',
  'secure_attribute',
  'first_seen_at',
  'last_seen_at',
  'first_page_url',
  'page_urls',
] as const
