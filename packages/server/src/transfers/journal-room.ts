// How much the journals of all signed zones hold together: the oldest step, of whichever zone, makes room for the newest.

/** One step of a journal. */
export interface HeldStep {
  /** Rrsets that it speaks of. */
  readonly changes: number
  /** Has the journal forget it and those before it; each of them is given back. */
  readonly drop: () => void
}

export interface JournalRoom {
  add(step: HeldStep): void
  /** The step is not held any more. */
  remove(step: HeldStep): void
}

/** @param limit rrsets that all steps together may speak of. */
export function createJournalRoom(limit: number): JournalRoom {
  /** The oldest first. */
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
