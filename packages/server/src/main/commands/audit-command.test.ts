// zonereeve audit: a database and an export are checked; what was changed behind the triggers is found.
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { openSqlite } from '@zonereeve/storage'
import { loadConfig, type Config } from '@zonereeve/config'
import { startTestApp } from '../../testing/app.ts'
import { exportAuditCommand, verifyAuditCommand } from './audit-command.ts'

let folder: string
let database: string
let config: Config
beforeEach(async () => {
  folder = scratchFolder()
  database = join(folder, 'zonereeve.db')
  config = loadConfig({ flags: { database: `sqlite:${database}` }, environment: {} })
  const app = await startTestApp({ database })
  for (const name of ['a', 'b', 'c']) await app.must('POST', '/zones', { name: `${name}.example.com` })
  await app.close()
})
afterEach(() => vi.restoreAllMocks())

async function verify(file?: string, expected?: string): Promise<string> {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await verifyAuditCommand(config, { file, expect: expected })
    return out.mock.calls.map(([chunk]) => String(chunk)).join('')
  } finally {
    vi.restoreAllMocks()
  }
}

async function exported(after?: string): Promise<string> {
  const to = join(folder, `audit-${after ?? 'all'}.ndjson`)
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  await exportAuditCommand(config, { after, to })
  vi.restoreAllMocks()
  return to
}

/** As somebody who can write the file, and knows of the triggers. */
async function tamper(...statements: readonly string[]): Promise<void> {
  const connection = await openSqlite(database)
  connection.exec('DROP TRIGGER audit_log_is_not_updated')
  connection.exec('DROP TRIGGER audit_log_is_deleted_from_its_start')
  for (const statement of statements) connection.exec(statement)
  connection.close()
}

const lastLink = (output: string): string => /last entry (\d+:[0-9a-f]{64})/.exec(output)?.[1] ?? 'none'

describe('verifying the database', () => {
  test('finds it in order, with the entry that was known before', async () => {
    const output = await verify()
    expect(output).toMatch(/^the audit log is in order: entries 1 to \d+\nlast entry \d+:[0-9a-f]{64}\n$/)
    expect(await verify(undefined, lastLink(output))).toBe(output)
  })

  test.each([
    [
      'a changed entry',
      `UPDATE audit_log SET actor_name = 'x' WHERE number = 3`,
      'entry 3, or the one before',
    ],
    ['a result that was turned', `UPDATE audit_log SET succeeded = 0 WHERE number = 3`, 'entry 3'],
    ['a removed entry', `DELETE FROM audit_log WHERE number = 2`, 'entries before entry 3 are missing'],
    ['a removed start', `DELETE FROM audit_log WHERE number = 1`, 'entries before entry 2 are missing'],
  ])('finds %s', async (_, statement, message) => {
    await tamper(statement)
    await expect(verify()).rejects.toThrow(message)
  })

  test('finds a removed end only by an entry known before', async () => {
    const known = lastLink(await verify())
    const [number] = known.split(':')
    await tamper(`DELETE FROM audit_log WHERE number = ${number}`)
    expect(await verify()).toMatch(/^the audit log is in order/)
    await expect(verify(undefined, known)).rejects.toThrow(`ends before entry ${number}`)
  })

  test.each(['5', 'x:y', `0:${'0'.repeat(64)}`])('refuses the known entry %s', async (text) => {
    await expect(verify(undefined, text)).rejects.toThrow('--expect must be NUMBER:HASH')
  })
})

describe('an export', () => {
  test('is only for its owner, and is in order, whole or from an entry on', async () => {
    const file = await exported()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await verify(file)).toBe(await verify())
    expect(await verify(await exported('2'), lastLink(await verify()))).toMatch(/entries 3 to/)
    expect(await verify(await exported('1000'))).toBe('the audit log is in order: no entries\n')
    expect(readFileSync(file, 'utf8').split('\n')[0]).toContain('"number":1,')
  })

  test.each([
    ['changed', (text: string) => text.replace('b.example.com', 'x.example.com'), 'was changed'],
    ['without a line', (text: string) => text.split('\n').toSpliced(1, 1).join('\n'), 'entry 3 are missing'],
    ['with another kind of line', (text: string) => `${text}{}\n`, 'not a line of an exported audit log'],
  ])('that is %s is refused', async (_, change, message) => {
    const file = await exported()
    writeFileSync(file, change(readFileSync(file, 'utf8')))
    await expect(verify(file)).rejects.toThrow(message)
  })

  test('never replaces a file', async () => {
    const file = await exported()
    appendFileSync(file, 'mine')
    await expect(exported()).rejects.toThrow('EEXIST')
    expect(readFileSync(file, 'utf8')).toMatch(/mine$/)
  })

  test('from what is not a number is refused', async () => {
    await expect(exported('-1')).rejects.toThrow('--after must be a number')
  })
})

test('a folder without a database is refused, and gets none', async () => {
  config = loadConfig({ flags: { database: `sqlite:${join(folder, 'none.db')}` }, environment: {} })
  await expect(verify()).rejects.toThrow('database not found')
})
