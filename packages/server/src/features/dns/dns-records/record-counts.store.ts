// How many records of each type a zone has.
import { combineAt, placeIn, prepare, query, sql, type Transaction } from '@zonereeve/storage'

/** Adjusts the zone's counts by type. */
export async function addToCounts(
  tx: Transaction,
  zoneId: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [type, by] of counts) if (by !== 0) await tx.submit(addition(zoneId, type, by))
}

const addition = (zoneId: string, type: string, by: number): ReturnType<typeof addToCount> =>
  combineAt(addToCount({ zoneId, type, by }), placeIn('record_counts', zoneId, type), by, (earlier) =>
    addition(zoneId, type, earlier + by),
  )

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
