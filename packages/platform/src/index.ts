export { type Actor, type AuditedRequest, type RequestTrail, SYSTEM } from './actor.ts'
export type { Caller, Reach, Target } from './caller.ts'
export { type Clock, formatTimestamp, manualClock, systemClock } from './clock.ts'
export {
  DomainError,
  escapePointer,
  ifReadable,
  type Issue,
  issueBelow,
  type Notice,
  throwIfIssues,
} from './domain-error.ts'
export { etagOf, type Expected, readIfMatch, requireMatch } from './etag.ts'
export { createFailureNotes, createOutageNotes } from './failure-notes.ts'
export type { FetchProblem } from './fetch-problem.ts'
export { type Form, readForm } from './forms.ts'
export { type AllowedHosts, createHostCheck, hasTwoHosts, isLoopback, hostNameOf } from './hosts.ts'
export { type Ids, randomIds } from './ids.ts'
export { createKeyVault, isSealed, type KeyVault, KeyVaultError } from './key-vault.ts'
export { type Log, silentLog } from './log.ts'
export { networkOf, siteNetworkOf } from './network.ts'
export { type PageRange, pageRange } from './page-range.ts'
export { parseUrl } from './parse-url.ts'
export { queueRequests } from './request-queue.ts'
export { createRequestCounts, type RequestCounts } from './request-counts.ts'
export { type FlaggedKey, makeKeyPair, openKeys, type SealedKeys } from './signing-keys.ts'
export { type PassedSocket, readPassedSockets } from './passed-sockets.ts'
export { joinLists, type KnownLength } from './joined-list.ts'
export { PackedList, type ItemCodec, type PackedMemory } from './packed-list.ts'
export { createSingleKeys } from './single-keys.ts'
export { StringMap } from './string-map.ts'
export { joinInChunks, type StringChunks } from './string-chunks.ts'
export { describeError, describeFileError } from './system-error.ts'
export {
  type ErrorCode,
  fill,
  type NoticeReason,
  WIRE_ERRORS,
  WIRE_NOTICES,
  type WireError,
} from './wire-errors.ts'
export { surviveStrayErrors, watchOutput } from './stray-errors.ts'
export { formatTextLine } from './text-line.ts'
export { startThread, type Thread, type ThreadOptions } from './thread.ts'
export { endIfMemoryIsUsedUp } from './thread-memory.ts'
export { threadFile, workerFile } from './worker-file.ts'
export { MAY_READ } from './may-read.ts'
export { openStandardError } from './log-destination.ts'
