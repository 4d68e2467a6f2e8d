// A small file next to the database that records that it exists, and its position: a missing, empty, older or
// different database is then not taken for a first start. It is overwritten in place after each commit, without
// a sync: it survives kill -9, and after a power failure it may be behind, but never ahead of acknowledged
// writes.
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'

export interface Marker {
  /** ID of the database. */
  readonly database: string
  /** Minimum position of the database; it only increases. */
  readonly position: number
}

export interface OpenMarker {
  note(position: number): void
  close(): void
}

const FORM = /^zonereeve database ([0-9a-f]{32}) position (\d{1,16})\n/
const POSITION_DIGITS = 16

export const markerPath = (databasePath: string): string => `${databasePath}.marker`

/** @returns undefined if the marker does not exist or is unreadable. */
export function readMarker(databasePath: string): Marker | undefined {
  let content: string
  try {
    content = readFileSync(markerPath(databasePath), 'utf8')
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure && failure.code === 'ENOENT') return undefined
    throw failure
  }
  const [, database, position] = FORM.exec(content) ?? []
  return database === undefined ? undefined : { database, position: Number(position) }
}

/** Writes the marker, and keeps it open for later updates. */
export function openMarker(databasePath: string, { database, position }: Marker): OpenMarker {
  const file = openSync(markerPath(databasePath), constants.O_RDWR | constants.O_CREAT, 0o600)
  let notes = -1
  const write = (reached: number) => {
    const line = `zonereeve database ${database} position ${String(reached).padStart(POSITION_DIGITS, '0')}\n`
    writeSync(file, line, 0)
    notes = reached
  }
  try {
    write(position)
  } catch (failure) {
    closeSync(file)
    throw failure
  }
  return {
    note(reached) {
      if (reached === notes) return
      try {
        write(reached)
      } catch {
        // The marker stays behind: it then detects less, but never wrongly reports a loss.
      }
    },
    close: () => closeSync(file),
  }
}
