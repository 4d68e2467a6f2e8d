// A note beside the database about its last backup, for the server's own reports. Backups may be carried anywhere.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { removeLeftovers, temporaryPath } from './leftovers.ts'

export interface LastBackup {
  /** RFC 3339. */
  readonly created: string
  readonly path: string
  readonly octets: number
  readonly isEncrypted: boolean
}

const noteOf = (database: string): string => `${database}.last-backup`

/** Replaces the note. @param database Path of the database file. @throws the system's error. */
export function noteBackup(database: string, { created, path, octets, isEncrypted }: LastBackup): void {
  const note = noteOf(database)
  const partial = temporaryPath(note)
  removeLeftovers(partial)
  writeFileSync(partial, JSON.stringify({ created, path, octets, isEncrypted }), { mode: 0o600 })
  renameSync(partial, note)
}

/** @param database Path of the database file. @returns undefined if none is known: no note, or one that cannot be read. */
export function lastBackup(database: string): LastBackup | undefined {
  const note = noteOf(database)
  if (!existsSync(note)) return undefined
  try {
    const found = JSON.parse(readFileSync(note, 'utf8')) as Partial<LastBackup> // as noteBackup writes it
    const { created, path, octets, isEncrypted } = found
    if (typeof created !== 'string' || typeof path !== 'string' || typeof octets !== 'number')
      return undefined
    return { created, path, octets, isEncrypted: isEncrypted === true }
  } catch {
    // A damaged note is no backup that is known.
    return undefined
  }
}
