export { wafOverrideRoutes } from './waf-overrides.routes.ts'
export { createWafOverrides, zoneOverrides } from './waf-overrides.service.ts'
export { wafOverridesOf, type WafOverride } from './waf-overrides.store.ts'
