export type { FindResources, FoundResource } from './inventory.ts'
export { pageShieldPolicyRoutes } from './page-shield-policies.routes.ts'
export {
  createPageShieldPolicies,
  removePolicies,
  type PageShieldPoliciesDeps,
} from './page-shield-policies.service.ts'
export { createPolicyTools, type PolicyToolsDeps, type ReportingUrl } from './policy-tools.service.ts'
export type { PolicyReport } from './violations.rules.ts'
export { countReports, forgetViolations } from './violations.service.ts'
