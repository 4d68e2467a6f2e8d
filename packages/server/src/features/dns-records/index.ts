export { dnsRecordRoutes } from './dns-records.routes.ts'
export {
  NOTHING_SAID,
  readRecord,
  servedTtlSeconds,
  type RecordFields,
  type RecordInput,
  type Surroundings as RecordSurroundings,
} from './dns-records.rules.ts'
export {
  createDnsRecords,
  MAX_BATCH_STEPS,
  type DnsRecords,
  type DnsRecordsDeps,
} from './dns-records.service.ts'
export { releaseZoneRecords } from './deleted-zones.store.ts'
export {
  eachServedRow,
  findRecordText,
  identityOf,
  pageOfType,
  rowsAt,
  siblingsOf,
  typesOf,
  type StoredRow,
} from './dns-records.store.ts'
export { UnusableZone, type FollowedContents } from './followed-records.rules.ts'
export { fromRecordText, toPatch, toRecordText } from './dns-records.wire.ts'
export { type RecordsChanged, type ServedRecord } from './record-changes.service.ts'
export { MAX_TOLD_ISSUES, type Replaced } from './record-replacement.service.ts'
export { type Added, type RecordEdit, type RecordStep } from './record-writer.service.ts'
export { shownRdata } from './types/registry.ts'
export { qualifyName } from './record-name.rules.ts'
export { inputOfValue, type RecordValue } from './record-value.rules.ts'
