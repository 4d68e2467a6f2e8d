// Retention of the audit log: deletes entries from its start. What remains can still be checked: the hash of the last
// deleted entry is kept.
import { type Clock, formatTimestamp, type Log, SYSTEM } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { actorMembers } from './audit-change.ts'
import { appendEntry, deleteEntriesBefore, lastEntry, logStart } from './audit-log.store.ts'

const DAY_MILLIS = 86_400_000
/** Entries per transaction: other writers run in between. */
const CHUNK_SIZE = 1_000

export interface RetentionDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  /** Retention of the audit log in days; 0: forever. */
  readonly auditDays: number
}

/**
 * Deletes entries that are too old, with an entry about it, and logs the end of the chain: it can be compared with the
 * database later.
 *
 * @returns the number of deleted entries.
 */
export async function expireEntries(
  { storage, clock, log, auditDays }: RetentionDeps,
  signal?: AbortSignal,
): Promise<number> {
  let deleted = 0
  const before = formatTimestamp(clock.now() - auditDays * DAY_MILLIS)
  while (auditDays > 0 && signal?.aborted !== true) {
    const count = await storage.write((tx) => deleteEntriesBefore(tx, before, CHUNK_SIZE))
    deleted += count
    if (count < CHUNK_SIZE) break
  }
  if (deleted > 0)
    await storage.write(async (tx) => {
      const { number } = await logStart(tx)
      await appendEntry(tx, {
        at: clock.timestamp(),
        accountId: null,
        zoneId: null,
        zoneName: null,
        ...actorMembers(SYSTEM),
        action: 'audit_log.expire',
        resourceType: 'audit_log',
        resourceId: '',
        succeeded: true,
        detail: JSON.stringify({ entries: deleted, last: number }),
      })
    })
  const { number, hash } = await lastEntry(storage)
  log.info({ number, hash }, 'end of the audit log')
  return deleted
}
