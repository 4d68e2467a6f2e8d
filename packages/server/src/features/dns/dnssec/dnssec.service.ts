// DNSSEC of zones: enabling, keys, and rollovers. A change of keys is a change set of the zone, and changes its
// answers.
import { keyTag, SIGNING_ALGORITHM, type Name } from '@zonereeve/dns'
import {
  type Actor,
  type Clock,
  DomainError,
  type Ids,
  type KeyVault,
  makeKeyPair,
  SYSTEM,
} from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, lastChangeAt, type ChangeOp } from '../../changes/index.ts'
import { isSignedByPrimary } from '../dns-records/index.ts'
import {
  bumpSerial,
  findZone,
  type PublicationSettings,
  requireZone,
  type Zone,
  type ZoneContents,
  type Zones,
} from '../../zones/index.ts'
import {
  advance,
  agedRole,
  entryPoint,
  rolloverOf,
  isChangingAlgorithm,
  isInKeySet,
  movingKey,
  nextStatus,
  withParent,
  type KeyDays,
  type KeyRollover,
  type Facts,
  type KeyRole,
  type ParentView,
} from './dnssec.rules.ts'
import {
  allDnssec,
  deleteDnssec,
  findDnssec,
  saveDnssec,
  type StoredDnssec,
  type StoredKey,
} from './dnssec.store.ts'
import { belongsTo, dnskeyOfStored, dsOfStored, zoneKeysOf, type ZoneKeys } from './zone-keys.ts'

/** The DNSSEC state of a zone, for replies. */
export interface ZoneDnssec {
  readonly zone: Zone
  /** Undefined if the zone was never signed, or its keys are deleted. */
  readonly dnssec: StoredDnssec | undefined
  /** Seconds until other nameservers have a change. */
  readonly propagationSeconds: number
  readonly isSignedByPrimary: boolean
}

/**
 * Rollovers that age starts in one run, which is each minute: a setting that is new, or a clock that was set, does not
 * renew the keys of all zones together, nor again after the same time.
 */
const MAX_ROLLOVERS_STARTED = 10

/** What to roll over: the key of a role, or all keys to another algorithm. */
export type RollOver = { readonly role: KeyRole } | { readonly algorithm: keyof typeof SIGNING_ALGORITHM }

export interface DnssecPatch {
  readonly status: 'active' | 'disabled' | undefined
  readonly multiSigner: boolean | undefined
  readonly presigned: boolean | undefined
  readonly useNsec3: boolean | undefined
}

export interface DnssecDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly vault: KeyVault
  readonly algorithm: keyof typeof SIGNING_ALGORITHM
  readonly keyDays: KeyDays
  readonly settingsChanged: Zones['settingsChanged']
  readonly publicationSettings: (db: Reader, zone: Zone) => Promise<PublicationSettings>
  /** Whether other nameservers have signatures of a zone that must be renewed. */
  readonly isRenewalDue: (zoneId: string) => boolean
  /** Queries what the parent of a zone publishes for it. */
  readonly askParent: (zone: Name) => Promise<ParentView>
}

export type Dnssec = ReturnType<typeof createDnssec>

const UNKNOWN: ParentView = { kind: 'unknown' }
/**
 * Signatures in copies are valid for 14 days. Other nameservers are called to renew them before half of that has
 * passed, because after a restart the age of their signatures is unknown.
 */
const RESIGNED_MILLIS = 6 * 86_400_000

