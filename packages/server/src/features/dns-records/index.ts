export { coexistenceIssues, type Sibling } from './coexistence.rules.ts'
export { dnsRecordRoutes } from './dns-records.routes.ts'
export {
  readRecord,
  servedTtlSeconds,
  type RecordFields,
  type RecordInput,
  type Surroundings as RecordSurroundings,
} from './dns-records.rules.ts'
export { createDnsRecords, type DnsRecords, type DnsRecordsDeps } from './dns-records.service.ts'
export {
  deleteZoneRecords,
  eachServedRow,
  findRecordText,
  identityOf,
  siblingsOf,
} from './dns-records.store.ts'
export { fromRecordText, toPatch, toRecordText } from './dns-records.wire.ts'
export {
  type RecordEdit,
  type RecordsChanged,
  type RecordStep,
  type ServedRecord,
} from './record-writer.service.ts'
export { qualifyName } from './record-name.rules.ts'
export { inputOfValue, type RecordValue } from './record-value.rules.ts'
