// A report as browsers send it, in any of five shapes, read into one. Reports come from anybody: everything is bounded
// text, and nothing is believed.

/** Reports of one request that are looked at. */
export const MAX_REPORTS = 100
/** Longer texts of a report are cut: what follows tells nothing apart. */
const MAX_TEXT = 4096
const MAX_POLICY_TEXT = 16_384
const MAX_AGE_MILLIS = 3_600_000

/** A violation of a policy: what a page was not to load, or loaded while somebody watched. */
export interface ViolationReport {
  readonly kind: 'violation'
  readonly documentUri: string
  readonly blockedUri: string
  /** Lower case, one name. */
  readonly directive: string
  /** '' = not told. */
  readonly originalPolicy: string
  readonly sourceFile: string
  readonly ageMillis: number
}

/** The content of a script that a page ran (`report-sha256`). */
export interface HashReport {
  readonly kind: 'hash'
  readonly documentUri: string
  readonly url: string
  /** `sha256-…`; '' = the browser may not tell. */
  readonly hash: string
  readonly ageMillis: number
}

export type Report = ViolationReport | HashReport

export interface ReadReports {
  readonly reports: readonly Report[]
  /** Entries that are no report of these kinds. */
  readonly strange: number
  /** Entries behind the last one that was looked at. */
  readonly surplus: number
}

/**
 * Reads the JSON value of a body: `{"csp-report": …}` (with WebKit's members beside it or without), one report
 * `{type, url, body}` as WebKit sends it, or a list of reports (Reporting API §3.2).
 *
 * @returns undefined for what is none of these.
 */
export function readReports(value: unknown): ReadReports | undefined {
  if (Array.isArray(value)) {
    const looked = value.slice(0, MAX_REPORTS)
    const reports = looked.map(readOne).filter((report) => report !== undefined)
    return { reports, strange: looked.length - reports.length, surplus: value.length - looked.length }
  }
  if (!isObject(value)) return undefined
  const report = readOne(value)
  return report === undefined ? undefined : { reports: [report], strange: 0, surplus: 0 }
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

type Members = Readonly<Record<string, unknown>>

// Members are read by their names as written here, in the three spellings of the formats: names out of a list would be
// looked up anew for each report.

function readViolation(body: Members, around: Members): ViolationReport | undefined {
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
    // What is missing is the page itself: the first browsers with reports said so.
    blockedUri: text(body['blocked-uri'], body['blockedURL'], body['blocked_url']) || 'self',
    directive,
    originalPolicy: cut(
      firstText(body['original-policy'], body['originalPolicy'], body['original_policy']),
      MAX_POLICY_TEXT,
    ),
    sourceFile: text(body['source-file'], body['sourceFile'], body['source_file']),
    ageMillis: ageOf(around),
  }
}

/** Older browsers send the whole directive. */
function nameOf(directive: string): string | undefined {
  if (USUAL_DIRECTIVES.has(directive)) return directive
  return /^\s*([A-Za-z-]+)/.exec(directive)?.[1]?.toLowerCase()
}

/** Those of most reports, so that they need not be taken apart. */
const USUAL_DIRECTIVES: ReadonlySet<string> = new Set(['script-src-elem', 'connect-src'])

function readHash(body: Members, around: Members): HashReport | undefined {
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

/** How long the browser kept the report, as far as that can be believed. */
function ageOf({ age }: Members): number {
  const millis = Number(age ?? 0)
  return millis > 0 ? Math.min(millis, MAX_AGE_MILLIS) : 0
}

const text = (one: unknown, other?: unknown, third?: unknown): string =>
  cut(firstText(one, other, third), MAX_TEXT)

const cut = (whole: string, maxCharacters: number): string =>
  whole.length > maxCharacters ? whole.slice(0, maxCharacters) : whole

/** The first that is a text and not empty. */
function firstText(one: unknown, other: unknown, third: unknown): string {
  if (typeof one === 'string' && one !== '') return one
  if (typeof other === 'string' && other !== '') return other
  return typeof third === 'string' ? third : ''
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
