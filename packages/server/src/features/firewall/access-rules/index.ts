export { accessRuleRoutes } from './access-rules.routes.ts'
export {
  accessRulesFor,
  ALL_ZONES_SCOPE,
  createAccessRules,
  zoneAccessContents,
} from './access-rules.service.ts'
