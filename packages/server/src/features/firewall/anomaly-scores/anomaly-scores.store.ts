// Rows of anomaly scores: one for each zone, day and score.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'

export interface ScoreCount {
  readonly score: number
  readonly requests: number
}

interface DayCount extends ScoreCount {
  readonly day: string
}

const scores = tables.anomaly_scores.beside('zone_id').of<DayCount>()

/** Adds to what is stored for the day. */
export const addScore = (
  tx: Transaction,
  zoneId: string,
  { day, score, requests }: DayCount,
): Promise<unknown> =>
  tx.run(
    query
      .insertInto('anomaly_scores')
      .values({ zone_id: zoneId, day, score, requests })
      .onConflict((conflict) =>
        conflict
          .columns(['zone_id', 'day', 'score'])
          .doUpdateSet((eb) => ({ requests: eb('anomaly_scores.requests', '+', requests) })),
      ),
  )

/** By score, lowest first, from a day on. */
export async function scoresSince(db: Reader, zoneId: string, day: string): Promise<readonly ScoreCount[]> {
  const rows = query
    .selectFrom('anomaly_scores')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .where('day', '>=', day)
    .orderBy('score')
  const byScore = new Map<number, number>()
  for (const { score, requests } of await scores.all(db, rows, (count) => count))
    byScore.set(score, (byScore.get(score) ?? 0) + requests) // the first day of the score
  return [...byScore].map(([score, requests]) => ({ score, requests }))
}

/** @returns the number of deleted rows. */
export const deleteScoresBefore = (tx: Transaction, day: string): Promise<number> =>
  tx.run(query.deleteFrom('anomaly_scores').where('day', '<', day))
