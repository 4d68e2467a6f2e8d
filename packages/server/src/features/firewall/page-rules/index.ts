export { pageRuleRoutes } from './page-rules.routes.ts'
export { createPageRules, zonePageRules, type PageRules } from './page-rules.service.ts'
export { pageRulesOf, type PageRule } from './page-rules.store.ts'
