// HTTP routes for the audit log.
import { formatLine } from '@zonereeve/audit'
import { AUDIT_READ, auditExport, auditLogs as operations, MAX_EXPORTED_ENTRIES } from '@zonereeve/contract'
import { DomainError } from '@zonereeve/platform'
import { reachesEveryAccount, route, type Route } from '../../../http/index.ts'
import type { AuditLogs } from './audit-logs.service.ts'
import { toWireAuditLog } from './audit-logs.wire.ts'

const PER_PAGE = 100

export const auditLogRoutes = (auditLogs: AuditLogs): Route[] => [
  route(operations.list, async ({ params, query, caller }) => {
    if (query.export === true) throw new DomainError({ reason: 'audit.export', pointer: '/export' })
    const { page = 1, per_page: perPage = PER_PAGE, direction = 'desc' } = query
    const { entries, totalCount } = await auditLogs.list(
      params.account_id,
      {
        id: query.id,
        action: query['action.type'],
        address: query['actor.ip'],
        actorName: query['actor.email'],
        zoneName: query['zone.name'],
        since: query.since,
        before: query.before,
        accountOnly: query.hide_user_logs === true || !reachesEveryAccount(AUDIT_READ, caller),
      },
      { offset: (page - 1) * perPage, limit: perPage, direction },
    )
    return {
      items: entries.map((entry) => JSON.stringify(toWireAuditLog(entry))).join(','),
      page,
      perPage,
      count: entries.length,
      totalCount,
    }
  }),
  route(auditExport.export, async ({ query }) => {
    const { after = 0, limit = MAX_EXPORTED_ENTRIES } = query
    const lines = await auditLogs.linesAfter(after, limit)
    return {
      file: lines.map((line) => `${formatLine(line)}\n`),
      type: 'application/x-ndjson',
      name: 'audit-log.ndjson',
    }
  }),
]
