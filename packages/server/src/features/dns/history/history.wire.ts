// Change sets in wire form.
import type { WireChangeSummary, WireStateDiff } from '@zonereeve/contract'
import { joinInChunks } from '@zonereeve/platform'
import type { Compared } from './comparison.service.ts'
import type { Difference } from './history.rules.ts'
import type { ChangeOp, ChangeSummary, NumberedChange } from '../../changes/index.ts'

type Header = Omit<WireChangeSummary, 'kinds' | 'first_record'>

function toWireHeader(change: Omit<NumberedChange, 'ops'>, operations: number): Header {
  return {
    number: change.number,
    at: change.at,
    actor: { kind: change.actor.kind, id: change.actor.id, name: change.actor.name },
    request_id: change.actor.requestId,
    serial: change.serial,
    operations,
  }
}

/** A line of the list as JSON text. */
export function toSummaryText({ kinds, firstRecord, ...change }: ChangeSummary): string {
  const text = JSON.stringify({ ...toWireHeader(change, change.operations), kinds })
  const record =
    firstRecord === undefined
      ? 'null'
      : `{"before":${firstRecord.before ?? 'null'},"after":${firstRecord.after ?? 'null'}}`
  return `${text.slice(0, -1)},"first_record":${record}}`
}

/** A change set as JSON text, in chunks. The log stores JSON texts, which are copied without parsing. */
export function* toChangeText(change: NumberedChange): Generator<string> {
  const summary = JSON.stringify(toWireHeader(change, change.ops.length))
  yield `${summary.slice(0, -1)},"ops":[`
  yield* joinInChunks(stringsOf(change.ops))
  yield ']}'
}

/** A comparison as JSON text, in chunks. */
export function* toComparedText({ from, to, records, others }: Compared): Generator<string> {
  const head = {
    from: toWirePoint(from),
    to: toWirePoint(to),
    others: [...others].map(([kind, operations]) => ({ kind, operations })),
  } satisfies Omit<WireStateDiff, 'records'>
  yield `${JSON.stringify(head).slice(0, -1)},"records":[`
  yield* joinInChunks(differenceStrings(records))
  yield ']}'
}

const toWirePoint = ({ number, at, serial }: Compared['from']): WireStateDiff['from'] => ({
  number,
  at,
  serial,
})

/** Members in the order of `WireStateDiff`. */
function* differenceStrings(records: readonly Difference[]): Generator<string> {
  for (const [index, { id, before, after }] of records.entries())
    yield `${index === 0 ? '' : ','}{"id":${JSON.stringify(id)},"before":${before ?? 'null'},"after":${after ?? 'null'}}`
}

function* stringsOf(ops: readonly ChangeOp[]): Generator<string> {
  for (const [index, op] of ops.entries()) yield `${index === 0 ? '' : ','}${opText(op)}`
}

/** Members in the order of `WireChange`. */
const opText = ({ kind, objectId, before, after }: ChangeOp): string =>
  `{"kind":${JSON.stringify(kind)},"object_id":${JSON.stringify(objectId)},"before":${before ?? 'null'},"after":${after ?? 'null'}}`
