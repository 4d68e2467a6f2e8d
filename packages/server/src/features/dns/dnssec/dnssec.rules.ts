// The lifecycle of a zone's signing and of its keys. Every step waits until no cache can hold anything that the step
// would make invalid (RFC 6781 §4.1, RFC 7583). Pure: takes the known facts and returns the next state; has no clock.
import { compareOctets, type Ds } from '@zonereeve/dns'

/** As on the wire. The zone is signed in all states but `disabled`. */
export type DnssecStatus = 'disabled' | 'pending' | 'active' | 'pending-disabled'

type StatusEvent =
  | 'enable'
  /** The parent has a DS for one of the zone's keys. */
  | 'ds_seen'
  /** Signing is to be disabled; the parent has a DS, or its state is unknown. */
  | 'disable'
  /** Signing is to be disabled, and the parent has no DS. */
  | 'disable_unseen'
  /** The parent's DS has been gone for so long that no cache holds it. */
  | 'ds_expired'

const STATUS_NEXT: Readonly<Record<DnssecStatus, Partial<Record<StatusEvent, DnssecStatus>>>> = {
  disabled: { enable: 'pending' },
  pending: { ds_seen: 'active', disable: 'pending-disabled', disable_unseen: 'disabled' },
  active: { disable: 'pending-disabled' },
  'pending-disabled': { enable: 'pending', ds_expired: 'disabled' },
}

/** `ksk`: signs the keys, the parent's DS refers to it. `zsk`: signs everything else. */
export type KeyRole = 'ksk' | 'zsk'

/** What is rolled over: the key of a role, or all keys to another algorithm. */
export type KeyRollover = KeyRole | 'algorithm'

/**
 * All of a zone's keys sign, and all but those that are `signing` or `withdrawn` are in its DNSKEY set. The state
 * says what the key waits for.
 *
 * - `signing`: new, of another algorithm; caches may hold answers without its signatures.
 * - `published`: new; caches may hold key sets without it.
 * - `ready`: new, and known to caches; the parent is to publish its DS, or that of the KSK of its algorithm.
 * - `active`: the normal state outside a rollover.
 * - `outgoing`: the parent has replaced its DS, or that of the KSK of its algorithm; caches may hold the old one.
 * - `withdrawn`: of the previous algorithm; caches may hold key sets with it, and then require its signatures.
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
  Record<KeyRollover, Partial<Record<KeyState, Partial<Record<KeyEvent, KeyState | 'gone'>>>>>
> = {
  ksk: {
    published: { known: 'ready' },
    ready: { taken: 'active' },
    active: { replaced: 'outgoing' },
    outgoing: { forgotten: 'gone' },
  },
  zsk: { published: { known: 'active' }, active: { replaced: 'gone' } },
  // Both keys of an algorithm advance together. Wherever an algorithm is visible, in a DS or in the key set, its
  // signatures must exist: they are added first and removed last (RFC 4035 §2.2, RFC 6781 §4.1.4).
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
  /** Algorithm number (RFC 8624 §3.1). */
  readonly algorithm: number
  readonly state: KeyState
  /** When it entered its state, milliseconds since 1970. */
  readonly sinceMillis: number
}

export interface SigningState<Key extends ZoneKey = ZoneKey> {
  readonly status: DnssecStatus
  readonly keys: readonly Key[]
  /** In status `pending-disabled`: since when the parent is known to have no DS. */
  readonly dsGoneMillis: number | null
  /**
   * The highest TTL seen for the parent's DS, rounded up to whole hours, if it is more than a day: when the DS is
   * gone, its TTL can no longer be queried.
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
  /** Seconds until the last of the zone's other nameservers has a change. */
  readonly propagationSeconds: number
}

/** Seconds that caches may keep a record of a zone: no TTL is higher. */
export const MAX_TTL_SECONDS = 86_400
/** TTL of the zone's DNSKEY records in seconds. */
export const KEY_TTL_SECONDS = 3600
/** Minimum seconds that the parent's DS is assumed to be cached: a resolver may report the remaining TTL only. */
const MIN_DS_TTL_SECONDS = 86_400

