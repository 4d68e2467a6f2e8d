// The collection of leaked passwords that the operator supplies, if there is one: like the imported Core Rule Set it is
// part of the program, so there is one for the whole process.
import type { Bytes } from '@zonereeve/expr'

export interface LeakedPasswords {
  /** Whether a text, or its hash, is in the collection. @throws Error if the collection cannot be read. */
  readonly isLeaked: (text: Bytes) => boolean
}

let current: LeakedPasswords | undefined

/** The one in use; undefined if the operator supplied none. */
export const leakedPasswords = (): LeakedPasswords | undefined => current

/** Uses a collection from now on, or none. */
export function installLeakedPasswords(found: LeakedPasswords | undefined): void {
  current = found
}
