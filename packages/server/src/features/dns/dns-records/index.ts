export { dnsRecordRoutes } from './dns-records.routes.ts'
export {
  MAX_TTL_SECONDS,
  NO_INPUT,
  readRecord,
  servedTtlSeconds,
  type RecordFields,
  type RecordInput,
  type RecordContext as RecordSurroundings,
} from './dns-records.rules.ts'
export {
  createDnsRecords,
  MAX_BATCH_STEPS,
  type DnsRecords,
  type DnsRecordsDeps,
} from './dns-records.service.ts'
export { zoneRecords } from './deleted-zones.store.ts'
export {
  identityOf,
  isSignedByPrimary,
  pageOfType,
  proxiedRecords,
  rowsAt,
  siblingsOf,
  typesOf,
  type StoredRow,
} from './dns-records.store.ts'
export { eachServedRow, type ReadState, type ServedRow, ZONES_IN_A_READ } from './served-rows.store.ts'
export { UnusableZone, type SecondaryContents } from './secondary-records.rules.ts'
export { readLoggedDelta } from './logged-delta.ts'
export { fromRecordText, toPatch, toRecordText } from './dns-records.wire.ts'
export {
  createRecordReplacement,
  MAX_REPORTED_ISSUES,
  type DesiredList,
  type Replaced,
  type ReplaceRecords,
  type ReplacementDeps,
} from './record-replacement.service.ts'
export {
  type Added,
  type InspectedRecord,
  type RecordEdit,
  type RecordStep,
} from './record-writer.service.ts'
export { SIGNER_TYPES } from './types/opaque.ts'
export { shownRdata } from './types/registry.ts'
export { qualifyName } from './record-name.rules.ts'
export { inputOfValue, type RecordValue } from './record-value.rules.ts'