const HOUR_SECONDS = 3600

type DsTtl = Pick<SigningState, 'dsTtlSeconds'>

/** The status after an event; undefined if the event is not allowed. */
export function nextStatus(status: DnssecStatus, event: StatusEvent): DnssecStatus | undefined {
  return STATUS_NEXT[status][event]
}

/** The key whose DS the parent should have: the one it is to publish, or has published. */
export function entryPoint<Key extends ZoneKey>(keys: readonly Key[]): Key | undefined {
  const entryPoints = keys.filter(({ role }) => role === 'ksk')
  return (
    entryPoints.find(({ state }) => state === 'ready') ?? entryPoints.find(({ state }) => state === 'active')
  )
}

/** Whether a key is in the zone's DNSKEY set. */
export const isInKeySet = ({ state }: Pick<ZoneKey, 'state'>): boolean =>
  state !== 'signing' && state !== 'withdrawn'

/** Whether an algorithm rollover is in progress. */
export const isChangingAlgorithm = (keys: readonly ZoneKey[]): boolean =>
  keys.some(({ algorithm }) => algorithm !== keys[0]?.algorithm)

/** The kind of rollover that a key of a zone with these keys takes part in. */
export const rolloverOf = ({ role }: ZoneKey, keys: readonly ZoneKey[]): KeyRollover =>
  isChangingAlgorithm(keys) ? 'algorithm' : role

/** A key in a rollover that blocks this rollover. */
export const movingKey = (keys: readonly ZoneKey[], rollover: KeyRollover): ZoneKey | undefined =>
  keys.find(({ role, state }) => state !== 'active' && (rollover === 'algorithm' || role === rollover))

/** Days after which the key of a role is rolled over; 0: never. */
export type KeyDays = Readonly<Record<KeyRole, number>>

const DAY_MILLIS = 86_400_000

/**
 * The role whose key is so old that its rollover is to start. Never for a zone that other providers sign too: they would
 * have to publish the new key first (RFC 8901 §6).
 */
export function agedRole(
  { status, keys, multiSigner }: Pick<SigningState, 'status' | 'keys'> & { readonly multiSigner: boolean },
  days: KeyDays,
  nowMillis: number,
): KeyRole | undefined {
  if (multiSigner || isChangingAlgorithm(keys)) return undefined
  // Without the parent's DS a new KSK would wait for it for ever.
  const roles: readonly KeyRole[] = status === 'active' ? ['zsk', 'ksk'] : status === 'pending' ? ['zsk'] : []
  return roles.find((role) => {
    const [key, ...others] = keys.filter((each) => each.role === role)
    if (days[role] === 0 || key?.state !== 'active' || others.length > 0) return false
    return nowMillis - key.sinceMillis >= days[role] * DAY_MILLIS
  })
}

/** Takes every step that the facts allow. @returns the same object if there is none. */
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

/** Stores how long the parent's DS may be cached. @returns the same object if nothing changes. */
export function withParent<State extends Pick<SigningState, 'dsTtlSeconds'>>(
  state: State,
  parent: ParentView,
): State {
  if (parent.kind === 'unknown' || parent.ds.length === 0) return state
  // Rounded to hours, so that the decreasing TTL from a resolver changes the zone once and not each time.
  const dsTtlSeconds = Math.ceil(parent.ttlSeconds / HOUR_SECONDS) * HOUR_SECONDS
  return dsTtlSeconds > (state.dsTtlSeconds ?? MIN_DS_TTL_SECONDS) ? { ...state, dsTtlSeconds } : state
}

function advanceStatus<Key extends ZoneKey>(
  state: SigningState<Key>,
  { nowMillis, parent }: Facts<Key>,
  isTrusted: boolean,
): SigningState<Key> {
  if (state.status === 'pending' && isTrusted) return applyStatusEvent(state, 'ds_seen')
  if (state.status !== 'pending-disabled' || parent.kind === 'unknown') return state
  if (parent.ds.length > 0) return state.dsGoneMillis === null ? state : { ...state, dsGoneMillis: null }
  if (state.dsGoneMillis === null) return { ...state, dsGoneMillis: nowMillis }
  const isForgotten = nowMillis - state.dsGoneMillis >= keptSeconds(state, parent) * 1000
  return isForgotten
    ? { ...applyStatusEvent(state, 'ds_expired'), dsGoneMillis: null, dsTtlSeconds: null }
    : state
}

