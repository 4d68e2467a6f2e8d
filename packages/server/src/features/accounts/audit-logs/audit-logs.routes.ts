// HTTP routes for the audit log.
import { formatLine } from '@zonereeve/audit'
import {
  AUDIT_READ,
  auditExport,
  auditLogs as operations,
  eventStreams,
  MAX_EXPORTED_ENTRIES,
} from '@zonereeve/contract'
import { DomainError } from '@zonereeve/platform'
import { reachesEveryAccount, route, type Route } from '../../../http/index.ts'
import type { AuditLogs } from './audit-logs.service.ts'
import type { EventStreams } from './event-streams.service.ts'
import { toEvent, toGapEvent, toWireAuditLog } from './audit-logs.wire.ts'

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

const HEARTBEAT = ': no event\n\n'

export const eventStreamRoutes = ({ follow }: EventStreams): Route[] => [
  route(eventStreams.ofZone, async ({ params, query, lastEventId, signalOnce }) =>
    eventsOf(follow(params.zone_id, readAfter(lastEventId) ?? query.after, signalOnce())),
  ),
  route(eventStreams.all, async ({ query, lastEventId, signalOnce }) =>
    eventsOf(follow(undefined, readAfter(lastEventId) ?? query.after, signalOnce())),
  ),
]

/** @throws DomainError: audit.last_event_id. */
function readAfter(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined
  const number = /^\d{1,16}$/.test(lastEventId) ? Number(lastEventId) : NaN
  if (Number.isSafeInteger(number)) return number
  throw new DomainError({ reason: 'audit.last_event_id', values: { value: lastEventId.slice(0, 40) } })
}

function eventsOf(steps: ReturnType<EventStreams['follow']>): { events: AsyncIterable<string> } {
  return { events: strings() }

  async function* strings(): AsyncGenerator<string> {
    for await (const step of steps) {
      if ('entry' in step) yield toEvent(step.entry)
      else yield 'gapBefore' in step ? toGapEvent(step.gapBefore) : HEARTBEAT
    }
  }
}
