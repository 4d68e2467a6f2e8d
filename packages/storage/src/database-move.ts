// A database that is being moved: its rows are copied to another one (copy-database.ts), and nothing is written to it
// from the first row on.
import { DomainError, type Log } from '@zonereeve/platform'
import { hasTable, inTransaction, type SqliteConnection } from './sqlite-driver.ts'

/** In SQLite, a table with one row. */
export const MOVE_TABLE = 'database_move'
const RETRY_AFTER_SECONDS = 60

export interface Move {
  /** Each move that begins has another one. */
  readonly id: string
  /** The other database, as the command names it. */
  readonly to: string
  /** The other database has everything. */
  readonly isComplete: boolean
}

/** Of `server_lock.move` in PostgreSQL. */
export const parseMove = (json: string | null): Move | undefined =>
  json === null ? undefined : (JSON.parse(json) as Move) // as written by a copy

export class MoveRefusal extends DomainError {}

/** Logs where the database is moved; replies do not say it. */
export function createMoveCheck(log: Log): (move: Move | undefined) => void {
  let known: string | undefined
  /** @throws MoveRefusal: storage.unwritable. */
  return (move) => {
    const state = JSON.stringify(move)
    if (state !== known && move === undefined)
      log.info({}, 'the database is written again: its move was canceled')
    if (state !== known && move !== undefined)
      log.warn(
        { to: move.to, complete: move.isComplete },
        'the database is moved to another one: it is read, and not written; zonereeve migrate-database completes or cancels that',
      )
    known = state
    if (move === undefined) return
    throw new MoveRefusal({
      reason: 'storage.unwritable',
      values: {
        problem: move.isComplete ? 'it was moved to another one' : 'it is being moved to another one',
      },
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
}

export const migrationRefusal = ({ to, isComplete }: Move): Error =>
  new Error(
    isComplete
      ? `it was moved to ${to}: start with that, or cancel it by zonereeve migrate-database --from and --cancel`
      : `it is being moved to ${to}: complete that with the version that began it, or cancel it by zonereeve migrate-database --from and --cancel`,
  )

export function readMove(connection: SqliteConnection): Move | undefined {
  if (!hasTable(connection, MOVE_TABLE)) return undefined
  const { move } = connection.prepare(`SELECT move FROM ${MOVE_TABLE}`).get() as { move: string } // as written below
  return parseMove(move)
}

/** @returns false, and changes nothing, if the move is not the expected one any more. */
export function writeMove(
  connection: SqliteConnection,
  move: Move | undefined,
  expected: Move | undefined,
): boolean {
  return inTransaction(connection, () => {
    if (readMove(connection)?.id !== expected?.id) return false
    connection.exec(`DROP TABLE IF EXISTS ${MOVE_TABLE}`)
    if (move === undefined) return true
    connection.exec(`CREATE TABLE ${MOVE_TABLE} (move TEXT NOT NULL) STRICT`)
    connection.prepare(`INSERT INTO ${MOVE_TABLE} (move) VALUES (?)`).run(JSON.stringify(move))
    return true
  })
}

/** @returns the move as it is at the start of the transaction that is open. */
export function createMoveReader(writer: SqliteConnection): () => Move | undefined {
  // Only other programs begin and end a move: the number changes with what they commit.
  const version = writer.prepare('PRAGMA data_version')
  let seen: number | undefined
  let move: Move | undefined
  return () => {
    const { data_version: now } = version.get() as { data_version: number } // as documented
    if (now !== seen) move = readMove(writer)
    seen = now
    return move
  }
}
