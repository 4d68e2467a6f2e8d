// A damaged page of a file that is too large for the check before the start is found by the check in the
// background.
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '@zonereeve/platform'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { openSqliteStorage } from './open-storage.ts'
import { openSqlite } from './sqlite-driver.ts'
import { startStoredCheck } from './stored-check.ts'

const HANG_MILLIS = 120_000
const CHECKED_AT_START_BYTES = 256 * 1_048_576
const MARK = 'n'.repeat(400)

/** A database above the size limit of the check at the start, with rows of `filler` in its first pages. */
async function largeDatabase(): Promise<string> {
  const path = join(scratchFolder(), 'zonereeve.db')
  await (await openSqliteStorage(path, silentLog, { isServer: true })).close()
  const connection = await openSqlite(path)
  connection.exec(`
    PRAGMA synchronous = OFF;
    CREATE TABLE filler (text TEXT);
    CREATE TABLE padding (bytes BLOB);
    INSERT INTO filler WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT '${MARK}' || i FROM n;
    INSERT INTO padding WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 260) SELECT zeroblob(1048576) FROM n;
    PRAGMA wal_checkpoint(TRUNCATE)`)
  connection.close()
  expect(statSync(path).size).toBeGreaterThan(CHECKED_AT_START_BYTES)
  return path
}

function damagePage(path: string): void {
  const file = openSync(path, 'r+')
  const head = Buffer.alloc(2 * 1_048_576)
  readSync(file, head, 0, head.length, 0)
  const pageSize = head.readUInt16BE(16)
  const page = Math.floor(head.indexOf(MARK) / pageSize) * pageSize
  writeSync(file, Buffer.alloc(64, 0xff), 0, 64, page)
  closeSync(file)
}

test.each([
  { state: 'a damaged page', damage: damagePage, found: [expect.stringContaining('table filler: ')] },
  { state: 'no damage', damage: () => {}, found: [] },
])(
  'a large file with $state starts, and is checked in the background',
  async ({ damage, found }) => {
    const path = await largeDatabase()
    damage(path)
    const lines: unknown[] = []
    const log = { ...silentLog, info: (_: object, text: string) => void lines.push(text) }
    const storage = await openSqliteStorage(path, log, { isServer: true })
    onTestFinished(() => storage.close())
    const check = startStoredCheck({ storage, path, log })
    onTestFinished(() => check.stop())
    await expect.poll(() => lines, { timeout: HANG_MILLIS }).toContain('database file checked')
    await expect.poll(() => lines, { timeout: HANG_MILLIS }).toContain('stored rows checked')
    expect(check.problems()).toEqual(found)
    expect(await storage.healthy()).toBe(true)
  },
  HANG_MILLIS,
)
