// The zones by their apex, in the same pages as their names: a thread that has only the pages finds a zone there, and
// everything that a zone has besides its names, so that objects of zones are made when they are needed. An entry is a
// run, replaced by each change of its zone.
import { byteAt } from '@zonereeve/dns'
import { type HashKey, hashOctets } from '../octet-hash.ts'
import type { Tree } from '../names-view.ts'
import type { WireName } from '../wire-name.ts'
import type { Draft } from './draft.ts'
import { findRun, findRunThat, type HasOctets, NAME_AT, putRun, runsOf } from './name-index.ts'
import { octetAt, type Pages, UNIT_OCTETS } from './pages.ts'
import { RUN } from './run.ts'

/** Properties of a zone besides its names. */
export interface ListedZone {
  readonly zoneId: string
  /** Number of the keys that sign it; 0: it is not signed. */
  readonly signing: number
  /** Number of given records, served or not. */
  readonly records: number
  /** Uncompressed names, one after another. */
  readonly nameServers: Uint8Array
  readonly nsTtl: number
  readonly tag: number
  readonly isExpired: boolean
  readonly isMultiProvider: boolean
}

/** An entry as it is read. */
export interface ZoneEntry extends ListedZone {
  /** The name of the zone, in wire form. */
  readonly apex: Uint8Array
  readonly tree: Tree
}

/** Sums over all zones. */
export interface DirectoryTotals {
  readonly zones: number
  readonly records: number
  /** Names that exist, empty non-terminals included. */
  readonly nodes: number
}

const FLAG = {
  EXPIRED: 1,
  MULTI_PROVIDER: 2,
  /** The ID is 16 octets that were 32 hexadecimal digits. */
  SHORT_ID: 4,
} as const
const SHORT_ID = /^[0-9a-f]{32}$/
/** Numbers after the apex, 4 octets each; then the ID and the name servers. */
const FIELDS = [
  'root',
  'denials',
  'size',
  'cuts',
  'dnames',
  'wildcards',
  'epoch',
  'signing',
  'records',
  'nsTtl',
  'tag',
  'stamp',
  'idOctets',
  'nameServerOctets',
] as const
const FIELDS_OCTETS = 4 * FIELDS.length
type Field = (typeof FIELDS)[number]
const offsetOf = (field: Field): number => 4 * FIELDS.indexOf(field)
const OFFSET = { RECORDS: offsetOf('records'), NODES: offsetOf('size'), ID_OCTETS: offsetOf('idOctets') }

/** What a change of the directory leads to, once it is published. */
export interface DirectoryChange {
  /** Of the entries by apex. */
  readonly root: number
  /** Of the same entries by ID. */
  readonly rootById: number
  readonly totals: DirectoryTotals
}

export class ZoneDirectory implements DirectoryChange {
  readonly #pages: Pages
  readonly #hashKey: HashKey
  /**
   * Number of entries that were put. Each has its own, because a later entry of a zone may have the same place, and its
   * names the same root, after both were used again: readers keep what they derive from an entry.
   */
  #stamp = 0
  /** The newest version. */
  root = 0
  rootById = 0
  totals: DirectoryTotals = { zones: 0, records: 0, nodes: 0 }
  /** Number of zones for each label count of the apex, which all threads see. */
  readonly byLabels: Int32Array

  constructor(pages: Pages, hashKey: HashKey, byLabels: Int32Array) {
    this.#pages = pages
    this.#hashKey = hashKey
    this.byLabels = byLabels
  }

