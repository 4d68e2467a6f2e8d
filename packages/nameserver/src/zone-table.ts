// All served zones. A name belongs to the one with the longest matching apex (RFC 1034 §4.3.2 step 2).
import { type Name, nameToWire } from '@zonereeve/dns'
import { type Chunked, runAtOnce } from '@zonereeve/cooperate'
import { Signings } from './signings.ts'
import { SynthesizedAnswers } from './synthesized-answers.ts'
import type { HashKey } from './octet-hash.ts'
import { hashOctets, KNOWN_HASH_KEY } from './octet-hash.ts'
import { WireName } from './wire-name.ts'
import { ZoneDataError } from './zone-data.ts'
import type { ZoneAuthority, ZoneContents, ZoneDelta, ZoneRecord } from './zone-data.ts'
import type { ZoneSigning } from './zone-signing.ts'
import { ZoneStore } from './zone-store/zone-store.ts'
import { Zone, type ZoneShares } from './zone.ts'

/** Records that are changed without yielding: about ten milliseconds. */
const UNDIVIDED_RECORDS = 2_000

/** Sums over all zones. */
export interface ZoneTableStatistics {
  readonly zones: number
  readonly records: number
  /** Names that exist, empty non-terminals included. */
  readonly nodes: number
}

/** Changes are atomic: see zone.ts. */
export interface ZoneTable {
  /** Serves a zone, replacing its previous contents if there are any. @throws ZoneDataError; then nothing changes */
  load(contents: ZoneContents): void
  /** Applies a change set. @throws ZoneDataError; then nothing changes */
  apply(delta: ZoneDelta): void
  /**
   * As apply(), in chunks if it is large: until the last chunk, queries are answered from the old state. Nothing else
   * may change the zone meanwhile. @throws ZoneDataError; then nothing changes
   */
  applying(delta: ZoneDelta): Chunked<void>
  /** Replaces a zone's SOA and name servers; the cost does not depend on its records. @throws ZoneDataError */
  reconfigure(zoneId: string, authority: ZoneAuthority): void
  /**
   * Signs a zone's answers, also after it is reloaded; `undefined` stops signing. @throws ZoneDataError: zone.unknown
   */
  sign(zoneId: string, signing: ZoneSigning | undefined): void
  /** Stops serving a zone. Returns whether it was served. */
  remove(zoneId: string): boolean
  /** Changes after every change, also after a refused one. */
  readonly version: number
  has(zoneId: string): boolean
  /** The zone's current serial. */
  serial(zoneId: string): number | undefined
  readonly zoneCount: number
  /** The given records at a name of a zone. @throws ZoneDataError: zone.unknown, outside the zone */
  records(zoneId: string, name: string): readonly ZoneRecord[]
  /** Calls `take` with the records of each name of a zone. @throws ZoneDataError: zone.unknown */
  eachName(zoneId: string, take: (records: readonly ZoneRecord[]) => void): void
  /** Walks all zones. */
  statistics(): ZoneTableStatistics
  /** The zone of a name from its label `fromLabel` on. Only for the answering code. */
  find(name: WireName, fromLabel: number): Zone | undefined
  /** A zone by its ID. For transfers of whole zones. */
  zone(zoneId: string): Zone | undefined
  /** The zone whose apex is this name. */
  zoneAt(apex: Name): Zone | undefined
  /** Images of zones can be loaded by tables with the same key only. */
  readonly hashKey: HashKey
  /** Holds all versions from now on, until the function that it returns is called. */
  hold(): () => void
  /** What threads read. */
  readonly shares: ZoneShares
  /** Calls `loaded` with each zone that is loaded or replaced from now on. */
  onLoad(loaded: (zone: Zone) => void): void
}

export interface ZoneTableOptions {
  /** Secret: see octet-hash.ts. */
  readonly hashKey?: HashKey
}

