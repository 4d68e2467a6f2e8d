export { keptOf } from './security-event.rules.ts'
export { securityEventRoutes } from './security-events.routes.ts'
export {
  createSecurityEvents,
  type SecurityEvents,
  type SentEvent,
  type SecurityEventsDeps,
} from './security-events.service.ts'
