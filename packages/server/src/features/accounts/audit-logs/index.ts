export { auditLogRoutes } from './audit-logs.routes.ts'
export { createAuditLogs } from './audit-logs.service.ts'
