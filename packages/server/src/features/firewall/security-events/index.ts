export { keptOf, type EventAction, type EventSource } from './security-event.rules.ts'
export { securityEventRoutes } from './security-events.routes.ts'
export {
  createSecurityEvents,
  type NewEvent,
  type SecurityEvents,
  type SecurityEventsDeps,
} from './security-events.service.ts'
