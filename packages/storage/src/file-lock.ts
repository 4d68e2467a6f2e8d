// A lock between processes that ends with its holder: an exclusive transaction on a separate database.
import { statSync } from 'node:fs'
import { openSqlite, type SqliteConnection } from './sqlite-driver.ts'

/** @returns a function that releases the lock; undefined if another process holds it. */
export async function tryLock(path: string): Promise<(() => void) | undefined> {
  const connection = await openSqlite(path, { timeout: 0 })
  try {
    connection.exec('BEGIN EXCLUSIVE')
    makePage(path, connection)
    return () => connection.close()
  } catch (error) {
    connection.close()
    if (error instanceof Error && /locked|busy/i.test(error.message)) return undefined
    throw error
  }
}

/** Creates the first page once: on an empty file each lock would write it, which fails on a full disk. */
function makePage(path: string, connection: SqliteConnection): void {
  if (statSync(path).size > 0) return
  connection.exec('PRAGMA user_version = 1')
  connection.exec('COMMIT')
  connection.exec('BEGIN EXCLUSIVE')
}
