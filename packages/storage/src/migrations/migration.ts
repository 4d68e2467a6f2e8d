// A step of the schema. Its statements are SQLite's; for PostgreSQL their words are replaced (to-postgres.ts),
// unless the step has its own statements for it.
export interface Migration {
  readonly version: number
  readonly name: string
  readonly sqlite: readonly string[]
  readonly postgres?: readonly string[]
  /** A column that some existing databases already have; the statements run only if it is missing. */
  readonly unless?: { readonly table: string; readonly column: string }
}
