// All served zones. A name belongs to the one with the longest matching apex (RFC 1034 §4.3.2 step 2).
import { elementAt, type Name, nameFromWire, nameToWire } from '@zonereeve/dns'
import { type Chunked, runAtOnce } from '@zonereeve/cooperate'
import { Signings } from './signings.ts'
import { SignatureWriter } from './signature-batch.ts'
import { SynthesizedAnswers } from './synthesized-answers.ts'
import type { HashKey } from './octet-hash.ts'
import { KNOWN_HASH_KEY } from './octet-hash.ts'
import { readName } from './record-check.ts'
import type { RecordsAhead } from './records-change.ts'
import type { Rrset } from './rrset.ts'
import type { PostedSignatures } from './signature-post.ts'
import { WireName } from './wire-name.ts'
import { ZoneDataError } from './zone-data.ts'
import type { ZoneAuthority, ZoneContents, ZoneDelta, ZoneImage, ZoneRecord } from './zone-data.ts'
import type { ZoneSigning } from './zone-signing.ts'
import { copyTree } from './zone-store/tree-image.ts'
import type { DirectoryTotals, ZoneEntry } from './zone-store/zone-directory.ts'
import { ZoneStore } from './zone-store/zone-store.ts'
import { ZoneObjects } from './zone-objects.ts'
import { Zone, type ZoneShares } from './zone.ts'

/** Records that are changed without yielding: about ten milliseconds. */
const UNDIVIDED_RECORDS = 2_000

/** About 8 MiB. */
const MAX_RECENT = 2_000

/** A zone of a held version. */
export interface CapturedZone {
  readonly zoneId: string
  readonly apex: Name
  readonly tag: number
  /** Copies the names, as long as the version is held. */
  readonly image: () => ZoneImage
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
   *
   * @param begun for it, by {@link beginAhead}
   */
  applying(delta: ZoneDelta, begun?: RecordsAhead): Chunked<void>
  /** As {@link Zone.beginAhead}; undefined also if there is no such zone. */
  beginAhead(zoneId: string): RecordsAhead | undefined
  /** Replaces a zone's SOA and name servers; the cost does not depend on its records. @throws ZoneDataError */
  reconfigure(zoneId: string, authority: ZoneAuthority): void
  /**
   * Signs a zone's answers, also after it is reloaded; `undefined` stops signing. @throws ZoneDataError: zone.unknown
   */
  sign(zoneId: string, signing: ZoneSigning | undefined): void
  /** Stores signatures of a thread. Returns the numbers of the zones of which not all are stored. */
  keepSignatures(posted: PostedSignatures): number[]
  /** Answers the digest of a zone until its next change, if that is possible. */
  publishDigest(zone: Zone, digest: Rrset): void
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
  statistics(): DirectoryTotals
  /** The IDs of the zones with a tag. To be read before anything changes. */
  tagged(): Iterable<{ readonly zoneId: string }>
  /** All zones as they are at the call. Their version must be held until the end. */
  capture(): Iterable<CapturedZone>
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
  /** Objects of zones that are kept after their last use. */
  readonly maxRecent?: number
}

