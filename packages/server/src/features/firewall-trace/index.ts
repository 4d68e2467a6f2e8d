export { firewallTraceRoutes } from './firewall-trace.routes.ts'
export { createFirewallTrace } from './firewall-trace.service.ts'
