// Feeds stored zones to the serving layer and their keys to the nameserver: all at start, then change by
// change.
import { createHash } from 'node:crypto'
import { requireTypeCode } from '@zonereeve/dns'
import { isTemporary, lastChangeNumber, scopesChangedAfter } from '../../changes/index.ts'
import { fromRecordText, readLoggedDelta, ZONES_IN_A_READ } from '../dns-records/index.ts'
import { readPublicationSettings, publicationSettingsOf } from '../dns-settings/index.ts'
import { findZoneKeys, type ZoneKeys } from '../dnssec/index.ts'
import { apexOf, eachZone, findZone, type PublicationSettings, type Zone } from '../../zones/index.ts'
import type { RecordsAhead, ZoneAuthority, ZoneSigning, ZoneTable } from '@zonereeve/nameserver'
import { BoundedMap, createYieldIfDue } from '@zonereeve/cooperate'
import type { Clock, Log } from '@zonereeve/platform'
import type { ServedZone } from './live-zone.ts'
import type { ZoneSnapshot } from './open-snapshot.ts'
import type { Publication } from './publication.ts'
import { restoreZones } from './restore-zones.ts'
import type { StoredRecord, StoredRecords } from './stored-record.ts'
import type {
  ChangeEvent,
  PublicationAhead,
  Reader,
  RecordsDelta,
  RecordsEvent,
  ServedRecord,
  ServedRecords,
} from '@zonereeve/storage'
import { createQuarantine, type ReadZone } from './quarantine.ts'

/** Records changed in one step: about ten milliseconds. */
const UNDIVIDED_RECORDS = 2_000

/** Zones with name servers of their own have others each. */
const MAX_SHARED_LISTS = 64

/** How often a zone is read again because it changed meanwhile. */
const MAX_DISTURBED = 5

interface FeedAhead extends PublicationAhead {
  readonly ahead: RecordsAhead
}

export interface DnsFeedDeps {
  readonly publication: Publication
  readonly table: Pick<ZoneTable, 'sign' | 'has' | 'serial'>
  readonly clock: Pick<Clock, 'now'>
  readonly storage: Reader
  readonly log: Log
  /** Whether this node is to have the zone. */
  readonly isOwn: (zone: Zone) => boolean
  /** What the start need not read from the database. */
  readonly snapshot?: ZoneSnapshot | undefined
}

