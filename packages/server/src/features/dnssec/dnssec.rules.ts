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
export function advance<Key extends ZoneKey>(state: SigningState<Key>, facts: Facts<Key>): SigningState<Key> {
  if (state.status === 'disabled') return state
  const { parent, dsOf } = facts
  const isPublished = (key: Key): boolean =>
    parent.kind === 'known' && parent.ds.some((ds) => isSameDs(ds, dsOf(key)))
  const afterStatus = advanceStatus(
    state,
    facts,
    state.keys.some((key) => key.role === 'ksk' && isPublished(key)),
  )
  const keys = advanceKeys(afterStatus.keys, facts, isPublished)
  return keys === afterStatus.keys ? afterStatus : { ...afterStatus, keys }
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
  const isForgotten = nowMillis - state.dsGoneMillis >= dsTtlSeconds(parent) * 1000
  return isForgotten ? { ...moved(state, 'ds_expired'), dsGoneMillis: null } : state
}

function moved<Key extends ZoneKey>(state: SigningState<Key>, event: StatusEvent): SigningState<Key> {
  const status = nextStatus(state.status, event)
  if (status === undefined) throw new Error(`${event} in status ${state.status}`)
  return { ...state, status }
}

function advanceKeys<Key extends ZoneKey>(
  keys: readonly Key[],
  facts: Facts<Key>,
  isPublished: (key: Key) => boolean,
): readonly Key[] {
  const { nowMillis } = facts
  let next = keys
  for (const key of keys) {
    const event = eventOf(key, facts, isPublished)
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
  facts: Facts<Key>,
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
  { propagationSeconds, parent }: Pick<Facts<ZoneKey>, 'propagationSeconds' | 'parent'>,
): number | undefined {
  if (state === 'published') {
    // Signatures of the old key alone are kept as long as any record, key sets without the new one as long as keys.
    const keptSeconds = role === 'zsk' ? MAX_TTL_SECONDS : KEY_TTL_SECONDS
    return sinceMillis + (keptSeconds + propagationSeconds) * 1000
  }
  return state === 'outgoing' ? sinceMillis + (dsTtlSeconds(parent) + propagationSeconds) * 1000 : undefined
}

const dsTtlSeconds = (parent: ParentView): number =>
  parent.kind === 'known' ? Math.max(parent.ttlSeconds, MIN_DS_TTL_SECONDS) : MIN_DS_TTL_SECONDS

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
