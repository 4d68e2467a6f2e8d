// The life of a zone's signing and of its keys. Every step waits until nobody can have anything in a cache that the step
// would make invalid (RFC 6781 §4.1, RFC 7583). No clock of its own: what is known comes in, the next state goes out.
import type { Ds } from '@zonereeve/dns'
import { compareOctets } from '@zonereeve/dns'

/** As on the wire. Signed in all but `disabled`. */
export type DnssecStatus = 'disabled' | 'pending' | 'active' | 'pending-disabled'

type StatusEvent =
  | 'enable'
  /** The parent has a DS for one of the zone's keys. */
  | 'ds_seen'
  /** Signing is to end; the parent has a DS, or nobody knows. */
  | 'disable'
  /** Signing is to end, and the parent has no DS. */
  | 'disable_unseen'
  /** The parent's DS has been gone for so long that no cache has it. */
  | 'ds_expired'

const STATUS_NEXT: Readonly<Record<DnssecStatus, Partial<Record<StatusEvent, DnssecStatus>>>> = {
  disabled: { enable: 'pending' },
  pending: { ds_seen: 'active', disable: 'pending-disabled', disable_unseen: 'disabled' },
  active: { disable: 'pending-disabled' },
  'pending-disabled': { enable: 'pending', ds_expired: 'disabled' },
}

/** `ksk`: signs the keys, the parent's DS points to it. `zsk`: signs all else. */
export type KeyRole = 'ksk' | 'zsk'

/**
 * All of a zone's keys are published and sign, whatever their state; it says what is waited for.
 *
 * - `published`: new; caches may not have it.
 * - `ready`: a new entry point that caches have; the parent is to take it.
 * - `active`: the one there is when nothing is going on.
 * - `outgoing`: an entry point that the parent has exchanged; caches may have its DS.
 */
export type KeyState = 'published' | 'ready' | 'active' | 'outgoing'

type KeyEvent = 'known' | 'taken' | 'replaced' | 'forgotten'

/** `gone`: the key is deleted. */
const KEY_NEXT: Readonly<
  Record<KeyRole, Readonly<Record<KeyState, Partial<Record<KeyEvent, KeyState | 'gone'>>>>>
> = {
  ksk: {
    published: { known: 'ready' },
    ready: { taken: 'active' },
    active: { replaced: 'outgoing' },
    outgoing: { forgotten: 'gone' },
  },
  zsk: {
    published: { known: 'active' },
    ready: {},
    active: { replaced: 'gone' },
    outgoing: {},
  },
}

export interface ZoneKey {
  readonly id: string
  readonly role: KeyRole
  readonly state: KeyState
  /** When it came into its state, milliseconds since 1970. */
  readonly sinceMillis: number
}

export interface SigningState<Key extends ZoneKey = ZoneKey> {
  readonly status: DnssecStatus
  readonly keys: readonly Key[]
  /** While the status is `pending-disabled`: since when the parent is known to have no DS. */
  readonly dsGoneMillis: number | null
  /** The longest that the parent's DS was seen to be kept, in whole hours, where that is more than a day: when it is gone,
   * nobody tells any more. */
  readonly dsTtlSeconds: number | null
}

/** What the parent is known to publish. */
export type ParentView =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'known'; readonly ds: readonly Ds[]; readonly ttlSeconds: number }

export interface Facts<Key extends ZoneKey> {
  readonly nowMillis: number
  readonly parent: ParentView
  readonly dsOf: (key: Key) => Ds
  /** Until the last of the zone's other nameservers has a change, seconds. */
  readonly propagationSeconds: number
}

/** Seconds that a record of a zone can be kept by caches: no TTL is higher. */
export const MAX_TTL_SECONDS = 86_400
/** Seconds that the zone's DNSKEY records are kept. */
export const KEY_TTL_SECONDS = 3600
/** Seconds that the parent's DS is taken to be kept at least: what a resolver tells may be the rest of its TTL. */
const MIN_DS_TTL_SECONDS = 86_400

const HOUR_SECONDS = 3600

type DsTtl = Pick<SigningState, 'dsTtlSeconds'>

/** The status after an event; undefined where it may not happen. */
export function nextStatus(status: DnssecStatus, event: StatusEvent): DnssecStatus | undefined {
  return STATUS_NEXT[status][event]
}

/** Which DS the parent should have: that of the key it is to take, or has taken. */
export function entryPoint<Key extends ZoneKey>(keys: readonly Key[]): Key | undefined {
  const entryPoints = keys.filter(({ role }) => role === 'ksk')
  return (
    entryPoints.find(({ state }) => state === 'ready') ?? entryPoints.find(({ state }) => state === 'active')
  )
}

/** Whether a roll-over of the role is under way. */
export const isRolling = (keys: readonly ZoneKey[], role: KeyRole): boolean =>
  keys.some((key) => key.role === role && key.state !== 'active')

/** Takes every step that what is known allows. @returns the very same state where there is none. */
export function advance<Key extends ZoneKey>(
  before: SigningState<Key>,
  facts: Facts<Key>,
): SigningState<Key> {
  if (before.status === 'disabled') return before
  const state = withParent(before, facts.parent)
  const { parent, dsOf } = facts
  const isPublished = (key: Key): boolean =>
    parent.kind === 'known' && parent.ds.some((ds) => isSameDs(ds, dsOf(key)))
  const afterStatus = advanceStatus(
    state,
    facts,
    state.keys.some((key) => key.role === 'ksk' && isPublished(key)),
  )
  const keys = advanceKeys(afterStatus, facts, isPublished)
  return keys === afterStatus.keys ? afterStatus : { ...afterStatus, keys }
}

