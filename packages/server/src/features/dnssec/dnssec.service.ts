// DNSSEC of zones: signed or not, with which keys, and what moves them on. A change of keys is a change set of the zone, and
// answers change with it.
import { keyTag, SIGNING_ALGORITHM, type Name } from '@zonereeve/dns'
import { SYSTEM, type Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError } from '../../platform/domain-error.ts'
import type { Ids } from '../../platform/ids.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { appendChange, appendOps, listChanges, type ChangeOp } from '../changes/index.ts'
import { allZones, demandZone, type ServingSettings, type Zone, type Zones } from '../zones/index.ts'
import {
  advance,
  entryPoint,
  exchangeOf,
  isChangingAlgorithm,
  isInKeySet,
  movingKey,
  nextStatus,
  withParent,
  type Exchange,
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
import { isSealed, type KeyVault } from './key-vault.ts'
import { makeKeyPair } from './signing-keys.ts'
import { belongsTo, dnskeyOfStored, dsOfStored, zoneKeysOf, type ZoneKeys } from './zone-keys.ts'

/** What is said of a zone's DNSSEC. */
export interface ZoneDnssec {
  readonly zone: Zone
  /** Undefined where the zone never was signed, or its keys are deleted. */
  readonly dnssec: StoredDnssec | undefined
  /** Seconds until other nameservers have a change. */
  readonly propagationSeconds: number
}

/** What is to be exchanged: the key of a role, or all keys for those of another algorithm. */
export type RollOver = { readonly role: KeyRole } | { readonly algorithm: keyof typeof SIGNING_ALGORITHM }

export interface DnssecPatch {
  readonly status: 'active' | 'disabled' | undefined
  readonly multiSigner: boolean | undefined
  readonly presigned: boolean | undefined
  readonly useNsec3: boolean | undefined
}

/** Told after commit: how a zone's answers are signed from now on; undefined = not. */
export interface SigningChanged {
  readonly zoneId: string
  readonly keys: ZoneKeys | undefined
}

export interface DnssecDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly vault: KeyVault
  readonly algorithm: keyof typeof SIGNING_ALGORITHM
  readonly settingsChanged: Zones['settingsChanged']
  readonly servingSettings: (db: Reader, zone: Zone) => Promise<ServingSettings>
  readonly publishSigning: (event: SigningChanged) => void
  /** Moves a zone's serial, and nothing else. */
  readonly stepZone: Zones['step']
  /** Whether other nameservers have signatures of a zone that are to be made anew. */
  readonly isRenewalDue: (zoneId: string) => boolean
  /** What the parent of a zone publishes for it. */
  readonly askParent: (zone: Name) => Promise<ParentView>
}

export type Dnssec = ReturnType<typeof createDnssec>

const UNKNOWN: ParentView = { kind: 'unknown' }
/**
 * Signatures that other nameservers were given hold for 14 days: before half of them is over they are to come for new ones,
 * though since a start nobody may know how old theirs are.
 */
const RESIGNED_MILLIS = 6 * 86_400_000

