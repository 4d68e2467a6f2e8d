// Formats lists as CSV (RFC 4180): a header line of member names, CRLF, cells quoted as needed.
import { joinInChunks, type StringChunks } from '@zonereeve/platform'

export type Cell = string | number | boolean | null | undefined | readonly string[]

/**
 * Cell starts that spreadsheets interpret as formulas; leading quotes are included so that the quote we add
 * can be removed again.
 */
const FORMULA_START = /^'*[=+\-@\t\r]/

/**
 * Yields chunks.
 * @param rows members by name; missing members become empty cells.
 */
export function toCsv<const Name extends string>(
  names: readonly Name[],
  rows: Iterable<Readonly<Partial<Record<Name, Cell>>>>,
): StringChunks {
  return joinInChunks(linesOf(names, rows))
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
