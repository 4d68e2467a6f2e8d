export { dnsRecordRoutes } from './dns-records.routes.ts'
export { servedTtlSeconds, type RecordInput } from './dns-records.rules.ts'
export { createDnsRecords, type DnsRecords, type DnsRecordsDeps } from './dns-records.service.ts'
export {
  deleteZoneRecords,
  eachServedRow,
  findRecordText,
  pageOfType,
  typesOf,
  type StoredRow,
} from './dns-records.store.ts'
export { fromRecordText, toRecordText } from './dns-records.wire.ts'
export { type RecordsChanged, type ServedRecord } from './record-changes.service.ts'
export { MAX_TOLD_ISSUES, type Replaced } from './record-replacement.service.ts'
export { type Added, type RecordStep } from './record-writer.service.ts'
export { shownRdata } from './types/registry.ts'
export { qualifyName } from './record-name.rules.ts'
