export { rulesetRoutes } from './rulesets.routes.ts'
export { createRulesets, removeZoneRulesets, type RulesetsDeps } from './rulesets.service.ts'
