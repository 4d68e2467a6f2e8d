// The database of a configuration for a command, also while a server uses it.
import { existsSync } from 'node:fs'
import { silentLog } from '@zonereeve/platform'
import { openPostgresStorage, openSqliteStorage, type Storage } from '@zonereeve/storage'
import { databasePath, postgresOf, type Config } from '@zonereeve/config'

/**
 * @param use gets the database, and its name for messages.
 * @throws Error: there is no database yet.
 */
export async function withStorage<T>(
  config: Config,
  use: (storage: Storage, name: string) => Promise<T>,
): Promise<T> {
  const { storage, name } = await open(config)
  try {
    return await use(storage, name)
  } finally {
    await storage.close()
  }
}

async function open(config: Config): Promise<{ readonly storage: Storage; readonly name: string }> {
  const { keyEncryptionSecret } = config
  const postgres = postgresOf(config)
  if (postgres !== undefined)
    return {
      storage: await openPostgresStorage(postgres, silentLog, { keyEncryptionSecret }),
      name: config.database ?? postgres.keyFile,
    }
  const path = databasePath(config)
  // Opening would create a database, and a mistyped folder would get tokens that no server knows.
  if (!existsSync(path))
    throw new Error(`${path}: database not found; check --data, or start zonereeve serve with it once`)
  return { storage: await openSqliteStorage(path, silentLog, { keyEncryptionSecret }), name: path }
}
