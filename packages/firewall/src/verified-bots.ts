// The addresses of verified bots that the operator supplies, if there are any. They are the same for the whole process.
import type { Ip } from '@zonereeve/expr'

export interface VerifiedBots {
  /** Whether an address belongs to a verified bot. Never throws. */
  readonly isOne: (ip: Ip) => boolean
}

let current: VerifiedBots | undefined

/** Those in use; undefined if the operator supplied none. */
export const verifiedBots = (): VerifiedBots | undefined => current

/** Uses others from now on, or none. */
export function installVerifiedBots(found: VerifiedBots | undefined): void {
  current = found
}
