export { wafOverrideRoutes } from './waf-overrides.routes.ts'
export { createWafOverrides, removeWafOverrides } from './waf-overrides.service.ts'
export { wafOverridesOf, type WafOverride } from './waf-overrides.store.ts'
