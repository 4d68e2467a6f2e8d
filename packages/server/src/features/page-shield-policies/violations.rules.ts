// What is kept of a reported violation: which policy, which directive, what was blocked. No query, no fragment.
import { classifyReport, type ReportedViolation, type ResourceKind } from '@zonereeve/csp'

export interface Violation {
  readonly policyId: string
  readonly action: 'allow' | 'log'
  readonly directive: string
  /** Of everything that is too much to be told apart, ''. */
  readonly url: string
  readonly resource: ResourceKind
  readonly count: number
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  readonly lastPageUrl: string
}

/** Rows of a zone; violations with a URL that is new are counted together from there on. */
export const MAX_VIOLATION_ROWS = 5000
export const VIOLATION_DAYS = 30
const MAX_URL_CHARACTERS = 2048

/** A report of a policy's violation, as it came, counted as often as it came. */
export interface PolicyReport extends ReportedViolation {
  readonly policyId: string
  readonly at: string
  readonly count: number
}

/** @returns undefined for reports that name no directive, or nothing that was blocked. */
export function toViolation(report: PolicyReport, action: 'allow' | 'log'): Violation | undefined {
  const { directive, resource, blocked } = classifyReport(report)
  if (directive === undefined || blocked.kind === 'unreadable') return undefined
  const { policyId, at, count } = report
  const url =
    blocked.kind === 'url'
      ? withoutQuery(blocked.url)
      : blocked.kind === 'scheme'
        ? `${blocked.scheme}:`
        : blocked.kind
  const lastPageUrl = withoutQuery(report.documentUri).replace(/^[a-z]+:\/\//i, '')
  return { policyId, action, directive, url, resource, count, firstSeenAt: at, lastSeenAt: at, lastPageUrl }
}

/** Two counts of the same; the later one knows the page. */
export function mergeViolations(earlier: Violation, later: Violation): Violation {
  return { ...later, count: earlier.count + later.count, firstSeenAt: earlier.firstSeenAt }
}

const withoutQuery = (url: string): string => (url.split(/[?#]/, 1)[0] ?? '').slice(0, MAX_URL_CHARACTERS)
