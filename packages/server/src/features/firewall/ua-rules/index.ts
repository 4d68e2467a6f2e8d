export { userAgentRuleRoutes } from './ua-rules.routes.ts'
export { createUserAgentRules, userAgentRulesFor, zoneUserAgentContents } from './ua-rules.service.ts'
