// The database of a test app: in memory, or a new schema in the PostgreSQL database of ZONEREEVE_TEST_POSTGRES.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '@zonereeve/platform'
import {
  IN_MEMORY,
  openPostgresStorage,
  openSqliteStorage,
  type Storage,
  type StorageOptions,
} from '@zonereeve/storage'
import { createSchema } from '@zonereeve/storage/testing/postgres.ts'

export async function openTestStorage(
  path: string | undefined,
  log: Log,
  options: Pick<StorageOptions, 'clock' | 'deliver'>,
): Promise<Storage> {
  const server = process.env['ZONEREEVE_TEST_POSTGRES']
  if (path !== undefined || server === undefined) return openSqliteStorage(path ?? IN_MEMORY, log, options)
  const url = await createSchema(server, `test_${randomBytes(8).toString('hex')}`)
  return openPostgresStorage(
    { url, keyFile: join(mkdtempSync(join(tmpdir(), 'zonereeve-key-')), 'test.key') },
    log,
    options,
  )
}
