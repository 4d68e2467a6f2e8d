// Whether a policy can have made a browser send a report. Reports that it cannot are noise, or forged.
import { allowsAllInline, decide, governing } from './decide.ts'
import { DIRECTIVES } from './directives.ts'
import { ENGINES, type Engine, type Reading } from './match.ts'
import type { Policy } from './policy.ts'
import { classifyReport, type Blocked, type ReportedViolation } from './report.ts'
import { printSource, type Source } from './source.ts'

/**
 * Whether one of the policies that a report names (`original-policy`, read by parsePolicyList) forbids what the report
 * says was blocked.
 *
 * A load that the policy allows can still be reported: a redirect is judged where it leads and reported where it
 * began. So a URL that is allowed counts as possible where some other URL would not be.
 *
 * @param engine which browser sent it; undefined = not known, and then one engine that would send it is enough.
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
 * Tells the same of many reports as couldHaveCaused of each, by browsers that are not known, in less time: what does not
 * depend on the report is found once for each directive.
 */
export function causesOf(policies: readonly Policy[]): (report: ReportedViolation) => boolean {
  const forbidding = new Map<string, boolean>()
  return (report) =>
    (PLAIN_URL.test(report.blockedUri) && forbidsSomeUrl(report.effectiveDirective)) ||
    couldHaveCaused(policies, report, undefined)

  /** Whether some URL is forbidden under a directive, and so any URL can be where a redirect to it began. */
  function forbidsSomeUrl(directive: string): boolean {
    const known = forbidding.get(directive)
    if (known !== undefined) return known
    if (!DIRECTIVES.has(directive)) return false // couldHaveCaused may still read a name out of it
    const isForbidding = policies.some((policy) => {
      const rule = governing(policy, directive)
      return rule !== undefined && !coversTheWeb(rule.sources)
    })
    forbidding.set(directive, isForbidding)
    return isForbidding
  }
}

/** What is read as a URL without question, so that nothing else of it matters. */
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

/** Whether no redirect can lead out of the list: `*`, or `http:` which covers `https:` too. */
function coversTheWeb(sources: readonly Source[]): boolean {
  return sources.some(
    (source) =>
      (source.kind === 'scheme' && source.scheme === 'http') ||
      (source.kind === 'host' && printSource(source) === '*'),
  )
}
