// Keeps the nameserver's zone table in step with the stored records, and with names elsewhere.
//
// Most names are published as stored: their records go straight into the table, and nothing else is kept of them. The
// others are derived by a plan. A plan with an alias is followed to the end of its chain, and again whenever a link
// changes. All of a change is applied in one synchronous call, so that no query can be answered between its steps.
import { hexFromOctets, type Name } from '@zonereeve/dns'
import { createNameView, type RecordsAhead, type ZoneRecord, type ZoneTable } from '@zonereeve/nameserver'
import { joinLists } from '@zonereeve/platform'
import type { Resolver } from '@zonereeve/resolver'
import { CHUNK_SIZE, type Chunked, createDependencies, runAtOnce, runInChunks } from '@zonereeve/cooperate'
import {
  followChain,
  readResolverKey,
  touchedKeys,
  zoneKey,
  type AddressType,
  type ChainEnd,
  type ChainLink,
  type ChainSources,
} from './chain.ts'
import type { EdgeAddresses } from './edge-addresses.ts'
import {
  contextOf,
  editName,
  isApexOwn,
  newEdit,
  plainZone,
  replaceName,
  type DerivedName,
  type LiveZone,
  type DependentName,
  type ServedZone,
  type ZoneEdit,
} from './live-zone.ts'
import { type AllNameRules, createNameRules, isSpecial, type Alias, type PlanContext } from './plan.ts'
import { captureZones, loadZone } from './load-zone.ts'
import { beginRecords, type BegunRecords, type NameChange, splitByName } from './large-delta.ts'
import type { CapturedZone, SavedZone } from './saved-zone.ts'
import { TYPE, type StoredRecord, type StoredRecords } from './stored-record.ts'

export interface StoredDelta {
  readonly zoneId: string
  readonly serial: number
  readonly removed: StoredRecords
  readonly added: StoredRecords
  /** As of a change event. */
  readonly arePlain?: boolean | undefined
  /** What was begun for this change set. */
  readonly ahead?: RecordsAhead | undefined
}

export interface ZoneToServe {
  readonly zone: ServedZone
  readonly records: Iterable<StoredRecord>
  /** If it is given, there are no `records` besides. */
  readonly saved?: SavedZone
}

export interface Publication {
  /**
   * Publishes zones; each replaces its previous contents.
   *
   * @param refused called with each zone that cannot be published; the others are. @throws ZoneDataError if `refused`
   * is not given
   */
  load(zones: Iterable<ZoneToServe>, refused?: (zone: ZoneToServe, failure: unknown) => void): void
  /** As load, in several calls: chains from one zone to another are followed at the end. */
  loading(): Loading
  /** Publishes a change set. @throws ZoneDataError, then nothing has changed */
  apply(delta: StoredDelta): void
  /** Like apply, while queries are answered from the old state. No other method may be called until it is done. */
  applyInChunks(delta: StoredDelta): Promise<void>
  /**
   * Begins to publish records that are being stored: `add` takes some, and what it has begun is for the change set that adds just
   * these. Undefined: the zone has names that are not published as stored, or is not published.
   */
  beginAhead(zoneId: string): BegunRecords | undefined
  /** Publishes a zone with other settings and another SOA; its records stay. @throws ZoneDataError as apply */
  configure(zone: ServedZone): void
  remove(zoneId: string): void
  /** All zones, each as it is when it is reached. Their version must be held from before the first one. */
  capture(): Iterable<CapturedZone>
  /** Returns the current end of the chain that begins with a CNAME. */
  endOf(alias: Alias, type: AddressType): ChainEnd
  /** Publishes the changes that waited for the zone's serial to move. */
  step(zoneId: string, serial: number): void
  zoneIds(): readonly string[]
  /** The stored records of the names that are not published as stored. */
  storedOf(zoneId: string): ReadonlyMap<string, readonly StoredRecord[]>
  /** Whether answers of the zone depend on more than its stored records. */
  hasDerived(zoneId: string): boolean
  /** Whether all chains of the zone have been followed to an end or a failure. */
  isSettled(zoneId: string): boolean
  /** Returns how a name that is not published as stored is derived; undefined for all others. */
  derivationOf(zoneId: string, owner: Name): Derivation | undefined
}

