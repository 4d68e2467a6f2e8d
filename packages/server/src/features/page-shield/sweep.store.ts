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

/** @returns how many rows went. */
export async function deleteForgotten(tx: Transaction, zoneId: string, cutoffs: Cutoffs): Promise<number> {
  const resources = await tx.run(
    query
      .deleteFrom('page_shield_resources')
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
      ),
  )
  const cookies = await tx.run(
    query
      .deleteFrom('page_shield_cookies')
      .where('zone_id', '=', zoneId)
      .where('last_seen_at', '<', cutoffs.cookiesForgottenBefore),
  )
  return resources + cookies + (await deleteOldEvents(tx, zoneId, cutoffs.eventsForgottenBefore))
}
