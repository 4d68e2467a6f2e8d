// Rows whose time is over, and the lease of whoever sweeps.
import {
  deleteInPortions,
  query,
  ROWS_IN_PORTION,
  type Reader,
  type Transaction,
} from '../../storage/index.ts'
import { deleteEventsOf, deleteOldEvents } from './events.store.ts'
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
  const resources = await deleteResources(
    tx,
    resourcesOf(zoneId).where(({ eb, or, and }) =>
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
  const old = cookiesOf(zoneId).where('last_seen_at', '<', cutoffs.cookiesForgottenBefore)
  const cookies = await deleteCookies(tx, old)
  return resources + cookies + (await deleteOldEvents(tx, zoneId, cutoffs.eventsForgottenBefore))
}

/** The inventory of a zone that is deleted. With the zone's row it would go, too, but at one stretch. */
export async function deleteInventory(tx: Transaction, zoneId: string): Promise<void> {
  await deleteResources(tx, resourcesOf(zoneId))
  await deleteCookies(tx, cookiesOf(zoneId))
  await deleteEventsOf(tx, zoneId)
}

const resourcesOf = (zoneId: string) =>
  query.selectFrom('page_shield_resources').select('id').where('zone_id', '=', zoneId)

function deleteResources(tx: Transaction, ids: ReturnType<typeof resourcesOf>): Promise<number> {
  const portion = query.deleteFrom('page_shield_resources').where('id', 'in', ids.limit(ROWS_IN_PORTION))
  return deleteInPortions(tx, portion)
}

const cookiesOf = (zoneId: string) =>
  query.selectFrom('page_shield_cookies').select('id').where('zone_id', '=', zoneId)

function deleteCookies(tx: Transaction, ids: ReturnType<typeof cookiesOf>): Promise<number> {
  const portion = query.deleteFrom('page_shield_cookies').where('id', 'in', ids.limit(ROWS_IN_PORTION))
  return deleteInPortions(tx, portion)
}
