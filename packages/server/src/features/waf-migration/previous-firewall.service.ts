// All that a zone has configured of the previous firewall, as one plain value: what a migration starts from, and what
// decides about requests until then.
import type { Reader, Storage } from '../../storage/index.ts'
import { filteredRulesOf, type FilteredRule } from '../firewall-rules/index.ts'
import type {
  LegacyConfiguration,
  LegacyOverride,
  LegacyOverrideAction,
  LegacyRuleMode,
} from '../managed-rules/index.ts'
import { pageRulesOf, type PageRule } from '../page-rules/index.ts'
import { wafOverridesOf, type WafOverride } from '../waf-overrides/index.ts'
import {
  choicesOf,
  effectiveModeOf,
  groupsOf,
  packagesOf,
  rulesOf,
  type WafChoices,
  type WafGroup,
  type WafPackage,
  type WafRule,
} from '../waf-packages/index.ts'
import { isWafOn } from '../zone-settings/index.ts'
import { demandZone, hasPreviousWaf, type Zone } from '../zones/index.ts'
import { isMigrated } from './waf-migration.store.ts'

export interface PreviousRule extends WafRule {
  /** What the rule does, its group considered, and `default` resolved. */
  readonly effectiveMode: Exclude<LegacyRuleMode, 'default'>
}

export interface PreviousGroup extends WafGroup {
  readonly rules: readonly PreviousRule[]
}

export interface PreviousPackage extends WafPackage {
  readonly groups: readonly PreviousGroup[]
}

export interface PreviousFirewall {
  readonly zone: Zone
  /** True once the previous managed rules are gone for good. */
  readonly isMigrated: boolean
  /** The zone setting. */
  readonly wafOn: boolean
  /** None on plans that never had the previous managed rules. */
  readonly packages: readonly PreviousPackage[]
  /** The strongest first. */
  readonly overrides: readonly WafOverride[]
  /** Firewall rules that let requests past other products, in the order in which they are looked at. */
  readonly bypassRules: readonly FilteredRule[]
  /** The highest priority first. */
  readonly pageRules: readonly PageRule[]
  /** The same settings as the decision about a request takes them. */
  readonly managed: LegacyConfiguration
}

export function createPreviousFirewall({ storage }: { readonly storage: Storage }) {
  return {
    /** As of one moment: reads among the writes, one after another. @throws DomainError: zone.unknown. */
    read: (zoneId: string): Promise<PreviousFirewall> =>
      storage.write((tx) => previousFirewallOf(tx, zoneId)),
  }
}

/** @param db a transaction, for all parts to be of one moment. @throws DomainError: zone.unknown. */
export async function previousFirewallOf(db: Reader, zoneId: string): Promise<PreviousFirewall> {
  const zone = await demandZone(db, zoneId)
  const choices = await choicesOf(db, zoneId)
  const overrides = await wafOverridesOf(db, zoneId)
  const rules = await filteredRulesOf(db, zoneId)
  const wafOn = await isWafOn(db, zone)
  return {
    zone,
    isMigrated: await isMigrated(db, zoneId),
    wafOn,
    packages: hasPreviousWaf(zone.plan) ? packagesWith(choices) : [],
    overrides,
    bypassRules: rules.filter(({ rule }) => rule.action === 'bypass'),
    pageRules: await pageRulesOf(db, zoneId),
    managed: managedOf(wafOn, choices, overrides),
  }
}

function packagesWith(choices: WafChoices): PreviousPackage[] {
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
  const score = packagesOf(choices).flatMap((found) => found.score ?? [])[0]
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
    Object.entries(override.rewriteAction) as [LegacyOverrideAction, LegacyOverrideAction][], // its keys, by its type
  ),
})
