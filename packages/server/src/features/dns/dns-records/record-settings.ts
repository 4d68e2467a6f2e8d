// The options of a record as JSON.
import type { DnsRecord } from './dns-record.ts'

const settingsStrings = new WeakMap<object, string>()

/** Very many records share the same few objects. */
export function settingsText(settings: DnsRecord['settings']): string {
  let text = settingsStrings.get(settings)
  if (text === undefined) settingsStrings.set(settings, (text = JSON.stringify(settings)))
  return text
}