  /** Puts an entry into a draft, in the place of the one with this apex. @throws StoreFullError */
  put(draft: Draft, apex: WireName, zone: ListedZone, tree: Tree): DirectoryChange {
    const id = toDirectoryId(zone.zoneId)
    const nameOctets = apex.start(apex.labels)
    const { nameServers } = zone
    const fields = NAME_AT + nameOctets
    const units = Math.ceil((fields + FIELDS_OCTETS + id.octets.length + nameServers.length) / UNIT_OCTETS)
    const run = draft.take(units)
    const at = octetAt(run)
    const segment = draft.pages.octetsOf(run)
    const data = draft.pages.dataOf(run)
    segment[at + RUN.NAME_OCTETS] = nameOctets
    segment[at + RUN.FLAGS] =
      (zone.isExpired ? FLAG.EXPIRED : 0) | (zone.isMultiProvider ? FLAG.MULTI_PROVIDER : 0) | id.flag
    data.setInt32(at + RUN.UNITS, units, true)
    segment.set(apex.octets.subarray(0, nameOctets), at + NAME_AT)
    this.#stamp = (this.#stamp + 1) | 0
    // Written out: copies of objects have hidden classes of their own (ADR 151).
    const values: Readonly<Record<Field, number>> = {
      root: tree.root,
      denials: tree.denials,
      size: tree.size,
      cuts: tree.cuts,
      dnames: tree.dnames,
      wildcards: tree.wildcards,
      epoch: tree.epoch,
      signing: zone.signing,
      records: zone.records,
      nsTtl: zone.nsTtl,
      tag: zone.tag,
      stamp: this.#stamp,
      idOctets: id.octets.length,
      nameServerOctets: nameServers.length,
    }
    for (const [i, field] of FIELDS.entries()) data.setInt32(at + fields + 4 * i, values[field], true)
    segment.set(id.octets, at + fields + FIELDS_OCTETS)
    segment.set(nameServers, at + fields + FIELDS_OCTETS + id.octets.length)
    const before = this.#locate(apex)
    const root = putRun(draft, this.root, before.hash, before.run, run)
    const known = this.#locateId(id)
    const rootById = putRun(draft, this.rootById, known.hash, known.run, run)
    this.#drop(draft, before.run)
    // Counted before threads can see it, so that they look for it.
    if (before.run === 0) Atomics.add(this.byLabels, apex.labels, 1)
    return { root, rootById, totals: this.#totals(before.run, { records: zone.records, nodes: tree.size }) }
  }

  /** Removes the entry of an apex, if there is one. @throws StoreFullError */
  remove(draft: Draft, apex: WireName): DirectoryChange {
    const { run, hash } = this.#locate(apex)
    if (run === 0) return this
    const root = putRun(draft, this.root, hash, run, 0)
    const id = idOf(this.#pages, run)
    const known = this.#locateId(id)
    // The zone may have an entry with another apex meanwhile.
    const rootById = known.run === run ? putRun(draft, this.rootById, known.hash, run, 0) : this.rootById
    this.#drop(draft, run)
    return { root, rootById, totals: this.#totals(run, undefined) }
  }

  /** A zone was removed, and no thread can see it any more. */
  countRemoved(apex: WireName): void {
    Atomics.sub(this.byLabels, apex.labels, 1)
  }

  /** The entry of a zone. */
  find(zoneId: string): ZoneEntry | undefined {
    const { run } = this.#locateId(toDirectoryId(zoneId))
    return run === 0 ? undefined : readEntry(copyEntry(this.#pages, run))
  }

  /** The entry of the zone whose apex is a name from its label `label` on. */
  findAt({ octets, labelAt, labels }: WireName, label: number): ZoneEntry | undefined {
    const start = byteAt(labelAt, label)
    const end = byteAt(labelAt, labels)
    const hash = hashOctets(octets, start, end, this.#hashKey)
    const run = findRun(this.#pages, this.root, hash, octets, start, end)
    return run === 0 ? undefined : readEntry(copyEntry(this.#pages, run))
  }

  /** All entries of the version that is the newest at the call, which must be held until the end. */
  entries(): IterableIterator<ZoneEntry> {
    return entriesOf(this.#pages, this.root)
  }

  /** @param after what replaces the entry; undefined: nothing */
  #totals(before: number, after: Omit<DirectoryTotals, 'zones'> | undefined): DirectoryTotals {
    const { zones, records, nodes } = this.totals
    const added = after ?? { records: 0, nodes: 0 }
    const field = (offset: number): number =>
      before === 0 ? 0 : this.#pages.dataOf(before).getInt32(fieldsAt(this.#pages, before) + offset, true)
    return {
      zones: zones + (after === undefined ? 0 : 1) - (before === 0 ? 0 : 1),
      records: records + added.records - field(OFFSET.RECORDS),
      nodes: nodes + added.nodes - field(OFFSET.NODES),
    }
  }

  #locate({ octets, labelAt, labels }: WireName): { readonly run: number; readonly hash: number } {
    const end = byteAt(labelAt, labels)
    const hash = hashOctets(octets, 0, end, this.#hashKey)
    return { hash, run: findRun(this.#pages, this.root, hash, octets, 0, end) }
  }

  #locateId({ octets, flag }: DirectoryId): { readonly run: number; readonly hash: number } {
    const hash = hashOctets(octets, 0, octets.length, this.#hashKey)
    const hasId = flag === 0 ? hasTextId : hasShortId
    return { hash, run: findRunThat(this.#pages, this.rootById, hash, hasId, octets, 0, octets.length) }
  }

  #drop(draft: Draft, run: number): void {
    if (run !== 0) draft.drop(run, this.#pages.dataOf(run).getInt32(octetAt(run) + RUN.UNITS, true))
  }
}

function* entriesOf(pages: Pages, root: number): Generator<ZoneEntry, void, undefined> {
  for (const run of runsOf(pages, root)) yield readEntry(copyEntry(pages, run))
}

interface DirectoryId {
  readonly octets: Uint8Array
  readonly flag: number
}

function toDirectoryId(zoneId: string): DirectoryId {
  const isShort = SHORT_ID.test(zoneId)
  return { octets: Buffer.from(zoneId, isShort ? 'hex' : 'utf8'), flag: isShort ? FLAG.SHORT_ID : 0 }
}

/** Where the fields of an entry begin in its segment. */
const fieldsAt = (pages: Pages, run: number): number => {
  const at = octetAt(run)
  return at + NAME_AT + pages.dataOf(run).getUint8(at + RUN.NAME_OCTETS)
}

const shortFlagOf = (pages: Pages, run: number): number =>
  pages.dataOf(run).getUint8(octetAt(run) + RUN.FLAGS) & FLAG.SHORT_ID

function idOf(pages: Pages, run: number): DirectoryId {
  const fields = fieldsAt(pages, run)
  const start = fields + FIELDS_OCTETS
  const octets = pages.dataOf(run).getInt32(fields + OFFSET.ID_OCTETS, true)
  return { octets: pages.octetsOf(run).slice(start, start + octets), flag: shortFlagOf(pages, run) }
}

const hasTextId: HasOctets = (pages, run, id) => hasIdOf(pages, run, id, 0)
const hasShortId: HasOctets = (pages, run, id) => hasIdOf(pages, run, id, FLAG.SHORT_ID)

function hasIdOf(pages: Pages, run: number, id: Uint8Array, flag: number): boolean {
  const fields = fieldsAt(pages, run)
  if (shortFlagOf(pages, run) !== flag) return false
  if (pages.dataOf(run).getInt32(fields + OFFSET.ID_OCTETS, true) !== id.length) return false
  const segment = pages.octetsOf(run)
  const start = fields + FIELDS_OCTETS
  for (let i = 0; i < id.length; i += 1) if (segment[start + i] !== id[i]) return false
  return true
}

/** The run of the zone that a name belongs to from its label `fromLabel` on, or 0. */
export function findZoneRun(
  { pages, byLabels, hashKey }: DirectoryReader,
  root: number,
  { octets, labelAt, labels }: WireName,
  fromLabel: number,
): number {
  const end = byteAt(labelAt, labels)
  for (let label = fromLabel; label <= labels; label += 1) {
    // Undefined for no number of labels of a name.
    if (!byLabels[labels - label]) continue
    const start = byteAt(labelAt, label)
    const run = findRun(pages, root, hashOctets(octets, start, end, hashKey), octets, start, end)
    if (run !== 0) return run
  }
  return 0
}

export interface DirectoryReader {
  readonly pages: Pages
  readonly byLabels: Int32Array
  readonly hashKey: HashKey
}

/** Whether two runs of one apex have the same octets; `known` is a copy. */
export function isSameEntry(pages: Pages, run: number, known: Uint8Array): boolean {
  const segment = pages.octetsOf(run)
  const at = octetAt(run)
  for (let i = 0; i < known.length; i += 1) if (segment[at + i] !== known[i]) return false
  return true
}

/** A copy of the octets of an entry. */
export function copyEntry(pages: Pages, run: number): Uint8Array {
  const at = octetAt(run)
  const units = pages.dataOf(run).getInt32(at + RUN.UNITS, true)
  return pages.octetsOf(run).slice(at, at + units * UNIT_OCTETS)
}

/** Reads a copied entry. */
export function readEntry(copy: Uint8Array): ZoneEntry {
  const data = new DataView(copy.buffer, copy.byteOffset, copy.byteLength)
  const fields = NAME_AT + data.getUint8(RUN.NAME_OCTETS)
  const flags = data.getUint8(RUN.FLAGS)
  const field = (name: Field): number => data.getInt32(fields + offsetOf(name), true)
  const idAt = fields + FIELDS_OCTETS
  const nameServersAt = idAt + field('idOctets')
  const id = Buffer.from(copy.buffer, copy.byteOffset + idAt, nameServersAt - idAt)
  return {
    apex: Buffer.concat([copy.subarray(NAME_AT, fields), ROOT]),
    zoneId: id.toString((flags & FLAG.SHORT_ID) === 0 ? 'utf8' : 'hex'),
    tree: {
      root: field('root'),
      denials: field('denials'),
      size: field('size'),
      cuts: field('cuts'),
      dnames: field('dnames'),
      wildcards: field('wildcards'),
      epoch: field('epoch') >>> 0,
    },
    signing: field('signing'),
    records: field('records'),
    nameServers: copy.slice(nameServersAt, nameServersAt + field('nameServerOctets')),
    nsTtl: field('nsTtl') >>> 0,
    tag: field('tag'),
    isExpired: (flags & FLAG.EXPIRED) !== 0,
    isMultiProvider: (flags & FLAG.MULTI_PROVIDER) !== 0,
  }
}

const ROOT = Uint8Array.of(0)
