export { rulesetRoutes } from './rulesets.routes.ts'
export { createRulesets, removeZoneRulesets } from './rulesets.service.ts'
