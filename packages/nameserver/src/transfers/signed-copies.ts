// Limits the signed zones kept in memory between transfers: the most recently used copies stay.
import { MAX_SIGNED_CHANGES } from './journal.ts'
import { createJournalBudget, type JournalBudget } from './journal-budget.ts'

/**
 * Rrsets of all copies together, including denials: what 125,000 names with one rrset have. Each takes some 800
 * octets once it has been sent.
 */
export const MAX_SIGNED_RRSETS = 250_000

export interface CountedCopy {
  readonly size: number
  /** Whether it may be evicted. Incomplete copies stay: two that evicted each other would never be complete. */
  readonly mayGo: boolean
  readonly drop: () => void
}

export interface SignedCopies {
  /** Makes room for a copy and marks it as most recently used. @returns false if there is no room */
  keep(zoneId: string, copy: CountedCopy): boolean
  forget(zoneId: string): void
  /** For the journals of these zones. */
  readonly journals: JournalBudget
}

export function createSignedCopies(limit = MAX_SIGNED_RRSETS, maxChanges = MAX_SIGNED_CHANGES): SignedCopies {
  /** Least recently used first. */
  const remaining = new Map<string, CountedCopy>()
  let total = 0

  return {
    keep(zoneId, copy) {
      forget(zoneId)
      const { size } = copy
      if (size > limit) return false
      for (const oldest of remaining.values()) {
        if (total + size <= limit) break
        if (oldest.mayGo) oldest.drop()
      }
      if (total + size > limit) return false
      remaining.set(zoneId, copy)
      total += size
      return true
    },
    forget,
    journals: createJournalBudget(maxChanges),
  }

  function forget(zoneId: string): void {
    total -= remaining.get(zoneId)?.size ?? 0 // not kept
    remaining.delete(zoneId)
  }
}
