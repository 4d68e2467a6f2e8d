// Creates a backup file in a folder, passes it to a program, and deletes the oldest ones.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { readArchive, writeArchive, type Entry, type Header } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { copyDatabase, requireWhole, type OpenDatabase } from './database.ts'
import { removeLeftovers, temporaryPath } from './leftovers.ts'

export interface BackupWish {
  /** Database file. */
  readonly database: string
  /** Where backups are; created with mode 0700. */
  readonly folder: string
  /** Undefined: not encrypted. */
  readonly passphrase: string | undefined
  /** Whether another secret than the key file encrypts secrets in the database. */
  readonly isKeyConfigured: boolean
  /** Also includes the key file in a backup that is not encrypted. */
  readonly includesKey: boolean
  readonly version: string
  readonly now: Date
}

export interface CreatedBackup {
  readonly path: string
  readonly octets: number
  readonly header: Omit<Header, 'encryption'>
}

const FORM = /^zonereeve-\d{8}T\d{6}Z(-\d+)?\.backup$/

/**
 * A file has its final name only once it is complete and on disk.
 *
 * @throws BackupError: there is no database, or it is damaged.
 */
export async function createBackup(wish: BackupWish, open: OpenDatabase): Promise<CreatedBackup> {
  const { database, folder } = wish
  if (!existsSync(database)) throw new BackupError(`${database}: database not found; check --data`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const unnamed = join(folder, nameAt(wish.now, ''))
  const copy = temporaryPath(`${database}.copy`)
  const partial = temporaryPath(unnamed)
  removeLeftovers(copy)
  removeLeftovers(partial)
  try {
    await copyDatabase(open, database, copy)
    const facts = await requireWhole(open, copy)
    const key = readKey(wish)
    const header = {
      created: wish.now.toISOString(),
      version: wish.version,
      database: { id: facts.id, position: facts.position, octets: statSync(copy).size },
      rows: facts.rows,
      key: wish.isKeyConfigured ? 'configured' : key === undefined ? 'separate' : 'included',
    } as const
    const keyEntry: Entry[] = key === undefined ? [] : [{ name: 'zonereeve.db.key', content: { text: key } }]
    const entries: Entry[] = [...keyEntry, { name: 'zonereeve.db', content: { path: copy } }]
    await writeArchive(partial, header, entries, wish.passphrase)
    // Read again from the file that was written.
    await readArchive(partial, wish.passphrase, discard)
    const path = giveName(partial, folder, wish.now)
    return { path, octets: statSync(path).size, header }
  } finally {
    rmSync(copy, { force: true })
    rmSync(partial, { force: true })
  }
}

const nameAt = (now: Date, suffix: string): string =>
  `zonereeve-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}${suffix}.backup`

/** The key of the database is as secret as everything in it: alone in a readable file, it would open all secrets. */
function readKey({ database, passphrase, isKeyConfigured, includesKey }: BackupWish): string | undefined {
  const file = `${database}.key`
  if (isKeyConfigured || (passphrase === undefined && !includesKey) || !existsSync(file)) return undefined
  return readFileSync(file, 'utf8')
}

/** A link fails if the name exists; a rename would replace that file. */
function giveName(partial: string, folder: string, now: Date): string {
  for (let number = 1; ; number++) {
    const path = join(folder, nameAt(now, number === 1 ? '' : `-${number}`))
    try {
      linkSync(partial, path)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue
      throw error
    }
    syncFolder(folder)
    return path
  }
}

export function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** Reads everything: that is the check. */
async function discard(_: string, octets: AsyncIterable<Buffer>): Promise<void> {
  const chunks = octets[Symbol.asyncIterator]()
  while ((await chunks.next()).done !== true);
}

/** Paths of the backups in a folder, oldest first. */
export function listBackups(folder: string): string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => FORM.test(name))
  return names.toSorted(byTime).map((name) => join(folder, name))
}

/** The second backup of one second has the suffix -2, which sorts before the dot of the first. */
const byTime = (a: string, b: string): number => timeOf(a).localeCompare(timeOf(b), 'en', { numeric: true })
const timeOf = (name: string): string => name.replace(/(Z)(?=\.)/, 'Z-1')

/** Deletes all but the newest `count`. @returns the deleted paths. */
export function deleteOldBackups(folder: string, count: number): string[] {
  const old = listBackups(folder).slice(0, -count)
  for (const path of old) rmSync(path)
  return old
}

/**
 * Runs a program with the backup's path as its argument.
 *
 * @param env the program's environment.
 * @throws BackupError: it cannot be started or fails; the backup stays.
 */
export async function runHook(
  program: string,
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const child = spawn(program, [path], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  // Rejected if the program cannot be started.
  const [code, signal] = (await once(child, 'exit').catch((error: Error) => {
    throw new BackupError(`${path} stays, but the hook cannot be started: ${error.message}`)
  })) as [number | null, string | null]
  if (code !== 0) throw new BackupError(`${path} stays, but the hook ended with ${code ?? signal}`)
}