export function createZoneTable({
  hashKey = KNOWN_HASH_KEY,
  maxRecent = MAX_RECENT,
}: ZoneTableOptions = {}): ZoneTable {
  const store = new ZoneStore(hashKey)
  const { directory } = store
  const noteChange = (zone: Zone): void => objects.changed(zone)
  const signed = { made: new SynthesizedAnswers(), writer: new SignatureWriter(), signings: new Signings() }
  const shares = { store, ...signed, changed: noteChange }
  const objects = new ZoneObjects(shares, maxRecent)
  const loadListeners: ((zone: Zone) => void)[] = []
  let version = 0

  return {
    load,
    apply,
    applying,
    beginAhead: (zoneId) => objects.find(zoneId)?.beginAhead(),
    reconfigure,
    sign: (zoneId, signing) => requireZoneForWrite(zoneId).signWith(signing),
    keepSignatures: ({ zones, batch }) =>
      [...zones.keys()].filter((number) => {
        const { zoneId, signing } = elementAt(zones, number)
        return objects.find(zoneId)?.keepSignatures(signing, batch, number) !== true
      }),
    publishDigest,
    remove,
    get version() {
      return version
    },
    has: (zoneId) => objects.has(zoneId),
    serial: (zoneId) => objects.find(zoneId)?.serial,
    get zoneCount() {
      return directory.totals.zones
    },
    records: (zoneId, name) => requireZone(zoneId).recordsAt(name),
    eachName: (zoneId, take) => requireZone(zoneId).eachName(take),
    statistics: () => directory.totals,
    tagged: listTagged,
    capture,
    find,
    zone: (zoneId) => objects.find(zoneId),
    zoneAt,
    hashKey,
    hold: () => store.versions.hold(),
    shares,
    onLoad: (loaded) => void loadListeners.push(loaded),
  }

  function load(contents: ZoneContents): void {
    const { zoneId } = contents
    const holder = objects.findAt(readName(new WireName(), contents.apex, zoneId), 0)
    const old = objects.find(zoneId)
    const signing = old?.signer?.signing
    const isTaken = holder !== undefined && holder.zoneId !== zoneId
    // A zone is not visible before it is signed, nor if its place is taken.
    const zone = Zone.create(contents, shares, signing === undefined && !isTaken)
    if (isTaken) throw new ZoneDataError('zone.apex_taken', zoneId)
    version += 1
    if (signing !== undefined) {
      zone.signWith(signing)
      zone.list()
    }
    if (old !== undefined) forget(old, holder !== old)
    objects.keep(zone)
    for (const loaded of loadListeners) loaded(zone)
  }

  function apply(delta: ZoneDelta): void {
    runAtOnce(requireZoneForWrite(delta.zoneId).applying(delta))
  }

  function* applying(delta: ZoneDelta, begun?: RecordsAhead): Chunked<void> {
    if (delta.removed.length + delta.added.length <= UNDIVIDED_RECORDS) return apply(delta)
    yield* requireZone(delta.zoneId).applying(delta, begun)
    // In the same turn: answers cached under this version are never older than it.
    version += 1
  }

  function reconfigure(zoneId: string, authority: ZoneAuthority): void {
    requireZoneForWrite(zoneId).reconfigure(authority)
  }

  function publishDigest(zone: Zone, digest: Rrset): void {
    if (objects.find(zone.zoneId) === zone && zone.publishDigest(digest)) version += 1
  }

  /** Returns a zone that is about to be changed. */
  function requireZoneForWrite(zoneId: string): Zone {
    version += 1
    return requireZone(zoneId)
  }

  function requireZone(zoneId: string): Zone {
    const zone = objects.find(zoneId)
    if (zone === undefined) throw new ZoneDataError('zone.unknown', zoneId)
    return zone
  }

  function remove(zoneId: string): boolean {
    const zone = objects.find(zoneId)
    if (zone === undefined) return false
    version += 1
    forget(zone, true)
    return true
  }

  function forget(zone: Zone, isListed: boolean): void {
    if (isListed) store.unlist(zone.apex)
    zone.unlist()
    objects.forget(zone)
  }

  function find(name: WireName, fromLabel: number): Zone | undefined {
    for (let label = fromLabel; label <= name.labels; label += 1) {
      if (!directory.byLabels[name.labels - label]) continue // undefined for no number of labels of a name
      const zone = objects.findAt(name, label)
      if (zone !== undefined) return zone
    }
    return undefined
  }

  function zoneAt(apex: Name): Zone | undefined {
    const octets = nameToWire(apex)
    const name = new WireName()
    name.read(octets, 0, octets.length)
    return objects.findAt(name, 0)
  }

  function* listTagged(): Generator<{ readonly zoneId: string }, void, undefined> {
    for (const { zoneId, tag } of directory.entries()) if (tag !== 0) yield { zoneId }
  }

  function capture(): Iterable<CapturedZone> {
    return imagesOf(store, directory.entries(), objects.ownRecords())
  }
}

function* imagesOf(
  { pages }: ZoneStore,
  entries: Iterable<ZoneEntry>,
  ownOf: ReadonlyMap<string, readonly ZoneRecord[]>,
): Generator<CapturedZone, void, undefined> {
  for (const { zoneId, apex, tag, records, tree } of entries) {
    const { root, denials: _, ...counts } = tree
    const own = ownOf.get(zoneId) ?? [] // the directory has everything about it
    const image = (): ZoneImage => ({ names: { counts, blocks: copyTree(pages, root) }, records, own })
    yield { zoneId, apex: nameFromWire(apex), tag, image }
  }
}
