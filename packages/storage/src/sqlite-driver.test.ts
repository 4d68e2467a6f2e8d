// The driver's workarounds.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { yieldNow } from '@zonereeve/cooperate'
import { expect, test } from 'vitest'
import { iterateRows, openSqlite } from './sqlite-driver.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('a garbage collection between two rows ends neither the read nor the process', async () => {
  const connection = await openSqlite(':memory:')
  connection.exec('CREATE TABLE numbers (number INTEGER)')
  connection.exec('INSERT INTO numbers VALUES (1), (2), (3), (4), (5)')
  const rows = iterateRows(connection.prepare('SELECT number FROM numbers WHERE number > ?'), [1])
  const seen: unknown[] = []
  for (let next = rows.next(); next.done !== true; next = rows.next()) {
    seen.push(next.value)
    collectGarbage()
    await yieldNow()
    await yieldNow()
  }
  connection.close()
  expect(seen).toEqual([{ number: 2 }, { number: 3 }, { number: 4 }, { number: 5 }])
})
