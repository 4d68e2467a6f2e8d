// The zones by their apex, in the same pages as their names: a thread that has only the pages finds a zone there, and
// everything that answers need besides the names. An entry is a run, replaced by each change of its zone.
import { byteAt } from '@zonereeve/dns'
import { type HashKey, hashOctets } from '../octet-hash.ts'
import type { Tree } from '../names-view.ts'
import type { WireName } from '../wire-name.ts'
import type { Draft } from './draft.ts'
import { findRun, NAME_AT, putRun } from './name-index.ts'
import { octetAt, type Pages, UNIT_OCTETS } from './pages.ts'
import { RUN } from './run.ts'

/** Properties of a zone besides its names. */
export interface ListedZone {
  readonly zoneId: string
  readonly isExpired: boolean
  /** Number of the keys that sign it; 0: it is not signed. */
  readonly signing: number
  /** The SOA of negative answers, as an answer has it. */
  readonly negative: Uint8Array
}

/** An entry as it is read. */
export interface ZoneEntry extends ListedZone {
  readonly tree: Tree
}

const EXPIRED = 1
/** Numbers after the apex, 4 octets each; then the ID and the SOA of negative answers. */
const FIELDS = [
  'root',
  'size',
  'cuts',
  'dnames',
  'wildcards',
  'epoch',
  'signing',
  'idOctets',
  'negativeOctets',
] as const
const FIELDS_OCTETS = 4 * FIELDS.length

export class ZoneDirectory {
  readonly #pages: Pages
  readonly #hashKey: HashKey
  /** The newest version. */
  root = 0
  /** Number of zones for each label count of the apex, which all threads see. */
  readonly #byLabels: Int32Array

  constructor(pages: Pages, hashKey: HashKey, byLabels: Int32Array) {
    this.#pages = pages
    this.#hashKey = hashKey
    this.#byLabels = byLabels
  }

  /** Puts an entry into a draft, in the place of the one with this apex. Returns the new root. @throws StoreFullError */
  put(draft: Draft, apex: WireName, zone: ListedZone, tree: Tree): number {
    const id = Buffer.from(zone.zoneId)
    const octets = apex.start(apex.labels)
    const units = Math.ceil(
      (NAME_AT + octets + FIELDS_OCTETS + id.length + zone.negative.length) / UNIT_OCTETS,
    )
    const run = draft.take(units)
    const at = octetAt(run)
    const segment = draft.pages.octetsOf(run)
    const data = draft.pages.dataOf(run)
    segment[at + RUN.NAME_OCTETS] = octets
    segment[at + RUN.FLAGS] = zone.isExpired ? EXPIRED : 0
    data.setInt32(at + RUN.UNITS, units, true)
    segment.set(apex.octets.subarray(0, octets), at + NAME_AT)
    const fields = at + NAME_AT + octets
    const values = {
      ...tree,
      signing: zone.signing,
      idOctets: id.length,
      negativeOctets: zone.negative.length,
    }
    for (const [i, field] of FIELDS.entries()) data.setInt32(fields + 4 * i, values[field], true)
    segment.set(id, fields + FIELDS_OCTETS)
    segment.set(zone.negative, fields + FIELDS_OCTETS + id.length)
    const { before, hash } = this.#locate(apex)
    const root = putRun(draft, this.root, hash, before, run)
    this.#drop(draft, before)
    // Counted before threads can see it, so that they look for it.
    if (before === 0) Atomics.add(this.#byLabels, apex.labels, 1)
    return root
  }

  /** Removes the entry of an apex. Returns the new root. @throws StoreFullError */
  remove(draft: Draft, apex: WireName): number {
    const { before, hash } = this.#locate(apex)
    const root = putRun(draft, this.root, hash, before, 0)
    this.#drop(draft, before)
    return root
  }

  /** A zone was removed, and no thread can see it any more. */
  countRemoved(apex: WireName): void {
    Atomics.sub(this.#byLabels, apex.labels, 1)
  }

  #locate({ octets, labelAt, labels }: WireName): { readonly before: number; readonly hash: number } {
    const end = byteAt(labelAt, labels)
    const hash = hashOctets(octets, 0, end, this.#hashKey)
    return { hash, before: findRun(this.#pages, this.root, hash, octets, 0, end) }
  }

  #drop(draft: Draft, run: number): void {
    if (run !== 0) draft.drop(run, this.#pages.dataOf(run).getInt32(octetAt(run) + RUN.UNITS, true))
  }
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

/** The apex of a copied entry, without the root, and the rest of it. */
export function readEntry(copy: Uint8Array): { readonly apex: Uint8Array; readonly entry: ZoneEntry } {
  const data = new DataView(copy.buffer, copy.byteOffset, copy.byteLength)
  const fields = NAME_AT + data.getUint8(RUN.NAME_OCTETS)
  const field = (name: (typeof FIELDS)[number]): number =>
    data.getInt32(fields + 4 * FIELDS.indexOf(name), true)
  const idAt = fields + FIELDS_OCTETS
  const negativeAt = idAt + field('idOctets')
  const tree = {
    root: field('root'),
    size: field('size'),
    cuts: field('cuts'),
    dnames: field('dnames'),
    wildcards: field('wildcards'),
    epoch: field('epoch') >>> 0,
  }
  return {
    apex: copy.subarray(NAME_AT, fields),
    entry: {
      tree,
      zoneId: Buffer.from(copy.subarray(idAt, negativeAt)).toString(),
      isExpired: (data.getUint8(RUN.FLAGS) & EXPIRED) !== 0,
      signing: field('signing'),
      negative: copy.slice(negativeAt, negativeAt + field('negativeOctets')),
    },
  }
}
