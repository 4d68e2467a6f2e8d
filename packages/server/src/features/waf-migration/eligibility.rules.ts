// Whether a zone can leave the previous managed rules: what keeps it from it, and what is more than can be taken along.
import type { PreviousFirewall } from './previous-firewall.ts'
import { bypassesOf, configOf } from './migrated-config.rules.ts'
import { effectOf, isTooLong } from './page-rule-skips.rules.ts'

/** In the first phase only zones could go whose configuration was near the usual one; in the second, nearly all can. */
export type MigrationPhase = 'one' | 'two'

/** Said as an error where it refuses a write, and as a message where a client asks. */
export interface Obstacle {
  readonly reason:
    | 'waf_migration.overrides'
    | 'waf_migration.phase_one_owasp'
    | 'waf_migration.phase_one_firewall_rules'
    | 'waf_migration.phase_one_page_rules'
    | 'waf_migration.rule_quota'
    | 'waf_migration.expression_length'
  readonly values: Readonly<Record<string, string | number>>
}

export const MAX_MIGRATED_FIREWALL_RULES = 200

/** Why the zone is not compatible; empty where it is. */
export function obstaclesOf(previous: PreviousFirewall, phase: MigrationPhase): Obstacle[] {
  const { overrides } = previous
  const found: Obstacle[] =
    overrides.length === 0 ? [] : [{ reason: 'waf_migration.overrides', values: { ids: listed(overrides) } }]
  return phase === 'two' ? found : [...found, ...phaseOneObstacles(previous)]
}

function phaseOneObstacles(previous: PreviousFirewall): Obstacle[] {
  const bypasses = bypassesOf(previous).map(({ rule }) => rule)
  const pageRules = previous.pageRules.filter((rule) => effectOf(rule) !== 'none')
  const hasOwasp = previous.wafOn && previous.managed.packages.sensitivity !== 'off'
  return [
    ...(hasOwasp ? [{ reason: 'waf_migration.phase_one_owasp', values: {} } as const] : []),
    ...(bypasses.length > 0
      ? [{ reason: 'waf_migration.phase_one_firewall_rules', values: { ids: listed(bypasses) } } as const]
      : []),
    ...(pageRules.length > 0
      ? [{ reason: 'waf_migration.phase_one_page_rules', values: { ids: listed(pageRules) } } as const]
      : []),
  ]
}

/** What is too much or too long for the entry point; empty where all has room. */
export function limitProblems(previous: PreviousFirewall): Obstacle[] {
  const count = bypassesOf(previous).length
  const long = configOf(previous).filter(({ expression }) => isTooLong(expression))
  return [
    ...(count > MAX_MIGRATED_FIREWALL_RULES
      ? [
          {
            reason: 'waf_migration.rule_quota',
            values: { count, limit: MAX_MIGRATED_FIREWALL_RULES },
          } as const,
        ]
      : []),
    ...long.map(({ description }): Obstacle => ({
      reason: 'waf_migration.expression_length',
      values: { description },
    })),
  ]
}

const MAX_LISTED = 20

/** Ids, so that they can be deleted. */
function listed(items: readonly { readonly id: string }[]): string {
  const ids = items.slice(0, MAX_LISTED).map(({ id }) => id)
  const more = items.length - ids.length
  return more === 0 ? ids.join(', ') : `${ids.join(', ')} and ${more} more`
}
