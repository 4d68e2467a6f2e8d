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

/** What is exchanged: the key of a role, or all keys for those of another algorithm. */
export type Exchange = KeyRole | 'algorithm'

/**
 * All of a zone's keys sign, and all but those that are `signing` or `withdrawn` are among its DNSKEY records; the state says
 * what is waited for.
 *
 * - `signing`: new, of another algorithm; caches may have answers without its signatures.
 * - `published`: new; caches may not have it.
 * - `ready`: new, and caches have it; the parent is to take its DS, or that of the entry point of its algorithm.
 * - `active`: the one there is when nothing is going on.
 * - `outgoing`: the parent has exchanged its DS, or that of the entry point of its algorithm; caches may have the old one.
 * - `withdrawn`: of the algorithm that was; caches may have it among the keys, and then want its signatures.
 */
export type KeyState = 'signing' | 'published' | 'ready' | 'active' | 'outgoing' | 'withdrawn'

type KeyEvent =
  | 'known'
  | 'taken'
  | 'replaced'
  /** The parent still has a DS of its algorithm. */
  | 'trusted'
  | 'forgotten'

/** `gone`: the key is deleted. */
const KEY_NEXT: Readonly<
  Record<Exchange, Partial<Record<KeyState, Partial<Record<KeyEvent, KeyState | 'gone'>>>>>
> = {
  ksk: {
    published: { known: 'ready' },
    ready: { taken: 'active' },
    active: { replaced: 'outgoing' },
    outgoing: { forgotten: 'gone' },
  },
  zsk: {
    published: { known: 'active' },
    active: { replaced: 'gone' },
  },
  // Both keys of an algorithm go together. Wherever it is seen, in a DS or among the keys, its signatures are: they come
  // first and go last (RFC 4035 §2.2, RFC 6781 §4.1.4).
  algorithm: {
    signing: { known: 'published' },
    published: { known: 'ready' },
    ready: { taken: 'active' },
    active: { replaced: 'outgoing' },
    outgoing: { trusted: 'outgoing', forgotten: 'withdrawn' },
    withdrawn: { forgotten: 'gone' },
  },
}

export interface ZoneKey {
  readonly id: string
  readonly role: KeyRole
  /** Its number (RFC 8624 §3.1). */
  readonly algorithm: number
  readonly state: KeyState
  /** When it came into its state, milliseconds since 1970. */
  readonly sinceMillis: number
}