export interface Loading extends Pick<Publication, 'load'> {
  end(): void
}

export interface Derivation {
  readonly stored: readonly StoredRecord[]
  /** The CNAME that is replaced by addresses. */
  readonly alias: Alias | undefined
  /** The chain from that CNAME to the addresses of each type. */
  readonly chains: readonly Chain[]
}

export interface Chain {
  readonly type: AddressType
  readonly links: readonly ChainLink[]
  readonly end: ChainEnd
}

export interface PublicationDeps {
  readonly table: ZoneTable
  /** Undefined: proxied names are answered with their origins. */
  readonly edge: EdgeAddresses | undefined
  /** Undefined: chains that lead out of our zones are not followed. */
  readonly resolver: Pick<Resolver, 'peek' | 'watch'> | undefined
  /** Undefined: answers may change without the serial. */
  readonly serials?: ZoneSerials
}

/** For zones with secondaries: answers do not change before the serial has moved. */
export interface ZoneSerials {
  /** Whether answers of the zone may change only with its serial. */
  isBound(zoneId: string): boolean
  /** Requests a serial bump soon; `step` follows. */
  request(zoneId: string): void
}

const NOTHING: ReadonlySet<string> = new Set()
const NO_NAMES: LiveZone['derived'] = new Map()

const derivedOf = (zone: LiveZone | undefined): LiveZone['derived'] => zone?.derived ?? NO_NAMES
const storedIn = (zones: ReadonlyMap<string, LiveZone>): Publication['storedOf'] => {
  return (zoneId) => new Map([...derivedOf(zones.get(zoneId))].map(([name, { stored }]) => [name, stored]))
}
const UNMOVED: ReadonlySet<LiveZone> = new Set()
const ADDRESS_TYPES = [TYPE.A, TYPE.AAAA] as const