/** A secondary zone is not answered before its first transfer or after it expires. */
export function createDnsFeed({ publication, table, clock, storage, log, isOwn, snapshot }: DnsFeedDeps) {
  const toPublished = createToServed(clock)
  const quarantine = createQuarantine({ publication, table, log, toServed: toPublished, toStored })
  /** One that got other name servers is answered until the next start: resolvers still ask here. */
  const isHeld = (zone: Zone): boolean => isOwn(zone) || (table.has(zone.id) && !quarantine.has(zone.id))
  /** Numbers of the last changes with which zones were read: these, and earlier ones, may be announced afterwards. */
  const readChanges = new Map<string, number>()
  /** Signed zones whose keys cannot be read. */
  const unsignable = new Set<string>()
  /** The last change of records, or of those joined, that another node has written: it is delivered again if the rest of it fails. */
  let applied: { readonly zoneId: string; readonly number: number } | undefined
  /** Zones whose changes could not be followed. */
  const outOfStep = new Set<string>()
  return {
    loadAll,
    take,
    beginAhead: (zoneId: string) => (quarantine.has(zoneId) ? undefined : beginServed(publication, zoneId)),
    retryQuarantined,
    reread,
    quarantine,
    incomplete: (): ReadonlySet<string> =>
      new Set([...outOfStep, ...quarantine.list().map(({ zoneId }) => zoneId)]),
    outOfStep: (): readonly string[] => [...outOfStep],
    isOutOfStep: (zoneId: string): boolean => outOfStep.has(zoneId),
  }

  /**
   * @param keys of the zones that are signed.
   * @param unreadableKeys zones that are signed with keys that cannot be read.
   * @param startPosition the position of the log from which changes are taken afterwards; undefined: no other node writes.
   */
  async function loadAll(
    keys: ReadonlyMap<string, ZoneKeys>,
    unreadableKeys: ReadonlySet<string>,
    startPosition: number | undefined,
  ): Promise<number> {
    for (const zoneId of unreadableKeys) unsignable.add(zoneId)
    const settingsOf = await readPublicationSettings(storage)
    const lost = snapshot === undefined ? NONE : await restore(snapshot, settingsOf)
    // Followed at the end: a CNAME chain may lead from one zone to another.
    const loads = publication.loading()
    let count = 0
    const isolateRow = (zone: Parameters<typeof quarantine.isolate>[0]): void =>
      quarantine.isolate(zone, [`zones ${zone.id}`])
    const isNeeded = (zoneId: string): boolean => {
      const isRestored = table.has(zoneId) && !lost.has(zoneId) && !unreadableKeys.has(zoneId)
      count += Number(isRestored)
      return !isRestored
    }
    for await (const some of inGroups(eachZone(storage, isolateRow, isNeeded), isHeld)) {
      count += some.length
      const unread = some.filter(({ id }) => !table.has(id) || lost.has(id))
      quarantine.load(storage, await quarantine.readSome(storage, unread, settingsOf), loads)
      // Unsigned answers of a signed zone are bogus to validators, and forged ones would look the same.
      for (const zone of some) if (unreadableKeys.has(zone.id)) quarantine.isolate(zone, ['dnssec_keys'])
    }
    loads.end()
    for (const [zoneId, own] of keys) if (table.has(zoneId)) table.sign(zoneId, signingWith(own, clock))
    if (startPosition !== undefined) await readChanged(startPosition)
    return count
  }

  /** Zones that another node changed while they were read may be older and newer in part. */
  async function readChanged(position: number): Promise<void> {
    for (const zoneId of await scopesChangedAfter(storage, position))
      if (table.has(zoneId))
        await readWhole(zoneId, { mayLackKeys: true }).catch((failure: unknown) => {
          if (isTemporary(failure)) throw failure
          outOfStep.add(zoneId)
          log.error({ err: failure, zoneId }, 'zone not read at one serial')
        })
  }

  function restore(
    from: ZoneSnapshot,
    settingsOf: (zone: Zone) => PublicationSettings,
  ): Promise<ReadonlySet<string>> {
    return restoreZones({
      snapshot: from,
      publication,
      isPublished: table.has,
      storage,
      log,
      toPublished,
      settingsOf,
      replay: ({ id, serial }, delta) => apply(id, serial, delta),
    }).finally(from.close)
  }

  /** A quarantined zone has no state in memory: it is reread as a whole. */
  function isReadInstead(zoneId: string, change: number): boolean {
    const known = readChanges.get(zoneId)
    if (known === undefined) return false
    if (change <= known) return true
    readChanges.delete(zoneId)
    return false
  }

  /**
   * @throws Error: another node changes it all the time; then it stays as it is
   */
  async function readWhole(zoneId: string, { expected, mayLackKeys = false }: HowToRead = {}): Promise<void> {
    for (let disturbed = 0; disturbed <= MAX_DISTURBED; disturbed++) {
      const before = await lastChangeNumber(storage, zoneId)
      const zone = await findZone(storage, zoneId)
      if (zone === undefined) return
      if (!isHeld(zone)) return letGo(zoneId)
      const isFresh = mayLackKeys || !table.has(zoneId) || quarantine.has(zoneId)
      const keys = isFresh ? await readKeys(zone) : undefined
      if (unsignable.has(zoneId)) return
      const read = await quarantine.read(storage, zone, async () => {
        const current = await findZone(storage, zoneId)
        return current && { zone: current, settings: await publicationSettingsOf(storage, current) }
      })
      if (read === undefined) return
      // Events that follow the records bring the same rules again; but the SOA of a secondary zone is one of its rules, and a
      // zone without records does not say after which change it has none.
      const isConsistent = read.state !== undefined && zone.type !== 'secondary' && read.type === zone.type
      if (isConsistent || (await lastChangeNumber(storage, zoneId)) === before)
        return serveRead(zone, read, { isFresh, keys, readAt: read.state?.change ?? before, expected })
    }
    throw new Error(`zone ${zoneId} changed each time it was read`)
  }

  /** @param readAt the number of the last change that was read. */
  function serveRead(
    { id: zoneId, name }: Zone,
    read: ReadZone,
    { isFresh, keys, readAt, expected }: ReadPlace,
  ): void {
    const isNew = !table.has(zoneId)
    // Answering threads would see it unsigned.
    if (isNew && keys !== undefined) quarantine.holdBack({ id: zoneId, name })
    if (isFresh && table.has(zoneId)) table.sign(zoneId, keys && signingWith(keys, clock))
    quarantine.load(storage, [read])
    if (quarantine.has(zoneId)) return
    if (isNew && readAt === expected) return
    readChanges.set(zoneId, readAt)
    log.info({ zoneId, zone: name }, 'zone read again')
  }

  /** The keys of a zone that is new here; one with unreadable keys is isolated, because it must not be answered unsigned. */
  async function readKeys(zone: Zone): Promise<ZoneKeys | undefined> {
    try {
      const keys = await findZoneKeys(storage, zone)
      unsignable.delete(zone.id)
      return keys
    } catch (failure) {
      if (isTemporary(failure)) throw failure
      unsignable.add(zone.id)
      quarantine.isolate(zone, ['dnssec_keys'])
      return undefined
    }
  }

  /** For repairs that no change event announces. */
  async function retryQuarantined(): Promise<void> {
    for (const { zoneId } of quarantine.list()) await readWhole(zoneId)
  }

  /** Reads a zone from the database in place of what is served. No change may be applied meanwhile. */
  async function reread(zoneId: string): Promise<void> {
    try {
      await readWhole(zoneId)
      outOfStep.delete(zoneId)
    } catch (failure) {
      if (outOfStep.delete(zoneId)) outOfStep.add(zoneId) // behind the others
      throw failure
    }
  }

  /** Serves a change set. Larger changes are served when the returned promise resolves. */
  function take(event: ChangeEvent): void | Promise<void> {
    const lost = (failure: unknown): never => {
      // What the database did not answer is delivered again, if another node has written it.
      if (event.isOfOtherNode !== true || !isTemporary(failure)) outOfStep.add(event.scopeId)
      throw failure
    }
    try {
      return follow(event)?.catch(lost)
    } catch (failure) {
      return lost(failure)
    }
  }

  function follow(event: ChangeEvent): void | Promise<void> {
    const { scopeId: zoneId, serial, kinds, isOfOtherNode } = event
    if (kinds.includes('zone.delete')) return remove(zoneId)
    if (event.topic === 'records') return recordsChanged(event)
    const isLogged = event.number !== undefined
    if (isLogged && serial === null) return
    // Of this node, it is served already.
    if (event.topic === 'zone' && isLogged && isOfOtherNode !== true && serial === table.serial(zoneId))
      return
    return zoneChanged(event)
  }

  /** One that is quarantined may be any other node's. */
  function letGo(zoneId: string): void {
    if (quarantine.has(zoneId)) remove(zoneId)
  }

  function remove(zoneId: string): void {
    quarantine.release(zoneId)
    readChanges.delete(zoneId)
    unsignable.delete(zoneId)
    publication.remove(zoneId)
  }

  async function zoneChanged({ topic, scopeId: zoneId, number, serial }: ChangeEvent): Promise<void> {
    const zone = await findZone(storage, zoneId)
    if (zone === undefined) return
    if (!isHeld(zone)) return letGo(zoneId)
    const keys = topic === 'signing' ? await findZoneKeys(storage, zone) : undefined
    if (topic === 'signing') unsignable.delete(zoneId)
    if (quarantine.has(zoneId) || !table.has(zoneId)) await readWhole(zoneId, { expected: number })
    else if (number === undefined || !isReadInstead(zoneId, number)) {
      // Events of one commit are processed one after another: the zone may have changed again.
      const settings = await publicationSettingsOf(storage, zone)
      publication.configure(
        toPublished({ ...zone, serial: serial ?? table.serial(zoneId) ?? zone.serial }, settings),
      )
    }
    if (topic === 'signing') table.sign(zoneId, keys && signingWith(keys, clock))
  }

  function recordsChanged(event: RecordsEvent): void | Promise<void> {
    const { scopeId: zoneId, number, serial, delta } = event
    if (quarantine.has(zoneId) || delta?.isRepair === true || isPublishedInPart(event))
      return readWhole(zoneId)
    // A zone that has been deleted since the event was not read when the event arrived.
    if (!table.has(zoneId) || isReadInstead(zoneId, number)) return
    return delta === undefined ? readRecords(event) : apply(zoneId, serial, delta)
  }

  /** Whether the zone was read, or changed before a failure, between two of the change sets. */
  function isPublishedInPart({ scopeId, number, changeSets = 1 }: RecordsEvent): boolean {
    const isBetween = (published = 0): boolean => published > number - changeSets && published < number // 0: none
    return isBetween(readChanges.get(scopeId)) || (applied?.zoneId === scopeId && isBetween(applied.number))
  }

  function apply(zoneId: string, serial: number, delta: RecordsDelta): void | Promise<void> {
    const { removed, added, arePlain, begun } = delta
    const { ahead } = (begun ?? {}) as Partial<FeedAhead> // made by beginAhead; most have begun nothing
    const stored = {
      zoneId,
      serial,
      removed: toStoredEach(removed),
      added: toStoredEach(added),
      arePlain,
      ahead,
    }
    if (removed.length + added.length <= UNDIVIDED_RECORDS) publication.apply(stored)
    else return publication.applyInChunks(stored)
  }

  async function readRecords({ scopeId: zoneId, number, serial, ops }: RecordsEvent): Promise<void> {
    const zone = await findZone(storage, zoneId)
    if (zone === undefined) return
    if (applied?.zoneId !== zoneId || applied.number < number) {
      const delta = await readLoggedDelta(storage, zone, { number, ops }, fromRecordText)
      if (delta.isRepair) return readWhole(zoneId)
      await apply(zoneId, serial, delta)
      applied = { zoneId, number }
    }
    // A primary's SOA comes with its records.
    if (zone.type === 'secondary')
      publication.configure(toPublished({ ...zone, serial }, await publicationSettingsOf(storage, zone)))
  }
}

