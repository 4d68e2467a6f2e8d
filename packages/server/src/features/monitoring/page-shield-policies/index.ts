export { deployedPolicies } from './deployed-policies.service.ts'
export { pageShieldPolicyRoutes } from './page-shield-policies.routes.ts'
export {
  createPageShieldPolicies,
  zonePolicies,
  type PageShieldPoliciesDeps,
} from './page-shield-policies.service.ts'
export { createPolicyTools } from './policy-tools.service.ts'
export { countReports, forgetViolations } from './violations.service.ts'
