// The migration state of zones from the legacy managed rules to rulesets. Zones that never started one have no
// row.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import { MIGRATION_STATES, type MigrationState } from './migration-states.rules.ts'
import type { Snapshot, SnapshotContent } from './snapshot.rules.ts'

/** True after the migration from the legacy managed rules is complete. */
export async function isMigrated(db: Reader, zoneId: string): Promise<boolean> {
  return (await stateOf(db, zoneId)) === 'done'
}

export async function stateOf(db: Reader, zoneId: string): Promise<MigrationState> {
  const row = await db.first(query.selectFrom('waf_migrations').select('state').where('zone_id', '=', zoneId))
  return MIGRATION_STATES.find((state) => state === row?.state) ?? 'start'
}

export const saveState = (tx: Transaction, zoneId: string, state: MigrationState): Promise<void> =>
  tables.waf_migrations.of<{ zoneId: string; state: string }>().save(tx, { zoneId, state })

const snapshots = tables.waf_migration_snapshots.of<
  Pick<Snapshot, 'zoneId' | 'takenOn'> & { readonly content: SnapshotContent }
>()

export async function findSnapshot(db: Reader, zoneId: string): Promise<Snapshot | undefined> {
  const found = await snapshots.find(db, { zoneId })
  return found && { zoneId, takenOn: found.takenOn, ...found.content }
}

export const insertSnapshot = (tx: Transaction, { zoneId, takenOn, ...content }: Snapshot): Promise<void> =>
  snapshots.insert(tx, { zoneId, takenOn, content })
