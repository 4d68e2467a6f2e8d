// Verifies a backup by unpacking it, and restores it to where no database is.
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readArchive, type Header } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { syncFolder } from './create.ts'
import { requireWhole, type OpenDatabase } from './database.ts'
import { removeLeftovers, temporaryPath } from './leftovers.ts'

export interface Source {
  /** The backup. */
  readonly path: string
  readonly passphrase: string | undefined
}

/** Files whose presence means that there is a database, or was one. */
const TAKEN = ['', '-wal', '-shm', '-journal', '.marker'] as const
const MAX_KEY_CHARACTERS = 4_096

/**
 * Unpacks it into a temporary folder and checks every page, index, reference and row count.
 *
 * @throws BackupError: damaged, changed, cut off, or the passphrase is missing or wrong.
 */
export async function verifyBackup(source: Source, open: OpenDatabase): Promise<Header> {
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-verify-'))
  try {
    return (await unpack(source, join(folder, 'zonereeve.db'), open)).header
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Writes the database, and its key if the backup has it. Until everything is verified and on disk, there is no file
 * under the database's name.
 *
 * @throws BackupError: there is a database already, another key is there, or the backup is not usable.
 */
export async function restoreBackup(source: Source, database: string, open: OpenDatabase): Promise<Header> {
  const taken = TAKEN.map((suffix) => `${database}${suffix}`).find((path) => existsSync(path))
  if (taken !== undefined)
    throw new BackupError(
      `nothing was restored: ${taken} exists; stop the server and move the old files away first`,
    )
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 })
  const partial = temporaryPath(database)
  const keyFile = `${database}.key`
  const partialKey = temporaryPath(keyFile)
  removeLeftovers(database)
  try {
    const { header, key } = await unpack(source, partial, open)
    const presentKey = existsSync(keyFile) ? readFileSync(keyFile, 'utf8') : undefined
    if (key !== undefined && presentKey !== undefined && presentKey.trim() !== key.trim())
      throw new BackupError(
        `nothing was restored: ${keyFile} has another key than the backup; move it away first`,
      )
    if (key !== undefined && presentKey === undefined) {
      await writeFile(partialKey, [Buffer.from(key)])
      renameSync(partialKey, keyFile)
    }
    renameSync(partial, database)
    syncFolder(dirname(database))
    return header
  } finally {
    rmSync(partial, { force: true })
    rmSync(partialKey, { force: true })
  }
}

async function unpack(
  { path, passphrase }: Source,
  target: string,
  open: OpenDatabase,
): Promise<{ header: Header; key: string | undefined }> {
  let key: string | undefined
  let hasDatabase = false
  const header = await readArchive(path, passphrase, async (name, octets) => {
    if (name === 'zonereeve.db') {
      await writeFile(target, octets)
      hasDatabase = true
    } else if (name === 'zonereeve.db.key') key = await textOf(octets)
    else
      throw new BackupError(
        `${path} has an entry ${name} that this version does not know; use a newer version`,
      )
  })
  if (!hasDatabase) throw new BackupError(`${path} has no database in it`)
  const facts = await requireWhole(open, target)
  const differing = Object.entries(header.rows).find(([table, rows]) => facts.rows[table] !== rows)
  if (differing !== undefined)
    throw new BackupError(
      `${path}: table ${differing[0]} has ${facts.rows[differing[0]]} rows, not ${differing[1]}`,
    )
  if (facts.id !== header.database.id || facts.position !== header.database.position)
    throw new BackupError(`${path}: the database is not the one that its header describes`)
  return { header, key }
}

async function writeFile(path: string, octets: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
  await pipeline(octets, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  const file = await openFile(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function textOf(octets: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of octets) chunks.push(chunk)
  return Buffer.concat(chunks).toString().slice(0, MAX_KEY_CHARACTERS)
}