export function createZoneTable({ hashKey = KNOWN_HASH_KEY }: ZoneTableOptions = {}): ZoneTable {
  const shares = { store: new ZoneStore(hashKey), made: new SynthesizedAnswers(), signings: new Signings() }
  const byId = new Map<string, Zone>()
  /** Keyed by the hash of the apex; several apexes may have the same hash. */
  const byApex = new Map<number, readonly Zone[]>()
  /** Number of zones for each label count of the apex: counts without zones need no look-up. */
  const byLabels = new Uint32Array(128)
  const loadListeners: ((zone: Zone) => void)[] = []
  let version = 0

  return {
    load,
    apply,
    applying,
    reconfigure,
    sign: (zoneId, signing) => requireZoneForWrite(zoneId).signWith(signing),
    remove,
    get version() {
      return version
    },
    has: (zoneId) => byId.has(zoneId),
    serial: (zoneId) => byId.get(zoneId)?.serial,
    get zoneCount() {
      return byId.size
    },
    records: (zoneId, name) => requireZone(zoneId).recordsAt(name),
    eachName: (zoneId, take) => requireZone(zoneId).eachName(take),
    statistics,
    find,
    zone: (zoneId) => byId.get(zoneId),
    zoneAt,
    hashKey,
    hold: () => shares.store.versions.hold(),
    shares,
    onLoad: (loaded) => void loadListeners.push(loaded),
  }

  function load(contents: ZoneContents): void {
    const zone = new Zone(contents, shares)
    const holder = withApex(zone.apex, 0)
    if (holder !== undefined && holder.zoneId !== zone.zoneId)
      throw new ZoneDataError('zone.apex_taken', zone.zoneId)
    version += 1
    const signing = byId.get(zone.zoneId)?.signer?.signing
    if (signing !== undefined) zone.signWith(signing)
    zone.list()
    const old = byId.get(zone.zoneId)
    if (old !== undefined) forget(old, holder !== old)
    byId.set(zone.zoneId, zone)
    const hash = hashOf(zone.apex, 0)
    byApex.set(hash, [...(byApex.get(hash) ?? NO_ZONES), zone])
    byLabels[zone.apex.labels] = zonesWith(zone.apex.labels) + 1
    for (const loaded of loadListeners) loaded(zone)
  }

  function apply(delta: ZoneDelta): void {
    runAtOnce(requireZoneForWrite(delta.zoneId).applying(delta))
  }

  function* applying(delta: ZoneDelta): Chunked<void> {
    if (delta.removed.length + delta.added.length <= UNDIVIDED_RECORDS) return apply(delta)
    yield* requireZone(delta.zoneId).applying(delta)
    // In the same turn: answers cached under this version are never older than it.
    version += 1
  }

  function reconfigure(zoneId: string, authority: ZoneAuthority): void {
    requireZoneForWrite(zoneId).reconfigure(authority)
  }

  /** Returns a zone that is about to be changed. */
  function requireZoneForWrite(zoneId: string): Zone {
    version += 1
    return requireZone(zoneId)
  }

  function requireZone(zoneId: string): Zone {
    const zone = byId.get(zoneId)
    if (zone === undefined) throw new ZoneDataError('zone.unknown', zoneId)
    return zone
  }

  function remove(zoneId: string): boolean {
    const zone = byId.get(zoneId)
    if (zone === undefined) return false
    version += 1
    forget(zone, true)
    return true
  }

  function forget(zone: Zone, isListed: boolean): void {
    if (isListed) shares.store.unlist(zone.apex)
    zone.unlist()
    byId.delete(zone.zoneId)
    const hash = hashOf(zone.apex, 0)
    const others = (byApex.get(hash) ?? NO_ZONES).filter((other) => other !== zone)
    if (others.length > 0) byApex.set(hash, others)
    else byApex.delete(hash)
    byLabels[zone.apex.labels] = zonesWith(zone.apex.labels) - 1
  }

  function find(name: WireName, fromLabel: number): Zone | undefined {
    for (let label = fromLabel; label <= name.labels; label += 1) {
      if (zonesWith(name.labels - label) === 0) continue
      const zone = withApex(name, label)
      if (zone !== undefined) return zone
    }
    return undefined
  }

  /** The zone whose apex is the name from label `label` on. */
  function withApex(name: WireName, label: number): Zone | undefined {
    for (const zone of byApex.get(hashOf(name, label)) ?? NO_ZONES) {
      if (name.endsLike(label, zone.apex, 0)) return zone
    }
    return undefined
  }

  function hashOf({ octets, labelAt, labels }: WireName, label: number): number {
    return hashOctets(octets, labelAt[label] ?? 0, labelAt[labels] ?? 0, hashKey)
  }

  function zoneAt(apex: Name): Zone | undefined {
    const octets = nameToWire(apex)
    const name = new WireName()
    name.read(octets, 0, octets.length)
    return withApex(name, 0)
  }

  function zonesWith(labels: number): number {
    return byLabels[labels] ?? 0
  }

  function statistics(): ZoneTableStatistics {
    const sum = { zones: byId.size, records: 0, nodes: 0 }
    for (const zone of byId.values()) {
      sum.records += zone.records
      sum.nodes += zone.nodes
    }
    return sum
  }
}

const NO_ZONES: readonly Zone[] = []
