// Rows of what networks of reports added today.
import type { Spending } from '@zonereeve/browser-reports'
import { CHUNK_SIZE } from '@zonereeve/cooperate'
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'

export interface StoredSpending extends Spending {
  readonly digest: string
  readonly zoneId: string
  readonly day: string
}

const rows = tables.page_shield_reporters.of<StoredSpending>()

export const findSpending = (db: Reader, digest: string): Promise<StoredSpending | undefined> =>
  rows.find(db, { digest })

export const countSpending = (db: Reader, zoneId: string, day: string): Promise<number> =>
  rows.count(db, { zoneId, day })

export const saveSpending = (tx: Transaction, spending: StoredSpending): Promise<void> =>
  rows.save(tx, spending)

/** @returns the number of deleted rows; fewer than a chunk means none are left. */
export const deletePastSpending = (tx: Transaction, zoneId: string, today: string): Promise<number> => {
  const own = query.selectFrom('page_shield_reporters').select('digest').where('zone_id', '=', zoneId)
  const past = own.where('day', '<', today).limit(CHUNK_SIZE)
  return tx.run(query.deleteFrom('page_shield_reporters').where('digest', 'in', past))
}
