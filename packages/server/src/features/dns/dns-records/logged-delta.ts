// What a change set did to the published records, read from the log by a node that did not write it.
import type { Reader, RecordsDelta, RecordsEvent, ServedRecord } from '@zonereeve/storage'
import { findChange } from '../../changes/index.ts'
import type { Zone } from '../../zones/index.ts'
import { toServed } from './record-changes.service.ts'
import { readStored, type StoredText } from './record-states.service.ts'

/**
 * The records before and after the change set, net of its steps.
 *
 * @throws Error if a record cannot be parsed.
 */
export async function readLoggedDelta(
  db: Reader,
  zone: Zone,
  { number, ops }: Pick<RecordsEvent, 'number' | 'ops'>,
  fromText: (text: string) => StoredText,
): Promise<RecordsDelta> {
  const net = new Map<string, { before: string | null; after: string | null }>()
  const change = ops === undefined ? await findChange(db, zone.id, number) : { ops }
  if (change === undefined) throw new Error(`change ${number} of zone ${zone.id} is not in the log`)
  for (const { kind, objectId, before, after } of change.ops) {
    if (!kind.startsWith('dns_record.')) continue
    const known = net.get(objectId)
    if (known === undefined) net.set(objectId, { before, after })
    else known.after = after
  }
  const isRepair = [...net.values()].some(({ before }) => before !== null && isDamaged(before))
  if (isRepair) return { removed: [], added: [], isRepair }
  const read = (id: string, text: string | null): ServedRecord[] =>
    text === null
      ? []
      : [toServed(readStored(fromText(text), text, zone, id).before.record, zone.type === 'secondary')]
  return {
    removed: [...net].flatMap(([id, { before }]) => read(id, before)),
    added: [...net].flatMap(([id, { after }]) => read(id, after)),
    isRepair,
  }
}

/** Written by {@link createRecordStates} in place of a body that could not be read. */
const isDamaged = (text: string): boolean => (JSON.parse(text) as { damaged?: unknown }).damaged === true // a record's text