/** Zones that one statement reads: their records are in memory twice, for a moment. */
async function* inGroups(
  zones: AsyncIterable<Zone>,
  isHeld: (zone: Zone) => boolean,
): AsyncGenerator<readonly Zone[], void, undefined> {
  const yieldIfDue = createYieldIfDue() // as in restoreZones
  let group: Zone[] = []
  let records = 0
  for await (const zone of zones) {
    await yieldIfDue()
    if (!isHeld(zone)) continue
    group.push(zone)
    records += zone.recordCount
    if (group.length < ZONES_IN_A_READ && records < UNDIVIDED_RECORDS) continue
    yield group
    group = []
    records = 0
  }
  if (group.length > 0) yield group
}

/** Lists of name servers: most zones have the same few. */
function createSharing() {
  const lists = new BoundedMap<string, readonly string[]>(MAX_SHARED_LISTS)
  return (names: readonly string[]): readonly string[] => {
    const shared = lists.get(names.join()) ?? names // the first of its kind
    lists.set(names.join(), shared)
    return shared
  }
}

interface HowToRead {
  /** The number of its last change, if the zone is new. */
  readonly expected?: number | undefined
  /** It may have been loaded before its keys could be read. */
  readonly mayLackKeys?: boolean
}

interface ReadPlace {
  /** Its keys were read: undefined if it is not signed. */
  readonly isFresh: boolean
  readonly keys: ZoneKeys | undefined
  readonly readAt: number
  readonly expected: number | undefined
}

