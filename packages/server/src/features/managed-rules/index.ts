export { MANAGED_RULES } from './catalogue/registry.ts'
export { detect, warmUpDetection } from './detection.ts'
export { inspect, type InspectedRequest } from './inspected-request.ts'
export {
  DEFAULT_LEGACY_CONFIGURATION,
  type LegacyActionMode,
  type LegacyConfiguration,
  type LegacyOverride,
  type LegacyOverrideAction,
  type LegacyRuleMode,
  type LegacySensitivity,
} from './legacy-configuration.ts'
export { decideLegacy, LEGACY_ALWAYS_ON, type LegacyDecision } from './legacy-decision.rules.ts'
export {
  LEGACY_GROUPS,
  LEGACY_PACKAGES,
  type LegacyGroup,
  type LegacyPackage,
  PACKAGE_IDS,
} from './legacy-packages.ts'
export type { Detected, LegacyRule, ManagedRule } from './managed-rule.ts'
export { bodyOfSample, factsOfSample, inspectSample, type RequestSample } from './request-sample.ts'
export {
  MANAGED_RULESET_ID,
  MANAGED_RULESETS,
  type ManagedRuleset,
  type ManagedRulesetRule,
  OWASP_RULESET_ID,
  OWASP_SCORE_RULE_ID,
} from './managed-rulesets.ts'
