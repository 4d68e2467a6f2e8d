// The legacy firewall of a zone as the decision about a request sees it: page rules and firewall rules can disable
// its managed rules.
import { conjunction, type LegacyZone, urlConditionOf } from '@zonereeve/firewall'
import { hasLegacyWaf } from '../../zones/index.ts'
import { bypassesOf, isPaused } from './migrated-config.rules.ts'
import { effectOf } from './page-rule-skips.rules.ts'
import type { LegacyFirewall } from './legacy-firewall.ts'

export const legacyZoneOf = (legacy: LegacyFirewall): LegacyZone => ({
  inactive: hasLegacyWaf(legacy.zone.plan) ? (legacy.isMigrated ? 'migrated' : null) : 'plan',
  bypasses: bypassesOf(legacy)
    .filter((one) => !isPaused(one))
    .map(({ rule, filter }) => ({ id: rule.id, expression: filter.expression })),
  pageRules: legacy.pageRules.flatMap((rule) => {
    const [target] = rule.targets
    const condition = rule.status === 'active' && target !== undefined ? urlConditionOf(target) : null
    return condition === null
      ? []
      : [{ id: rule.id, expression: conjunction(condition), effect: effectOf(rule) }]
  }),
  managed: legacy.managed,
})
