export { auditLogRoutes, eventStreamRoutes } from './audit-logs.routes.ts'
export { toWireAuditLog } from './audit-logs.wire.ts'
export { createAuditLogs } from './audit-logs.service.ts'
export { createEventStreams } from './event-streams.service.ts'
