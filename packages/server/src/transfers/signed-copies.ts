// How much of signed zones is kept in memory between transfers: the copies that were used last.
import { MAX_SIGNED_CHANGES } from './journal.ts'
import { createJournalRoom, type JournalRoom } from './journal-room.ts'

/**
 * Rrsets of all copies together, those that deny among them: as many as 125,000 names with one rrset have. Each takes some 800
 * octets once it has been sent.
 */
export const MAX_SIGNED_RRSETS = 250_000

export interface SignedCopies {
  /** Makes room for a copy of this size, now the one that was used last. @returns false where it is too large to be kept */
  keep(zoneId: string, size: number, drop: () => void): boolean
  forget(zoneId: string): void
  /** For the journals of these zones. */
  readonly journals: JournalRoom
  /** Whether a copy that is no larger than this may be kept at all. */
  mayKeep(size: number): boolean
}

export function createSignedCopies(limit = MAX_SIGNED_RRSETS, maxChanges = MAX_SIGNED_CHANGES): SignedCopies {
  /** The one that was used longest ago first. */
  const kept = new Map<string, { readonly size: number; readonly drop: () => void }>()
  let total = 0

  return {
    keep(zoneId, size, drop) {
      forget(zoneId)
      if (!this.mayKeep(size)) return false
      for (const [, oldest] of kept) {
        if (total + size <= limit) break
        oldest.drop()
      }
      kept.set(zoneId, { size, drop })
      total += size
      return true
    },
    forget,
    journals: createJournalRoom(maxChanges),
    mayKeep: (size) => size <= limit,
  }

  function forget(zoneId: string): void {
    total -= kept.get(zoneId)?.size ?? 0
    kept.delete(zoneId)
  }
}
