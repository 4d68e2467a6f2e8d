// Posts the signatures that an answering thread has made to the thread that stores them, those of one batch of answers together:
// each message becomes a version of the zones, which all threads then have to read.
import type { SignedElsewhere } from './shared-zones.ts'

/** Signatures that may wait to be stored; beyond them, they are only kept in this thread. */
export const MAX_UNSTORED = 1000
/** In one message: the other thread stores them without interruption. */
export const MAX_TOGETHER = 100

export interface SignaturePost {
  /** Posts it with the others of this turn of the event loop, unless too many wait to be stored. */
  add(made: SignedElsewhere): void
  /** So many were stored, or could not be. */
  noteTaken(count: number): void
}

/** @param afterTurn calls back after the answers that are under way. */
export function createSignaturePost(
  send: (made: readonly SignedElsewhere[]) => void,
  afterTurn: (callback: () => void) => unknown = setImmediate,
): SignaturePost {
  let unstored = 0
  let unsent: SignedElsewhere[] = []
  const flush = (): void => {
    if (unsent.length === 0) return
    send(unsent)
    unsent = []
  }
  return {
    add(made) {
      if (unstored >= MAX_UNSTORED) return
      unstored += 1
      unsent.push(made)
      if (unsent.length === 1) afterTurn(flush)
      else if (unsent.length === MAX_TOGETHER) flush()
    },
    noteTaken(count) {
      unstored -= count
    },
  }
}
