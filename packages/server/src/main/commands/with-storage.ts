// The database of a configuration for a command, also while a server uses it.
import { existsSync } from 'node:fs'
import { silentLog } from '@zonereeve/platform'
import { openSqliteStorage, type Storage } from '@zonereeve/storage'
import { databasePath, type Config } from '../../config/index.ts'

/** @throws Error: there is no database yet. */
export async function withStorage<T>(config: Config, use: (storage: Storage) => Promise<T>): Promise<T> {
  const path = databasePath(config)
  // Opening would create a database.
  if (!existsSync(path))
    throw new Error(`${path}: database not found; check --data, or start zonereeve serve with it once`)
  const storage = await openSqliteStorage(path, silentLog, {
    keyEncryptionSecret: config.keyEncryptionSecret,
  })
  try {
    return await use(storage)
  } finally {
    await storage.close()
  }
}
