// Reverting: computes which records must become what to undo change sets.
import type { Issue } from '@zonereeve/platform'

/** The fields of a change-log operation that reverting needs. */
export interface LoggedOp {
  readonly kind: string
  readonly objectId: string
  readonly before: string | null
  readonly after: string | null
}

/** A record and its target text; null = it must not exist. */
export interface Target {
  readonly id: string
  readonly text: string | null
  /** The text that it had after the reverted operation; null = none. */
  readonly undone: string | null
}

const RECORD_KIND = 'dns_record.'

export const isRecordOp = ({ kind }: LoggedOp): boolean => kind.startsWith(RECORD_KIND)

/** Reverts operations, given from the newest to the oldest: the oldest `before` of each record is its target. */
export function targetsOf(newestFirst: readonly LoggedOp[]): Target[] {
  const targets = new Map<string, Target>()
  for (const op of newestFirst) undoOp(targets, op)
  return [...targets.values()]
}

/** Adds the next older operation to the targets, as {@link targetsOf} does with a list. */
export function undoOp(targets: Map<string, Target>, op: LoggedOp): void {
  if (!isRecordOp(op)) return
  const known = targets.get(op.objectId)
  const undone = known === undefined ? op.after : known.undone
  targets.set(op.objectId, { id: op.objectId, text: op.before, undone })
}

/** What a record was in one state and is in another; null = it did not exist. */
export interface Difference {
  readonly id: string
  readonly before: string | null
  readonly after: string | null
}

/** What differs after these operations, given from the newest to the oldest: records that are as before are absent. */
export const differencesOf = (targets: ReadonlyMap<string, Target>): Difference[] =>
  [...targets.values()]
    .map(({ id, text, undone }) => ({ id, before: text, after: undone }))
    .filter(({ before, after }) => before !== after && !isSame(before, after))

const TIMES = ['modified_on', 'comment_modified_on', 'tags_modified_on']

/** A record that changed and changed back has other times. */
function isSame(before: string | null, after: string | null): boolean {
  if (before === null || after === null) return false
  return withoutTimes(before) === withoutTimes(after)
}

const withoutTimes = (text: string): string =>
  JSON.stringify(JSON.parse(text), (name, value: unknown) => (TIMES.includes(name) ? undefined : value))

/** Issues for a change set that cannot be reverted separately, because it contains more than records. */
export function kindIssues(number: number, ops: readonly LoggedOp[]): Issue[] {
  const other = ops.find((op) => !isRecordOp(op))
  return other === undefined ? [] : [{ reason: 'change.kind', values: { number, kind: other.kind } }]
}

/** Issues for records that have changed since: reverting would undo more than requested. */
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
