// Whether a policy can have caused a report. Reports that it cannot have caused are noise, or forged.
import { allowsAllInline, decide, governing } from './decide.ts'
import { DIRECTIVES } from './directives.ts'
import { ENGINES, type Engine, type Reading } from './match.ts'
import type { Policy } from './policy.ts'
import { classifyReport, type Blocked, type ReportedViolation } from './report.ts'
import { printSource, type Source } from './source.ts'

/**
 * Whether one of the policies that a report names (`original-policy`, read by parsePolicyList) forbids the load that
 * was reported as blocked.
 *
 * A load that the policy allows can still be reported: a redirect is checked at its target and reported with its
 * start. So an allowed URL is accepted if some other URL would be forbidden.
 *
 * @param engine the browser that sent it; undefined = unknown, and then one engine that would send it is enough.
 */
export function couldHaveCaused(
  policies: readonly Policy[],
  report: ReportedViolation,
  engine: Engine | undefined,
): boolean {
  const readings: readonly Reading[] = engine === undefined ? ENGINES : [engine]
  const { directive, blocked } = classifyReport(report)
  if (directive === undefined) return false
  return policies.some((policy) =>
    readings.some((reading) => forbids(policy, directive, blocked, { page: report.documentUri, reading })),
  )
}

/**
 * Same result as couldHaveCaused for each report of unknown browsers, but faster: everything that does not depend on
 * the report is computed once per directive.
 */
export function causesOf(policies: readonly Policy[]): (report: ReportedViolation) => boolean {
  const forbidding = new Map<string, boolean>()
  return (report) =>
    (PLAIN_URL.test(report.blockedUri) && forbidsSomeUrl(report.effectiveDirective)) ||
    couldHaveCaused(policies, report, undefined)

  /** Whether a directive forbids some URL; then any URL can be the start of a redirect to it. */
  function forbidsSomeUrl(directive: string): boolean {
    const known = forbidding.get(directive)
    if (known !== undefined) return known
    if (!DIRECTIVES.has(directive)) return false // couldHaveCaused may still extract a name from it
    const isForbidding = policies.some((policy) => {
      const rule = governing(policy, directive)
      return rule !== undefined && !coversTheWeb(rule.sources)
    })
    forbidding.set(directive, isForbidding)
    return isForbidding
  }
}

/** Always a URL; nothing else needs to be checked. */
const PLAIN_URL = /^https?:\/\/[a-z0-9.-]+\//

interface Situation {
  readonly page: string
  readonly reading: Reading
}

function forbids(policy: Policy, directive: string, blocked: Blocked, situation: Situation): boolean {
  if (blocked.kind === 'trusted-types') {
    return policy.directives.some(
      ({ name }) => name === 'trusted-types' || name === 'require-trusted-types-for',
    )
  }
  const rule = governing(policy, directive)
  if (rule === undefined) return false
  switch (blocked.kind) {
    case 'inline':
      return !allowsAllInline(rule.sources, !directive.startsWith('style-src'))
    case 'eval':
    case 'wasm-eval':
      return !decide(policy, { kind: blocked.kind }, situation).isAllowed
    case 'scheme': {
      const url = `${blocked.scheme}:`
      return !decide(policy, { kind: 'url', directive, url }, situation).isAllowed
    }
    case 'url':
      return (
        !coversTheWeb(rule.sources) ||
        !decide(policy, { kind: 'url', directive, url: blocked.url }, situation).isAllowed
      )
    case 'unreadable':
      return false
  }
}

/** Whether no redirect can leave the list: `*`, or `http:`, which also covers `https:`. */
function coversTheWeb(sources: readonly Source[]): boolean {
  return sources.some(
    (source) =>
      (source.kind === 'scheme' && source.scheme === 'http') ||
      (source.kind === 'host' && printSource(source) === '*'),
  )
}