export function createPublication({ table, edge, resolver, serials }: PublicationDeps): Publication {
  /** Zones with names that are not published as stored. What others need is in the table. */
  const zones = new Map<string, LiveZone>()
  const rules = createNameRules(edge)
  const watches = new Map<string, () => void>()
  let missed: Set<string> | undefined // keys that changed elsewhere during a large change, which nothing may interrupt
  const dependencies = createDependencies<DependentName>({ used: watch, unused: unwatch })
  const sources = sourcesOf(table, zones, resolver)
  const zoneOf = (zoneId: string) => zones.get(zoneId) ?? plainZoneIn(table, rules, zoneId)
  const endOf = (alias: Alias, type: AddressType): ChainEnd => followChain(alias, type, sources, () => {})

  return {
    load,
    loading,
    apply: (delta) => runAtOnce(applying(delta)),
    applyInChunks,
    beginAhead: (zoneId) => beginRecords(table, zoneOf(zoneId)),
    configure,
    remove,
    capture: () => captureZones(table, rules, zones.values()),
    step,
    zoneIds: () => Array.from(table.tagged(), ({ zoneId }) => zoneId),
    storedOf: storedIn(zones),
    hasDerived: (zoneId) => derivedOf(zones.get(zoneId)).size > 0,
    isSettled,
    endOf,
    derivationOf: derivationsIn(zones, sources),
  }

  function load(...all: Parameters<Publication['load']>): void {
    const loads = loading()
    loads.load(...all)
    loads.end()
  }

  function loading(): Loading {
    const affected = new Set<DependentName>()
    const loaded = new Set<LiveZone>()
    return {
      load(all, refused) {
        for (const each of all) {
          try {
            const zone = loadOne(each, affected)
            if (zone.derived.size > 0) loaded.add(zone)
          } catch (failure) {
            if (refused === undefined) throw failure
            refused(each, failure)
          }
        }
      },
      end: () => follow(affected, loaded),
    }
  }

  /** @throws ZoneDataError, then nothing has changed */
  function loadOne({ zone, records, saved }: ZoneToServe, affected: Set<DependentName>): LiveZone {
    const { zoneId, apex, authority } = zone
    const live = plainZone(zoneId, apex, rules.of(zone.settings))
    const contents = { zoneId, apex, ...authority, tag: live.rules.number }
    const edit = loadZone(table, live, contents, { records, saved })
    forget(zoneId)
    settle(live, edit, affected)
    affect([zoneKey(apex)], affected)
    return live
  }

  async function applyInChunks(delta: StoredDelta): Promise<void> {
    missed = new Set()
    try {
      await runInChunks(applying(delta))
    } finally {
      const places = [...missed].flatMap((key) => [...dependencies.of(key)])
      missed = undefined
      follow(places)
    }
  }

  function* applying({ zoneId, serial, removed, added, arePlain, ahead }: StoredDelta): Chunked<void> {
    const zone = zoneOf(zoneId)
    if (zone === undefined) return table.apply({ zoneId, serial, removed, added }) // throws the error for an unknown zone
    const around = contextOf(zone)
    const edit = newEdit()
    const split = yield* splitByName(zone, around, { removed, added, arePlain })
    let done = 0
    for (const [name, change] of split.special) {
      const place = zone.derived.get(name)?.place ?? { zone, name }
      const before = storedAt(place)
      const after = applyNameChange(before, change).filter((record) => !isApexOwn(record, around.apex))
      editName(edit, place, around, before, after)
      if ((done += 1) % CHUNK_SIZE === 0) yield
    }
    const affected = new Set<DependentName>()
    for (const { name } of dependencies.isEmpty() ? [] : joinLists(removed, added)) {
      affect(touchedKeys(name as Name, zone.apex), affected) // records have Names
      if ((done += 1) % CHUNK_SIZE === 0) yield
    }
    const delta = {
      removed: joinLists(split.removed, edit.removed),
      added: joinLists(split.added, edit.added),
    }
    // No yield from here to the end: once peers are notified of the serial, they must find its complete contents.
    const begun = split.special.size === 0 ? ahead : undefined
    yield* table.applying({ zoneId, serial, ...delta, marks: edit.marks }, begun)
    settle(zone, edit, affected)
    follow(affected, new Set([zone]))
  }

  function configure(served: ServedZone): void {
    const { zoneId, apex, authority, settings } = served
    const zone = zoneOf(zoneId)
    if (zone === undefined) return
    const after = rules.of(settings)
    const edit = newEdit()
    // With the same rules every name is unchanged: a zone whose SOA changes with each transfer need not be walked.
    if (after !== zone.rules) replan(edit, zone, { apex, ...after })
    const { removed, added, marks } = edit
    if (removed.length + added.length + marks.length > 0)
      table.apply({ zoneId, serial: authority.soa.serial, removed, added, marks })
    table.reconfigure(zoneId, { ...authority, tag: after.number })
    zone.rules = after
    const affected = new Set<DependentName>()
    settle(zone, edit, affected)
    affect([zoneKey(apex)], affected)
    follow(affected, new Set([zone]))
  }

  /** Plans all names of a zone by other rules. */
  function replan(edit: ZoneEdit, zone: LiveZone, around: PlanContext): void {
    for (const { place, stored } of zone.derived.values()) editName(edit, place, around, stored, stored)
    table.eachName(zone.zoneId, (records) => {
      const name = records[0]?.name as Name // the table returns the Names it was given
      if (zone.derived.has(name) || !records.some((record) => isSpecial(record, around))) return
      editName(edit, { zone, name }, around, records, records)
    })
  }

  function step(zoneId: string, serial: number): void {
    const zone = zoneOf(zoneId)
    if (zone === undefined) return
    table.apply({ zoneId, serial, removed: [], added: [], marks: [] })
    follow([], new Set([zone]))
  }

  function isSettled(zoneId: string): boolean {
    for (const { alias } of derivedOf(zones.get(zoneId)).values())
      if (alias !== undefined && ADDRESS_TYPES.some((type) => endOf(alias, type).kind === 'pending'))
        return false
    return true
  }

  function remove(zoneId: string): void {
    const zone = zoneOf(zoneId)
    if (zone === undefined) return
    forget(zoneId)
    table.remove(zoneId)
    const affected = new Set<DependentName>()
    affect([zoneKey(zone.apex)], affected)
    follow(affected)
  }

  /** The stored records of a name. Those of names that are published as stored are read from the table. */
  function storedAt({ zone, name }: DependentName): readonly StoredRecord[] {
    return zone.derived.get(name)?.stored ?? table.records(zone.zoneId, name)
  }

  /** Applies an edit to the zone after the table has accepted it. */
  function settle(zone: LiveZone, edit: ZoneEdit, affected: Set<DependentName>): void {
    for (const [name, derived] of edit.derived) {
      const old = zone.derived.get(name)
      if (derived === undefined) zone.derived.delete(name)
      else zone.derived.set(name, derived)
      if (derived?.alias !== undefined) affected.add(derived.place)
      else if (old !== undefined) dependencies.set(old.place, NOTHING)
    }
    if (zone.derived.size > 0) zones.set(zone.zoneId, zone)
    else zones.delete(zone.zoneId)
  }

  function affect(keys: Iterable<string>, affected: Set<DependentName>): void {
    for (const key of keys) for (const place of dependencies.of(key)) affected.add(place)
  }

  /**
   * Follows the aliases of these names again and publishes the results. In zones whose serial has `moved` with this
   * change, waiting names are included; in other zones that are bound to their serial, names wait for it.
   */
  function follow(places: Iterable<DependentName>, moved: ReadonlySet<LiveZone> = UNMOVED): void {
    const edits = new Map<LiveZone, ZoneEdit>()
    for (const { zone, name } of [...places, ...takeWaiting(moved)]) {
      const derived = zone.derived.get(name)
      if (derived?.alias === undefined) continue
      let edit = edits.get(zone)
      if (edit === undefined) edits.set(zone, (edit = newEdit()))
      replaceName(edit, name, derived, withAlias(derived, derived.alias), { before: [], after: [] })
    }
    for (const [zone, edit] of edits) {
      const { removed, added, marks } = edit
      const isBound = !moved.has(zone) && serials?.isBound(zone.zoneId) === true
      if (isBound && removed.length + added.length > 0) {
        if (!isSameButTtl(removed, added)) wait(zone, edit)
        continue
      }
      if (removed.length + added.length + marks.length > 0) {
        const { zoneId } = zone
        const serial = table.serial(zoneId)
        if (serial === undefined) throw new Error(`zone ${zoneId} is followed, but not published`)
        table.apply({ zoneId, serial, removed, added, marks })
      }
      for (const [name, derived] of edit.derived) if (derived !== undefined) zone.derived.set(name, derived)
    }
  }

  /** Discards the results: they are computed again when the serial has moved. */
  function wait(zone: LiveZone, edit: ZoneEdit): void {
    if (zone.waiting.size === 0) serials?.request(zone.zoneId)
    for (const derived of edit.derived.values()) if (derived !== undefined) zone.waiting.add(derived.place)
  }

  function withAlias(derived: DerivedName, alias: Alias): DerivedName {
    const { place, fixed } = derived
    const keys = new Set<string>()
    const ends = ADDRESS_TYPES.map((type) => ({
      type,
      end: followChain(alias, type, sources, (key) => keys.add(key)),
    }))
    dependencies.set(place, keys)
    const isLost = ends.some(({ end }) => end.kind === 'unresolved')
    // Without a resolver a CNAME is better than no answer, but at the apex it would conflict with SOA and NS.
    const records =
      isLost && place.name !== place.zone.apex
        ? [alias.record]
        : ends.flatMap(({ type, end }) => addressRecords(place.name, type, end))
    const isFailing = ends.some(({ end }) => end.kind === 'failed' || end.kind === 'pending')
    const isBare = fixed.length + records.length === 0
    const state = isFailing || (isLost && records.length === 0) ? 'failing' : isBare ? 'empty' : undefined
    return { ...derived, targetRecords: records, state }
  }

  /** Removes all dependencies of a zone's names. */
  function forget(zoneId: string): void {
    for (const { place } of derivedOf(zones.get(zoneId)).values()) dependencies.set(place, NOTHING)
    zones.delete(zoneId)
  }

  function watch(key: string): void {
    const lookup = readResolverKey(key)
    if (lookup === undefined || resolver === undefined) return
    const followAgain = () => {
      if (missed === undefined) follow([...dependencies.of(key)])
      else missed.add(key)
    }
    watches.set(key, resolver.watch(lookup.name, lookup.type, followAgain))
  }

  function unwatch(key: string): void {
    watches.get(key)?.()
    watches.delete(key)
  }
}

