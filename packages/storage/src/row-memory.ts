// What units which share a transaction have read or written, so that the next one need not read it again. It is
// forgotten when a unit is rolled back, and when a statement may have changed it that does not say what it writes.
import type { Compilable, CompiledQuery, OperationNode } from 'kysely'
import type { Reader } from './storage.ts'

/** Tables with a row that most units read and write. */
const ROW_TABLES: ReadonlySet<string> = new Set(['zones'])

/** The same object for units that share a transaction, until one of them is rolled back. */
export interface Memory {
  /** Units of the transaction that follow. */
  unitsAfter: number
}

/** Rows of a table that are read together: those with the same values in some columns. */
export interface Place {
  readonly table: string
  /** The values, in one text. */
  readonly key: string
}

/** By table and key: what is there, or the promise of it. */
const knownIn = new WeakMap<Memory, Map<string, Map<string, unknown>>>()
/** Where statements write, of those that say it: nowhere, if what they write is remembered then. */
const WRITTEN = Symbol('where it writes')

type Write = Compilable<unknown>
/** Writes of which a transaction needs one for each place. */
const COMBINED = Symbol('what combines it with another')

/** A statement that says something about itself. Members cost less than entries of a WeakMap, for each of many. */
interface Marked {
  [WRITTEN]?: readonly Place[]
  [COMBINED]?: Combined
}
const marksOf = (statement: object): Marked => statement

interface Combined {
  readonly place: Place
  readonly value: unknown
  readonly combine: (earlier: unknown) => Write
}

/** Writes that are sent later, by table and key, with what combines them with the next one. */
export type DeferredWrites = Map<
  string,
  Map<string, { readonly compiled: CompiledQuery; readonly value: unknown }>
>

/** The rows of the table that have these values. All but the last have no space. */
export const placeIn = (table: string, ...values: readonly string[]): Place => ({
  table,
  key: values.length === 1 ? String(values[0]) : values.join(' '),
})

export function openMemory(): Memory {
  const memory = { unitsAfter: 0 }
  knownIn.set(memory, new Map())
  return memory
}

/**
 * Reads what is at a place, unless units of the transaction know it.
 * @param read reads all that is there, and nothing else. The result is shared: callers do not change it.
 */
export function readAt<Value>(db: Reader, place: Place, read: () => Promise<Value>): Promise<Value> {
  const there = knownAt<Value>(db, place)
  if (there !== undefined) return there
  const known = db.memory && knownIn.get(db.memory)
  if (known === undefined) return read()
  const reading = read()
  keep(known, place, reading)
  reading.catch(() => {
    // Its caller learns it; the next one may succeed.
    if (knownAt(db, place) === reading) known.get(place.table)?.delete(place.key)
  })
  return reading
}

function knownAt<Value>({ memory }: Reader, { table, key }: Place): Promise<Value> | undefined {
  const known = memory && knownIn.get(memory)
  return known?.get(table)?.get(key) as Promise<Value> | undefined // kept by the same reads
}

/** This statement, run as this object, writes or deletes rows at these places, and no others. */
export function writeAt<Statement extends object>(
  statement: Statement,
  ...places: readonly Place[]
): Statement {
  marksOf(statement)[WRITTEN] = places
  return statement
}

/**
 * This statement writes one row, and another one may do it for both. It may be sent later, but before any query reads the
 * table or a statement writes to it: no statement that writes to another table reads this one.
 * @param combine returns a statement that does what an earlier one with this value does, and then this one
 */
export function combineAt<Value>(
  statement: Write,
  place: Place,
  value: Value,
  combine: (earlier: Value) => Write,
): Write {
  // `combine` gets the value of the same kind of statement.
  marksOf(statement)[COMBINED] = { place, value, combine: (earlier) => combine(earlier as Value) }
  return writeAt(statement, place)
}

/**
 * Keeps the statement to be sent later, if another one may be combined with it, and forgets what it writes.
 * @param compile throws if the statement cannot be sent. @returns whether it is kept.
 */
