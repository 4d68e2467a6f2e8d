// The authoritative nameserver: zones in memory, answers over UDP and TCP.
export { BIN_MILLIS, createAnswerHistory } from './answer-history.ts'
export type {
  AnswerCounts,
  AnswerHistory,
  AnswerRates,
  CounterReading,
  ZoneAnswers,
} from './answer-history.ts'
export { runAnsweringThread } from './answering-thread.ts'
export type { ThreadsOptions } from './answering-threads.ts'
export { CERTIFICATE_LOOK_MS, readCertificate, watchCertificate } from './certificate.ts'
export type { Certificate, CertificateFiles, CertificateWatch } from './certificate.ts'
export { createGuards } from './guards.ts'
export type { GuardSettings } from './guards.ts'
export { createExplainer } from './explain.ts'
export type { AnsweredRrset, Explain, Look } from './explain.ts'
export type { Answered, MessageHandler, Messages } from './message-handler.ts'
export type { RespondLater } from './listener.ts'
export { createLimitedLog } from './limited-log.ts'
export { DEFAULT_LIMITS } from './limits.ts'
export type { NameserverLimits } from './limits.ts'
export { noMetrics } from './metrics.ts'
export type { CountedZone, DropReason, NameserverMetrics } from './metrics.ts'
export { createNameView } from './name-view.ts'
export type { NameView } from './name-view.ts'
export type { Peer, Transport } from './peer.ts'
export { rcodeOf } from './query.ts'
export type { QueryLogSettings } from './query-log.ts'
export { hashKeyOf } from './octet-hash.ts'
export type { HashKey } from './octet-hash.ts'
export { createNameserver } from './nameserver.ts'
export type { EncryptedEndpoints, Nameserver, NameserverOptions } from './nameserver.ts'
export { rateLimitMemory } from './rate-limits.ts'
export { createResponder, MAX_REPLY_OCTETS } from './responder.ts'
export type { Respond } from './responder.ts'
export { unservableRecords } from './record-check.ts'
export { isSameRrset, RDATA_OFFSET, rdatasOf, synthesiseRrset, TYPE } from './rrset.ts'
export type { Rrset } from './rrset.ts'
export { parentKey } from './wire-name.ts'
export type { ZoneStep } from './zone-step.ts'
export type { Zone } from './zone.ts'
export { ZoneDataError } from './zone-data.ts'
export type {
  ImageBlocks,
  NameCounts,
  NameMark,
  NameState,
  ZoneAuthority,
  ZoneContents,
  ZoneDataReason,
  ZoneDelta,
  ZoneImage,
  ZoneRecord,
  ZoneRecords,
} from './zone-data.ts'
export { SnapshotDamagedError, SnapshotReader, UNFINISHED, writeSnapshotFile } from './snapshot-file.ts'
export type { Frame, SnapshotWriter } from './snapshot-file.ts'
export { findSystemCalls } from './system-calls.ts'
export type { SystemCalls } from './system-calls.ts'
export type { ZoneSigner } from './zone-signer.ts'
export type { ZoneSigning } from './zone-signing.ts'
export { TLS_OPTIONS } from './tls.ts'
export { IMAGE_FORMAT } from './zone-store/tree-image.ts'
export { checksumOf } from './zone-checksum.ts'
export { createZoneTable } from './zone-table.ts'
export type { CapturedZone, ZoneTable } from './zone-table.ts'
export { EXPIRE_OCTETS, EXPIRE_OPTION, expireOption, withOption } from './transfers/expire-option.ts'
export { TransferFault, createAnswerReader, readSerial } from './transfers/incoming-answer.ts'
export type { AnswerLimits, ReceivedTransfer } from './transfers/incoming-answer.ts'
export { createJournal } from './transfers/journal.ts'
export { createOutgoing } from './transfers/outgoing.ts'
export type { Outgoing } from './transfers/outgoing.ts'
export { createPerformedUpdates } from './transfers/performed-updates.ts'
export { createTransferPolicies, isSameKey, plainAddress } from './transfers/policy.ts'
export type { TransferPeer, TransferPolicies } from './transfers/policy.ts'
export { questionOctets } from './transfers/transfer-messages.ts'
