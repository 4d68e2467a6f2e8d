export { createConfigurations, type Configurations } from './configurations.service.ts'
export { firewallDecisionRoutes } from './firewall-decisions.routes.ts'
export { createFirewallDecisions } from './firewall-decisions.service.ts'
