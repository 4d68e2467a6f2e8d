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

let lastSettings: { readonly settings: DnsRecord['settings']; readonly text: string } | undefined

/** Settings as JSON. The records of one change mostly have the same, by identity. */
export function settingsText(settings: DnsRecord['settings']): string {
  if (settings !== lastSettings?.settings) lastSettings = { settings, text: JSON.stringify(settings) }
  return lastSettings.text
}
