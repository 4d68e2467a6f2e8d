// The way back: which records must become what, so that change sets are as if they had never been.
import type { Issue } from '../../platform/domain-error.ts'

/** An operation of the change log, as far as going back is concerned. */
export interface LoggedOp {
  readonly kind: string
  readonly objectId: string
  readonly before: string | null
  readonly after: string | null
}

/** A record and the text that it is to have; null = it must not exist. */
export interface Target {
  readonly id: string
  readonly text: string | null
  /** The text that it had after what is undone; null = none. */
  readonly undone: string | null
}

const RECORD_KIND = 'dns_record.'

export const isRecordOp = ({ kind }: LoggedOp): boolean => kind.startsWith(RECORD_KIND)

/** Undoes operations given from the newest to the oldest: the oldest `before` of each record is what it goes back to. */
export function targetsOf(newestFirst: readonly LoggedOp[]): Target[] {
  const targets = new Map<string, Target>()
  for (const op of newestFirst.filter(isRecordOp)) {
    const undone = targets.has(op.objectId) ? (targets.get(op.objectId)?.undone ?? null) : op.after
    targets.set(op.objectId, { id: op.objectId, text: op.before, undone })
  }
  return [...targets.values()]
}

/** Why a single change set cannot be undone: something else is in it. */
export function kindIssues(number: number, ops: readonly LoggedOp[]): Issue[] {
  const other = ops.find((op) => !isRecordOp(op))
  return other === undefined ? [] : [{ reason: 'change.kind', values: { number, kind: other.kind } }]
}

/** Records that have moved on since: undoing would undo more than was asked. */
export function conflictIssues(targets: readonly Target[], present: (id: string) => string | null): Issue[] {
  return targets
    .filter(({ id, undone }) => present(id) !== undone)
    .map(({ id, undone, text }) => ({
      reason: 'change.conflict',
      values: { id, name: nameOf(undone ?? text) },
    }))
}

function nameOf(text: string | null): string {
  if (text === null) return 'A record'
  const { type, name } = JSON.parse(text) as { type: string; name: string } // a record's own text
  return `${type} ${name}`
}
