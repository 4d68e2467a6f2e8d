// Keeps the nameserver's zone table in step with what is stored, and with what stands elsewhere.
//
// Most names are served as they are stored: their records go straight into the table, and nothing else is kept of them.
// The others are derived by a plan; those whose plan has an alias are followed to the end of its chain, and again
// whenever something on the way changes. All of a change is done in one synchronous call, so that no question can come
// between its steps.
import { hexFromOctets, type Name } from '@zonereeve/dns'
import { createNameView } from '../nameserver/index.ts'
import type { ZoneRecord, ZoneTable } from '../nameserver/index.ts'
import type { Resolver } from '../resolver/index.ts'
import { atOnce, inSlices, type Sliced } from '../platform/slices.ts'
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
import { createDependencies } from './dependencies.ts'
import type { EdgeAddresses } from './edge-addresses.ts'
import {
  editName,
  isApexNs,
  newEdit,
  replaceName,
  sortRecords,
  type DerivedName,
  type LiveZone,
  type Place,
  type ServedZone,
  type ZoneEdit,
} from './live-zone.ts'
import { createNameRules, isSpecial, type Alias, type Surroundings } from './plan.ts'
import { TYPE, type StoredRecord } from './stored-record.ts'

export interface StoredDelta {
  readonly zoneId: string
  readonly serial: number
  readonly removed: Iterable<StoredRecord>
  readonly added: Iterable<StoredRecord>
}

export interface ZoneToServe {
  readonly zone: ServedZone
  readonly records: Iterable<StoredRecord>
}

export interface Serving {
  /** Serves zones, each instead of its previous contents if there were any. */
  load(zones: Iterable<ZoneToServe>): void
  /** Serves a change set. @throws ZoneDataError, then nothing has changed */
  apply(delta: StoredDelta): void
  /** As apply, while questions are answered as before; nothing else is to be called until it is done. */
  applyInSlices(delta: StoredDelta): Promise<void>
  /** Serves a zone by other settings and under another authority; its records stay. @throws ZoneDataError as apply */
  configure(zone: ServedZone): void
  remove(zoneId: string): void
  /** Where the chain that begins with a CNAME ends now. */
  endOf(alias: Alias, type: AddressType): ChainEnd
  /** Answers what has been waiting for the zone's serial to move. */
  step(zoneId: string, serial: number): void
  /** Whether answers of the zone depend on more than what is stored for it. */
  hasDerived(zoneId: string): boolean
  /** Whether all chains of the zone have been followed to an end, if only to a failure. */
  isSettled(zoneId: string): boolean
  /** What stands behind a name that is not served as it is stored; undefined for all others. */
  derivationOf(zoneId: string, owner: Name): Derivation | undefined
}

export interface Derivation {
  readonly stored: readonly StoredRecord[]
  /** The CNAME in whose place addresses are served. */
  readonly alias: Alias | undefined
  /** The way from that CNAME to the addresses of each type. */
  readonly chains: readonly Chain[]
}

export interface Chain {
  readonly type: AddressType
  readonly links: readonly ChainLink[]
  readonly end: ChainEnd
}

export interface ServingDeps {
  readonly table: ZoneTable
  /** Undefined: proxied names are answered with their origins. */
  readonly edge: EdgeAddresses | undefined
  /** Undefined: chains that lead out of our zones are not followed. */
  readonly resolver: Pick<Resolver, 'peek' | 'watch'> | undefined
  /** Undefined: answers may change without the serial. */
  readonly serials?: ZoneSerials
}

/** For zones that others hold copies of: no copy is made anew before the serial has moved. */
export interface ZoneSerials {
  /** Whether answers of the zone change with its serial only. */
  isBound(zoneId: string): boolean
  /** Moves the zone's serial, soon; `step` follows. */
  request(zoneId: string): void
}

/** Names or records that are worked at before others have a turn: some milliseconds. */
const NAMES_AT_ONCE = 500
const NOTHING: ReadonlySet<string> = new Set()
const UNMOVED: ReadonlySet<LiveZone> = new Set()
const ADDRESS_TYPES = [TYPE.A, TYPE.AAAA] as const