export function deferWrite(
  deferred: DeferredWrites,
  memory: Memory,
  statement: Write,
  compile: (write: Write) => CompiledQuery,
): boolean {
  const combined = marksOf(statement)[COMBINED]
  if (combined === undefined) return false
  const { table, key } = combined.place
  const earlier = deferred.get(table)?.get(key)
  const write = earlier === undefined ? statement : combined.combine(earlier.value)
  const later = { compiled: compile(write), value: marksOf(write)[COMBINED]?.value }
  forgetAtPlace(memory, statement)
  let ofTable = deferred.get(table)
  if (ofTable === undefined) deferred.set(table, (ofTable = new Map()))
  ofTable.set(key, later)
  return true
}

/** Whether these writes have to be sent before the statement. */
export function mustSendFirst(
  deferred: DeferredWrites,
  statement: object,
  { query }: CompiledQuery,
): boolean {
  if (deferred.size === 0) return false
  const places = marksOf(statement)[WRITTEN]
  if (places !== undefined) return places.some(({ table }) => deferred.has(table))
  const table = tableOf(query)
  return table === undefined || deferred.has(table)
}

/** The memory of the rows of one table. @param isWhole whether these rows have all columns of the table. */
export function createRowMemory(table: string, key: readonly string[], isWhole: boolean) {
  const placeOf = (values: Readonly<Record<string, unknown>>): Place =>
    placeIn(table, ...key.map((member) => String(values[member])))
  const isRemembered = ROW_TABLES.has(table)
  return {
    /** Reads the row with these values, unless it is known. */
    read<Row>(db: Reader, match: object, read: () => Promise<Row>): Promise<Row> {
      if (db.memory === undefined) return read()
      // By other columns of as many, it is another row.
      const isByKey = Object.keys(match).length === key.length && key.every((member) => member in match)
      if (!isRemembered || !isByKey) return read()
      const place = placeOf(match as Readonly<Record<string, unknown>>) // members by name
      return isWhole ? readAt(db, place, read) : (knownAt<Row>(db, place) ?? read())
    },
    remember(memory: Memory | undefined, row: object): void {
      const known = memory && knownIn.get(memory)
      if (isRemembered && isWhole && known !== undefined)
        keep(known, placeOf(row as Readonly<Record<string, unknown>>), Promise.resolve(row)) // as above
    },
    /** The statement writes this whole row, which is remembered then; a later one replaces it. */
    deferWhole(statement: Write, row: object): void {
      if (!isRemembered || !isWhole) return
      combineAt(statement, placeOf(row as Readonly<Record<string, unknown>>), undefined, () => statement) // as above
      writeAt(statement)
    },
  }
}

/** Called before each statement of a unit that writes. */
export function forgetWritten(memory: Memory, statement: object, { query }: CompiledQuery): void {
  const known = knownIn.get(memory)
  if (known === undefined || known.size === 0) return
  if (marksOf(statement)[WRITTEN] !== undefined) return forgetAtPlace(memory, statement)
  const table = tableOf(query)
  if (table === undefined) known.clear()
  else known.delete(table)
}

function forgetAtPlace(memory: Memory, statement: object): void {
  const known = knownIn.get(memory)
  marksOf(statement)[WRITTEN]?.forEach(({ table, key }) => known?.get(table)?.delete(key))
}

function keep(
  known: Map<string, Map<string, unknown>>,
  { table, key }: Place,
  value: Promise<unknown>,
): void {
  let ofTable = known.get(table)
  if (ofTable === undefined) known.set(table, (ofTable = new Map()))
  ofTable.set(key, value)
}

/** The only table that the statement changes; undefined if there may be others. */
function tableOf(query: CompiledQuery['query']): string | undefined {
  switch (query.kind) {
    case 'InsertQueryNode': {
      const { into, with: others, values } = query
      return others === undefined && values?.kind === 'ValuesNode' && into !== undefined
        ? nameOf(into)
        : undefined
    }
    case 'UpdateQueryNode': {
      const { table, with: others, from } = query
      return others === undefined && from === undefined && table !== undefined ? nameOf(table) : undefined
    }
    default:
      return undefined // a deletion reaches other tables, too
  }
}

function nameOf(node: OperationNode): string | undefined {
  const { table } = node as { readonly table?: { readonly identifier: { readonly name: string } } } // of a TableNode
  return table?.identifier.name
}
