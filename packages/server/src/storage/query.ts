// Kysely as a compiler of SQL only: queries are built here, and executed by the storage's own executor, which keeps
// prepared statements (the library's own executor prepares each time, at twice the cost).
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
