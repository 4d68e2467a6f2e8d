// A step of the schema for SQLite, the only supported database. Another database would need its own statements
// for each step, in a member next to `sqlite`.
export interface Migration {
  readonly version: number
  readonly name: string
  readonly sqlite: readonly string[]
  /** A column that some existing databases already have; the statements run only if it is missing. */
  readonly unless?: { readonly table: string; readonly column: string }
}
