// The authoritative nameserver: zones in memory, answers over UDP and TCP.
export { createExplainer } from './explain.ts'
export type { AnsweredRrset, Explain, Look } from './explain.ts'
export { DEFAULT_LIMITS } from './limits.ts'
export type { NameserverLimits } from './limits.ts'
export type { DropReason, NameserverMetrics, Transport } from './metrics.ts'
export { createNameView } from './name-view.ts'
export type { NameView } from './name-view.ts'
export { createNameserver } from './nameserver.ts'
export type { Nameserver, NameserverOptions } from './nameserver.ts'
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
export type { ZoneSigning } from './zone-signing.ts'
export { createZoneTable } from './zone-table.ts'
export type { ZoneTable, ZoneTableStatistics } from './zone-table.ts'
