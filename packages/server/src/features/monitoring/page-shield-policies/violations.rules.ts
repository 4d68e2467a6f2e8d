// The stored form of a reported violation: policy, directive, blocked URL. Without query and fragment.
import { classifyReport, type ReportedViolation, type ResourceKind } from '@zonereeve/csp'

export interface Violation {
  readonly policyId: string
  readonly action: 'allow' | 'log'
  readonly directive: string
  /** '' for violations beyond the limit, which are counted together. */
  readonly url: string
  readonly resource: ResourceKind
  readonly count: number
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  readonly lastPageUrl: string
}

/** Maximum rows of a zone; beyond it, violations with new URLs are counted together. */
export const MAX_VIOLATION_ROWS = 5000
export const VIOLATION_DAYS = 30
const MAX_URL_CHARACTERS = 2048

/** A report of a policy violation as received, with the number of its occurrences. */
export interface PolicyReport extends ReportedViolation {
  readonly policyId: string
  readonly at: string
  readonly count: number
}

/** @returns undefined if the report names no directive or no blocked URL. */
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

/** Merges two counts of the same violation; the page comes from the later one. */
export function mergeViolations(earlier: Violation, later: Violation): Violation {
  return { ...later, count: earlier.count + later.count, firstSeenAt: earlier.firstSeenAt }
}

function withoutQuery(url: string): string {
  const end = url.search(/[?#]/)
  return url.slice(0, end === -1 ? MAX_URL_CHARACTERS : Math.min(end, MAX_URL_CHARACTERS))
}
