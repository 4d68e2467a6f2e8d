export { pageRuleRoutes } from './page-rules.routes.ts'
export { createPageRules, removePageRules } from './page-rules.service.ts'