export function createServing({ table, edge, resolver, serials }: ServingDeps): Serving {
  const zones = new Map<string, LiveZone>()
  const rulesOf = createNameRules(edge)
  const watches = new Map<string, () => void>()
  /** What has been found elsewhere while a large change is made, which no other change may come into. */
  let missed: Set<string> | undefined
  const dependencies = createDependencies<Place>({ used: watch, unused: unwatch })
  const sources: ChainSources = {
    look: createNameView(table),
    aliasAt: (zoneId, owner) => zones.get(zoneId)?.derived.get(owner)?.alias,
    resolve: resolver === undefined ? undefined : (name, type) => resolver.peek(name, type),
  }

  return {
    load,
    apply: (delta) => atOnce(applying(delta)),
    applyInSlices,
    configure,
    remove,
    step,
    hasDerived: (zoneId) => (zones.get(zoneId)?.derived.size ?? 0) > 0,
    isSettled,
    endOf,
    derivationOf,
  }

  function derivationOf(zoneId: string, owner: Name): Derivation | undefined {
    const derived = zones.get(zoneId)?.derived.get(owner)
    if (derived === undefined) return undefined
    const { stored, alias } = derived
    const chains = alias === undefined ? [] : ADDRESS_TYPES.map((type) => chainOf(alias, type))
    return { stored, alias, chains }
  }

  function chainOf(alias: Alias, type: AddressType): Chain {
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

  function load(all: Iterable<ZoneToServe>): void {
    const affected = new Set<Place>()
    const loaded = new Set<LiveZone>()
    for (const { zone, records } of all) {
      const { zoneId, apex, authority } = zone
      const live: LiveZone = {
        zoneId,
        apex,
        rules: rulesOf(zone.settings),
        derived: new Map(),
        waiting: new Set(),
      }
      const around = surroundingsOf(live)
      const { plain, special } = sortRecords(records, around)
      const edit = newEdit()
      for (const [name, stored] of special) editName(edit, { zone: live, name }, around, [], stored)
      table.load({
        zoneId,
        apex,
        ...authority,
        records: edit.added.length === 0 ? plain : [...plain, ...edit.added],
        marks: edit.marks,
      })
      forget(zoneId)
      zones.set(zoneId, live)
      settle(live, edit, affected)
      affect([zoneKey(apex)], affected)
      loaded.add(live)
    }
    follow(affected, loaded)
  }

  async function applyInSlices(delta: StoredDelta): Promise<void> {
    missed = new Set()
    try {
      await inSlices(applying(delta))
    } finally {
      const places = [...missed].flatMap((key) => [...dependencies.of(key)])
      missed = undefined
      follow(places)
    }
  }

  function* applying({ zoneId, serial, removed, added }: StoredDelta): Sliced<void> {
    const zone = zones.get(zoneId)
    if (zone === undefined) return table.apply({ zoneId, serial, removed: [...removed], added: [...added] }) // which says so
    const around = surroundingsOf(zone)
    const edit = newEdit()
    const changes = yield* groupByName(removed, added)
    let done = 0
    for (const [name, change] of changes) {
      if ((done += 1) % NAMES_AT_ONCE === 0) yield
      const place = zone.derived.get(name)?.place ?? { zone, name }
      const isSpecialNow = zone.derived.has(name) || change.added.some((record) => isSpecial(record, around))
      const goesThrough = (record: StoredRecord) => !isSpecialNow || isApexNs(record, around.apex)
      edit.removed.push(...change.removed.filter(goesThrough))
      edit.added.push(...change.added.filter(goesThrough))
      if (!isSpecialNow) continue
      const before = storedAt(place)
      const after = changed(before, change).filter((record) => !isApexNs(record, around.apex))
      editName(edit, place, around, before, after)
    }
    const affected = new Set<Place>()
    for (const name of changes.keys()) {
      affect(touchedKeys(name, zone.apex), affected)
      if ((done += 1) % NAMES_AT_ONCE === 0) yield
    }
    // From here to the end nobody has a turn: peers are told of the serial, and must find all that it stands for.
    yield* table.applying({ zoneId, serial, removed: edit.removed, added: edit.added, marks: edit.marks })
    settle(zone, edit, affected)
    follow(affected, new Set([zone]))
  }

  function configure(served: ServedZone): void {
    const { zoneId, apex, authority, settings } = served
    const zone = zones.get(zoneId)
    if (zone === undefined) return
    const rules = rulesOf(settings)
    const edit = newEdit()
    // By the same rules every name is what it was: a zone whose SOA moves with each transfer is not walked for that.
    if (rules !== zone.rules) replan(edit, zone, { apex, ...rules })
    const { removed, added, marks } = edit
    if (removed.length + added.length + marks.length > 0)
      table.apply({ zoneId, serial: authority.soa.serial, removed, added, marks })
    table.reconfigure(zoneId, authority)
    zone.rules = rules
    const affected = new Set<Place>()
    settle(zone, edit, affected)
    affect([zoneKey(apex)], affected)
    follow(affected, new Set([zone]))
  }

  /** Plans all names of a zone by other rules. */
  function replan(edit: ZoneEdit, zone: LiveZone, around: Surroundings): void {
    for (const { place, stored } of zone.derived.values()) editName(edit, place, around, stored, stored)
    table.eachName(zone.zoneId, (records) => {
      const name = records[0]?.name as Name // the table holds what it was given: Names
      if (zone.derived.has(name) || !records.some((record) => isSpecial(record, around))) return
      editName(edit, { zone, name }, around, records, records)
    })
  }

  function step(zoneId: string, serial: number): void {
    const zone = zones.get(zoneId)
    if (zone === undefined) return
    table.apply({ zoneId, serial, removed: [], added: [], marks: [] })
    follow([], new Set([zone]))
  }

  function isSettled(zoneId: string): boolean {
    for (const { alias } of zones.get(zoneId)?.derived.values() ?? [])
      if (alias !== undefined && ADDRESS_TYPES.some((type) => endOf(alias, type).kind === 'pending'))
        return false
    return true
  }

  function endOf(alias: Alias, type: AddressType): ChainEnd {
    return followChain(alias, type, sources, () => {})
  }

  function remove(zoneId: string): void {
    const zone = zones.get(zoneId)
    if (zone === undefined) return
    forget(zoneId)
    table.remove(zoneId)
    const affected = new Set<Place>()
    affect([zoneKey(zone.apex)], affected)
    follow(affected)
  }

  /** What is stored at a name. Those that are served as they are stored stand in the table. */
  function storedAt({ zone, name }: Place): readonly StoredRecord[] {
    return zone.derived.get(name)?.stored ?? table.records(zone.zoneId, name)
  }

  /** The table has taken the edit: so does the zone. */
  function settle(zone: LiveZone, edit: ZoneEdit, affected: Set<Place>): void {
    for (const [name, derived] of edit.derived) {
      const old = zone.derived.get(name)
      if (derived === undefined) zone.derived.delete(name)
      else zone.derived.set(name, derived)
      if (derived?.alias !== undefined) affected.add(derived.place)
      else if (old !== undefined) dependencies.set(old.place, NOTHING)
    }
  }

  function affect(keys: Iterable<string>, affected: Set<Place>): void {
    for (const key of keys) for (const place of dependencies.of(key)) affected.add(place)
  }

  /**
   * Follows the aliases of these places anew and serves what they lead to. Of zones whose serial has `moved` with this
   * change, those that waited too; in others that are bound to their serial, places wait for it.
   */
  function follow(places: Iterable<Place>, moved: ReadonlySet<LiveZone> = UNMOVED): void {
    const edits = new Map<LiveZone, ZoneEdit>()
    for (const { zone, name } of [...places, ...takeWaiting(moved)]) {
      const derived = zone.derived.get(name)
      if (derived?.alias === undefined) continue
      let edit = edits.get(zone)
      if (edit === undefined) edits.set(zone, (edit = newEdit()))
      replaceName(edit, name, derived, followed(derived, derived.alias), { before: [], after: [] })
    }
    for (const [zone, edit] of edits) {
      const { removed, added, marks } = edit
      const isBound = !moved.has(zone) && serials?.isBound(zone.zoneId) === true
      if (isBound && removed.length + added.length > 0) {
        if (!isSameButTtl(removed, added)) wait(zone, edit)
        continue
      }
      if (removed.length + added.length + marks.length > 0) {
        table.apply({ zoneId: zone.zoneId, serial: table.serial(zone.zoneId) ?? 0, removed, added, marks })
      }
      for (const [name, derived] of edit.derived) if (derived !== undefined) zone.derived.set(name, derived)
    }
  }

  /** What has been found is forgotten: it is found again when the serial has moved. */
  function wait(zone: LiveZone, edit: ZoneEdit): void {
    if (zone.waiting.size === 0) serials?.request(zone.zoneId)
    for (const derived of edit.derived.values()) if (derived !== undefined) zone.waiting.add(derived.place)
  }

  function takeWaiting(moved: ReadonlySet<LiveZone>): Place[] {
    return [...moved].flatMap((zone) => {
      const places = [...zone.waiting]
      zone.waiting.clear()
      return places
    })
  }

  function followed(derived: DerivedName, alias: Alias): DerivedName {
    const { place, fixed } = derived
    const keys = new Set<string>()
    const ends = ADDRESS_TYPES.map((type) => ({
      type,
      end: followChain(alias, type, sources, (key) => keys.add(key)),
    }))
    dependencies.set(place, keys)
    const isLost = ends.some(({ end }) => end.kind === 'unresolved')
    // Without a resolver a CNAME is worth more than nothing, but at the apex it would stand in the way of SOA and NS.
    const records =
      isLost && place.name !== place.zone.apex
        ? [alias.record]
        : ends.flatMap(({ type, end }) => addressRecords(place.name, type, end))
    const isFailing = ends.some(({ end }) => end.kind === 'failed' || end.kind === 'pending')
    const isBare = fixed.length + records.length === 0
    const state = isFailing || (isLost && records.length === 0) ? 'failing' : isBare ? 'empty' : undefined
    return { ...derived, followed: records, state }
  }

  /** Lets go of all that a zone's names depend on. */
  function forget(zoneId: string): void {
    for (const { place } of zones.get(zoneId)?.derived.values() ?? []) dependencies.set(place, NOTHING)
    zones.delete(zoneId)
  }

  function watch(key: string): void {
    const asked = readResolverKey(key)
    if (asked === undefined || resolver === undefined) return
    const followAgain = () => {
      if (missed === undefined) follow([...dependencies.of(key)])
      else missed.add(key)
    }
    watches.set(key, resolver.watch(asked.name, asked.type, followAgain))
  }

  function unwatch(key: string): void {
    watches.get(key)?.()
    watches.delete(key)
  }
}

/** Resolvers tell what is left of a TTL, which is another each time: copies need not be made anew for that. */
function isSameButTtl(removed: readonly ZoneRecord[], added: readonly ZoneRecord[]): boolean {
  const texts = (records: readonly ZoneRecord[]): string =>
    records
      .map(({ name, type, rdata }) => `${name} ${type} ${hexFromOctets(rdata)}`)
      .toSorted()
      .join()
  return removed.length === added.length && texts(removed) === texts(added)
}

const surroundingsOf = ({ apex, rules }: LiveZone): Surroundings => ({ apex, ...rules })

interface NameChange {
  readonly removed: StoredRecord[]
  readonly added: StoredRecord[]
}

function* groupByName(
  removed: Iterable<StoredRecord>,
  added: Iterable<StoredRecord>,
): Sliced<ReadonlyMap<Name, NameChange>> {
  const changes = new Map<string, NameChange>()
  const changeOf = ({ name }: StoredRecord): NameChange => {
    let change = changes.get(name)
    if (change === undefined) changes.set(name, (change = { removed: [], added: [] }))
    return change
  }
  let done = 0
  for (const record of removed) {
    changeOf(record).removed.push(record)
    if ((done += 1) % NAMES_AT_ONCE === 0) yield
  }
  for (const record of added) {
    changeOf(record).added.push(record)
    if ((done += 1) % NAMES_AT_ONCE === 0) yield
  }
  return changes as Map<Name, NameChange> // records have Names
}

function changed(before: readonly StoredRecord[], { removed, added }: NameChange): readonly StoredRecord[] {
  const gone = new Set(removed.map(({ id }) => id))
  return [...before.filter(({ id }) => !gone.has(id)), ...added]
}

function addressRecords(name: Name, type: AddressType, end: ChainEnd): ZoneRecord[] {
  if (end.kind !== 'addresses') return []
  return end.rdatas.map((rdata, index) => ({
    id: `chain ${index}`,
    name,
    type,
    ttl: end.ttlSeconds,
    rdata,
  }))
}
