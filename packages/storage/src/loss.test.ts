// A database that is missing, older, another one, or damaged is detected at the start or at the next write.
import { copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { silentLog } from '@zonereeve/platform'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { markerPath } from './marker.ts'
import { query } from './query.ts'
import { openSqliteStorage } from './sqlite.ts'
import { openSqlite } from './sqlite-driver.ts'
import type { Storage } from './storage.ts'

const ROWS = 300

const open = async (path: string, acceptLoss?: string): Promise<Storage> => {
  const storage = await openSqliteStorage(path, silentLog, { isServer: true, acceptLoss })
  onTestFinished(() => storage.close().catch(() => {}))
  return storage
}

/** One change, which increases the position. */
const change = (storage: Storage, number: number) =>
  storage.write((tx) =>
    tx.run(
      query.insertInto('changes').values({
        scope_id: 'scope',
        number,
        at: '2026-01-05T10:20:30.123456Z',
        actor_kind: 'token',
        actor_id: 'a',
        actor_name: 'n'.repeat(400),
        request_id: 'r',
        serial: null,
      }),
    ),
  )

const countOf = async (storage: Storage): Promise<number> =>
  (await storage.all(query.selectFrom('changes').select('number'))).length

/** A folder with a database as left by kill -9: its last commits are only in the WAL. */
async function killed(): Promise<string> {
  const from = join(scratchFolder(), 'zonereeve.db')
  const storage = await open(from)
  for (let number = 1; number <= ROWS; number += 1) await change(storage, number)
  const path = join(scratchFolder(), 'zonereeve.db')
  for (const end of ['', '-wal', '-shm', '.marker']) copyFileSync(`${from}${end}`, `${path}${end}`)
  await storage.close()
  return path
}

/** A folder with a database after an orderly shutdown: everything is in the file. */
async function closed(): Promise<string> {
  const from = await killed()
  const connection = await openSqlite(from)
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  return copyOf(from, markerPath(from))
}

/** Copies the file and a marker into a new folder. */
function copyOf(path: string, marker: string): string {
  const copy = join(scratchFolder(), 'zonereeve.db')
  copyFileSync(path, copy)
  copyFileSync(marker, markerPath(copy))
  return copy
}

function overwrite(path: string, from: number, bytes: Uint8Array): void {
  const file = readFileSync(path)
  file.set(bytes, from)
  writeFileSync(path, file)
}

/** Offset of the first page that holds rows of `changes`. */
function pageOfRows(path: string): number {
  const file = readFileSync(path)
  const page = file.readUInt16BE(16)
  return Math.floor(file.indexOf('n'.repeat(400)) / page) * page
}

const refusalOf = (path: string): Promise<string> =>
  open(path).then(
    () => 'opened',
    (failure: unknown) => String(failure),
  )

describe('at the start', () => {
  test('kill -9 loses nothing, and is not reported as a loss', async () => {
    expect(await countOf(await open(await killed()))).toBe(ROWS)
  })

  test.each([
    ['a missing file', closed, (path: string) => rmSync(path), /the file is missing/, 0],
    ['an empty file', closed, (path: string) => truncateSync(path), /the file is empty/, 0],
    ['a deleted WAL', killed, (path: string) => rmSync(`${path}-wal`), /-wal was lost/, undefined],
  ] as const)('%s is rejected until the loss is accepted, once', async (_, prepare, lose, problem, left) => {
    const path = await prepare()
    lose(path)
    const refusal = await refusalOf(path)
    expect(refusal).toMatch(problem)
    expect(await refusalOf(path)).toBe(refusal)
    const code = /--accept-loss ([0-9a-f]{8})$/.exec(refusal)?.[1]
    expect(code).toBeDefined()
    const storage = await open(path, code)
    const rows = await countOf(storage)
    if (left === undefined) expect(rows).toBeLessThan(ROWS)
    else expect(rows).toBe(left)
    await change(storage, ROWS + 1)
    await storage.close()
    const again = await open(path)
    expect(await countOf(again)).toBe(rows + 1)
    await again.close()
    // The same code does not accept a second loss.
    rmSync(path)
    await expect(open(path, code)).rejects.toThrow(/--accept-loss/)
  })

  test('another database is rejected', async () => {
    const path = await closed()
    copyFileSync(await closed(), path)
    expect(await refusalOf(path)).toMatch(/different database than before/)
  })

  test('an older copy is rejected, and opens without the marker', async () => {
    const path = await closed()
    const before = copyOf(path, markerPath(path))
    const storage = await open(path)
    await change(storage, ROWS + 1)
    await storage.close()
    const older = copyOf(before, markerPath(path))
    expect(await refusalOf(older)).toMatch(/an older copy/)
    rmSync(markerPath(older))
    expect(await countOf(await open(older))).toBe(ROWS)
  })

  test('a page of zeros is rejected', async () => {
    const path = await closed()
    overwrite(path, pageOfRows(path), new Uint8Array(4_096))
    expect(await refusalOf(path)).toMatch(/the file is damaged: .*--accept-loss [0-9a-f]{8}$/)
  })

  test('an invalid header is rejected', async () => {
    const path = await closed()
    overwrite(path, 0, new Uint8Array(100).fill(255))
    expect(await refusalOf(path)).toMatch(/the file is damaged: /)
  })
})

describe('while it is open', () => {
  test.each([
    ['the folder is removed', (path: string) => rmSync(join(path, '..'), { recursive: true })],
    ['the file is removed', (path: string) => rmSync(path)],
    ['the WAL is removed', (path: string) => rmSync(`${path}-wal`)],
    [
      'the file is replaced',
      (path: string) => {
        copyFileSync(path, `${path}.new`)
        renameSync(`${path}.new`, path)
      },
    ],
  ])('%s: writes fail with the reason, and it is not healthy', async (_, lose) => {
    const path = join(scratchFolder(), 'data', 'zonereeve.db')
    const storage = await open(path)
    await change(storage, 1)
    lose(path)
    await expect(change(storage, 2)).rejects.toMatchObject({ issues: [{ reason: 'storage.unwritable' }] })
    expect(await storage.healthy()).toBe(false)
  })
})
