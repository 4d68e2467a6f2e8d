// Rows that units which share a transaction have read or written, so that the next one need not read them again. They are
// forgotten when a unit is rolled back, and when a statement may have changed them that is not their own.
import type { CompiledQuery, OperationNode } from 'kysely'

/** Tables with a row that most units read and write. */
const TABLES: ReadonlySet<string> = new Set(['zones'])

/** The same object for units that share a transaction, until one of them is rolled back. */
export interface Memory {
  /** Units of the transaction that follow. */
  unitsAfter: number
}

const rowsOf = new WeakMap<Memory, Map<string, object>>()
/** Writes whose rows are remembered as they write them. */
const ownWrites = new WeakSet<object>()

export function openMemory(): Memory {
  const memory = { unitsAfter: 0 }
  rowsOf.set(memory, new Map())
  return memory
}

/** The memory of the rows of one table. @param isWhole whether these rows have all columns of the table. */
export function createRowMemory(table: string, key: readonly string[], isWhole: boolean) {
  const placeOf = (values: Readonly<Record<string, unknown>>): string =>
    [table, ...key.map((member) => String(values[member]))].join(' ')
  const isRemembered = TABLES.has(table)
  return {
    find(memory: Memory | undefined, values: object): object | undefined {
      if (!isRemembered || memory === undefined || Object.keys(values).length !== key.length) return undefined
      return rowsOf.get(memory)?.get(placeOf(values as Readonly<Record<string, unknown>>)) // members by name
    },
    remember(memory: Memory | undefined, row: object): void {
      if (isRemembered && isWhole && memory !== undefined)
        rowsOf.get(memory)?.set(placeOf(row as Readonly<Record<string, unknown>>), row) // as above
    },
    /** The statement writes a row that is remembered then. */
    expect(statement: object): void {
      if (isRemembered && isWhole) ownWrites.add(statement)
    },
  }
}

/** Called before each statement of a unit that writes. */
export function forgetWritten(memory: Memory, statement: object, { query }: CompiledQuery): void {
  const rows = rowsOf.get(memory)
  if (rows === undefined || rows.size === 0 || ownWrites.has(statement)) return
  if (mayChange(query)) rows.clear()
}

function mayChange(query: CompiledQuery['query']): boolean {
  switch (query.kind) {
    case 'InsertQueryNode':
      return query.with !== undefined || query.into === undefined || isRememberedTable(query.into)
    case 'UpdateQueryNode':
      return query.with !== undefined || query.table === undefined || isRememberedTable(query.table)
    default:
      return true // a deletion reaches other tables, too
  }
}

function isRememberedTable(node: OperationNode): boolean {
  const { table } = node as { readonly table?: { readonly identifier: { readonly name: string } } } // of a TableNode
  return table === undefined || TABLES.has(table.identifier.name)
}
