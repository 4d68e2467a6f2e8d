// The caller and its permissions: created by the tokens feature, used by the HTTP layer and by services.
import type { Actor } from './actor.ts'

export type Target =
  | { readonly kind: 'zone'; readonly zoneId: string; readonly accountId: string }
  | { readonly kind: 'account'; readonly accountId: string }
  | { readonly kind: 'user'; readonly userId: string }

/** The zones or accounts that one permission group covers: all or a list, minus what is denied. */
export interface Reach {
  readonly everything: boolean
  readonly accountIds: readonly string[]
  readonly zoneIds: readonly string[]
  readonly exceptAccountIds: readonly string[]
  readonly exceptZoneIds: readonly string[]
  /** Limits the reach to what belongs to this account. */
  readonly withinAccountId?: string
}

/** The session of a request. */
export interface CallerSession {
  readonly id: string
  /** Until when the user counts as recently authenticated, in milliseconds since the epoch. */
  readonly recentUntil: number
}

export interface Caller {
  readonly kind: Actor['kind']
  /** ID of the token, or of the user for the legacy key and for a session. */
  readonly id: string
  readonly name: string
  /** The user who owns the token; for an account-owned token, the token itself. */
  readonly userId: string
  /** The account that owns the token; undefined for a user's token. */
  readonly ownerAccountId?: string
  readonly session?: CallerSession
  /** True if the caller has one of the named permission groups on the target and is not denied it. */
  can(anyOf: readonly string[], target: Target): boolean
  /** The zones or accounts on which the caller has one of the named groups: one or more reaches per group. */
  reach(anyOf: readonly string[], level: 'zone' | 'account'): readonly Reach[]
}
