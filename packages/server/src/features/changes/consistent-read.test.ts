// Consistent reads: a read that a writer disturbs is repeated; one that is disturbed every time runs in the writers'
// queue.
import { describe, expect, test } from 'vitest'
import { silentLog } from '@zonereeve/platform'
import { IN_MEMORY, openSqliteStorage, query, type Reader } from '@zonereeve/storage'
import { append } from './changes.store.ts'
import { changeOp } from './change-op.ts'
import { readConsistently } from './consistent-read.ts'

const actor = { kind: 'token', id: 'u', name: 'u', requestId: 'r' } as const

describe('a consistent read', () => {
  test.each([
    ['without a concurrent write runs once', 0, 1],
    ['that a writer disturbs once runs again', 1, 2],
    ['that is disturbed every time finally runs in the writers’ queue', 3, 4],
  ])('%s', async (_, spoilers, reads) => {
    const storage = await openSqliteStorage(IN_MEMORY, silentLog)
    const set = (value: string) =>
      storage.write(async (tx) => {
        const row = query.insertInto('settings').values({ name: 'n', value })
        await tx.run(row.onConflict((conflict) => conflict.column('name').doUpdateSet({ value })))
        await append(tx, { scopeId: 'zone', actor }, [changeOp('test', 'n', null, { value })])
      })
    await set('0')
    let made = 0
    const valueOf = async (db: Reader) =>
      (await db.first(query.selectFrom('settings').select('value').where('name', '=', 'n')))?.value
    const { value, numbers } = await readConsistently(storage, ['zone', 'other'], async (db) => {
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
