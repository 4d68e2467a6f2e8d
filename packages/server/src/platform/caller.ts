// Who calls, and what they may do: made by the tokens feature, asked by the HTTP edge and by services.
import type { Actor } from './actor.ts'

export type Target =
  | { readonly kind: 'zone'; readonly zoneId: string; readonly accountId: string }
  | { readonly kind: 'account'; readonly accountId: string }
  | { readonly kind: 'user'; readonly userId: string }

/** Which zones or accounts one permission group reaches: everything or a list, less what is denied. */
export interface Reach {
  readonly everything: boolean
  readonly accountIds: readonly string[]
  readonly zoneIds: readonly string[]
  readonly exceptAccountIds: readonly string[]
  readonly exceptZoneIds: readonly string[]
  /** All of it only as far as it lies in this account. */
  readonly withinAccountId?: string
}

export interface Caller {
  readonly kind: Actor['kind']
  /** Id of the token, or of the user for the legacy key. */
  readonly id: string
  readonly name: string
  /** The person behind; for an account's own token, the token itself. */
  readonly userId: string
  /** The account whose token this is; undefined for a person's. */
  readonly ownerAccountId?: string
  /** True where the caller holds one of the named permission groups on the target, and is not denied it. */
  can(anyOf: readonly string[], target: Target): boolean
  /** Where the caller holds one of the named groups, at the level of zones or of accounts: one or more reaches for each group. */
  reach(anyOf: readonly string[], level: 'zone' | 'account'): readonly Reach[]
}
