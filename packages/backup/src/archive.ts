// The file format of a backup:
//
//   zonereeve-backup 1 LF
//   header, one line of JSON, LF      readable without the passphrase
//   body                              gzip of the entries; encrypted if the header says so
//   SHA-256 of everything before it   32 octets
//
// An entry is a line of JSON, {"name":…,"octets":…}, followed by so many octets.
import { createHash, timingSafeEqual } from 'node:crypto'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { BackupError } from './backup-error.ts'
import { decrypt, deriveKey, encrypt, newKeyDerivation, type KeyDerivation } from './encryption.ts'

/** Where the key that encrypts secrets in the database is. */
export type KeyPlace = 'included' | 'separate' | 'configured'

export interface Header {
  /** RFC 3339. */
  readonly created: string
  /** Of the program that made it. */
  readonly version: string
  readonly database: { readonly id: string; readonly position: number; readonly octets: number }
  /** Number of rows of each table. */
  readonly rows: Readonly<Record<string, number>>
  readonly key: KeyPlace
  readonly encryption: KeyDerivation | null
}

export interface Entry {
  readonly name: 'zonereeve.db' | 'zonereeve.db.key'
  readonly content: { readonly path: string } | { readonly text: string }
}

interface EntryLine {
  readonly name: string
  readonly octets: number
}

const FIRST_LINE = 'zonereeve-backup 1\n'
const DIGEST_OCTETS = 32
const MAX_HEADER_OCTETS = 65_536
const LF = 0x0a

/** Writes the whole file, mode 0600, and syncs it. An existing file is not overwritten. */
export async function writeArchive(
  path: string,
  header: Omit<Header, 'encryption'>,
  entries: readonly Entry[],
  passphrase: string | undefined,
): Promise<void> {
  const encryption = passphrase === undefined ? null : newKeyDerivation()
  const start = Buffer.from(`${FIRST_LINE}${JSON.stringify({ ...header, encryption })}\n`)
  const cipher =
    passphrase === undefined || encryption === null
      ? []
      : [encrypt(await deriveKey(passphrase, encryption), start)]
  const body = [Readable.from(octetsOf(entries), { objectMode: false }), createGzip(), ...cipher]
  await pipeline([...body, withDigest(start), createWriteStream(path, { flags: 'wx', mode: 0o600 })])
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function* octetsOf(entries: readonly Entry[]): AsyncIterable<Buffer> {
  for (const { name, content } of entries) {
    const octets = 'path' in content ? statSync(content.path).size : Buffer.byteLength(content.text)
    yield Buffer.from(`${JSON.stringify({ name, octets } satisfies EntryLine)}\n`)
    if ('path' in content) yield* createReadStream(content.path) as AsyncIterable<Buffer> // without an encoding
    else yield Buffer.from(content.text)
  }
}

/** The start of the file, what is written, and the digest of both. */
function withDigest(start: Buffer): Transform {
  const digest = createHash('sha256').update(start)
  let isStarted = false
  return new Transform({
    transform(chunk: Buffer, _, done) {
      if (!isStarted) this.push(start)
      isStarted = true
      digest.update(chunk)
      done(null, chunk)
    },
    flush(done) {
      done(null, digest.digest())
    },
  })
}

/** @throws BackupError: not a backup of a version that this one reads. */
async function readStart(path: string): Promise<{ header: Header; start: Buffer }> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEADER_OCTETS), 0, MAX_HEADER_OCTETS, 0)
    const read = buffer.subarray(0, bytesRead)
    const end = read.indexOf(LF, FIRST_LINE.length)
    if (!read.subarray(0, FIRST_LINE.length).equals(Buffer.from(FIRST_LINE)) || end < 0)
      throw new BackupError(`${path} is not a backup that this version reads`)
    const start = Buffer.from(read.subarray(0, end + 1))
    return { header: parseHeader(path, start.subarray(FIRST_LINE.length).toString()), start }
  } finally {
    await file.close()
  }
}

