// Rewrites records of earlier versions in their short form, some at a time, between other writes. It goes on where it
// stopped, also after a kill: each transaction has some records and the place up to which all are rewritten.
import type { Clock, Log } from '@zonereeve/platform'
import type { Storage, Transaction } from '@zonereeve/storage'
import { findZone, type Zone } from '../../zones/index.ts'
import { updateRecord } from './record-rows.store.ts'
import { countRecords, findPlace, listRecordsAfter, savePlace } from './record-rewriting.store.ts'
import type { createRecordStates } from './record-states.service.ts'

/** No ID is greater. */
const END = 'end'
/** Records of a transaction, for which other writers wait. */
const CHUNK_SIZE = 200
const LOGGED_EVERY_MS = 10_000

export interface RewritingDeps {
  readonly storage: Storage
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Log, 'info'>
  readonly states: Pick<ReturnType<typeof createRecordStates>, 'readRow'>
}

/** @returns a function that rewrites until nothing is left or the signal aborts it, and returns how many it has rewritten. */
export function createRecordRewriting({ storage, clock, log, states }: RewritingDeps) {
  let isDone = false
  return async function rewrite(signal: AbortSignal): Promise<number> {
    const sum = { read: 0, rewritten: 0 }
    let loggedAt = clock.now()
    while (!isDone && !signal.aborted) {
      const some = await storage.write((tx) => rewriteSome(tx))
      sum.read += some.read
      sum.rewritten += some.rewritten
      isDone = some.isEnd
      if (sum.rewritten === 0 || (!isDone && clock.now() - loggedAt < LOGGED_EVERY_MS)) continue
      loggedAt = clock.now()
      log.info(
        { ...sum, records: await countRecords(storage) },
        isDone ? 'old records rewritten' : 'old records are rewritten',
      )
    }
    return sum.rewritten
  }

  async function rewriteSome(tx: Transaction) {
    const from = (await findPlace(tx)) ?? '' // from the start
    if (from === END) return { read: 0, rewritten: 0, isEnd: true }
    const rows = await listRecordsAfter(tx, from, CHUNK_SIZE)
    const zones = new Map<string, Zone | undefined>()
    let rewritten = 0
    for (const row of rows) {
      if (row.shown_type !== '') continue
      if (!zones.has(row.zone_id)) zones.set(row.zone_id, await findZone(tx, row.zone_id))
      const zone = zones.get(row.zone_id)
      const state = zone && states.readRow(row, zone).before
      // A damaged record stays as it is, and so does one of a deleted zone.
      if (state === undefined || state.damage !== undefined) continue
      await updateRecord(tx, state.record, state.text)
      rewritten += 1
    }
    const isEnd = rows.length < CHUNK_SIZE
    await savePlace(tx, isEnd ? END : (rows.at(-1)?.id ?? END)) // no row: the end
    return { read: rows.length, rewritten, isEnd }
  }
}
