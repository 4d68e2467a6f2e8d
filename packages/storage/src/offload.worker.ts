// The process behind `Storage.offload`: its own connection, one query at a time, rows returned in chunks.
import type { OffloadReply, OffloadRequest } from './offload-reader.ts'
import { iterateRows, openSqlite, type SqliteConnection } from './sqlite-driver.ts'

/** Maximum rows per chunk; with the reader's acknowledgments it limits the data in transit. */
const CHUNK_ROWS = 500
const CACHE_KIB = 16_384

type OffloadQuery = Extract<OffloadRequest, { kind: 'query' }>

const opening = openReader()
/** Remaining rows of partly sent results by request number. */
const unfinished = new Map<number, IterableIterator<unknown>>()

process.on('message', (request: OffloadRequest) => void serve(request))
process.on('disconnect', () => process.exit())

function databasePath(): string {
  const [, , path] = process.argv
  if (path === undefined) throw new Error('the offload process was started without the path of a database')
  return path
}

async function openReader() {
  const connection = await openSqlite(databasePath())
  connection.exec('PRAGMA query_only = 1')
  connection.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  return connection
}

async function serve(request: OffloadRequest): Promise<void> {
  const { id } = request
  try {
    if (request.kind === 'checkpoint') return await checkpoint(id)
    if (request.kind === 'stop') return void unfinished.delete(id)
    // A separate statement per query: two results of the same SQL may be read at the same time.
    if (request.kind === 'query') unfinished.set(id, rowsOf(await opening, request))
    sendChunk(id)
  } catch (failure) {
    unfinished.delete(id)
    reply({ id, failure: failure instanceof Error ? failure.message : String(failure) })
  }
}

/** On a separate connection: one with an unfinished result cannot checkpoint. */
async function checkpoint(id: number): Promise<void> {
  const connection = await openSqlite(databasePath())
  try {
    connection.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } finally {
    connection.close()
  }
  reply({ id, rows: [], isLast: true })
}

function rowsOf(connection: SqliteConnection, { sql, parameters }: OffloadQuery): IterableIterator<unknown> {
  return iterateRows(connection.prepare(sql), parameters)
}

function sendChunk(id: number): void {
  const rows = unfinished.get(id)
  if (rows === undefined) return
  const chunk: unknown[] = []
  while (chunk.length < CHUNK_ROWS) {
    const next = rows.next()
    if (next.done === true) {
      unfinished.delete(id)
      reply({ id, rows: chunk, isLast: true })
      return
    }
    chunk.push(next.value)
  }
  reply({ id, rows: chunk, isLast: false })
}

function reply(message: OffloadReply): void {
  process.send?.(message)
}