export interface SigningState<Key extends ZoneKey = ZoneKey> {
  readonly status: DnssecStatus
  readonly keys: readonly Key[]
  /** While the status is `pending-disabled`: since when the parent is known to have no DS. */
  readonly dsGoneMillis: number | null
  /**
   * The highest TTL that the parent's DS was seen with, up to the next whole hour, where that is more than a day: when the
   * DS is gone, nobody tells it any more.
   */
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

/** Whether a key is among the zone's DNSKEY records. */
export const isInKeySet = ({ state }: Pick<ZoneKey, 'state'>): boolean =>
  state !== 'signing' && state !== 'withdrawn'

/** Whether the algorithm is exchanged. */
export const isChangingAlgorithm = (keys: readonly ZoneKey[]): boolean =>
  keys.some(({ algorithm }) => algorithm !== keys[0]?.algorithm)

/** What a key of a zone with these keys is exchanged as. */
export const exchangeOf = ({ role }: ZoneKey, keys: readonly ZoneKey[]): Exchange =>
  isChangingAlgorithm(keys) ? 'algorithm' : role

/** A key that is being exchanged, so that the one of a role, or all of them, cannot be. */
export const movingKey = (keys: readonly ZoneKey[], exchange: Exchange): ZoneKey | undefined =>
  keys.find(({ role, state }) => state !== 'active' && (exchange === 'algorithm' || role === exchange))

/** Takes every step that what is known allows. @returns the very same state where there is none. */
export function advance<Key extends ZoneKey>(
  before: SigningState<Key>,
  facts: Facts<Key>,
): SigningState<Key> {
  if (before.status === 'disabled') return before
  const state = withParent(before, facts.parent)
  const isTrusted = state.keys.some((key) => key.role === 'ksk' && isAtParent(key, facts))
  const afterStatus = advanceStatus(state, facts, isTrusted)
  const keys = advanceKeys(afterStatus, facts)
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

function advanceKeys<Key extends ZoneKey>(state: SigningState<Key>, facts: Facts<Key>): readonly Key[] {
  const { nowMillis } = facts
  const { keys } = state
  let next = keys
  for (const key of keys) {
    const event = eventOf(key, state, facts)
    if (event === undefined) continue
    const exchange = exchangeOf(key, keys)
    next = withEvent(next, key.id, event, exchange, nowMillis)
    const isNowActive = next.find(({ id }) => id === key.id)?.state === 'active'
    if (!isNowActive) continue
    // The one in whose place it comes.
    const old = next.find(({ id, role, state }) => id !== key.id && role === key.role && state === 'active')
    if (old !== undefined) next = withEvent(next, old.id, 'replaced', exchange, nowMillis)
  }
  return next
}

function eventOf<Key extends ZoneKey>(
  key: Key,
  zone: SigningState<Key>,
  facts: Facts<Key>,
): KeyEvent | undefined {
  const { state } = key
  const { keys } = zone
  if (state === 'active') return undefined
  if (state === 'ready') return isTaken(key, keys, facts) ? 'taken' : undefined
  const dueMillis = dueAt(key, zone, facts)
  if (dueMillis === undefined || facts.nowMillis < dueMillis) return undefined
  if (state === 'signing' || state === 'published') return 'known'
  const isKept = state === 'outgoing' && isChangingAlgorithm(keys) && isAlgorithmAtParent(key, facts)
  return isKept ? 'trusted' : 'forgotten'
}

/**
 * Whether the parent has the DS of a key that is ready. That of another algorithm must be gone by then: for as long as it is
 * there, and kept, every answer must be signed by that, too (RFC 4035 §2.2).
 */
function isTaken<Key extends ZoneKey>(key: Key, keys: readonly Key[], facts: Facts<Key>): boolean {
  const own = keys.filter(({ algorithm }) => algorithm === key.algorithm)
  const others = keys.filter(({ algorithm }) => algorithm !== key.algorithm)
  if (others.length === 0) return isAtParent(key, facts)
  const isShown = own.some((each) => each.role === 'ksk' && isAtParent(each, facts))
  return isShown && !others.some((each) => isAlgorithmAtParent(each, facts))
}

const isAtParent = <Key extends ZoneKey>(key: Key, { parent, dsOf }: Facts<Key>): boolean =>
  parent.kind === 'known' && parent.ds.some((ds) => isSameDs(ds, dsOf(key)))

/** Whether the parent has a DS of its algorithm, be it of another key. */
const isAlgorithmAtParent = ({ algorithm }: ZoneKey, { parent }: Pick<Facts<ZoneKey>, 'parent'>): boolean =>
  parent.kind === 'known' && parent.ds.some((ds) => ds.algorithm === algorithm)

/** When the clock alone moves a key of a zone on, milliseconds since 1970; undefined where it does not. */
export function dueAt(
  key: ZoneKey,
  { keys, dsTtlSeconds }: Pick<SigningState, 'keys' | 'dsTtlSeconds'>,
  { propagationSeconds, parent }: Pick<Facts<ZoneKey>, 'propagationSeconds' | 'parent'>,
): number | undefined {
  const exchange = exchangeOf(key, keys)
  const cachedSeconds = {
    signing: MAX_TTL_SECONDS,
    // Signatures of the old key alone are kept as long as any record, key sets without the new one as long as keys.
    published: exchange === 'zsk' ? MAX_TTL_SECONDS : KEY_TTL_SECONDS,
    ready: undefined,
    active: undefined,
    outgoing: keptSeconds({ dsTtlSeconds }, parent),
    withdrawn: KEY_TTL_SECONDS,
  }[key.state]
  if (cachedSeconds === undefined) return undefined
  // Keys that go together wait for the last of them: they were made one after the other.
  const together =
    exchange === 'algorithm' ? keys.filter(({ algorithm }) => algorithm === key.algorithm) : [key]
  const sinceMillis = Math.max(...together.map((each) => each.sinceMillis))
  return sinceMillis + (cachedSeconds + propagationSeconds) * 1000
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
  exchange: Exchange,
  nowMillis: number,
): readonly Key[] {
  return keys.flatMap((key) => {
    if (key.id !== id) return [key]
    const state = KEY_NEXT[exchange][key.state]?.[event]
    if (state === undefined) throw new Error(`${event} of a ${key.role} that is ${key.state}`)
    return state === 'gone' ? [] : [{ ...key, state, sinceMillis: nowMillis }]
  })
}

function isSameDs(a: Ds, b: Ds): boolean {
  const isSameKey = a.keyTag === b.keyTag && a.algorithm === b.algorithm
  // Digests of other types are of the same key, as far as its tag and algorithm tell.
  return isSameKey && (a.digestType !== b.digestType || compareOctets(a.digest, b.digest) === 0)
}
