import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { silentLog } from '@zonereeve/platform'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rawQuery } from './engine.ts'
import { createOffloadReader } from './offload-reader.ts'
import { sql } from './query.ts'
import { openSqliteStorage } from './sqlite.ts'

const IDLE_MILLIS = 200
const one = rawQuery(sql<{ one: number }>`select 1 as one`)
const slow = rawQuery(
  sql<{ count: number }>`with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000)
    select count(*) as count from n`,
)

test('the process ends when it is idle, not while it reads, and starts again for the next read', async () => {
  const path = join(scratchFolder(), 'zonereeve.db')
  await (await openSqliteStorage(path, silentLog)).close()
  const reader = createOffloadReader(path, IDLE_MILLIS)
  onTestFinished(() => reader.close())
  expect(readersOf(path)).toEqual([])
  expect(await reader.all(one)).toEqual([{ one: 1 }])
  const [first] = readersOf(path)
  expect(first).toBeDefined()
  const began = performance.now()
  expect(await reader.first(slow)).toEqual({ count: 3_000_000 })
  expect(performance.now() - began).toBeGreaterThan(IDLE_MILLIS)
  expect(readersOf(path)).toEqual([first])
  await vi.waitFor(() => expect(readersOf(path)).toEqual([]), { timeout: 10_000 })
  expect(await reader.first(one)).toEqual({ one: 1 })
  expect(readersOf(path)).not.toContain(first)
})

test('after a read that fails, the process reads on, and ends when it is idle', async () => {
  const path = join(scratchFolder(), 'zonereeve.db')
  await (await openSqliteStorage(path, silentLog)).close()
  const reader = createOffloadReader(path, IDLE_MILLIS)
  onTestFinished(() => reader.close())
  const fails = rawQuery(sql<{ one: number }>`select one from nothing`)
  await expect(reader.all(fails)).rejects.toThrow('nothing')
  const [first] = readersOf(path)
  expect(first).toBeDefined()
  expect(await reader.all(one)).toEqual([{ one: 1 }])
  expect(readersOf(path)).toEqual([first])
  await expect(reader.all(fails)).rejects.toThrow('nothing')
  await vi.waitFor(() => expect(readersOf(path)).toEqual([]), { timeout: 10_000 })
})

/** Processes that were started with the path of this database. */
function readersOf(path: string): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && argumentsOf(name).includes(path))
}

function argumentsOf(process: string): string[] {
  try {
    return readFileSync(`/proc/${process}/cmdline`, 'utf8').split('\0')
  } catch {
    return [] // it has just ended
  }
}