function applyStatusEvent<Key extends ZoneKey>(
  state: SigningState<Key>,
  event: StatusEvent,
): SigningState<Key> {
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
    const rollover = rolloverOf(key, keys)
    next = withEvent(next, key.id, event, rollover, nowMillis)
    const isNowActive = next.find(({ id }) => id === key.id)?.state === 'active'
    if (!isNowActive) continue
    // The key that it replaces.
    const old = next.find(({ id, role, state }) => id !== key.id && role === key.role && state === 'active')
    if (old !== undefined) next = withEvent(next, old.id, 'replaced', rollover, nowMillis)
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
 * Whether the parent has the DS of a ready key. A DS of another algorithm must be gone by then: while it exists or is
 * cached, every answer must be signed with that algorithm, too (RFC 4035 §2.2).
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

/** Whether the parent has a DS of its algorithm, for this or another key. */
const isAlgorithmAtParent = ({ algorithm }: ZoneKey, { parent }: Pick<Facts<ZoneKey>, 'parent'>): boolean =>
  parent.kind === 'known' && parent.ds.some((ds) => ds.algorithm === algorithm)

/** When time alone advances a key of a zone, milliseconds since 1970; undefined if it does not. */
export function dueAt(
  key: ZoneKey,
  { keys, dsTtlSeconds }: Pick<SigningState, 'keys' | 'dsTtlSeconds'>,
  { propagationSeconds, parent }: Pick<Facts<ZoneKey>, 'propagationSeconds' | 'parent'>,
): number | undefined {
  const rollover = rolloverOf(key, keys)
  const cachedSeconds = {
    signing: MAX_TTL_SECONDS,
    // Signatures of the old key alone may be cached as long as any record; key sets without the new key as long as
    // keys.
    published: rollover === 'zsk' ? MAX_TTL_SECONDS : KEY_TTL_SECONDS,
    ready: undefined,
    active: undefined,
    outgoing: keptSeconds({ dsTtlSeconds }, parent),
    withdrawn: KEY_TTL_SECONDS,
  }[key.state]
  if (cachedSeconds === undefined) return undefined
  // Keys that advance together wait for the last one: they were created one after the other.
  const together =
    rollover === 'algorithm' ? keys.filter(({ algorithm }) => algorithm === key.algorithm) : [key]
  const sinceMillis = Math.max(...together.map((each) => each.sinceMillis))
  return sinceMillis + (cachedSeconds + propagationSeconds) * 1000
}

/** Seconds for which caches may hold a DS that the parent no longer has. */
function keptSeconds({ dsTtlSeconds }: DsTtl, parent: ParentView): number {
  const reportedSeconds = parent.kind === 'known' ? parent.ttlSeconds : 0
  return Math.max(reportedSeconds, dsTtlSeconds ?? MIN_DS_TTL_SECONDS, MIN_DS_TTL_SECONDS)
}

function withEvent<Key extends ZoneKey>(
  keys: readonly Key[],
  id: string,
  event: KeyEvent,
  rollover: KeyRollover,
  nowMillis: number,
): readonly Key[] {
  return keys.flatMap((key) => {
    if (key.id !== id) return [key]
    const state = KEY_NEXT[rollover][key.state]?.[event]
    if (state === undefined) throw new Error(`${event} of a ${key.role} that is ${key.state}`)
    return state === 'gone' ? [] : [{ ...key, state, sinceMillis: nowMillis }]
  })
}

function isSameDs(a: Ds, b: Ds): boolean {
  const isSameKey = a.keyTag === b.keyTag && a.algorithm === b.algorithm
  // DS records with other digest types match by tag and algorithm.
  return isSameKey && (a.digestType !== b.digestType || compareOctets(a.digest, b.digest) === 0)
}
