// What an import does with each object: in a plan, what it would do.

export const ACTIONS = ['create', 'update', 'unchanged', 'left out'] as const
export type Action = (typeof ACTIONS)[number]

export interface Outcome {
  /** Name of the zone; null: of the account. */
  readonly zone: string | null
  /** The kind of object, like `record`. */
  readonly object: string
  readonly name: string
  readonly action: Action
  /** Why it is left out. */
  readonly reason?: string
  readonly source_id?: string
  /** Its identifier here; a plan knows only those of existing objects. */
  readonly target_id?: string
}

export interface OutcomeCounts {
  readonly zone: string | null
  readonly object: string
  readonly counts: Readonly<Record<Action, number>>
}

/**
 * What a plan promised to create or update, and an import did not do: it was left out, or never tried because what
 * contains it was left out. Settings that a plan has as one object are several when they are imported.
 */
export function findUndone(planned: readonly Outcome[], done: readonly Outcome[]): readonly Outcome[] {
  const found = new Map<string, boolean>()
  for (const outcome of done) {
    const isDone = outcome.action !== 'left out'
    for (const key of new Set([keyOf(outcome), keyOf({ ...outcome, name: outcome.object })]))
      found.set(key, isDone && found.get(key) !== false)
  }
  const isPending = ({ action }: Outcome): boolean => action === 'create' || action === 'update'
  return planned.filter((outcome) => isPending(outcome) && found.get(keyOf(outcome)) !== true)
}

const keyOf = ({ zone, object, name, source_id: id }: Outcome): string =>
  JSON.stringify([zone, object, name, id])

/** Counts by zone and kind of object, in the order of the import. */
export function countOutcomes(outcomes: readonly Outcome[]): readonly OutcomeCounts[] {
  const groups = new Map<string, { zone: string | null; object: string; counts: Record<Action, number> }>()
  for (const { zone, object, action } of outcomes) {
    const key = JSON.stringify([zone, object])
    const group = groups.get(key) ?? {
      zone,
      object,
      counts: { create: 0, update: 0, unchanged: 0, 'left out': 0 },
    }
    groups.set(key, group)
    group.counts[action] += 1
  }
  return [...groups.values()]
}
