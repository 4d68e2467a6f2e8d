// A DNS record in the domain model.
import type { RecordFields } from './dns-records.rules.ts'

export interface DnsRecord extends RecordFields {
  readonly id: string
  readonly zoneId: string
  readonly zoneName: string
  readonly createdOn: string
  readonly modifiedOn: string
  readonly commentModifiedOn: string | null
  readonly tagsModifiedOn: string | null
}