const NONE: ReadonlySet<string> = new Set()

function toStoredEach(records: ServedRecords): StoredRecords {
  if (records.length === 0) return []
  return {
    length: records.length,
    *[Symbol.iterator]() {
      for (const record of records) yield toStored(record)
    },
  }
}

/** Begins to publish records of a change set that is not committed. */
function beginServed(publication: Publication, zoneId: string): FeedAhead | undefined {
  const begun = publication.beginAhead(zoneId)
  if (begun === undefined) return undefined
  const { ahead, add } = begun
  return { ahead, add: (records) => add(toStoredEach(records)), drop: () => ahead.drop() }
}

const signingWith = (keys: ZoneKeys, clock: Pick<Clock, 'now'>): ZoneSigning => ({
  ...keys,
  sha1: (octets) => createHash('sha1').update(octets).digest(),
  now: () => clock.now(),
  random: Math.random,
})

function createToServed(clock: Pick<Clock, 'now'>) {
  const share = createSharing()
  return (zone: Zone, settings: PublicationSettings): ServedZone => {
    const authority = authorityOf(zone, settings, share, clock.now())
    return { zoneId: zone.id, apex: zone.name, authority, settings }
  }
}

function authorityOf(
  zone: Zone,
  settings: PublicationSettings,
  share: (names: readonly string[]) => readonly string[],
  nowMillis: number,
): ZoneAuthority {
  const { soa, soaTtlSeconds, nameServers, nsTtlSeconds } = apexOf(zone, settings)
  return {
    soa: { ...soa, ttl: soaTtlSeconds },
    nameServers: share(nameServers),
    nsTtl: nsTtlSeconds,
    multiProvider: settings.multiProvider || zone.type === 'secondary',
    hasDigest: settings.zoneDigest,
    isExpired: zone.type === 'secondary' && !isCurrent(settings.secondary, nowMillis),
  }
}

/** A secondary zone is current from its first transfer until it expires. */
const isCurrent = (secondary: PublicationSettings['secondary'], nowMillis: number): boolean =>
  secondary !== undefined && nowMillis < secondary.expiresAtMillis

function toStored({ id, name, type, ttlSeconds, rdata, proxied, settings }: ServedRecord): StoredRecord {
  const record = { id, name, type: requireTypeCode(type), ttl: ttlSeconds, rdata }
  const flattenCname = settings['flatten_cname'] === true
  if (!proxied && !flattenCname) return record
  const families = settings['ipv4_only'] === true ? 'ipv4' : settings['ipv6_only'] === true ? 'ipv6' : 'both'
  return { ...record, options: { proxied, flattenCname, families } }
}
