import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteInPortions, ROWS_IN_PORTION } from './portions.ts'
import { query } from './query.ts'
import { IN_MEMORY, openSqliteStorage } from './sqlite.ts'
import type { Storage } from './storage.ts'

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const names = query.selectFrom('settings').select('name')
const doomed = names.where('name', 'like', 'doomed-%')

describe('rows deleted in portions', () => {
  let storage: Storage
  beforeAll(async () => {
    storage = await openSqliteStorage(IN_MEMORY, quiet)
  })
  afterAll(() => storage.close())

  test.each([0, 1, ROWS_IN_PORTION - 1, ROWS_IN_PORTION, ROWS_IN_PORTION + 1, 3 * ROWS_IN_PORTION])(
    '%i of them go, and no others',
    async (count) => {
      const deleted = await storage.write(async (tx) => {
        for (const name of [...Array.from({ length: count }, (_, index) => `doomed-${index}`), 'kept'])
          await tx.run(
            query
              .insertInto('settings')
              .values({ name, value: '' })
              .onConflict((c) => c.doNothing()),
          )
        const portion = query.deleteFrom('settings').where('name', 'in', doomed.limit(ROWS_IN_PORTION))
        return deleteInPortions(tx, portion)
      })
      expect(deleted).toBe(count)
      expect(await storage.all(doomed)).toEqual([])
      expect(await storage.all(names.where('name', '=', 'kept'))).toHaveLength(1)
    },
  )
})
