// The previous firewall of a zone as one plain value.
import type { FilteredRule } from '../firewall-rules/index.ts'
import type { LegacyConfiguration, LegacyRuleMode } from '../managed-rules/index.ts'
import type { PageRule } from '../page-rules/index.ts'
import type { WafOverride } from '../waf-overrides/index.ts'
import type { WafGroup, WafPackage, WafRule } from '../waf-packages/index.ts'
import type { Zone } from '../zones/index.ts'

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
  /** All firewall rules, in the order in which they are looked at. */
  readonly firewallRules: readonly FilteredRule[]
  /** Those of them that let requests past other products, in the order in which they are looked at. */
  readonly bypassRules: readonly FilteredRule[]
  /** The highest priority first. */
  readonly pageRules: readonly PageRule[]
  /** The same settings as the decision about a request takes them. */
  readonly managed: LegacyConfiguration
}
