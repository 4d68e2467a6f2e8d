export { deploymentOf } from './deployment.service.ts'
export {
  createConditions,
  evaluate,
  type Conditions,
  type Deployment,
  type Evaluation,
  type RuleStep,
} from './evaluation.rules.ts'
export { rulesetRoutes, type MigrateEntryPoint } from './rulesets.routes.ts'
export type { Rule, Ruleset } from './ruleset.ts'
export { createRulesets, removeZoneRulesets, type Rulesets } from './rulesets.service.ts'
export { findEntryPoint } from './rulesets.store.ts'
export type { SentRule } from './sent-rule.ts'
