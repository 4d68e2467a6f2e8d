// Rows that cannot be read: recorded when they are found, so that each affects only the object that it stores.
import { DomainError, type Log } from '@zonereeve/platform'
import { rawQuery } from './engine.ts'
import { sql } from './query.ts'
import type { Reader as PlainReader } from './storage.ts'

/** Key columns of the row, in order. */
type RowKey = Readonly<Record<string, string>>
type RowValues = Readonly<Record<string, unknown>>

export interface UnreadableRow {
  readonly table: string
  /** Values of the key, joined by `/`. */
  readonly id: string
  /** Null for rows without a zone. */
  readonly zoneId: string | null
  readonly problem: string
}

export interface UnreadableRows {
  note(table: string, key: RowKey, row: RowValues, failure: unknown): void
  /** The rows that have not changed since they were unreadable. */
  list(): Promise<readonly UnreadableRow[]>
}

/** Maximum listed rows; further rows are only logged. */
const MAX_ROWS = 1_000
const MAX_PROBLEM_CHARACTERS = 200

interface LocatedRow extends UnreadableRow {
  readonly key: RowKey
  readonly row: RowValues
}

export function createUnreadableRows(db: PlainReader, log: Log): UnreadableRows {
  const notes = new Map<string, LocatedRow>()
  return { note, list }

  function note(table: string, key: RowKey, row: RowValues, failure: unknown): void {
    const id = Object.values(key).join('/')
    const place = `${table} ${id}`
    const known = notes.get(place)
    if (known !== undefined && isSame(known.row, row)) return
    const problem = problemOf(failure).slice(0, MAX_PROBLEM_CHARACTERS)
    const zoneId = typeof row['zone_id'] === 'string' ? row['zone_id'] : null
    if (notes.size < MAX_ROWS || known !== undefined)
      notes.set(place, { table, id, zoneId, problem, key, row })
    log.error({ table, row: id, zoneId, problem }, 'stored row cannot be read')
  }

  async function list(): Promise<readonly UnreadableRow[]> {
    for (const [place, { table, key, row }] of notes) {
      const stored = await findRow(db, table, key)
      if (stored !== undefined && isSame(stored, row)) continue
      notes.delete(place)
      log.info({ table, row: Object.values(key).join('/') }, 'unreadable row is gone')
    }
    return [...notes.values()].map(({ table, id, zoneId, problem }) => ({ table, id, zoneId, problem }))
  }
}

/** The JSON parser's messages quote its input, which may be a secret. */
function problemOf(failure: unknown): string {
  if (failure instanceof SyntaxError) return 'not valid JSON'
  return failure instanceof Error ? failure.message : String(failure)
}

async function findRow(db: PlainReader, table: string, key: RowKey): Promise<RowValues | undefined> {
  const conditions = Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const found = sql<RowValues>`select * from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`
  return db.first(rawQuery(found))
}

/** Compares the columns that both have: a query may have selected some of them, or joined others. */
function isSame(a: RowValues, b: RowValues): boolean {
  return Object.keys(a).every((column) => !(column in b) || text(a[column]) === text(b[column]))
}

const text = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)

export interface Noting {
  readonly unreadable: Pick<UnreadableRows, 'note'>
}

/** Decodes a row. @throws DomainError: storage.unreadable_row */
export function decodeRow<Stored extends object, Value>(
  db: Noting,
  place: RowPlace,
  row: Stored,
  decode: (row: Stored) => Value,
): Value {
  try {
    return decode(row)
  } catch (failure) {
    const { table, columns = ['id'] } = place
    const values = row as RowValues // a table row: columns by name
    const key = Object.fromEntries(columns.map((column) => [column, String(values[column])]))
    db.unreadable.note(table, key, values, failure)
    const id = Object.values(key).join('/')
    throw new DomainError({ reason: 'storage.unreadable_row', values: { table, id } })
  }
}

export interface RowPlace {
  readonly table: string
  /** Key columns; default `id`. */
  readonly columns?: readonly string[]
}