function takeWaiting(moved: ReadonlySet<LiveZone>): DependentName[] {
  return [...moved].flatMap((zone) => {
    const places = [...zone.waiting]
    zone.waiting.clear()
    return places
  })
}

const sourcesOf = (
  table: ZoneTable,
  zones: ReadonlyMap<string, LiveZone>,
  resolver: PublicationDeps['resolver'],
): ChainSources => ({
  look: createNameView(table),
  aliasAt: (zoneId, owner) => zones.get(zoneId)?.derived.get(owner)?.alias,
  resolve: resolver === undefined ? undefined : (name, type) => resolver.peek(name, type),
})

/** A zone that publication has loaded, and of which it holds nothing. */
function plainZoneIn(table: ZoneTable, rules: AllNameRules, zoneId: string): LiveZone | undefined {
  const zone = table.zone(zoneId)
  const own = rules.numbered(zone?.authority.tag ?? 0) // 0: it was not loaded by publication
  return zone && own && plainZone(zoneId, zone.name as Name, own) // it was loaded with a Name
}

const derivationsIn =
  (zones: ReadonlyMap<string, LiveZone>, sources: ChainSources): Publication['derivationOf'] =>
  (zoneId, owner) => {
    const derived = zones.get(zoneId)?.derived.get(owner)
    if (derived === undefined) return undefined
    const { stored, alias } = derived
    const chains = alias === undefined ? [] : ADDRESS_TYPES.map((type) => chainOf(alias, type, sources))
    return { stored, alias, chains }
  }

