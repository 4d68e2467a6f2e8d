export { askFirewall } from './ask-firewall.ts'
export { compileRuleset } from '@zonereeve/firewall'
export { evaluateRequest, type Firewall } from '@zonereeve/firewall'
export { createFirewalls, type Firewalls } from './firewall.service.ts'
export { listNamesOf } from './list-names.rules.ts'
export { zoneRulesets } from './remove-rulesets.service.ts'
export { rulesetRoutes, type MigrateEntryPoint } from './rulesets.routes.ts'
export type { Rule, Ruleset } from '@zonereeve/firewall'
export { createRulesets, type Rulesets } from './rulesets.service.ts'
export { rulesWithLists } from './list-rules.store.ts'
export { findEntryPoint, rulesetsOf } from './rulesets.store.ts'
export type { SentRule, SentRuleset } from './sent-rule.ts'
export { traceFirewall, type Trace } from './trace.service.ts'
export {
  toDescribedRequest,
  toWireDetected,
  toWireLoggedFields,
  toWirePlace,
  toWireResponse,
  toWireVerdict,
} from './trace.wire.ts'
export { PLAN_NAMES, type DescribedRequest } from '@zonereeve/firewall'
