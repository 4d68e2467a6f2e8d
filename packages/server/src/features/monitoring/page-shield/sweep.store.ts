// Deletes expired rows, and holds the sweeper's lease.
import { CHUNK_SIZE } from '@zonereeve/cooperate'
import { query, type Reader, settings, type Transaction } from '@zonereeve/storage'
import { deleteForgottenCode } from './code.store.ts'
import { deleteOldEvents } from './events.store.ts'
import type { Cutoffs } from './life-cycle.rules.ts'
import { deleteSources, deleteUnusedSources } from './sources.store.ts'

const LEASE = 'lease.page_shield_sweep'

/** Takes the lease until the given time, unless another node holds it. */
export async function takeLease(tx: Transaction, now: string, until: string): Promise<boolean> {
  const lease = await settings.find(tx, { name: LEASE })
  if (lease !== undefined && lease.value > now) return false
  await settings.save(tx, { name: LEASE, value: until })
  return true
}

export const endLease = (tx: Transaction): Promise<number> => settings.remove(tx, { name: LEASE })

const SWEPT = [
  'page_shield_resources',
  'page_shield_code',
  'page_shield_cookies',
  'page_shield_events',
  'page_shield_sources',
  'page_shield_reporters',
] as const

/** Whether there is anything to sweep, found without reading much. */
export async function isAnyZoneMonitored(db: Reader): Promise<boolean> {
  for (const table of SWEPT)
    if ((await db.first(query.selectFrom(table).select('zone_id').limit(1))) !== undefined) return true
  return false
}

/** Zones with anything to sweep. It reads whole tables. */
export async function monitoredZones(db: Reader): Promise<readonly string[]> {
  const ids = new Set<string>()
  for (const table of SWEPT)
    for (const row of await db.all(query.selectFrom(table).select('zone_id').distinct())) ids.add(row.zone_id)
  return [...ids].toSorted()
}

/**
 * Deletes a chunk of what is past retention.
 * @returns the number of deleted rows; fewer than {@link CHUNK_SIZE} means none are left.
 */
export async function deleteForgotten(tx: Transaction, zoneId: string, cutoffs: Cutoffs): Promise<number> {
  const resources = await deleteResources(tx, zoneId, cutoffs, CHUNK_SIZE)
  const cookies = await deleteCookies(tx, zoneId, cutoffs.cookiesForgottenBefore, CHUNK_SIZE - resources)
  const code = await deleteForgottenCode(tx, zoneId, cutoffs, CHUNK_SIZE - resources - cookies)
  const others = resources + cookies + code
  const sources = await deleteUnusedSources(tx, zoneId, CHUNK_SIZE - others)
  const left = CHUNK_SIZE - others - sources
  return others + sources + (await deleteOldEvents(tx, zoneId, cutoffs.eventsForgottenBefore, left))
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

/** Deletes a zone's inventory, before deleting the zone's row cascades to the rest. */
export async function deleteInventory(tx: Transaction, zoneId: string): Promise<void> {
  const resources = query.selectFrom('page_shield_resources').select('id').where('zone_id', '=', zoneId)
  const code = query.selectFrom('page_shield_code').select('id').where('zone_id', '=', zoneId)
  const cookies = query.selectFrom('page_shield_cookies').select('id').where('zone_id', '=', zoneId)
  const events = query.selectFrom('page_shield_events').select('number').where('zone_id', '=', zoneId)
  const deletions = [
    query.deleteFrom('page_shield_resources').where('id', 'in', resources.limit(CHUNK_SIZE)),
    query.deleteFrom('page_shield_code').where('id', 'in', code.limit(CHUNK_SIZE)),
    query.deleteFrom('page_shield_cookies').where('id', 'in', cookies.limit(CHUNK_SIZE)),
    query.deleteFrom('page_shield_events').where('number', 'in', events.limit(CHUNK_SIZE)),
  ]
  await deleteSources(tx, zoneId)
  for (const deletion of deletions) while ((await tx.run(deletion)) === CHUNK_SIZE) await tx.yieldIfDue()
}
