// How many records of each type a zone has.
import { prepare, query, sql, type Transaction } from '@zonereeve/storage'

/** Adjusts the zone's counts by type. */
export async function addToCounts(
  tx: Transaction,
  zoneId: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [type, by] of counts) if (by !== 0) await tx.submit(addToCount({ zoneId, type, by }))
}

const addToCount = prepare(({ zoneId, type, by }: { zoneId: string; type: string; by: number }) =>
  query
    .insertInto('record_counts')
    .values({ zone_id: zoneId, type, count: by })
    .onConflict((conflict) =>
      conflict
        .columns(['zone_id', 'type'])
        .doUpdateSet({ count: sql<number>`record_counts.count + excluded.count` }),
    ),
)
