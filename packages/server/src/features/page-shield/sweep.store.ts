// Rows whose time is over, and the lease of whoever sweeps.
import { query, type Reader, type Transaction } from '../../storage/index.ts'
import { deleteOldEvents } from './events.store.ts'
import type { Cutoffs } from './life-cycle.rules.ts'

const LEASE = 'lease.page_shield_sweep'

/** Takes the lease until then, unless somebody has it now. */
export async function takeLease(tx: Transaction, now: string, until: string): Promise<boolean> {
  const held = await tx.first(query.selectFrom('settings').select('value').where('name', '=', LEASE))
  if (held !== undefined && held.value > now) return false
  await tx.run(
    query
      .insertInto('settings')
      .values({ name: LEASE, value: until })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: until })),
  )
  return true
}

export async function endLease(tx: Transaction): Promise<void> {
  await tx.run(query.deleteFrom('settings').where('name', '=', LEASE))
}

/** Zones that have anything to be swept. */
export async function monitoredZones(db: Reader): Promise<readonly string[]> {
  const tables = ['page_shield_resources', 'page_shield_cookies', 'page_shield_events'] as const
  const ids = new Set<string>()
  for (const table of tables) {
    for (const row of await db.all(query.selectFrom(table).select('zone_id').distinct())) ids.add(row.zone_id)
  }
  return [...ids].toSorted()
}

/** Rows that one statement deletes: for so long everything else waits. */
export const ROWS_AT_ONCE = 500

/** Deletes some of what is forgotten. @returns how many rows went; fewer than {@link ROWS_AT_ONCE}: all of them have. */
export async function deleteForgotten(tx: Transaction, zoneId: string, cutoffs: Cutoffs): Promise<number> {
  const resources = await deleteResources(tx, zoneId, cutoffs, ROWS_AT_ONCE)
  const cookies = await deleteCookies(tx, zoneId, cutoffs.cookiesForgottenBefore, ROWS_AT_ONCE - resources)
  const left = ROWS_AT_ONCE - resources - cookies
  return resources + cookies + (await deleteOldEvents(tx, zoneId, cutoffs.eventsForgottenBefore, left))
}

function deleteResources(tx: Transaction, zoneId: string, cutoffs: Cutoffs, limit: number): Promise<number> {
  const forgotten = query
    .selectFrom('page_shield_resources')
    .select('id')
    .where('zone_id', '=', zoneId)
    .where(({ eb, or, and }) =>
      or([
        and([
          eb('page_views', '<', cutoffs.activePageViews),
          eb('last_seen_at', '<', cutoffs.infrequentForgottenBefore),
        ]),
        and([
          eb('page_views', '>=', cutoffs.activePageViews),
          eb('last_seen_at', '<', cutoffs.forgottenBefore),
        ]),
      ]),
    )
    .limit(limit)
  return tx.run(query.deleteFrom('page_shield_resources').where('id', 'in', forgotten))
}

function deleteCookies(tx: Transaction, zoneId: string, before: string, limit: number): Promise<number> {
  const forgotten = query
    .selectFrom('page_shield_cookies')
    .select('id')
    .where('zone_id', '=', zoneId)
    .where('last_seen_at', '<', before)
    .limit(limit)
  return tx.run(query.deleteFrom('page_shield_cookies').where('id', 'in', forgotten))
}

/** Deletes all that a zone has met, before the zone's row takes the rest along. */
export async function deleteInventory(tx: Transaction, zoneId: string): Promise<void> {
  const resources = query.selectFrom('page_shield_resources').select('id').where('zone_id', '=', zoneId)
  const cookies = query.selectFrom('page_shield_cookies').select('id').where('zone_id', '=', zoneId)
  const events = query.selectFrom('page_shield_events').select('number').where('zone_id', '=', zoneId)
  const deletions = [
    query.deleteFrom('page_shield_resources').where('id', 'in', resources.limit(ROWS_AT_ONCE)),
    query.deleteFrom('page_shield_cookies').where('id', 'in', cookies.limit(ROWS_AT_ONCE)),
    query.deleteFrom('page_shield_events').where('number', 'in', events.limit(ROWS_AT_ONCE)),
  ]
  for (const deletion of deletions) while ((await tx.run(deletion)) === ROWS_AT_ONCE) await tx.pause()
}
