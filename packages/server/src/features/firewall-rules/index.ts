export { firewallRuleRoutes } from './firewall-rules.routes.ts'
export { createFirewallRules, removeFirewallRules } from './firewall-rules.service.ts'
export { isFilterUsed } from './firewall-rules.store.ts'
