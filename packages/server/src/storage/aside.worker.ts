// The process behind `Storage.aside`: a connection of its own, one query after another, rows back in portions.
import type { AsideReply, AsideRequest } from './aside-reader.ts'
import { openSqlite, type SqliteConnection, type Statement } from './sqlite-driver.ts'

/** Rows in one portion, at most; together with the reader's acknowledgements it bounds what is under way. */
const PORTION_ROWS = 500
const CACHE_KIB = 16_384

/** Rows to come, with their statement: the driver ends a statement that nobody holds in the middle of its rows. */
interface Result {
  readonly statement: Statement
  readonly rows: IterableIterator<unknown>
}

type AsideQuery = Extract<AsideRequest, { kind: 'query' }>

const opening = openReader()
/** Results of which a part was sent, by the number of their request. */
const unfinished = new Map<number, Result>()

process.on('message', (request: AsideRequest) => void serve(request))
process.on('disconnect', () => process.exit())

async function openReader() {
  const connection = await openSqlite(process.argv[2] ?? '')
  connection.exec('PRAGMA query_only = 1')
  connection.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  return connection
}

async function serve(request: AsideRequest): Promise<void> {
  const { id } = request
  try {
    if (request.kind === 'checkpoint') return await checkpoint(id)
    if (request.kind === 'stop') return void unfinished.delete(id)
    // A statement of its own for each: two results of one text may be under way at the same time.
    if (request.kind === 'query') unfinished.set(id, resultOf(await opening, request))
    sendPortion(id)
  } catch (failure) {
    unfinished.delete(id)
    reply({ id, failure: failure instanceof Error ? failure.message : String(failure) })
  }
}

/** On a connection of its own: one that is in the middle of a result cannot. */
async function checkpoint(id: number): Promise<void> {
  const connection = await openSqlite(process.argv[2] ?? '')
  try {
    connection.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } finally {
    connection.close()
  }
  reply({ id, rows: [], isLast: true })
}

function resultOf(connection: SqliteConnection, { sql, parameters }: AsideQuery): Result {
  const statement = connection.prepare(sql)
  return { statement, rows: statement.iterate(...(parameters as never[])) } // values as Kysely bound them
}

function sendPortion(id: number): void {
  const rows = unfinished.get(id)?.rows
  if (rows === undefined) return
  const portion: unknown[] = []
  while (portion.length < PORTION_ROWS) {
    const next = rows.next()
    if (next.done === true) {
      unfinished.delete(id)
      reply({ id, rows: portion, isLast: true })
      return
    }
    portion.push(next.value)
  }
  reply({ id, rows: portion, isLast: false })
}

function reply(message: AsideReply): void {
  process.send?.(message)
}
