export { sessionRoutes } from './sessions.routes.ts'
export { SESSION_MILLIS } from './sessions.rules.ts'
export { createSessions, type NewSession, type Origin, type Sessions } from './sessions.service.ts'
export { toWireSession } from './sessions.wire.ts'
