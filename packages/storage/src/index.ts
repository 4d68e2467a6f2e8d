export type {
  ChangeEvent,
  ChangeOp,
  PublicationAhead,
  RecordsDelta,
  RecordsEvent,
  ServedRecord,
  ServedRecords,
  Topic,
} from './change-event.ts'
export { checksum, textChecksum } from './checksum.ts'
export { isUnwritable, throwDamagedRow } from './failures.ts'
export type { Database } from './database.ts'
export { query, sql, type Expression, type ExpressionBuilder, type SqlBool } from './query.ts'
export { byEngine } from './engine.ts'
export { RECORD_JSON } from './record-json.ts'
export { startStoredCheck, type StoredCheck } from './stored-check.ts'
export { IN_MEMORY } from './sqlite.ts'
export { openSqlite } from './sqlite-driver.ts'
export {
  openPostgresStorage,
  openSqliteStorage,
  type Reader,
  type Storage,
  type StorageOptions,
  type Transaction,
} from './open-storage.ts'
export type { NodeHandlers, NodeRole } from './postgres/node.ts'
export { cancelMove, copyDatabase, type CopiedTable, type CopyPlace } from './copy-database.ts'
export { findOpenPaths } from './private-files.ts'
export { belongsToRow } from './stored-secrets.ts'
export { decodeRow } from './unreadable-rows.ts'
export { naturalKeyOf } from './natural-order.ts'
export { exactTextMatch, placeOf, textMatch } from './text-match.ts'
export { collect, isRehearsal, rehearse } from './rehearsal.ts'
export { countRows, oneRow } from './one-row.ts'
export { type LogPlace, noteLogPlace, readLogPlace, reserveLogPlaces, takeLogPlace } from './log-places.ts'
export { addToOpBlock, emptyOpBlock, type OpBlock, packOps, unpackOps } from './op-block.ts'
export { prepare } from './prepare.ts'
export { combineAt, type Place, placeIn, readAt, writeAt } from './row-memory.ts'
export { createRemoteTransaction, createStatementRunner, type SentStatement } from './remote-transaction.ts'
export { createBlockInsert } from './row-block.ts'
export {
  createServedRecordList,
  receiveDelta,
  receiveList,
  sendDelta,
  type SentDelta,
  type SentRecordList,
  type ServedRecordList,
} from './served-record-list.ts'
export { settings } from './settings.ts'
export { TABLES as tables } from './tables/registry.ts'
export { MIGRATIONS } from './migrations/registry.ts'