function parseHeader(path: string, text: string): Header {
  try {
    const header = JSON.parse(text) as Header // checked as far as it is used
    const { database, rows, key } = header
    const isComplete = [database.octets, database.position].every(Number.isSafeInteger)
    if (isComplete && typeof rows === 'object' && typeof key === 'string') return header
  } catch {
    // The same error as for a header that lacks a member.
  }
  throw new BackupError(`${path}: its header is damaged`)
}

/**
 * The digest is compared before anything is read, so that a damaged file is found before a wrong passphrase.
 *
 * @param take receives each entry's name and its octets.
 * @throws BackupError: damaged, changed, cut off, or the passphrase is missing or wrong.
 */
export async function readArchive(
  path: string,
  passphrase: string | undefined,
  take: (name: string, octets: AsyncIterable<Buffer>) => Promise<void>,
): Promise<Header> {
  const { header, start } = await readStart(path)
  await requireDigest(path)
  const { encryption } = header
  if (encryption !== null && passphrase === undefined)
    throw new BackupError(
      `${path} is encrypted: set ZONEREEVE_BACKUP_PASSPHRASE, or ZONEREEVE_BACKUP_PASSPHRASE_FILE`,
    )
  const last = statSync(path).size - DIGEST_OCTETS - 1
  if (last < start.length) throw new BackupError(`${path} is damaged: it is cut off`)
  const body = createReadStream(path, { start: start.length, end: last })
  const read = (octets: AsyncIterable<Buffer>): Promise<void> => readEntries(octets, take)
  try {
    if (encryption === null || passphrase === undefined) await pipeline(body, createGunzip(), read)
    else await pipeline(body, decrypt(await deriveKey(passphrase, encryption), start), createGunzip(), read)
  } catch (error) {
    throw isOfZlib(error) ? new BackupError(`${path} is damaged`, { cause: error }) : error
  }
  return header
}

const isOfZlib = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')

/** @throws BackupError: the file is not what was written. */
async function requireDigest(path: string): Promise<void> {
  const { size } = statSync(path)
  const digest = createHash('sha256')
  await pipeline(createReadStream(path, { end: size - DIGEST_OCTETS - 1 }), digest)
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(DIGEST_OCTETS), 0, DIGEST_OCTETS, size - DIGEST_OCTETS)
    if (!timingSafeEqual(buffer, digest.digest()))
      throw new BackupError(`${path} is damaged: it does not match its checksum`)
  } finally {
    await file.close()
  }
}

async function readEntries(
  octets: AsyncIterable<Buffer>,
  take: (name: string, octets: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const source = createSource(octets)
  for (;;) {
    const line = await source.line()
    if (line === undefined) return
    const { name, octets: length } = parseEntry(line)
    await take(name, source.take(length))
  }
}

function parseEntry(line: string): EntryLine {
  try {
    const entry = JSON.parse(line) as EntryLine // checked below
    if (typeof entry.name === 'string' && Number.isSafeInteger(entry.octets) && entry.octets >= 0)
      return entry
  } catch {
    // The same error as for a line that lacks a member.
  }
  throw new BackupError('the backup has an entry that cannot be read')
}

/** Lines and counted octets of a stream. */
function createSource(octets: AsyncIterable<Buffer>) {
  const chunks = octets[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  /** False at the end. */
  async function more(): Promise<boolean> {
    const next = await chunks.next()
    if (next.done !== true) rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value])
    return next.done !== true
  }

  return {
    async line(): Promise<string | undefined> {
      while (!rest.includes(LF)) {
        if (rest.length > MAX_HEADER_OCTETS || !(await more())) {
          if (rest.length > 0) throw new BackupError('the backup ends within an entry')
          return undefined
        }
      }
      const end = rest.indexOf(LF)
      const line = rest.subarray(0, end).toString()
      rest = rest.subarray(end + 1)
      return line
    },
    async *take(count: number): AsyncIterable<Buffer> {
      for (let missing = count; missing > 0;) {
        if (rest.length === 0 && !(await more())) throw new BackupError('the backup ends within an entry')
        const chunk = rest.subarray(0, missing)
        rest = rest.subarray(chunk.length)
        missing -= chunk.length
        yield chunk
      }
    },
  }
}
