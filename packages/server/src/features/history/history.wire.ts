// Change sets on the wire.
import type { WireChange, WireChangeSummary } from '@zonereeve/contract'
import type { ChangeOp, ChangeSummary, NumberedChange } from '../changes/index.ts'

export function toWireSummary(change: ChangeSummary): WireChangeSummary {
  return {
    number: change.number,
    at: change.at,
    actor: { kind: change.actor.kind, id: change.actor.id, name: change.actor.name },
    request_id: change.actor.requestId,
    serial: change.serial,
    operations: change.operations,
  }
}

export function toWireChange(change: NumberedChange): WireChange {
  return { ...toWireSummary({ ...change, operations: change.ops.length }), ops: change.ops.map(toWireOp) }
}

/** A change set as JSON text. */
export const toChangeText = (change: NumberedChange): string => JSON.stringify(toWireChange(change))

function toWireOp({ kind, objectId, before, after }: ChangeOp): WireChange['ops'][number] {
  return { kind, object_id: objectId, before: parsed(before), after: parsed(after) }
}

/** The log keeps texts of JSON. */
const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
