// A lock between processes that ends with its holder: an exclusive transaction on a database of its own.
import { openSqlite } from './sqlite-driver.ts'

/** @returns what unlocks it; undefined when another process holds the lock. */
export async function tryLock(path: string): Promise<(() => void) | undefined> {
  const connection = await openSqlite(path, { timeout: 0 })
  try {
    connection.exec('BEGIN EXCLUSIVE')
    return () => connection.close()
  } catch (error) {
    connection.close()
    if (error instanceof Error && /locked|busy/i.test(error.message)) return undefined
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
