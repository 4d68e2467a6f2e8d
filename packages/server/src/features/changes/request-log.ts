// Entries of the audit log about requests without a change: refused requests, refused credentials, and actions that
// change no configuration. They are written after the reply. Their number is limited, because anybody can cause them.
import type { Actor, AuditedRequest, Clock, Log } from '@zonereeve/platform'
import { SYSTEM } from '@zonereeve/platform'
import type { Storage, Transaction } from '@zonereeve/storage'
import { actorMembers } from './audit-change.ts'
import { appendEntry, findZoneNames, isAccount } from './audit-log.store.ts'

/** Per window, of clients that are not signed in. */
export const MAX_ANONYMOUS = 1_000
export const WINDOW_MILLIS = 3_600_000
/** Waiting for the database. */
export const MAX_WAITING = 10_000
const CHUNK_SIZE = 100
const FIRST_ERROR_STATUS = 400

export interface RequestLogDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
}

interface DatedRequest extends AuditedRequest {
  readonly at: string
}

export type RequestLog = ReturnType<typeof createRequestLog>

export function createRequestLog({ storage, clock, log }: RequestLogDeps) {
  const waiting: DatedRequest[] = []
  let writing: Promise<void> | undefined
  let window = { until: 0, anonymous: 0 }
  let omitted = 0
  return {
    record,
    /** Resolves when all entries are durable. */
    waitUntilIdle: async () => writing,
    /** Writes how many requests were not recorded since the last call. */
    saveOmitted,
  }

  function record(request: AuditedRequest): void {
    if (!mayRecord(request.actor) || waiting.length >= MAX_WAITING) {
      omitted += 1
      return
    }
    waiting.push({ at: clock.timestamp(), ...request })
    writing ??= drain().finally(() => (writing = undefined))
  }

  function mayRecord({ kind }: Actor): boolean {
    if (kind !== 'anonymous') return true
    if (window.until <= clock.now()) window = { until: clock.now() + WINDOW_MILLIS, anonymous: 0 }
    window.anonymous += 1
    return window.anonymous <= MAX_ANONYMOUS
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const chunk = waiting.splice(0, CHUNK_SIZE)
      try {
        await storage.write(async (tx) => {
          for (const request of chunk) await writeRequest(tx, request)
        })
      } catch (failure) {
        omitted += chunk.length
        log.warn({ err: failure, requests: chunk.length }, 'requests not recorded in the audit log')
      }
    }
  }

  async function saveOmitted(): Promise<void> {
    const count = omitted
    if (count === 0) return
    await storage.write((tx) =>
      appendEntry(tx, {
        at: clock.timestamp(),
        accountId: null,
        zoneId: null,
        zoneName: null,
        ...actorMembers(SYSTEM),
        action: 'audit_log.omit',
        resourceType: 'audit_log',
        resourceId: '',
        succeeded: true,
        detail: JSON.stringify({ requests: count }),
      }),
    )
    omitted -= count
  }
}

async function writeRequest(
  tx: Transaction,
  { actor, at, action, operation, ids, status, errors }: DatedRequest,
): Promise<void> {
  const { zone_id: zoneId, account_id: accountId } = ids
  const zone = zoneId === undefined ? undefined : await findZoneNames(tx, zoneId)
  const isOfAccount = accountId !== undefined && (await isAccount(tx, accountId))
  await appendEntry(tx, {
    at,
    accountId: zone?.accountId ?? (isOfAccount ? accountId : null),
    zoneId: zone === undefined || zoneId === undefined ? null : zoneId,
    zoneName: zone?.name ?? null,
    ...actorMembers(actor),
    action,
    resourceType: operation.slice(0, operation.lastIndexOf('.')),
    // The last identifier of the path is the most specific one.
    resourceId: Object.values(ids).at(-1) ?? '', // the path has none
    succeeded: status < FIRST_ERROR_STATUS,
    detail: JSON.stringify({ operation, status, errors }),
  })
}
