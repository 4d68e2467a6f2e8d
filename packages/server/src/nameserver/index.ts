// The authoritative nameserver: zones in memory, answers over UDP and TCP.
export { COOKIE_SECRET_OCTETS, createCookies } from './cookies.ts'
export { createExplainer } from './explain.ts'
export type { AnsweredRrset, Explain, Look } from './explain.ts'
export type { Answered, Exchange, Messages } from './exchange.ts'
export type { RespondLater } from './listener.ts'
export { DEFAULT_LIMITS } from './limits.ts'
export type { NameserverLimits } from './limits.ts'
export type { CountedZone, DropReason, NameserverMetrics } from './metrics.ts'
export { createNameView } from './name-view.ts'
export type { NameView } from './name-view.ts'
export type { Peer, Transport } from './peer.ts'
export { hashKeyOf } from './octet-hash.ts'
export { createNameserver } from './nameserver.ts'
export type { EncryptedEndpoints, Nameserver, NameserverOptions } from './nameserver.ts'
export { createRateLimits } from './rate-limits.ts'
export type { RateLimits } from './rate-limits.ts'
export type { Respond } from './responder.ts'
export { isSameRrset, RDATA_OFFSET, rdatasOf, synthesiseRrset, TYPE } from './rrset.ts'
export type { Rrset } from './rrset.ts'
export { parentKey } from './wire-name.ts'
export type { Zone, ZoneStep } from './zone.ts'
export { ZoneDataError } from './zone-data.ts'
export type {
  NameMark,
  NameState,
  ZoneAuthority,
  ZoneContents,
  ZoneDataReason,
  ZoneDelta,
  ZoneRecord,
} from './zone-data.ts'
export { findSystemCalls } from './system-calls.ts'
export type { SystemCalls } from './system-calls.ts'
export type { ZoneSigner } from './zone-signer.ts'
export type { ZoneSigning } from './zone-signing.ts'
export { createZoneTable } from './zone-table.ts'
export type { ZoneTable, ZoneTableStatistics } from './zone-table.ts'
