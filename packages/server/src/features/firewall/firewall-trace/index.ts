export { firewallTraceRoutes } from './firewall-trace.routes.ts'
export { createBothTraces } from './firewall-trace.service.ts'
