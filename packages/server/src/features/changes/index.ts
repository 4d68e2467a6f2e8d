export { countOpsAfter, countRange, opsOfRange, type ChangeRange } from './change-ops.store.ts'
export type { CountedKinds } from './audit-change.ts'
export { changeOp, deletionOp, subjectOf, verbOf, type ChangeOp } from './change-op.ts'
export {
  append,
  appendOps,
  beginChangeSet,
  changeNumberAt,
  changesAfter,
  eachOpAfter,
  findChange,
  findChangeHeader,
  lastChangeAt,
  lastChangeNumber,
  lastLogged,
  lastPosition,
  loggedAt,
  readChangeSetAhead,
  scopesChangedAfter,
  type Appending,
  type ChangeHeader,
  type NumberedChange,
  type OpenChangeSet,
} from './changes.store.ts'
export { findChanges, listChanges, type ChangeFilter, type ChangeSummary } from './change-list.store.ts'
export { compactHistory } from './compaction.ts'
export { createEventHub, isTemporary, localEvent, TOPICS, type EventHub } from './events.ts'
export { followLog } from './follow-log.ts'
export { createLogFollower, type LogFollower } from './log-follower.ts'
export { createRemoteChanges } from './remote-changes.store.ts'
export { historyFloor } from './history-floors.store.ts'
export { readConsistently } from './consistent-read.ts'
export {
  entriesAfter,
  entriesOf,
  entriesOfAccount,
  type AuditFilter,
  type AuditPage,
  findEntries,
  lastEntry,
  logStart,
  sha256,
} from './audit-log.store.ts'
export { createRequestLog, type RequestLog } from './request-log.ts'
export { expireEntries } from './audit-retention.ts'
