// Tables, as the SQL compiler sees them. Text timestamps are UTC ISO 8601 with microseconds; booleans are 0 or 1.
import type { RowOf } from './table.ts'
import type { TABLES } from './tables/registry.ts'

export type Database = { [Name in keyof typeof TABLES]: RowOf<(typeof TABLES)[Name]> }
