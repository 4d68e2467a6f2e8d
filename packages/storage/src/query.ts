// Kysely used only as an SQL compiler: queries are built here and run by the storage's own executor, which
// caches prepared statements (the library's executor prepares every time, at twice the cost).
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Database } from './database.ts'

export const query = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

export { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
