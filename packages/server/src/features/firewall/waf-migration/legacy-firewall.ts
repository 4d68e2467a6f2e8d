// The legacy firewall of a zone as one plain value.
import type { FilteredRule } from '../firewall-rules/index.ts'
import type { LegacyConfiguration, LegacyRuleMode } from '@zonereeve/firewall'
import type { PageRule } from '../page-rules/index.ts'
import type { WafOverride } from '../waf-overrides/index.ts'
import type { WafGroup, WafPackage, WafRule } from '../waf-packages/index.ts'
import type { Zone } from '../../zones/index.ts'

export interface LegacyRule extends WafRule {
  /** The effective mode of the rule: depends on its group; `default` is resolved. */
  readonly effectiveMode: Exclude<LegacyRuleMode, 'default'>
}

export interface LegacyGroup extends WafGroup {
  readonly rules: readonly LegacyRule[]
}

export interface LegacyPackage extends WafPackage {
  readonly groups: readonly LegacyGroup[]
}

export interface LegacyFirewall {
  readonly zone: Zone
  /** True after the migration from the legacy managed rules is complete. */
  readonly isMigrated: boolean
  /** The zone setting `waf`. */
  readonly wafOn: boolean
  /** Empty on plans that never had the legacy managed rules. */
  readonly packages: readonly LegacyPackage[]
  /** Strongest first. */
  readonly overrides: readonly WafOverride[]
  /** All firewall rules, in evaluation order. */
  readonly firewallRules: readonly FilteredRule[]
  /** The firewall rules that bypass other products, in evaluation order. */
  readonly bypassRules: readonly FilteredRule[]
  /** Highest priority first. */
  readonly pageRules: readonly PageRule[]
  /** The same settings in the form that the decision about a request needs. */
  readonly managed: LegacyConfiguration
}
