// How far records of earlier versions are rewritten, and the records that come next.
import { oneRow, query, RECORD_JSON, settings, sql, type Reader, type Transaction } from '@zonereeve/storage'

const PLACE = 'records.rewritten_up_to'

export const findPlace = async (tx: Transaction): Promise<string | undefined> =>
  (await settings.find(tx, { name: PLACE }))?.value

export const savePlace = (tx: Transaction, value: string): Promise<void> =>
  settings.save(tx, { name: PLACE, value })

/** In the order of their IDs. */
export const listRecordsAfter = (tx: Transaction, id: string, limit: number) =>
  tx.all(
    query
      .selectFrom('dns_records')
      .selectAll()
      .select(RECORD_JSON.as('body'))
      .where('id', '>', id)
      .orderBy('id')
      .limit(limit),
  )

export const countRecords = async (reader: Reader): Promise<number> =>
  (await oneRow(reader, query.selectFrom('dns_records').select(sql<number>`count(*)`.as('count')))).count
