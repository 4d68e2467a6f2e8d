// Signing in: what roles may do, and how people prove who they are. No HTTP server, no storage.
export { createAttempts, type Attempt, type AttemptLimit, type Attempts } from './attempts.ts'
export { isHeldBy, ROLES, ZONE_ROLES, type Role, type ZoneRole } from './roles.ts'
