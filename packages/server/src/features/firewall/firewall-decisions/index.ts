export { askLegacy, createConfigurations, type Configurations } from './configurations.service.ts'
export { effectiveOf, type Effective } from './effective.rules.ts'
export { firewallDecisionRoutes } from './firewall-decisions.routes.ts'
export { createFirewallDecisions } from './firewall-decisions.service.ts'
