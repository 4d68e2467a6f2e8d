// What follows from an event: an exception, a rule, the same request traced again.
import type { RuleDraft } from '../../api/rulesets.ts'
import type { WireSecurityEvent } from '../../api/security-events.ts'
import { activityStrings as text } from '../../strings/activity.ts'
import { hostFilter, pathFilter } from '../rules/request-filter.ts'

/** Where an exception for an event is written. */
export type ExceptionPlace = 'managed' | 'custom'

/** undefined if the zone cannot make one: rules of the account, redirects and HTTP DDoS rules come before its own. */
export function exceptionPlace({ source, level, action }: WireSecurityEvent): ExceptionPlace | undefined {
  if (level === 'account' || action === 'skip') return undefined
  if (source === 'firewallManaged') return 'managed'
  return source === 'firewallCustom' || source === 'ratelimit' || source === 'waf' ? 'custom' : undefined
}

/** A skip rule before all others, for this host and path. */
export function exceptionOf(event: WireSecurityEvent): RuleDraft | undefined {
  const skipped = skippedBy(event)
  if (skipped === undefined) return undefined
  return {
    description: text.exceptionName(nameOfRule(event)),
    action: 'skip',
    expression: sameTarget(event).join('\nand '),
    actionParameters: skipped,
    position: { index: 1 },
  }
}

function skippedBy(event: WireSecurityEvent): Readonly<Record<string, unknown>> | undefined {
  if (exceptionPlace(event) === undefined) return undefined
  switch (event.source) {
    case 'firewallManaged':
      // Only the rule that matched.
      return event.ruleset_id === null ? undefined : { rules: { [event.ruleset_id]: [event.rule_id] } }
    case 'firewallCustom':
      return { ruleset: 'current' }
    case 'ratelimit':
      return { phases: ['http_ratelimit'] }
    default:
      return { products: ['waf'] }
  }
}

/** A rule for requests like this one, from the same address. */
export const ruleOf = (event: WireSecurityEvent): RuleDraft => ({
  description: text.ruleName(event.ip),
  action: 'block',
  expression: [`ip.src eq ${event.ip}`, ...sameTarget(event)].join('\nand '),
})

const sameTarget = ({ host, path }: WireSecurityEvent): string[] => [hostFilter(host), pathFilter(path)]

export const nameOfRule = ({
  description,
  rule_id: id,
}: Pick<WireSecurityEvent, 'description' | 'rule_id'>): string =>
  description === null || description === '' ? id : description

/** The request as far as it is stored. */
export const traceSearch = ({ method, host, path, ip }: WireSecurityEvent) => ({
  method,
  url: `https://${host}${path}`,
  ip,
})
