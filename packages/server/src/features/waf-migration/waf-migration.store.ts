// How far a zone is on its way from the previous managed rules to rulesets. Zones that never began have no row.
import { query, type Reader } from '../../storage/index.ts'

/** True once the previous managed rules are gone for good. */
export async function isMigrated(db: Reader, zoneId: string): Promise<boolean> {
  const row = await db.first(query.selectFrom('waf_migrations').select('state').where('zone_id', '=', zoneId))
  return row?.state === 'done'
}
