export { tryLock } from './file-lock.ts'
export type { Database } from './database.ts'
export {
  insertInto,
  query,
  sql,
  updateRecordById,
  type Expression,
  type ExpressionBuilder,
  type SqlBool,
} from './query.ts'
export { IN_MEMORY, openSqliteStorage } from './sqlite.ts'
export type { Compilable } from 'kysely'
export type { Reader, Storage, Transaction } from './storage.ts'
export { exactTextMatch, textMatch } from './text-match.ts'
export { collect, rehearse } from './rehearsal.ts'
export { template } from './template.ts'
