// What a script copies for the visitor.
import type { Effect } from './browser-requests.ts'
import { BLOB_PARTS } from './code-addresses.ts'
import type { Machine } from './machine.ts'
import { seeFlow, seeText } from './observations.ts'
import { isUnknown, taintOf, textStart, UNKNOWN, type Value } from './values.ts'

/** The old copy command copies the content of the field that the script created for it. */
export const command: Effect = (machine, { args }) => {
  if (args[0] === 'copy' && machine.copied !== undefined) noteCopied(machine, machine.copied)
  return UNKNOWN
}

export function noteCopied(machine: Machine, value: Value): void {
  const text = textStart(value)
  seeText(machine.observed, text)
  // The copied text is not an address, but its beginning is relevant in the same way.
  seeFlow(machine.observed, { sink: 'clipboard', address: text.slice(0, 300), taint: taintOf(value) })
}

/** The texts of an item for the clipboard. Pictures have none. */
export function noteItem(machine: Machine, item: Value): void {
  if (typeof item !== 'object' || item === null || item.kind !== 'object') return
  for (const content of item.entries.values()) {
    const text = isUnknown(content) ? (content.entries?.get(BLOB_PARTS) ?? content) : content
    if (textStart(text) !== '') noteCopied(machine, text)
  }
}
