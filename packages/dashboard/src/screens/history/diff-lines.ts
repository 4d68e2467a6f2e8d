// The operations of a change set as lines of a diff: records as in a zone file, everything else in words.
import type { WireChange, WireStateDiff } from '@zonereeve/contract'
import type { WireRecord } from '../../api/records.ts'
import { isRecord, relativeTo, ttlText, valueLine } from '../records/record-text.ts'
import { kindText } from './change-text.ts'

export interface DiffLine {
  readonly mark: '+' | '−' | ' '
  readonly text: string
}

export function diffLines(ops: WireChange['ops'], zone: string): DiffLine[] {
  return ops.flatMap(({ kind, before, after }): DiffLine[] => {
    const lines: DiffLine[] = []
    if (isRecord(before)) lines.push({ mark: '−', text: lineOf(before, zone) })
    if (isRecord(after)) lines.push({ mark: '+', text: lineOf(after, zone) })
    return lines.length > 0 ? lines : [{ mark: ' ', text: `; ${kindText({ kind, operations: 1 }, true)}` }]
  })
}

/** The same of what differs between two states, in the order of names. */
export function recordLines(records: WireStateDiff['records'], zone: string): DiffLine[] {
  const keyOf = ({ before, after }: WireStateDiff['records'][number]): string => {
    const record = isRecord(after) ? after : before
    return isRecord(record) ? `${relativeTo(record.name, zone)} ${record.type}` : ''
  }
  const keyed = records.map((record) => ({ record, key: keyOf(record) }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return diffLines(
    keyed.map(({ record: { id, before, after } }) => ({ kind: 'dns_record', object_id: id, before, after })),
    zone,
  )
}

function lineOf(record: WireRecord, zone: string): string {
  // A repair replaced what could not be read: no line of a zone file.
  if ('damaged' in record) return `; ${relativeTo(record.name, zone)} ${record.type}: damaged`
  const line = `${relativeTo(record.name, zone)} ${ttlText(record.ttl)} ${record.type} ${valueLine(record)}`
  const notes = [record.proxied ? 'proxied' : '', record.comment ?? ''].filter((note) => note !== '') // null: none
  return notes.length === 0 ? line : `${line} ; ${notes.join(', ')}`
}
