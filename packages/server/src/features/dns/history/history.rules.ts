// Reverting: computes which records must become what to undo change sets; and what differs between two states.
import type { Chunked } from '@zonereeve/cooperate'
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

/** Adds the next older operation to a comparison, which leaves out records that came and went in between. */
export function compareOp(targets: Map<string, Target>, op: LoggedOp): void {
  undoOp(targets, op)
  const target = targets.get(op.objectId)
  if (target?.text === null && target.undone === null) targets.delete(op.objectId)
}

/** Records whose earlier state was logged by a repair, in place of a body that could not be read. */
export function* damagedIds(targets: ReadonlyMap<string, Target>): Chunked<string[]> {
  const ids: string[] = []
  for (const { id, text } of targets.values()) {
    if (text !== null && isDamageMarker(text)) ids.push(id)
    yield
  }
  return ids
}

function isDamageMarker(text: string): boolean {
  // Few records are damaged, and reading each text takes long.
  if (!text.includes('"damaged":true')) return false
  return (JSON.parse(text) as { readonly damaged?: unknown }).damaged === true // a record's text
}

/**
 * What differs after these operations, given from the newest to the oldest: records that are as before are absent.
 * @param logged earlier states of damaged records. @param isBackward whether the newer state is the one before.
 */
export function* differencesOf(
  targets: ReadonlyMap<string, Target>,
  logged: ReadonlyMap<string, string>,
  isBackward: boolean,
): Chunked<Difference[]> {
  const differences: Difference[] = []
  for (const { id, text, undone } of targets.values()) {
    yield
    const older = logged.get(id) ?? text
    if (isSame(older, undone)) continue
    differences.push(isBackward ? { id, before: undone, after: older } : { id, before: older, after: undone })
  }
  return differences
}

/** Within a value, the quotes of a name are escaped. The first member is the id. */
const TIMES = /,"(?:comment_|tags_)?modified_on":(?:"[^"]*"|null)/g

/** A record that changed and changed back has other times. Reading the texts would take many times as long. */
function isSame(before: string | null, after: string | null): boolean {
  if (before === after) return true
  if (before === null || after === null) return false
  return before.replace(TIMES, '') === after.replace(TIMES, '')
}

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
