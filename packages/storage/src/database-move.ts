// A database that is being moved: its rows are copied to another one (copy-database.ts), and nobody writes to it from the
// begin of the copy on.
import { DomainError } from '@zonereeve/platform'
import type { SqliteConnection } from './sqlite-driver.ts'

/** In SQLite, a table with one row while the database is being moved. */
export const MOVE_TABLE = 'database_move'
const RETRY_AFTER_SECONDS = 60

export interface Move {
  /** Of this copy: each move that begins has another one. */
  readonly id: string
  /** The other database, without a password. */
  readonly to: string
}

/** Of `server_lock.move` in PostgreSQL. */
export const parseMove = (json: string | null): Move | undefined =>
  json === null ? undefined : (JSON.parse(json) as Move) // as written by a copy

export const refuseWhileMoved = ({ to }: Move): DomainError =>
  new DomainError({
    reason: 'storage.unwritable',
    values: { problem: `it is being moved to ${to} (zonereeve migrate-database continues or cancels that)` },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

export const refuseMigration = ({ to }: Move): Error =>
  new Error(
    `it is being moved to ${to}: complete or cancel that with the version of zonereeve migrate-database that began it`,
  )

export function readMove(connection: SqliteConnection): Move | undefined {
  const table = connection.prepare(`SELECT 1 AS one FROM sqlite_master WHERE name = '${MOVE_TABLE}'`).get()
  if (table === undefined) return undefined
  return connection.prepare(`SELECT id, "to" FROM ${MOVE_TABLE}`).get() as Move | undefined // as written below
}

export function writeMove(connection: SqliteConnection, move: Move | undefined): void {
  connection.exec('BEGIN IMMEDIATE')
  connection.exec(`DROP TABLE IF EXISTS ${MOVE_TABLE}`)
  if (move !== undefined) {
    connection.exec(`CREATE TABLE ${MOVE_TABLE} (id TEXT NOT NULL, "to" TEXT NOT NULL) STRICT`)
    connection.prepare(`INSERT INTO ${MOVE_TABLE} (id, "to") VALUES (?, ?)`).run(move.id, move.to)
  }
  connection.exec('COMMIT')
}

/**
 * @returns a check for the begin of each transaction. It throws a DomainError (storage.unwritable) while the database is
 * being moved.
 */
export function createMoveCheck(writer: SqliteConnection): () => void {
  // Only other programs begin and end a move: the number changes with what they commit.
  const version = writer.prepare('PRAGMA data_version')
  let seen: number | undefined
  let move: Move | undefined
  return () => {
    const { data_version: now } = version.get() as { data_version: number } // as documented
    if (now !== seen) move = readMove(writer)
    seen = now
    if (move !== undefined) throw refuseWhileMoved(move)
  }
}
