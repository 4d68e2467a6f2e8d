// Checks before a database is opened for writing: that it is the same one, not older, and intact. Each error
// says what to do, and which flag accepts the loss.
import { hash } from 'node:crypto'
import { statSync } from 'node:fs'
import { isTemporary } from './failures.ts'
import { markerPath, readMarker, type Marker } from './marker.ts'
import type { SqliteConnection } from './sqlite-driver.ts'

/** Files up to this size are checked completely before the start; larger ones in the background. */
const CHECKED_AT_START_BYTES = 256 * 1_048_576
const CODE_DIGITS = 8

export interface LossCheckDeps {
  readonly path: string
  /** Code of the error whose loss is accepted. */
  readonly acceptLoss: string | undefined
}

/** The database is missing, older, another one, or damaged. */
export class LossError extends Error {}

/**
 * Checks the files before SQLite opens them.
 * @throws LossError if there was a database and now there is none.
 */
export function throwIfMissing({ path, acceptLoss }: LossCheckDeps): void {
  const marker = readMarker(path)
  const size = sizeOf(path)
  if (marker === undefined || (size !== undefined && size > 0)) return
  const state = size === undefined ? 'missing' : 'empty'
  throwUnlessAccepted(
    { path, acceptLoss },
    `the file is ${state}, and ${markerPath(path)} shows that there was a database`,
    `${state} ${marker.database}`,
  )
}

/**
 * Compares an open database with its marker, before anything is written.
 *
 * @throws LossError if it is another database, or older than the marker: its WAL was deleted, or it is a
 * backup.
 */
export function throwIfOlder(deps: LossCheckDeps, connection: SqliteConnection): void {
  const marker = readMarker(deps.path)
  if (marker === undefined || sizeOf(deps.path) === 0) return
  const found = stateOf(connection)
  const code = `${marker.database} ${marker.position} ${found.database} ${found.position}`
  if (found.database !== marker.database)
    throwUnlessAccepted(deps, 'this is a different database than before', code)
  if (found.position < marker.position)
    throwUnlessAccepted(
      deps,
      `the database is at position ${found.position} but was at ${marker.position}: the log ${deps.path}-wal was lost, or the file is an older copy`,
      code,
    )
}

/** Whether the file is small enough to check completely without a noticeable delay of the start. */
export const isCheckedAtStart = (path: string): boolean => (sizeOf(path) ?? 0) <= CHECKED_AT_START_BYTES // new

/** @throws LossError if SQLite finds damaged pages. */
export function throwIfBroken(deps: LossCheckDeps, connection: SqliteConnection): void {
  const [problem] = structuralProblems(connection)
  if (problem !== undefined) throwUnlessAccepted(deps, `the file is damaged: ${problem}`, `broken ${problem}`)
}

/** Marker of an open database; position 0 if it has no tables yet. */
export function stateOf(connection: SqliteConnection): Marker {
  if (!hasTable(connection, 'database_identity')) return { database: '', position: 0 }
  const row = connection.prepare('SELECT id FROM database_identity').get() as { id: string } | undefined // as selected
  return { database: row?.id ?? '', position: positionReader(connection)() }
}

/** The position of the database: the sum of all tables' row sequences, which never decrease. */
export function positionReader(connection: SqliteConnection): () => number {
  const statement = connection.prepare('SELECT coalesce(sum(seq), 0) AS position FROM sqlite_sequence')
  return () => (statement.get() as { position: number }).position // as selected
}

function structuralProblems(connection: SqliteConnection): string[] {
  try {
    const rows = connection.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[] // as documented
    return rows
      .map(({ quick_check: result }) => result.replaceAll('\n', ' '))
      .filter((result) => result !== 'ok')
  } catch (failure) {
    // A full or read-only disk does not mean that the database is damaged.
    if (isTemporary(failure)) throw failure
    return [failure instanceof Error ? failure.message : String(failure)]
  }
}

function hasTable(connection: SqliteConnection, name: string): boolean {
  const found = connection
    .prepare("SELECT 1 AS one FROM sqlite_schema WHERE type = 'table' AND name = ?")
    .get(name)
  return found !== undefined
}

function throwUnlessAccepted({ acceptLoss }: LossCheckDeps, problem: string, identity: string): void {
  const code = hash('sha256', identity, 'hex').slice(0, CODE_DIGITS)
  if (acceptLoss === code) return
  throw new LossError(
    `${problem}; put the database (with its -wal file) back, or restore a backup; ` +
      `to continue with the existing data and lose the rest, start once with --accept-loss ${code}`,
  )
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}