/** Remembers for how long the parent's DS is kept. @returns the very same state where that is known, or no more than usual. */
export function withParent<State extends Pick<SigningState, 'dsTtlSeconds'>>(
  state: State,
  parent: ParentView,
): State {
  if (parent.kind === 'unknown' || parent.ds.length === 0) return state
  // By the hour, so that what a resolver tells, counting down, is a change of the zone once and not each time.
  const dsTtlSeconds = Math.ceil(parent.ttlSeconds / HOUR_SECONDS) * HOUR_SECONDS
  return dsTtlSeconds > (state.dsTtlSeconds ?? MIN_DS_TTL_SECONDS) ? { ...state, dsTtlSeconds } : state
}

function advanceStatus<Key extends ZoneKey>(
  state: SigningState<Key>,
  { nowMillis, parent }: Facts<Key>,
  isTrusted: boolean,
): SigningState<Key> {
  if (state.status === 'pending' && isTrusted) return moved(state, 'ds_seen')
  if (state.status !== 'pending-disabled' || parent.kind === 'unknown') return state
  if (parent.ds.length > 0) return state.dsGoneMillis === null ? state : { ...state, dsGoneMillis: null }
  if (state.dsGoneMillis === null) return { ...state, dsGoneMillis: nowMillis }
  const isForgotten = nowMillis - state.dsGoneMillis >= keptSeconds(state, parent) * 1000
  return isForgotten ? { ...moved(state, 'ds_expired'), dsGoneMillis: null, dsTtlSeconds: null } : state
}

function moved<Key extends ZoneKey>(state: SigningState<Key>, event: StatusEvent): SigningState<Key> {
  const status = nextStatus(state.status, event)
  if (status === undefined) throw new Error(`${event} in status ${state.status}`)
  return { ...state, status }
}

function advanceKeys<Key extends ZoneKey>(
  { keys, dsTtlSeconds }: SigningState<Key>,
  facts: Facts<Key>,
  isPublished: (key: Key) => boolean,
): readonly Key[] {
  const { nowMillis } = facts
  let next = keys
  for (const key of keys) {
    const event = eventOf(key, { ...facts, dsTtlSeconds }, isPublished)
    if (event === undefined) continue
    next = withEvent(next, key.id, event, nowMillis)
    const isNowActive = next.find(({ id }) => id === key.id)?.state === 'active'
    if (!isNowActive) continue
    // The one in whose place it comes.
    const old = next.find(({ id, role, state }) => id !== key.id && role === key.role && state === 'active')
    if (old !== undefined) next = withEvent(next, old.id, 'replaced', nowMillis)
  }
  return next
}

function eventOf<Key extends ZoneKey>(
  key: Key,
  facts: Facts<Key> & DsTtl,
  isPublished: (key: Key) => boolean,
): KeyEvent | undefined {
  const { state } = key
  const dueMillis = dueAt(key, facts)
  const isDue = dueMillis !== undefined && facts.nowMillis >= dueMillis
  if (state === 'published' && isDue) return 'known'
  if (state === 'ready' && isPublished(key)) return 'taken'
  return state === 'outgoing' && isDue ? 'forgotten' : undefined
}

/** When the clock alone moves a key on, milliseconds since 1970; undefined where it does not. */
export function dueAt(
  { role, state, sinceMillis }: ZoneKey,
  { propagationSeconds, parent, dsTtlSeconds }: Pick<Facts<ZoneKey>, 'propagationSeconds' | 'parent'> & DsTtl,
): number | undefined {
  if (state === 'published') {
    // Signatures of the old key alone are kept as long as any record, key sets without the new one as long as keys.
    const ttlSeconds = role === 'zsk' ? MAX_TTL_SECONDS : KEY_TTL_SECONDS
    return sinceMillis + (ttlSeconds + propagationSeconds) * 1000
  }
  if (state !== 'outgoing') return undefined
  return sinceMillis + (keptSeconds({ dsTtlSeconds }, parent) + propagationSeconds) * 1000
}

/** Seconds for which caches may have a DS that the parent has no more. */
function keptSeconds({ dsTtlSeconds }: DsTtl, parent: ParentView): number {
  const toldSeconds = parent.kind === 'known' ? parent.ttlSeconds : 0
  return Math.max(toldSeconds, dsTtlSeconds ?? 0, MIN_DS_TTL_SECONDS)
}

function withEvent<Key extends ZoneKey>(
  keys: readonly Key[],
  id: string,
  event: KeyEvent,
  nowMillis: number,
): readonly Key[] {
  return keys.flatMap((key) => {
    if (key.id !== id) return [key]
    const state = KEY_NEXT[key.role][key.state][event]
    if (state === undefined) throw new Error(`${event} of a ${key.role} that is ${key.state}`)
    return state === 'gone' ? [] : [{ ...key, state, sinceMillis: nowMillis }]
  })
}

function isSameDs(a: Ds, b: Ds): boolean {
  const isSameKey = a.keyTag === b.keyTag && a.algorithm === b.algorithm
  // Digests of other types are of the same key, as far as its tag and algorithm tell.
  return isSameKey && (a.digestType !== b.digestType || compareOctets(a.digest, b.digest) === 0)
}