function chainOf(alias: Alias, type: AddressType, sources: ChainSources): Chain {
  const links: ChainLink[] = []
  const end = followChain(
    alias,
    type,
    sources,
    () => {},
    (link) => links.push(link),
  )
  return { type, links, end }
}

/** Resolvers report the remaining TTL, which differs each time: that alone does not change a copy. */
function isSameButTtl(removed: readonly ZoneRecord[], added: readonly ZoneRecord[]): boolean {
  const strings = (records: readonly ZoneRecord[]): string =>
    records
      .map(({ name, type, rdata }) => `${name} ${type} ${hexFromOctets(rdata)}`)
      .toSorted()
      .join()
  return removed.length === added.length && strings(removed) === strings(added)
}

function applyNameChange(
  before: readonly StoredRecord[],
  { removed, added }: NameChange,
): readonly StoredRecord[] {
  const removedIds = new Set(removed.map(({ id }) => id))
  return [...before.filter(({ id }) => !removedIds.has(id)), ...added]
}

function addressRecords(name: Name, type: AddressType, end: ChainEnd): ZoneRecord[] {
  if (end.kind !== 'addresses') return []
  return end.rdatas.map((rdata, index) => ({ id: `chain ${index}`, name, type, ttl: end.ttlSeconds, rdata }))
}
