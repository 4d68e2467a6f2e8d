// Converts between rows and the objects that they store.
import type { Column } from './column.ts'
import type { Columns, Values } from './table.ts'

export interface DescribedColumn extends Column {
  readonly name: string
  readonly member: string
}

export type RowCodec = ReturnType<typeof createRowCodec>

/** @param beside columns that are written with an object, but not read into it. */
export function createRowCodec(table: string, columns: Columns, beside: readonly string[]) {
  const written: readonly DescribedColumn[] = Object.entries(columns).flatMap(([name, column]) =>
    column.isGenerated ? [] : [{ ...column, name, member: column.member ?? camelCase(name) }],
  )
  const own = written.filter(({ name }) => !beside.includes(name))
  const byName = new Map(written.map((column) => [column.name, column]))
  return { written, own, matched: matchedColumns, reader, decode }

  /** @throws Error: the table has no such member; ignoring it would widen the result. */
  function matchedColumns(match: object): readonly DescribedColumn[] {
    return Object.keys(match).map((member) => {
      const column = written.find((one) => one.member === member)
      if (column === undefined) throw new Error(`${table} has no ${member}`)
      return column
    })
  }

  /** @returns a function that reads a column's stored value from an object. It throws if the member is undefined. */
  function reader(name: string): (object: object) => unknown {
    const column = byName.get(name)
    if (column === undefined) throw new Error(`${table} has no column ${name}`)
    const { member } = column
    return (object) => {
      const value = (object as Values)[member] // any object: checked here
      if (value === undefined) throw new Error(`${table}.${name} has no value: ${member} is missing`)
      return column.toStored === undefined ? value : column.toStored(value)
    }
  }

  /** @throws Error: a column was not selected, or its value cannot be decoded. */
  function decode(row: object): object {
    const stored = row as Values // as above
    const entity: Record<string, unknown> = {}
    for (const { name, member, toValue } of own) {
      const value = stored[name]
      if (value === undefined) throw new Error(`${table}.${name} was not read`)
      entity[member] = toValue === undefined ? value : toValue(value, name)
    }
    return entity
  }
}

const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
