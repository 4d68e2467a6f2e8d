// Reads of one moment: what a writer spoils is read again, and one that is spoiled every time waits among the writers.
import { describe, expect, test } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import { IN_MEMORY, openSqliteStorage, query, type Reader } from '../../storage/index.ts'
import { appendChange } from './changes.store.ts'
import { readSettled } from './settled-read.ts'

const actor = { kind: 'token', id: 'u', name: 'u', requestId: 'r' } as const

describe('a settled read', () => {
  test.each([
    ['that nobody disturbs is made once', 0, 1],
    ['that a writer spoils once is made again', 1, 2],
    ['that is spoiled every time is made once more, among the writers', 3, 4],
  ])('%s', async (_, spoilers, reads) => {
    const storage = await openSqliteStorage(IN_MEMORY, silentLog)
    const set = (value: string) =>
      storage.write(async (tx) => {
        const row = query.insertInto('settings').values({ name: 'n', value })
        await tx.run(row.onConflict((conflict) => conflict.column('name').doUpdateSet({ value })))
        await appendChange(tx, { scopeId: 'zone', at: 't', actor, serial: null, ops: [] })
      })
    await set('0')
    let made = 0
    const valueOf = async (db: Reader) =>
      (await db.first(query.selectFrom('settings').select('value').where('name', '=', 'n')))?.value
    const { value, numbers } = await readSettled(storage, ['zone', 'other'], async (db) => {
      made += 1
      const first = await valueOf(db)
      if (made <= spoilers) await set(String(made))
      return [first, await valueOf(db)]
    })
    expect(made).toBe(reads)
    expect(value).toEqual([String(spoilers), String(spoilers)])
    expect(numbers).toEqual([spoilers + 1, 0])
    await storage.close()
  })
})
