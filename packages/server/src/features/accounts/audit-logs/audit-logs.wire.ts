// Conversion of entries of the audit log to the vendor's form.
import type { LinkedEntry } from '@zonereeve/audit'
import type { WireAuditLog } from '@zonereeve/contract'
import { idOfNumber } from './audit-logs.service.ts'

export function toWireAuditLog(entry: LinkedEntry): WireAuditLog {
  const isSystem = entry.actorKind === 'system'
  return {
    id: idOfNumber(entry.number),
    when: entry.at,
    action: { type: entry.action, result: entry.succeeded },
    actor: {
      type: isSystem ? 'admin' : 'user',
      id: entry.actorId,
      email: entry.actorName,
      ip: entry.address,
    },
    interface: interfaceOf(entry),
    owner: { id: entry.accountId },
    resource: { type: entry.resourceType, id: entry.resourceId },
    metadata: {
      ...(JSON.parse(entry.detail) as object), // it was made from an object
      zone_id: entry.zoneId,
      zone_name: entry.zoneName,
      request_id: entry.requestId,
      hash: entry.hash,
    },
  }
}

function interfaceOf({ actorKind }: LinkedEntry): WireAuditLog['interface'] {
  if (actorKind === 'system') return 'System'
  return actorKind === 'session' ? 'UI' : 'API'
}

/** An entry as a server-sent event. JSON has no line breaks, so the data is one line. */
export const toEvent = (entry: LinkedEntry): string =>
  `id: ${entry.number}\ndata: ${JSON.stringify(toWireAuditLog(entry))}\n\n`

export const toGapEvent = (number: number): string =>
  `event: gap\nid: ${number}\ndata: ${JSON.stringify({ continues_after: number })}\n\n`