export function createDnssec(deps: DnssecDeps) {
  const { storage, clock, ids, vault, settingsChanged, publicationSettings, askParent } = deps
  return { get, edit, remove, roll, checkParent, advanceAll }

  /** @throws DomainError: zone.unknown. */
  async function get(zoneId: string): Promise<ZoneDnssec> {
    const zone = await requireZone(storage, zoneId)
    return describe(storage, zone, await findDnssec(storage, zoneId))
  }

  /** Members that are not sent are kept. @throws DomainError: zone.unknown, dnssec.multi_signer, and as requireOneSigner. */
  async function edit(zoneId: string, patch: DnssecPatch, actor: Actor): Promise<ZoneDnssec> {
    // Queried before the transaction, which must not wait.
    const parent = patch.status === 'disabled' ? await parentOf(zoneId) : UNKNOWN
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const before = await findDnssec(tx, zoneId)
      await requireOneSigner(tx, zone, before, patch)
      if (patch.multiSigner === true && before !== undefined && isChangingAlgorithm(before.keys))
        throw new DomainError({ reason: 'dnssec.multi_signer', pointer: '/dnssec_multi_signer' })
      const after = applyPatch(zone, before, patch, parent)
      if (after === undefined || isSame(before, after)) return describe(tx, zone, before)
      return store(tx, zone, before, { ...after, modifiedOn: clock.timestamp() }, actor)
    })
  }

  /** Deletes the keys. @throws DomainError: zone.unknown, dnssec.signed. */
  function remove(zoneId: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await findDnssec(tx, zoneId)
      if (before === undefined) return
      const { status } = before
      if (status !== 'disabled') throw new DomainError({ reason: 'dnssec.signed', values: { status } })
      await deleteDnssec(tx, zoneId)
      await append(tx, { scopeId: zoneId, actor }, [dnssecOp(zoneId, before, undefined)])
    })
  }

  /**
   * Starts a key rollover or an algorithm rollover.
   *
   * @throws DomainError: zone.unknown, dnssec.not_signed, dnssec.rolling, dnssec.same_algorithm, dnssec.multi_signer.
   */
  function roll(zoneId: string, rollOver: RollOver, actor: Actor): Promise<ZoneDnssec> {
    return storage.write(async (tx) => {
      const before = requireSigned(await findDnssec(tx, zoneId))
      return addKeys(tx, before, { zoneId, rollOver, actor })
    })
  }

  async function addKeys(
    tx: Transaction,
    before: StoredDnssec,
    { zoneId, rollOver, actor }: { zoneId: string; rollOver: RollOver; actor: Actor },
  ): Promise<ZoneDnssec> {
    const zone = await requireZone(tx, zoneId)
    const fresh =
      'role' in rollOver
        ? keyInPlace(zoneId, before, rollOver.role)
        : keysOfOther(zoneId, before, rollOver.algorithm)
    const keys = [...before.keys, ...fresh]
    return store(tx, zone, before, { ...before, keys, modifiedOn: clock.timestamp() }, actor)
  }

  function keyInPlace(zoneId: string, { keys }: StoredDnssec, role: KeyRole): StoredKey[] {
    rejectDuringRollover(keys, role, '/role')
    const { algorithm } = keys[0] ?? { algorithm: SIGNING_ALGORITHM[deps.algorithm] }
    return [newKey(zoneId, role, algorithm, 'published')]
  }

  function keysOfOther(
    zoneId: string,
    { keys, multiSigner }: StoredDnssec,
    name: keyof typeof SIGNING_ALGORITHM,
  ): StoredKey[] {
    const pointer = '/algorithm'
    rejectDuringRollover(keys, 'algorithm', pointer)
    if (multiSigner) throw new DomainError({ reason: 'dnssec.multi_signer', pointer })
    const algorithm = SIGNING_ALGORITHM[name]
    if (keys.some((key) => key.algorithm === algorithm))
      throw new DomainError({ reason: 'dnssec.same_algorithm', pointer, values: { algorithm: name } })
    return newKeys(zoneId, algorithm, 'signing')
  }

  /**
   * Takes the steps that the parent's DS records allow.
   *
   * @param keyTags the parent's key tags, if the caller knows them; otherwise the parent is queried.
   * @throws DomainError: zone.unknown, dnssec.not_signed, dnssec.unknown_tag.
   */
  async function checkParent(
    zoneId: string,
    keyTags: readonly number[] | undefined,
    actor: Actor,
  ): Promise<ZoneDnssec> {
    // Queried before the transaction, which must not wait.
    const parent = keyTags ?? (await parentOf(zoneId))
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const before = requireSigned(await findDnssec(tx, zoneId))
      const view = 'kind' in parent ? parent : reportedView(zone, before, parent)
      return step(tx, zone, before, view, actor)
    })
  }

  /** Takes every due step of every zone, and those that its parent allows. To be called about every minute. */
  async function advanceAll(): Promise<void> {
    const failures: unknown[] = []
    let started = 0
    for (const [zoneId, dnssec] of await allDnssec(storage)) {
      try {
        const isAged =
          started < MAX_ROLLOVERS_STARTED && agedRole(dnssec, deps.keyDays, clock.now()) !== undefined
        if (isAged && (await rollAged(zoneId))) started += 1
        await advanceZone(zoneId, dnssec)
      } catch (failure) {
        // A failing zone must not block the others; the caller logs the failure.
        failures.push(failure)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  /** @returns whether a rollover has started. */
  function rollAged(zoneId: string): Promise<boolean> {
    return storage.write(async (tx) => {
      const before = await findDnssec(tx, zoneId)
      const role = before && agedRole(before, deps.keyDays, clock.now())
      if (before === undefined || role === undefined) return false
      await addKeys(tx, before, { zoneId, rollOver: { role }, actor: SYSTEM })
      return true
    })
  }

  async function advanceZone(zoneId: string, dnssec: StoredDnssec): Promise<void> {
    if (dnssec.status !== 'disabled') await renew(zoneId)
    if (!isWaiting(dnssec)) return
    const parent = await parentOf(zoneId).catch(() => UNKNOWN) // a zone deleted meanwhile is skipped below
    await storage.write(async (tx) => {
      const before = await findDnssec(tx, zoneId)
      if (before !== undefined) await step(tx, await requireZone(tx, zoneId), before, parent, SYSTEM)
    })
  }

  /** Bumps the serial, so that other nameservers transfer the zone with new signatures. */
  async function renew(zoneId: string): Promise<void> {
    if (deps.isRenewalDue(zoneId)) {
      await bumpSerial(deps, zoneId)
      return
    }
    const last = await lastChangeAt(storage, zoneId)
    if (last !== undefined && clock.now() - Date.parse(last) >= RESIGNED_MILLIS)
      await bumpSerial(deps, zoneId)
  }

  async function parentOf(zoneId: string): Promise<ParentView> {
    const { name } = await requireZone(storage, zoneId)
    return askParent(name)
  }

  async function step(
    tx: Transaction,
    zone: Zone,
    before: StoredDnssec,
    parent: ParentView,
    actor: Actor,
  ): Promise<ZoneDnssec> {
    const described = await describe(tx, zone, before)
    const { propagationSeconds } = described
    const facts: Facts<StoredKey> = {
      nowMillis: clock.now(),
      parent,
      dsOf: (key) => dsOfStored(zone.name, key),
      propagationSeconds,
    }
    const after = advance<StoredKey>(before, facts)
    if (after === before) return described
    return store(tx, zone, before, { ...before, ...after, modifiedOn: clock.timestamp() }, actor)
  }

  function applyPatch(
    zone: Zone,
    before: StoredDnssec | undefined,
    patch: DnssecPatch,
    parent: ParentView,
  ): StoredDnssec | undefined {
    const wantsMore = patch.multiSigner === true || patch.useNsec3 === true || patch.presigned === true
    if (before === undefined && patch.status !== 'active' && !wantsMore) return undefined
    const base = before ?? { ...UNSIGNED, modifiedOn: clock.timestamp() }
    const chosen: StoredDnssec = {
      ...base,
      multiSigner: patch.multiSigner ?? base.multiSigner,
      useNsec3: patch.useNsec3 ?? base.useNsec3,
      presigned: patch.presigned ?? base.presigned,
    }
    if (patch.status === 'active') {
      const status = nextStatus(chosen.status, 'enable') ?? chosen.status
      const algorithm = SIGNING_ALGORITHM[deps.algorithm]
      const keys = chosen.keys.length > 0 ? chosen.keys : newKeys(zone.id, algorithm, 'active')
      return { ...chosen, status, keys, dsGoneMillis: null }
    }
    if (patch.status === 'disabled') {
      const isUnseen = parent.kind === 'known' && parent.ds.length === 0
      const event = isUnseen && chosen.status === 'pending' ? 'disable_unseen' : 'disable'
      return { ...withParent(chosen, parent), status: nextStatus(chosen.status, event) ?? chosen.status }
    }
    return chosen
  }

  function newKeys(zoneId: string, algorithm: number, state: StoredKey['state']): StoredKey[] {
    return (['ksk', 'zsk'] as const).map((role) => newKey(zoneId, role, algorithm, state))
  }

  function newKey(zoneId: string, role: KeyRole, algorithm: number, state: StoredKey['state']): StoredKey {
    const id = ids.id()
    const { publicKey, secret } = makeKeyPair(algorithm)
    const sealed = vault.seal(secret, belongsTo(zoneId, id))
    return { id, role, state, sinceMillis: clock.now(), algorithm, publicKey, secret: sealed }
  }

  async function store(
    tx: Transaction,
    zone: Zone,
    before: StoredDnssec | undefined,
    after: StoredDnssec,
    actor: Actor,
  ): Promise<ZoneDnssec> {
    await saveDnssec(tx, zone.id, after)
    const op = dnssecOp(zone.id, before, after)
    if (servedText(zone, before) === servedText(zone, after)) {
      await append(tx, { scopeId: zone.id, actor }, [op])
    } else {
      await settingsChanged(tx, zone, op, actor)
    }
    return describe(tx, zone, after)
  }

  async function describe(db: Reader, zone: Zone, dnssec: StoredDnssec | undefined): Promise<ZoneDnssec> {
    const { soa } = await publicationSettings(db, zone)
    const propagationSeconds = soa.refreshSeconds + soa.retrySeconds
    return { zone, dnssec, propagationSeconds, isSignedByPrimary: await isSignedByPrimary(db, zone.id) }
  }
}

export const zoneDnssec: ZoneContents = {
  name: 'DNSSEC',
  async operations(db, zoneId) {
    const before = await findDnssec(db, zoneId)
    return before === undefined ? [] : [dnssecOp(zoneId, before, undefined)]
  },
  remove: deleteDnssec,
}

/** The keys that the zone is signed with; undefined if it is not signed. */
export async function findZoneKeys(db: Reader, zone: Zone): Promise<ZoneKeys | undefined> {
  return zoneKeysOf(zone, await findDnssec(db, zone.id), db.vault)
}

export interface AllZoneKeys {
  /** Of the zones that are signed. */
  readonly keys: ReadonlyMap<string, ZoneKeys>
  /** Zones that are signed with keys that cannot be read: they must not be answered unsigned. */
  readonly unreadableKeys: ReadonlySet<string>
}

/** The keys of all signed zones that are needed, by zone. */
export async function allZoneKeys(
  db: Reader,
  vault: KeyVault,
  isNeeded: (zone: Zone) => boolean = () => true,
): Promise<AllZoneKeys> {
  const stored = await allDnssec(db)
  const keys = new Map<string, ZoneKeys>()
  const unreadableKeys = new Set<string>()
  for (const [zoneId, dnssec] of stored) {
    const zone = await findZone(db, zoneId).catch(() => undefined) // an unreadable zone is quarantined
    if (zone === undefined || !isNeeded(zone)) continue
    try {
      const own = zoneKeysOf(zone, dnssec, vault)
      if (own !== undefined) keys.set(zone.id, own)
    } catch (failure) {
      for (const { id, secret } of dnssec.keys)
        if (!isReadable(vault, secret, belongsTo(zone.id, id)))
          db.unreadable.note('dnssec_keys', { id }, { id, zone_id: zone.id, secret }, failure)
      unreadableKeys.add(zone.id)
    }
  }
  return { keys, unreadableKeys }
}

function isReadable(vault: KeyVault, secret: Uint8Array, owner: string): boolean {
  try {
    vault.open(secret, owner)
    return true
  } catch {
    // Reported by the caller, with the row.
    return false
  }
}

const UNSIGNED: Omit<StoredDnssec, 'modifiedOn'> = {
  status: 'disabled',
  multiSigner: false,
  useNsec3: false,
  presigned: false,
  dsGoneMillis: null,
  dsTtlSeconds: null,
  keys: [],
}

/** @throws DomainError: dnssec.presigned, dnssec.still_presigned, dnssec.signed_by_primary. */
async function requireOneSigner(
  db: Reader,
  zone: Zone,
  before: StoredDnssec | undefined,
  { status, presigned }: DnssecPatch,
): Promise<void> {
  const pointer = '/dnssec_presigned'
  if (presigned === true && zone.type !== 'secondary')
    throw new DomainError({ reason: 'dnssec.presigned', pointer, values: { type: zone.type } })
  const isSent = await isSignedByPrimary(db, zone.id)
  if (presigned === false && isSent) throw new DomainError({ reason: 'dnssec.still_presigned', pointer })
  if (status === 'active' && (isSent || (presigned ?? before?.presigned === true)))
    throw new DomainError({ reason: 'dnssec.signed_by_primary', pointer: '/status' })
}

/** Whether anything but a request can advance it. */
const isWaiting = ({ status, keys }: StoredDnssec): boolean =>
  status !== 'disabled' && (status !== 'active' || keys.some(({ state }) => state !== 'active'))

function requireSigned(dnssec: StoredDnssec | undefined): StoredDnssec {
  if (dnssec === undefined || dnssec.status === 'disabled')
    throw new DomainError({ reason: 'dnssec.not_signed' })
  return dnssec
}

/** @throws DomainError: dnssec.rolling, during a rollover that this one must wait for. */
function rejectDuringRollover(keys: readonly StoredKey[], rollover: KeyRollover, pointer: string): void {
  const moving = movingKey(keys, rollover)
  if (moving === undefined) return
  const since = new Date(moving.sinceMillis).toISOString()
  const values = { role: rolloverOf(moving, keys), since }
  throw new DomainError({ reason: 'dnssec.rolling', pointer, values })
}

/** The parent's state as given by the client. @throws DomainError: dnssec.unknown_tag. */
function reportedView(zone: Zone, { keys }: StoredDnssec, keyTags: readonly number[]): ParentView {
  const known = keys.filter(({ role }) => role === 'ksk').map((key) => dsOfStored(zone.name, key))
  const ds = keyTags.map((tag, index) => {
    const found = known.find((each) => each.keyTag === tag)
    if (found !== undefined) return found
    const tags = known.map((each) => each.keyTag).join(', ')
    throw new DomainError({
      reason: 'dnssec.unknown_tag',
      pointer: `/key_tags/${index}`,
      values: { tag, tags },
    })
  })
  return { kind: 'known', ds, ttlSeconds: 0 }
}

/** The entry for the change log: everything but private keys. */
const dnssecOp = (
  zoneId: string,
  before: StoredDnssec | undefined,
  after: StoredDnssec | undefined,
): ChangeOp => changeOp('dnssec.update', zoneId, before, after, publicText)

function publicText({ keys, modifiedOn, ...rest }: StoredDnssec): string {
  const shown = keys.map((key) => ({
    id: key.id,
    role: key.role,
    state: key.state,
    sinceMillis: key.sinceMillis,
    algorithm: key.algorithm,
    keyTag: keyTag(dnskeyOfStored(key)),
    publicKey: Buffer.from(key.publicKey).toString('base64'),
  }))
  return JSON.stringify({ ...rest, keys: shown, modifiedOn })
}

function isSame(before: StoredDnssec | undefined, after: StoredDnssec): boolean {
  return before !== undefined && publicText(before) === publicText(after)
}

/** Everything that affects answers, as text. */
function servedText(zone: Zone, dnssec: StoredDnssec | undefined): string {
  if (dnssec === undefined || dnssec.status === 'disabled') return ''
  const { keys, status, multiSigner, useNsec3 } = dnssec
  const desired = status === 'pending-disabled' ? undefined : entryPoint(keys)?.id
  const shown = keys.map((key) => [key.id, isInKeySet(key)])
  return JSON.stringify([zone.name, shown, desired, multiSigner, useNsec3])
}
