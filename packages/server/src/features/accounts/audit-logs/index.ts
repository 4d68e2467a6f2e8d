export { auditLogRoutes, eventStreamRoutes } from './audit-logs.routes.ts'
export { createAuditLogs } from './audit-logs.service.ts'
export { createEventStreams } from './event-streams.service.ts'
