// Zones with stored problems, each kind by an index of its own: nothing else is read.
import { chunksOf } from '@zonereeve/cooperate'
import { query, type Reader } from '@zonereeve/storage'

/** IDs that one statement looks for. */
const IDS_IN_A_STATEMENT = 500

/** Zones of which a script, connection, frame, image or form target is malicious: of these, or of all. */
export async function zonesWithMalicious(
  db: Reader,
  limit: number,
  among?: readonly string[],
): Promise<string[]> {
  const rows = query
    .selectFrom('page_shield_resources')
    .select('zone_id')
    .distinct()
    // A literal: for a parameter, the index would not be used.
    .where((eb) => eb('is_malicious', '=', eb.lit(1)))
    .limit(limit)
  return readByChunks(among, (ids) => db.all(ids === undefined ? rows : rows.where('zone_id', 'in', ids)))
}

/** Secondary zones whose last transfer failed, of these or of all. What is stored of removed primaries does not count. */
export async function zonesWithFailedTransfer(
  db: Reader,
  limit: number,
  among?: readonly string[],
): Promise<string[]> {
  const rows = query
    .selectFrom('followed_zones')
    .innerJoin('incoming_transfers', 'incoming_transfers.zone_id', 'followed_zones.zone_id')
    .select('followed_zones.zone_id')
    .where('followed_zones.problem', 'is not', null)
    .limit(limit)
  return readByChunks(among, (ids) =>
    db.all(ids === undefined ? rows : rows.where('followed_zones.zone_id', 'in', ids)),
  )
}

/** Calls `read` with some of the IDs at a time; without any, once for all zones. */
async function readByChunks(
  among: readonly string[] | undefined,
  read: (ids: readonly string[] | undefined) => Promise<readonly { readonly zone_id: string }[]>,
): Promise<string[]> {
  const found: string[] = []
  const chunks = among === undefined ? [undefined] : chunksOf(among, IDS_IN_A_STATEMENT)
  for (const ids of chunks) for (const row of await read(ids)) found.push(row.zone_id)
  return found
}
