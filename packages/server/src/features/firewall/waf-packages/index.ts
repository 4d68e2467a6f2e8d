export { wafPackageRoutes } from './waf-packages.routes.ts'
export {
  effectiveModeOf,
  groupsOf,
  packagesOf,
  rulesOf,
  type WafChoices,
  type WafGroup,
  type WafPackage,
  type WafRule,
} from './waf-packages.rules.ts'
export { createWafPackages, zoneWafChoices, type WafPackages } from './waf-packages.service.ts'
export { choicesOf } from './waf-packages.store.ts'
