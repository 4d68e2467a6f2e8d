// The operations of a change set as lines of a diff: records as in a zone file, everything else in words.
import type { WireChange, WireStateDiff } from '@zonereeve/contract'
import type { WireRecord } from '../../api/records.ts'
import { isRecord, relativeTo, ttlText, valueLine } from '../records/record-text.ts'
import { kindText } from './change-text.ts'

export interface DiffLine {
  readonly mark: '+' | '−' | ' '
  readonly text: string
  /** The line of the same record in the other state. */
  readonly other?: string | undefined
}

/** A line before its columns are aligned; without columns, what is no line of a zone file. */
interface UnalignedLine {
  readonly mark: DiffLine['mark']
  readonly columns: readonly string[]
  readonly rest: string
}

export function diffLines(ops: WireChange['ops'], zone: string): DiffLine[] {
  const changes = ops.map(({ kind, before, after }): UnalignedLine[] => {
    const lines: UnalignedLine[] = []
    if (isRecord(before)) lines.push({ mark: '−', ...lineOf(before, zone) })
    if (isRecord(after)) lines.push({ mark: '+', ...lineOf(after, zone) })
    return lines.length > 0
      ? lines
      : [{ mark: ' ', columns: [], rest: `; ${kindText({ kind, operations: 1 }, true)}` }]
  })
  const widths = widthsOf(changes.flat())
  return changes.flatMap((lines) => {
    const [first, second] = lines.map(({ columns, rest }) => alignColumns(columns, widths) + rest)
    return lines.map(({ mark }, index): DiffLine => {
      const [text, other] = index === 0 ? [first, second] : [second, first]
      return { mark, text: String(text), other } // one for each line
    })
  })
}

/** A longer name does not move the columns of all the others. */
const MAX_WIDTH = 24
const GAP = '  '

function widthsOf(lines: readonly UnalignedLine[]): readonly number[] {
  const widths: number[] = []
  for (const { columns } of lines)
    for (const [column, { length }] of columns.entries())
      widths[column] = Math.max(widthAt(widths, column), Math.min(length, MAX_WIDTH))
  return widths
}

const widthAt = (widths: readonly number[], column: number): number => widths[column] ?? 0 // no line had it yet

const alignColumns = (columns: readonly string[], widths: readonly number[]): string =>
  columns.map((text, column) => text.padEnd(widthAt(widths, column)) + GAP).join('')

type TextRange = readonly [start: number, end: number]

/** Where the words are that the other line does not have: from the first word that differs to the last one. */
export function changedWords({ text, other }: DiffLine): TextRange | undefined {
  if (other === undefined) return undefined
  const words = [...text.matchAll(/\S+/g)]
  const others = [...other.matchAll(/\S+/g)]
  const most = Math.min(words.length, others.length)
  let before = 0
  while (before < most && words[before]?.[0] === others[before]?.[0]) before += 1
  let after = 0
  while (after < most - before && words.at(-1 - after)?.[0] === others.at(-1 - after)?.[0]) after += 1
  const [first, last] = [words[before], words.at(-1 - after)]
  if (first === undefined || last === undefined || before + after === words.length) return undefined
  return [first.index, last.index + last[0].length]
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

function lineOf(record: WireRecord, zone: string): Omit<UnalignedLine, 'mark'> {
  const name = relativeTo(record.name, zone)
  // A repair replaced what could not be read: no line of a zone file.
  if ('damaged' in record) return { columns: [], rest: `; ${name} ${record.type}: damaged` }
  const notes = [record.proxied ? 'proxied' : '', record.comment ?? ''].filter((note) => note !== '') // null: none
  const value = valueLine(record)
  return {
    columns: [name, ttlText(record.ttl), record.type],
    rest: notes.length === 0 ? value : `${value} ; ${notes.join(', ')}`,
  }
}
