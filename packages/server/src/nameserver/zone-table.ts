// All zones that are served, and which of them a name belongs to: the one with the longest apex (RFC 1034 §4.3.2 step 2).
import { nameToWire } from '@zonereeve/dns'
import type { Name } from '@zonereeve/dns'
import type { Sliced } from '../platform/slices.ts'
import { MadeNames } from './made-names.ts'
import type { HashKey } from './octet-hash.ts'
import { hashOctets, KNOWN_HASH_KEY } from './octet-hash.ts'
import { WireName } from './wire-name.ts'
import { ZoneDataError } from './zone-data.ts'
import type { ZoneAuthority, ZoneContents, ZoneDelta, ZoneRecord } from './zone-data.ts'
import type { ZoneSigning } from './zone-signing.ts'
import { Zone } from './zone.ts'

/** Records that are changed in one go: some ten milliseconds. */
const MAX_RECORDS_AT_ONCE = 2_000

/** Sums over all zones. */
export interface ZoneTableStatistics {
  readonly zones: number
  readonly records: number
  /** Names that exist, empty non-terminals included. */
  readonly nodes: number
}

/** Changes take effect at once and as a whole: see zone.ts. */
export interface ZoneTable {
  /** Serves a zone, instead of its previous contents if there were any. @throws ZoneDataError, then nothing changes */
  load(contents: ZoneContents): void
  /** Applies a change set. @throws ZoneDataError, then nothing changes */
  apply(delta: ZoneDelta): void
  /**
   * As apply, in slices where there is much of it: until the last, questions are answered as before. Nothing else may change
   * the zone meanwhile. @throws ZoneDataError, then nothing changes
   */
  applying(delta: ZoneDelta): Sliced<void>
  /** Replaces a zone's SOA and name servers; what it costs does not depend on its records. @throws ZoneDataError */
  reconfigure(zoneId: string, authority: ZoneAuthority): void
  /** Signs a zone's answers, also after it is loaded again; `undefined` ends that. @throws ZoneDataError: zone.unknown */
  sign(zoneId: string, signing: ZoneSigning | undefined): void
  /** Stops serving a zone. Returns whether it was served. */
  remove(zoneId: string): boolean
  /** Differs after every change, also after one that was refused. */
  readonly version: number
  has(zoneId: string): boolean
  /** The serial that a zone is served with. */
  serial(zoneId: string): number | undefined
  readonly zoneCount: number
  /** The records given at a name of a zone, as they were given. @throws ZoneDataError: zone.unknown, outside the zone */
  records(zoneId: string, name: string): readonly ZoneRecord[]
  /** Calls `take` with the records of each name of a zone. @throws ZoneDataError: zone.unknown */
  eachName(zoneId: string, take: (records: readonly ZoneRecord[]) => void): void
  /** Walks all zones. */
  statistics(): ZoneTableStatistics
  /** The zone of a name, looking at its label `fromLabel` and those after it. For the answering layers only. */
  find(name: WireName, fromLabel: number): Zone | undefined
  /** A zone by its id. For those who send whole zones. */
  zone(zoneId: string): Zone | undefined
  /** The zone whose apex is this name. */
  zoneAt(apex: Name): Zone | undefined
  /** Calls `loaded` with each zone that is loaded or replaced from now on. */
  onLoad(loaded: (zone: Zone) => void): void
}

export interface ZoneTableOptions {
  /** Secret: see octet-hash.ts. */
  readonly hashKey?: HashKey
}

export function createZoneTable({ hashKey = KNOWN_HASH_KEY }: ZoneTableOptions = {}): ZoneTable {
  const shares = { hashKey, made: new MadeNames() }
  const byId = new Map<string, Zone>()
  /** By the hash of the apex, which several may have. */
  const byApex = new Map<number, readonly Zone[]>()
  /** Zones by count of labels in the apex: a count without zones needs no look-up. */
  const byLabels = new Uint32Array(128)
  const loadListeners: ((zone: Zone) => void)[] = []
  let version = 0

  return {
    load,
    apply,
    applying,
    reconfigure,
    sign: (zoneId, signing) => demand(zoneId).sign(signing),
    remove,
    get version() {
      return version
    },
    has: (zoneId) => byId.has(zoneId),
    serial: (zoneId) => byId.get(zoneId)?.serial,
    get zoneCount() {
      return byId.size
    },
    records: (zoneId, name) => known(zoneId).recordsAt(name),
    eachName: (zoneId, take) => known(zoneId).eachName(take),
    statistics,
    find,
    zone: (zoneId) => byId.get(zoneId),
    zoneAt,
    onLoad: (loaded) => void loadListeners.push(loaded),
  }

  function load(contents: ZoneContents): void {
    const zone = new Zone(contents, shares)
    const holder = withApex(zone.apex, 0)
    if (holder !== undefined && holder.zoneId !== zone.zoneId)
      throw new ZoneDataError('zone.apex_taken', zone.zoneId)
    version += 1
    const signing = byId.get(zone.zoneId)?.signer?.signing
    if (signing !== undefined) zone.sign(signing)
    remove(zone.zoneId)
    byId.set(zone.zoneId, zone)
    const hash = hashOf(zone.apex, 0)
    byApex.set(hash, [...(byApex.get(hash) ?? NO_ZONES), zone])
    byLabels[zone.apex.labels] = zonesWith(zone.apex.labels) + 1
    for (const loaded of loadListeners) loaded(zone)
  }

  function apply(delta: ZoneDelta): void {
    demand(delta.zoneId).apply(delta)
  }

  function* applying(delta: ZoneDelta): Sliced<void> {
    if (delta.removed.length + delta.added.length <= MAX_RECORDS_AT_ONCE) return apply(delta)
    yield* known(delta.zoneId).applyAside(delta)
    // In the same turn: what is kept by this number is kept of what is answered from now on.
    version += 1
  }

  function reconfigure(zoneId: string, authority: ZoneAuthority): void {
    demand(zoneId).reconfigure(authority)
  }

  /** A zone that is about to be changed. */
  function demand(zoneId: string): Zone {
    version += 1
    return known(zoneId)
  }

  function known(zoneId: string): Zone {
    const zone = byId.get(zoneId)
    if (zone === undefined) throw new ZoneDataError('zone.unknown', zoneId)
    return zone
  }

  function remove(zoneId: string): boolean {
    const zone = byId.get(zoneId)
    if (zone === undefined) return false
    version += 1
    byId.delete(zoneId)
    const hash = hashOf(zone.apex, 0)
    const others = (byApex.get(hash) ?? NO_ZONES).filter((other) => other !== zone)
    if (others.length > 0) byApex.set(hash, others)
    else byApex.delete(hash)
    byLabels[zone.apex.labels] = zonesWith(zone.apex.labels) - 1
    return true
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
