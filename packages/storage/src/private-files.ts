// Restricts the database files to their owner, including files created by an earlier version or with another
// umask.
import { chmodSync, statSync } from 'node:fs'

const OTHERS = 0o077
/** Suffixes of the files that SQLite and this program create next to a database. */
const SUFFIXES = ['', '-wal', '-shm', '-journal', '.lock', '.key', '.marker']

/** SQLite gives the files that it creates next to a database the mode of the database file. */
export function restrictFiles(databasePath: string): void {
  for (const suffix of SUFFIXES) restrictFile(`${databasePath}${suffix}`)
}

function restrictFile(path: string): void {
  const mode = modeOf(path)
  if (mode === undefined || (mode & OTHERS) === 0) return
  try {
    chmodSync(path, mode & 0o700)
  } catch {
    // A file of another owner, or a read-only disk: the check of the folder reports open permissions.
  }
}

/** Problems with permissions of a database's folder and files; empty if all are private. */
export function findOpenPaths(databasePath: string, folder: string): readonly string[] {
  const paths = [folder, ...SUFFIXES.map((suffix) => `${databasePath}${suffix}`)]
  return paths.filter((path) => {
    const mode = modeOf(path)
    return mode !== undefined && (mode & OTHERS) !== 0
  })
}

function modeOf(path: string): number | undefined {
  try {
    return statSync(path).mode & 0o777
  } catch {
    return undefined
  }
}