export function createDnssec(deps: DnssecDeps) {
  const { storage, clock, ids, vault, settingsChanged, servingSettings, publishSigning, askParent } = deps
  return { get, edit, remove, roll, checkParent, advanceAll }

  /** @throws DomainError: zone.unknown. */
  async function get(zoneId: string): Promise<ZoneDnssec> {
    const zone = await demandZone(storage, zoneId)
    return describe(storage, zone, await findDnssec(storage, zoneId))
  }

  /** Members that are not sent stay. @throws DomainError: zone.unknown, dnssec.presigned, dnssec.multi_signer. */
  async function edit(zoneId: string, patch: DnssecPatch, actor: Actor): Promise<ZoneDnssec> {
    if (patch.presigned === true)
      throw new DomainError({ reason: 'dnssec.presigned', pointer: '/dnssec_presigned' })
    // Asked before the transaction, in which nothing may be waited for.
    const parent = patch.status === 'disabled' ? await parentOf(zoneId) : UNKNOWN
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const before = await findDnssec(tx, zoneId)
      if (patch.multiSigner === true && isChangingAlgorithm(before?.keys ?? []))
        throw new DomainError({ reason: 'dnssec.multi_signer', pointer: '/dnssec_multi_signer' })
      const after = patched(zone, before, patch, parent)
      if (after === undefined || isSame(before, after)) return describe(tx, zone, before)
      return store(tx, zone, before, { ...after, modifiedOn: clock.timestamp() }, actor)
    })
  }

  /** Deletes the keys. @throws DomainError: zone.unknown, dnssec.signed. */
  function remove(zoneId: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const before = await findDnssec(tx, zoneId)
      if (before === undefined) return
      const { status } = before
      if (status !== 'disabled') throw new DomainError({ reason: 'dnssec.signed', values: { status } })
      await deleteDnssec(tx, zoneId)
      const ops = [changeOp(zone, before, undefined)]
      await appendChange(tx, { scopeId: zoneId, at: clock.timestamp(), actor, serial: null, ops })
    })
  }

  /**
   * Begins to exchange a key, or the algorithm.
   *
   * @throws DomainError: zone.unknown, dnssec.not_signed, dnssec.rolling, dnssec.same_algorithm, dnssec.multi_signer.
   */
  function roll(zoneId: string, rollOver: RollOver, actor: Actor): Promise<ZoneDnssec> {
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const before = demandSigned(await findDnssec(tx, zoneId))
      const fresh =
        'role' in rollOver
          ? keyInPlace(zoneId, before, rollOver.role)
          : keysOfOther(zoneId, before, rollOver.algorithm)
      const keys = [...before.keys, ...fresh]
      return store(tx, zone, before, { ...before, keys, modifiedOn: clock.timestamp() }, actor)
    })
  }

  function keyInPlace(zoneId: string, { keys }: StoredDnssec, role: KeyRole): StoredKey[] {
    refuseWhileMoving(keys, role, '/role')
    const { algorithm } = keys[0] ?? { algorithm: SIGNING_ALGORITHM[deps.algorithm] }
    return [newKey(zoneId, role, algorithm, 'published')]
  }

  function keysOfOther(
    zoneId: string,
    { keys, multiSigner }: StoredDnssec,
    name: keyof typeof SIGNING_ALGORITHM,
  ): StoredKey[] {
    const pointer = '/algorithm'
    refuseWhileMoving(keys, 'algorithm', pointer)
    if (multiSigner) throw new DomainError({ reason: 'dnssec.multi_signer', pointer })
    const algorithm = SIGNING_ALGORITHM[name]
    if (keys.some((key) => key.algorithm === algorithm))
      throw new DomainError({ reason: 'dnssec.same_algorithm', pointer, values: { algorithm: name } })
    return newKeys(zoneId, algorithm, 'signing')
  }

  /**
   * Takes the steps that what the parent publishes allows.
   *
   * @param keyTags what it publishes, where the caller knows it; else it is asked.
   * @throws DomainError: zone.unknown, dnssec.not_signed, dnssec.unknown_tag.
   */
  async function checkParent(
    zoneId: string,
    keyTags: readonly number[] | undefined,
    actor: Actor,
  ): Promise<ZoneDnssec> {
    const asked = keyTags === undefined ? await parentOf(zoneId) : undefined
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const before = demandSigned(await findDnssec(tx, zoneId))
      return step(tx, zone, before, asked ?? toldView(zone, before, keyTags ?? []), actor)
    })
  }

  /** Takes every step of every zone that is due, or that its parent allows. To be called every minute or so. */
  async function advanceAll(): Promise<void> {
    for (const [zoneId, dnssec] of await allDnssec(storage)) {
      if (dnssec.status !== 'disabled') await renew(zoneId)
      if (!isWaiting(dnssec)) continue
      const parent = await parentOf(zoneId).catch(() => UNKNOWN) // a zone deleted meanwhile is passed over below
      await storage.write(async (tx) => {
        const before = await findDnssec(tx, zoneId)
        if (before !== undefined) await step(tx, await demandZone(tx, zoneId), before, parent, SYSTEM)
      })
    }
  }

  /** Other nameservers take a zone, and with it new signatures, when its serial has moved. */
  async function renew(zoneId: string): Promise<void> {
    if (deps.isRenewalDue(zoneId)) {
      await deps.stepZone(zoneId)
      return
    }
    const { changes } = await listChanges(storage, zoneId, { offset: 0, limit: 1 })
    const last = changes[0]
    if (last !== undefined && clock.now() - Date.parse(last.at) >= RESIGNED_MILLIS)
      await deps.stepZone(zoneId)
  }

  async function parentOf(zoneId: string): Promise<ParentView> {
    const { name } = await demandZone(storage, zoneId)
    return askParent(name)
  }

  async function step(
    tx: Transaction,
    zone: Zone,
    before: StoredDnssec,
    parent: ParentView,
    actor: Actor,
  ): Promise<ZoneDnssec> {
    const { propagationSeconds } = await describe(tx, zone, before)
    const facts: Facts<StoredKey> = {
      nowMillis: clock.now(),
      parent,
      dsOf: (key) => dsOfStored(zone.name, key),
      propagationSeconds,
    }
    const after = advance<StoredKey>(before, facts)
    if (after === before) return { zone, dnssec: before, propagationSeconds }
    return store(tx, zone, before, { ...before, ...after, modifiedOn: clock.timestamp() }, actor)
  }

  function patched(
    zone: Zone,
    before: StoredDnssec | undefined,
    patch: DnssecPatch,
    parent: ParentView,
  ): StoredDnssec | undefined {
    const wantsMore = patch.multiSigner === true || patch.useNsec3 === true
    if (before === undefined && patch.status !== 'active' && !wantsMore) return undefined
    const base = before ?? { ...UNSIGNED, modifiedOn: clock.timestamp() }
    const chosen: StoredDnssec = {
      ...base,
      multiSigner: patch.multiSigner ?? base.multiSigner,
      useNsec3: patch.useNsec3 ?? base.useNsec3,
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
    const op = changeOp(zone, before, after)
    if (servedText(zone, before) === servedText(zone, after)) {
      await appendChange(tx, { scopeId: zone.id, at: clock.timestamp(), actor, serial: null, ops: [op] })
    } else {
      await settingsChanged(tx, zone, op, actor)
      const keys = zoneKeysOf(zone, after, vault)
      tx.onCommit(() => publishSigning({ zoneId: zone.id, keys }))
    }
    return describe(tx, zone, after)
  }

  async function describe(db: Reader, zone: Zone, dnssec: StoredDnssec | undefined): Promise<ZoneDnssec> {
    const { soa } = await servingSettings(db, zone)
    return { zone, dnssec, propagationSeconds: soa.refreshSeconds + soa.retrySeconds }
  }
}

