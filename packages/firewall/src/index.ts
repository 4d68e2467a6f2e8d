// Decides about a request with rulesets, managed rules and the legacy WAF. Request and configuration in, decision
// out.
export {
  ACCESS_MODES,
  ACCESS_TARGETS,
  type AccessMode,
  type AccessRule,
  type AccessTarget,
  readAccessValue,
} from './access/access-rule.ts'
export { type ProductRules, withProducts } from './access/products.ts'
export {
  type Lockdown,
  lockdownUrlProblem,
  readLockdownAddress,
  type UserAgentRule,
} from './access/zone-rules.ts'
export {
  compileCredentials,
  type CredentialLocation,
  type CredentialSettings,
  type ExposedCredentialCheck,
} from './credentials/credential-check.ts'
export {
  installLeakedPasswords,
  type LeakedPasswords,
  leakedPasswords,
} from './credentials/leaked-passwords.ts'
export { MAX_COUNTED_SCORE, OFFERED_THRESHOLDS } from './decision/anomaly-score.ts'
export {
  DEFAULT_NORMALIZATION,
  completeFacts,
  targetForOrigin,
  type UrlNormalization,
} from './decision/request-facts.ts'
export { createConditions, type DecidingZone, decideRequest, type Decision } from './decision/decide.ts'
export { type Effective } from './decision/effective.ts'
export {
  EVENT_ACTIONS,
  EVENT_SOURCES,
  type EventAction,
  type EventRule,
  eventRuleOf,
  type EventSource,
} from './decision/event.ts'
export { decideLegacyZone, type LegacyZone, type ZoneLegacyDecision } from './decision/legacy-zone.ts'
export { type FirewallResponse, responseOf } from './decision/response.ts'
export {
  compileZone,
  type WrittenZoneConfiguration,
  writeZoneConfiguration,
} from './decision/zone-configuration.ts'
export { coreRuleSet, installCoreRuleSet, replaceCoreRuleSet } from './core-rule-set/core-rule-set.ts'
export { installLocations, type Locations, locations } from './locations.ts'
export { installVerifiedBots, type VerifiedBots } from './verified-bots.ts'
export { readExpression, REQUEST_SCHEME, RESPONSE_SCHEME, type ValidExpression } from './expression.ts'
export {
  DEFAULT_LEGACY_CONFIGURATION,
  type LegacyActionMode,
  type LegacyConfiguration,
  type LegacyOverride,
  type LegacyOverrideAction,
  type LegacyRuleMode,
  type LegacySensitivity,
} from './legacy/legacy-configuration.ts'
export { decideLegacy, type LegacyDecision } from './legacy/legacy-decision.ts'
export {
  LEGACY_ALWAYS_ON,
  LEGACY_GROUPS,
  LEGACY_PACKAGES,
  type LegacyGroup,
  type LegacyPackage,
  PACKAGE_IDS,
} from './legacy/legacy-packages.ts'
export {
  isHostname,
  LIST_KINDS,
  type ListedHostname,
  type ListKind,
  type ListValue,
  readValue,
  type RedirectItem,
} from './lists/list-item.ts'
export { compileLists, mayNameList, type NamedList, schemeWithLists } from './lists/named-lists.ts'
export { MANAGED_RULES } from './managed-rules/catalogue/registry.ts'
export { detect } from './managed-rules/detection.ts'
export {
  inspect,
  type InspectedRequest,
  MAX_BODY_BYTES as MAX_INSPECTED_BODY_BYTES,
} from './managed-rules/inspected-request.ts'
export { type LegacyRule, type ManagedRule } from './managed-rules/managed-rule.ts'
export {
  MANAGED_RULESET_ID,
  type ManagedRuleset,
  type ManagedRulesetRule,
  managedRulesets,
  OWASP_RULESET_ID,
  OWASP_SCORE_RULE_ID,
  RULESETS_NOT_OFFERED,
} from './managed-rules/managed-rulesets.ts'
export { createRateCounters, type RateCounters } from './rate-limits/rate-counters.ts'
export { countRequest, type RequestCounting } from './rate-limits/request-counting.ts'
export { type ExecuteParameters, type Override } from './rulesets/actions/execute.ts'
export { type ActionName, ACTIONS, isActionName } from './rulesets/actions/registry.ts'
export { type SkipParameters } from './rulesets/actions/skip.ts'
export { type CompiledRuleset, compileRuleset } from './rulesets/compiled-ruleset.ts'
export {
  evaluateRequest,
  type Firewall,
  isChallenge,
  type RulePlace,
  type Step,
  type Verdict,
} from './rulesets/evaluate-request.ts'
export { findManaged, isReportedToZones, referableManaged } from './rulesets/managed.ts'
export {
  expression,
  expressionIssues,
  flag,
  integer,
  isObject,
  listOf,
  members,
  pointerTo,
  requiredIssue,
  type Shape,
  type ShapeContext,
  text,
  unknownMember,
  valueIssue,
} from './rulesets/parameter-shape.ts'
export {
  answeredByRule,
  evaluateLogFields,
  type FieldValues,
  hasLogFields,
  type LoggedFields,
  type KnownResponse,
  MAX_LOGGED_CHARACTERS,
} from './rulesets/log-fields.ts'
export {
  DECIDING_PHASES,
  DECIDING_STAGES,
  EFFECTIVE_PHASES,
  ERROR_PHASE,
  isPhaseName,
  offeredSchemeOf,
  type PhaseName,
  phaseOf,
  PHASES,
  schemeOf,
  type Stage,
} from './rulesets/phases.ts'
export {
  ENTRY_POINT_KIND,
  type JsonObject,
  type Level,
  type Owner,
  type Position,
  type Referable,
  type Rule,
  type RuleDefinition,
  type RuleDraft,
  type Ruleset,
  type RulesetKind,
  type RulesetSummary,
} from './rulesets/ruleset.ts'
export {
  PLAN_NAMES,
  readDescribedRequest,
  type DescribedRequest,
  type DescribedZone,
} from './decision/described-request.ts'
export { legacyOutcome, rulesetOutcome } from './decision/outcomes.ts'
export {
  MANAGED_HEADER_NAMES,
  MANAGED_HEADERS,
  type ManagedHeaderName,
} from './transforms/managed-headers.ts'
export { hasNoValue, isPageRuleSetting, pageRuleSettings, settingProblems } from './page-rule-settings.ts'
export { editHeaders, type HeaderEdit } from './transforms/header-edits.ts'
export { executingManagedRulesets, warmUp, warmUpDecisions } from './rulesets/warm-up.ts'
export { areApart, conjunction, type UrlCondition, urlConditionOf } from './url-condition.ts'
export {
  changesResponses,
  type ErrorPage,
  evaluateErrorPage,
  evaluateResponse,
  hasErrorPages,
  type ResponseVerdict,
  sentType,
  withPage,
} from './rulesets/evaluate-response.ts'
