export { firewallRuleRoutes } from './firewall-rules.routes.ts'
export {
  createFirewallRules,
  filteredRulesOf,
  zoneFirewallRules,
  type FilteredRule,
  type FirewallRules,
} from './firewall-rules.service.ts'
export { isFilterUsed } from './firewall-rules.store.ts'
