// Reads the whole legacy firewall configuration of a zone as one plain value: the input of a migration, and the
// basis of decisions about requests until then.
import type { Reader, Storage } from '@zonereeve/storage'
import { readConsistently } from '../../changes/index.ts'
import { filteredRulesOf } from '../firewall-rules/index.ts'
import type { LegacyConfiguration, LegacyOverride, LegacyOverrideAction } from '@zonereeve/firewall'
import { pageRulesOf } from '../page-rules/index.ts'
import { wafOverridesOf, type WafOverride } from '../waf-overrides/index.ts'
import {
  choicesOf,
  effectiveModeOf,
  groupsOf,
  packagesOf,
  rulesOf,
  type WafChoices,
} from '../waf-packages/index.ts'
import { requireZone, hasLegacyWaf, isWafOn } from '../../zones/index.ts'
import type { LegacyFirewall, LegacyPackage } from './legacy-firewall.ts'
import { isMigrated } from './waf-migration.store.ts'

export function createLegacyFirewall({ storage }: { readonly storage: Storage }) {
  return {
    /**
     * A consistent read.
     * @throws DomainError: zone.unknown.
     */
    read: async (zoneId: string): Promise<LegacyFirewall> =>
      (await readConsistently(storage, [zoneId], (db) => legacyFirewallOf(db, zoneId))).value,
  }
}

/**
 * @param db a transaction or a consistent read, so that all parts belong to one snapshot.
 * @throws DomainError: zone.unknown.
 */
export async function legacyFirewallOf(db: Reader, zoneId: string): Promise<LegacyFirewall> {
  const zone = await requireZone(db, zoneId)
  const choices = await choicesOf(db, zoneId)
  const overrides = await wafOverridesOf(db, zoneId)
  const rules = await filteredRulesOf(db, zoneId)
  const wafOn = await isWafOn(db, zone)
  return {
    zone,
    isMigrated: await isMigrated(db, zoneId),
    wafOn,
    packages: hasLegacyWaf(zone.plan) ? packagesWith(choices) : [],
    overrides,
    firewallRules: rules,
    bypassRules: rules.filter(({ rule }) => rule.action === 'bypass'),
    pageRules: await pageRulesOf(db, zoneId),
    managed: managedOf(wafOn, choices, overrides),
  }
}

function packagesWith(choices: WafChoices): LegacyPackage[] {
  return packagesOf(choices).map((found) => {
    const rules = rulesOf(found.id, choices)
    const groups = groupsOf(found.id, choices).map((group) => ({
      ...group,
      rules: rules
        .filter(({ groupId }) => groupId === group.id)
        .map((rule) => ({ ...rule, effectiveMode: effectiveModeOf(rule, group.mode) })),
    }))
    return { ...found, groups }
  })
}

function managedOf(
  wafOn: boolean,
  choices: WafChoices,
  overrides: readonly WafOverride[],
): LegacyConfiguration {
  const score = packagesOf(choices).find((one) => one.score !== null)?.score
  return {
    wafOn,
    packages: score ?? { sensitivity: 'off', actionMode: 'challenge' },
    groupModes: choices.groups,
    ruleModes: choices.rules,
    overrides: overrides.map(toLegacyOverride),
  }
}

const toLegacyOverride = (override: WafOverride): LegacyOverride => ({
  id: override.id,
  urls: override.urls,
  priority: override.priority,
  isPaused: override.paused,
  groups: new Map(Object.entries(override.groups)),
  rules: new Map(Object.entries(override.rules)),
  rewriteAction: new Map(
    Object.entries(override.rewriteAction) as [LegacyOverrideAction, LegacyOverrideAction][], // the keys of the type
  ),
})
