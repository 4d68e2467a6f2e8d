// Whether a zone can migrate from the legacy managed rules: obstacles, and limits of the entry point.
import type { LegacyFirewall } from './legacy-firewall.ts'
import { bypassesOf, configOf } from './migrated-config.rules.ts'
import { effectOf, isTooLong } from './page-rule-skips.rules.ts'

/** Phase one accepts only zones with a configuration near the default one; phase two accepts nearly all zones. */
export type MigrationPhase = 'one' | 'two'

/** Reported as an error if it prevents a write, and as a message when a client checks. */
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

/** Why the zone is not compatible; empty if it is. */
export function obstaclesOf(previous: LegacyFirewall, phase: MigrationPhase): Obstacle[] {
  const { overrides } = previous
  const found: Obstacle[] =
    overrides.length === 0 ? [] : [{ reason: 'waf_migration.overrides', values: { ids: joinIds(overrides) } }]
  return phase === 'two' ? found : [...found, ...phaseOneObstacles(previous)]
}

function phaseOneObstacles(previous: LegacyFirewall): Obstacle[] {
  const bypasses = bypassesOf(previous).map(({ rule }) => rule)
  const pageRules = previous.pageRules.filter((rule) => effectOf(rule) !== 'none')
  const hasOwasp = previous.wafOn && previous.managed.packages.sensitivity !== 'off'
  return [
    ...(hasOwasp ? [{ reason: 'waf_migration.phase_one_owasp', values: {} } as const] : []),
    ...(bypasses.length > 0
      ? [{ reason: 'waf_migration.phase_one_firewall_rules', values: { ids: joinIds(bypasses) } } as const]
      : []),
    ...(pageRules.length > 0
      ? [{ reason: 'waf_migration.phase_one_page_rules', values: { ids: joinIds(pageRules) } } as const]
      : []),
  ]
}

/** Rules that are too many or too long for the entry point; empty if all fit. */
export function limitProblems(previous: LegacyFirewall): Obstacle[] {
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

/** Lists the IDs, so that the user can delete the items. */
function joinIds(items: readonly { readonly id: string }[]): string {
  const ids = items.slice(0, MAX_LISTED).map(({ id }) => id)
  const more = items.length - ids.length
  return more === 0 ? ids.join(', ') : `${ids.join(', ')} and ${more} more`
}