/** Removes a zone's keys, writing that to the change set at `position`. */
export async function removeDnssec(tx: Transaction, zoneId: string, position: number): Promise<void> {
  const before = await findDnssec(tx, zoneId)
  if (before === undefined) return
  await deleteDnssec(tx, zoneId)
  await appendOps(tx, position, [changeOp(await demandZone(tx, zoneId), before, undefined)])
}

/** The keys of all signed zones, by zone. @throws KeyVaultError */
export async function allZoneKeys(db: Reader, vault: KeyVault): Promise<ReadonlyMap<string, ZoneKeys>> {
  const stored = await allDnssec(db)
  const found = new Map<string, ZoneKeys>()
  if (stored.size === 0) return found
  for (const zone of await allZones(db)) {
    const keys = zoneKeysOf(zone, stored.get(zone.id), vault)
    if (keys !== undefined) found.set(zone.id, keys)
  }
  return found
}

/** Makes sure that every key can be opened, and seals those that were stored before there was a secret. @throws KeyVaultError */
export async function sealKeys(storage: Storage, vault: KeyVault): Promise<void> {
  await storage.write(async (tx) => {
    for (const [zoneId, dnssec] of await allDnssec(tx)) {
      const opened = dnssec.keys.map((key) => vault.open(key.secret, belongsTo(zoneId, key.id)))
      if (!vault.isSealing || dnssec.keys.every(({ secret }) => isSealed(secret))) continue
      const keys = dnssec.keys.map((key, index) => {
        const secret = vault.seal(opened[index] ?? new Uint8Array(), belongsTo(zoneId, key.id))
        return { ...key, secret }
      })
      await saveDnssec(tx, zoneId, { ...dnssec, keys })
    }
  })
}

const UNSIGNED: Omit<StoredDnssec, 'modifiedOn'> = {
  status: 'disabled',
  multiSigner: false,
  useNsec3: false,
  dsGoneMillis: null,
  dsTtlSeconds: null,
  keys: [],
}

/** Whether anything but a request can move it on. */
const isWaiting = ({ status, keys }: StoredDnssec): boolean =>
  status !== 'disabled' && (status !== 'active' || keys.some(({ state }) => state !== 'active'))

function demandSigned(dnssec: StoredDnssec | undefined): StoredDnssec {
  if (dnssec === undefined || dnssec.status === 'disabled')
    throw new DomainError({ reason: 'dnssec.not_signed' })
  return dnssec
}

/** @throws DomainError: dnssec.rolling, while a roll-over is under way that this one must wait for. */
function refuseWhileMoving(keys: readonly StoredKey[], exchange: Exchange, pointer: string): void {
  const moving = movingKey(keys, exchange)
  if (moving === undefined) return
  const since = new Date(moving.sinceMillis).toISOString()
  const values = { role: exchangeOf(moving, keys), since }
  throw new DomainError({ reason: 'dnssec.rolling', pointer, values })
}

/** The parent as somebody says that it is. @throws DomainError: dnssec.unknown_tag. */
function toldView(zone: Zone, { keys }: StoredDnssec, keyTags: readonly number[]): ParentView {
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

/** What is told of it in the history: everything but private halves. */
function changeOp(zone: Zone, before: StoredDnssec | undefined, after: StoredDnssec | undefined): ChangeOp {
  const text = (dnssec: StoredDnssec | undefined) => (dnssec === undefined ? null : publicText(dnssec))
  return { kind: 'dnssec.update', objectId: zone.id, before: text(before), after: text(after) }
}

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

/** All of it that answers show. */
function servedText(zone: Zone, dnssec: StoredDnssec | undefined): string {
  if (dnssec === undefined || dnssec.status === 'disabled') return ''
  const { keys, status, multiSigner, useNsec3 } = dnssec
  const wanted = status === 'pending-disabled' ? undefined : entryPoint(keys)?.id
  const shown = keys.map((key) => [key.id, isInKeySet(key)])
  return JSON.stringify([zone.name, shown, wanted, multiSigner, useNsec3])
}
