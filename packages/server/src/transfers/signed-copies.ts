// How much of signed zones is kept in memory between transfers: the copies that were used last.
import { MAX_SIGNED_CHANGES } from './journal.ts'
import { createJournalRoom, type JournalRoom } from './journal-room.ts'

/**
 * Rrsets of all copies together, those that deny among them: as many as 125,000 names with one rrset have. Each takes some 800
 * octets once it has been sent.
 */
export const MAX_SIGNED_RRSETS = 250_000

export interface CountedCopy {
  readonly size: number
  /** Whether it makes room for others. Those that are being made stay: two that did for each other would never be complete. */
  readonly mayGo: boolean
  readonly drop: () => void
}

export interface SignedCopies {
  /** Makes room for a copy, now the one that was used last. @returns false where there is none */
  keep(zoneId: string, copy: CountedCopy): boolean
  forget(zoneId: string): void
  /** For the journals of these zones. */
  readonly journals: JournalRoom
}

export function createSignedCopies(limit = MAX_SIGNED_RRSETS, maxChanges = MAX_SIGNED_CHANGES): SignedCopies {
  /** The one that was used longest ago first. */
  const kept = new Map<string, CountedCopy>()
  let total = 0

  return {
    keep(zoneId, copy) {
      forget(zoneId)
      const { size } = copy
      if (size > limit) return false
      for (const oldest of kept.values()) {
        if (total + size <= limit) break
        if (oldest.mayGo) oldest.drop()
      }
      if (total + size > limit) return false
      kept.set(zoneId, copy)
      total += size
      return true
    },
    forget,
    journals: createJournalRoom(maxChanges),
  }

  function forget(zoneId: string): void {
    total -= kept.get(zoneId)?.size ?? 0
    kept.delete(zoneId)
  }
}
