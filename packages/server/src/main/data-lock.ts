// One server for a data folder: two would each serve answers that the other has changed. The lock is a transaction on
// a file of its own, which the operating system ends with the process, however it ends.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { databasePath, type Config } from '../config/index.ts'
import { tryLock } from '../storage/index.ts'

/** @returns what unlocks it. @throws Error when another server holds it. */
export async function lockDataFolder(config: Config): Promise<() => void> {
  const path = databasePath(config)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const unlock = await tryLock(`${path}.lock`)
  if (unlock === undefined) throw new Error(`another server is using ${path}`)
  return unlock
}
