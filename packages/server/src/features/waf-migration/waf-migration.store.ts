// How far a zone is on its way from the previous managed rules to rulesets. Zones that never began have no row.
import { query, type Reader, type Transaction } from '../../storage/index.ts'
import { MIGRATION_STATES, type MigrationState } from './migration-states.rules.ts'
import type { Snapshot, SnapshotContent } from './snapshot.rules.ts'

/** True once the previous managed rules are gone for good. */
export async function isMigrated(db: Reader, zoneId: string): Promise<boolean> {
  return (await stateOf(db, zoneId)) === 'done'
}

export async function stateOf(db: Reader, zoneId: string): Promise<MigrationState> {
  const row = await db.first(query.selectFrom('waf_migrations').select('state').where('zone_id', '=', zoneId))
  return MIGRATION_STATES.find((state) => state === row?.state) ?? 'start'
}

export async function saveState(tx: Transaction, zoneId: string, state: MigrationState): Promise<void> {
  await tx.run(
    query
      .insertInto('waf_migrations')
      .values({ zone_id: zoneId, state })
      .onConflict((conflict) => conflict.column('zone_id').doUpdateSet({ state })),
  )
}

export async function findSnapshot(db: Reader, zoneId: string): Promise<Snapshot | undefined> {
  const row = await db.first(
    query.selectFrom('waf_migration_snapshots').selectAll().where('zone_id', '=', zoneId),
  )
  if (row === undefined) return undefined
  const content = JSON.parse(row.content) as SnapshotContent // written by insertSnapshot
  return { zoneId, takenOn: row.taken_on, ...content }
}

export async function insertSnapshot(
  tx: Transaction,
  { zoneId, takenOn, ...content }: Snapshot,
): Promise<void> {
  await tx.run(
    query
      .insertInto('waf_migration_snapshots')
      .values({ zone_id: zoneId, taken_on: takenOn, content: JSON.stringify(content) }),
  )
}
