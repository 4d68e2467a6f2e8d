// Makes the operations of change sets.
import type { ChangeOp } from '@zonereeve/storage'

export type { ChangeOp }

type Optional<State> = State | null | undefined

/** An operation on the object with this id; its states are serialized as JSON or by `textOf`. */
export function changeOp<State>(
  kind: string,
  objectId: string,
  before: Optional<State>,
  after: Optional<State>,
  textOf: (state: State) => string = JSON.stringify,
): ChangeOp {
  const text = (state: Optional<State>) => (state === null || state === undefined ? null : textOf(state))
  return { kind, objectId, before: text(before), after: text(after) }
}

/** The deletion of the object with this id. @param before undefined if its row could not be read. */
export function deletionOp<State>(
  kind: string,
  objectId: string,
  before: State | undefined,
  textOf?: (state: State) => string,
): ChangeOp {
  return before === undefined
    ? changeOp(kind, objectId, { id: objectId, unreadable: true }, null)
    : changeOp(kind, objectId, before, null, textOf)
}

/** The verb for an object with these states. */
export function verbOf(before: Optional<object>, after: Optional<object>): 'create' | 'update' | 'delete' {
  if (!before) return 'create'
  return after ? 'update' : 'delete'
}

/** The object of an operation: its new state, or its last state if it was deleted. */
export function subjectOf<State>(before: Optional<State>, after: Optional<State>): State {
  const subject = after ?? before
  if (subject === null || subject === undefined) throw new Error('an operation has neither state')
  return subject
}
