export { dnsRecordRoutes } from './dns-records.routes.ts'
export { servedTtlSeconds } from './dns-records.rules.ts'
export {
  createDnsRecords,
  type DnsRecords,
  type DnsRecordsDeps,
  type RecordsChanged,
  type ServedRecord,
} from './dns-records.service.ts'
export { deleteZoneRecords, eachServedRow } from './dns-records.store.ts'
export { fromRecordText, toRecordText } from './dns-records.wire.ts'
