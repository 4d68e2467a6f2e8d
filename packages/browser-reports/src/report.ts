// Parses browser reports in any of their five formats into one. Reports are untrusted: every string is
// bounded and nothing is taken on faith.

/** Maximum reports read per request. */
export const MAX_REPORTS = 100
/** Longer strings of a report are truncated. */
const MAX_TEXT = 4096
const MAX_POLICY_TEXT = 16_384
const MAX_LINE = 10_000_000
const MAX_AGE_MILLIS = 3_600_000

/** A violation of a policy: a load that the page's policy blocked (enforced) or only reported. */
export interface ViolationReport {
  readonly kind: 'violation'
  readonly documentUri: string
  readonly blockedUri: string
  /** In lower case, under its canonical name. */
  readonly directive: string
  /** '' if not reported. */
  readonly originalPolicy: string
  readonly sourceFile: string
  /** '' if not reported. */
  readonly referrer: string
  /** The beginning of inline code; '' if not reported. */
  readonly sample: string
  /** In the source file, from 1; null if not reported. */
  readonly line: number | null
  readonly ageMillis: number
}

/** The content hash of a script that a page ran (`report-sha256`). */
export interface HashReport {
  readonly kind: 'hash'
  readonly documentUri: string
  readonly url: string
  /** `sha256-…`; '' if the browser may not reveal it. */
  readonly hash: string
  readonly ageMillis: number
}

export type Report = ViolationReport | HashReport

export interface ReadReports {
  readonly reports: readonly Report[]
  /** Entries that are not reports of a known kind. */
  readonly unrecognized: number
  /** Entries beyond the limit, not read. */
  readonly overLimit: number
}

/**
 * Parses the JSON value of a body: `{"csp-report": …}` (with or without WebKit's extra members), one report
 * `{type, url, body}` as WebKit sends it, or a list of reports (Reporting API §3.2).
 * @returns undefined if it has none of these shapes.
 */
export function readReports(value: unknown): ReadReports | undefined {
  if (Array.isArray(value)) {
    const looked = value.slice(0, MAX_REPORTS)
    const reports = looked.map(readOne).filter((report) => report !== undefined)
    return { reports, unrecognized: looked.length - reports.length, overLimit: value.length - looked.length }
  }
  if (!isObject(value)) return undefined
  const report = readOne(value)
  return report === undefined ? undefined : { reports: [report], unrecognized: 0, overLimit: 0 }
}

function readOne(value: unknown): Report | undefined {
  if (!isObject(value)) return undefined
  const classic = value['csp-report']
  if (isObject(classic)) return readViolation(classic, value)
  const body = value['body']
  if (!isObject(body)) return undefined
  if (value['type'] === 'csp-violation') return readViolation(body, value)
  return value['type'] === 'csp-hash' ? readHash(body, value) : undefined
}

type JsonMembers = Readonly<Record<string, unknown>>

// Members are read by literal names, in the three spellings of the formats: computed names would be slower
// for every report.

function readViolation(body: JsonMembers, around: JsonMembers): ViolationReport | undefined {
  const documentUri =
    text(body['document-uri'], body['documentURL'], body['document_url']) || text(around['url'])
  const directive = nameOf(
    text(body['effective-directive'], body['effectiveDirective'], body['effective_directive']) ||
      text(body['violated-directive'], body['violatedDirective'], body['violated_directive']),
  )
  if (documentUri === '' || directive === undefined) return undefined
  return {
    kind: 'violation',
    documentUri,
    // A missing URI means the page itself: early browsers reported it that way.
    blockedUri: text(body['blocked-uri'], body['blockedURL'], body['blocked_url']) || 'self',
    directive,
    originalPolicy: cut(
      firstText(body['original-policy'], body['originalPolicy'], body['original_policy']),
      MAX_POLICY_TEXT,
    ),
    sourceFile: text(body['source-file'], body['sourceFile'], body['source_file']),
    referrer: text(body['referrer']),
    sample: text(body['script-sample'], body['sample']),
    line: lineOf(body['line-number'], body['lineNumber']),
    ageMillis: ageOf(around),
  }
}

function lineOf(one: unknown, other: unknown): number | null {
  const line = typeof one === 'number' ? one : other
  return typeof line === 'number' && Number.isInteger(line) && line > 0 && line <= MAX_LINE ? line : null
}

/** Older browsers send the whole directive. */
function nameOf(directive: string): string | undefined {
  if (DEFAULT_DIRECTIVES.has(directive)) return directive
  return /^\s*([A-Za-z-]+)/.exec(directive)?.[1]?.toLowerCase()
}

/** The directives of almost all reports, accepted without parsing. */
const DEFAULT_DIRECTIVES: ReadonlySet<string> = new Set(['script-src-elem', 'connect-src'])

function readHash(body: JsonMembers, around: JsonMembers): HashReport | undefined {
  const documentUri = text(body['documentURL'], body['document_url']) || text(around['url'])
  const url = text(body['subresourceURL'], body['subresource_url'])
  const destination = text(body['destination'])
  if (documentUri === '' || url === '' || !(destination === '' || destination === 'script')) return undefined
  const hash = text(body['hash'])
  return {
    kind: 'hash',
    documentUri,
    url,
    hash: /^sha(?:256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}$/.test(hash) ? hash : '',
    ageMillis: ageOf(around),
  }
}

/** How long the browser kept the report, within plausible limits. */
function ageOf({ age }: JsonMembers): number {
  const millis = Number(age) // NaN if it is not sent
  return millis > 0 ? Math.min(millis, MAX_AGE_MILLIS) : 0
}

const text = (one: unknown, other?: unknown, third?: unknown): string =>
  cut(firstText(one, other, third), MAX_TEXT)

const cut = (whole: string, maxCharacters: number): string =>
  whole.length > maxCharacters ? whole.slice(0, maxCharacters) : whole

/** Returns the first non-empty string. */
function firstText(one: unknown, other: unknown, third: unknown): string {
  if (typeof one === 'string' && one !== '') return one
  if (typeof other === 'string' && other !== '') return other
  return typeof third === 'string' ? third : ''
}

const isObject = (value: unknown): value is JsonMembers =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
