// Limits the total size of the journals of all signed zones: the oldest step of any zone is evicted for the newest.

/** One step of a journal. */
export interface HeldStep {
  /** Number of rrsets in it. */
  readonly changes: number
  /** Has the journal drop it and all older steps; each of them is then removed here. */
  readonly drop: () => void
}

export interface JournalBudget {
  add(step: HeldStep): void
  /** Called when the step is no longer held. */
  remove(step: HeldStep): void
}

/** @param limit total number of rrsets in all steps. */
export function createJournalBudget(limit: number): JournalBudget {
  /** Oldest first. */
  const held = new Set<HeldStep>()
  let total = 0

  return { add, remove }

  function add(step: HeldStep): void {
    held.add(step)
    total += step.changes
    for (const oldest of held) {
      if (total <= limit) return
      oldest.drop()
    }
  }

  function remove(step: HeldStep): void {
    if (held.delete(step)) total -= step.changes
  }
}
