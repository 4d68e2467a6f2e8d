// Secrets that requests carry: stored as hashes, and checked without reading the database each time.
import { BoundedMap } from '@zonereeve/cooperate'
import { hash } from 'node:crypto'

/** The stored form of a random secret, in hexadecimal. Passwords need more: {@link hashPassword}. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex')

/** How long what was found is accepted without reading the database, which another process may write. */
const REMEMBER_MILLIS = 2_000
const MAX_REMEMBERED = 1_000

export interface CredentialCache<Found> {
  /** @returns what belongs to the secret; undefined if it is unknown, which is not remembered. */
  readonly lookUp: (secret: string) => Promise<Found | undefined>
  /** After a change: everything is read again. */
  readonly forget: () => void
  /** Notes that a credential was used now. */
  readonly noteUse: (id: string) => void
  /** When a credential was used, if that is not stored yet. */
  readonly usedAt: (id: string) => string | undefined
  /** Hands over the times of use that are not stored yet, by ID of the credential, to store them in one batch. */
  readonly takeUses: () => readonly (readonly [id: string, at: string])[]
}

/** @param find reads the database, by hash. The index compares hashes: its timing reveals nothing about a secret. */
export function createCredentialCache<Found>(
  clock: { readonly now: () => number; readonly timestamp: () => string },
  find: (valueHash: string) => Promise<Found | undefined>,
): CredentialCache<Found> {
  const remembered = new BoundedMap<string, { readonly found: Found; readonly until: number }>(MAX_REMEMBERED)
  const used = new Map<string, string>()
  return {
    async lookUp(secret) {
      const valueHash = hashSecret(secret)
      const known = remembered.get(valueHash)
      if (known !== undefined && known.until > clock.now()) return known.found
      const found = await find(valueHash)
      if (found !== undefined) remembered.set(valueHash, { found, until: clock.now() + REMEMBER_MILLIS })
      return found
    },
    forget: () => remembered.clear(),
    noteUse: (id) => void used.set(id, clock.timestamp()),
    usedAt: (id) => used.get(id),
    takeUses() {
      const uses = [...used]
      used.clear()
      return uses
    },
  }
}
