// The octets of one name in the zone store: the name, its rrsets as they appear in an answer, each with its signatures
// once a client has asked for them, and at the end the given records as far as the rrsets do not tell them.
import { compareOctets, type Name, nameFromWire, NSEC, NSEC3, RRSIG, uint16At } from '@zonereeve/dns'
import { createNode, type Node } from '../node.ts'
import { isServiceType, NO_RECORDS, RDATA_OFFSET, type Rrset, targetOffset, TYPE } from '../rrset.ts'
import type { NameState, ZoneRecord } from '../zone-data.ts'
import { WireName } from '../wire-name.ts'
import { NAME_AT } from './name-index.ts'
import { octetAt, type Pages, UNIT_OCTETS } from './pages.ts'

/** Offsets in a run. The name follows at NAME_AT. */
export const RUN = { NAME_OCTETS: 0, FLAGS: 1, RRSETS: 2, UNITS: 4, CHILDREN: 8 } as const
/** Offsets in an rrset before its octets. */
const SET = { TYPE: 0, FLAGS: 2, COUNT: 4, OCTETS: 8, HEAD: 12 } as const
/** Offsets before the signatures that follow an rrset. Times are in seconds. */
export const SIGNED = { OCTETS: 0, COUNT: 4, EPOCH: 8, USABLE_FROM: 12, REFRESH_AT: 16, HEAD: 20 } as const

/** Flags of a name. */
export const NAME_FLAG = {
  /** Answers from below it come from elsewhere: it has a delegation. */
  CUT: 1,
  ALIAS: 2,
  /** Names below it are redirected. */
  DNAME: 4,
  /** Its addresses are unknown. */
  FAILING: 8,
  /** It exists without records. */
  EMPTY: 16,
  /** It owns a denial that was made elsewhere: NSEC or NSEC3. */
  DENIES: 32,
  /** It owns nothing but NSEC3, and no such name exists (RFC 5155 §7.2.8). */
  ONLY_NSEC3: 64,
} as const

const SET_FLAG = {
  /** The rrset points into the zone, so its answer has additional addresses. */
  POINTS_INSIDE: 1,
  SIGNED: 2,
} as const

/** How a given record is written. */
const GIVEN = {
  /** TTL and rdata are not those of the record with this number in the rrset. */
  OWN_DATA: 1,
  /** The id is 16 octets that were 32 hexadecimal digits. */
  SHORT_ID: 2,
} as const

const SHORT_ID_OCTETS = 16
/** Numbers of records from this one on take up five octets. */
const MANY = 255

/** Reads one run. Positions of rrsets are offsets in the same octets; -1 is none. */
export class RunView {
  octets: Uint8Array = NO_OCTETS
  at = 0
  #data: DataView = NO_DATA

  /** Shows the run at a position of the store. */
  show(pages: Pages, position: number): this {
    this.octets = pages.octetsOf(position)
    this.#data = pages.dataOf(position)
    this.at = octetAt(position)
    return this
  }

  /** Shows a copy of a run. */
  showCopy(octets: Uint8Array): this {
    this.octets = octets
    this.#data = dataOf(octets)
    this.at = 0
    return this
  }

  get flags(): number {
    return this.#data.getUint8(this.at + RUN.FLAGS)
  }

  get rrsets(): number {
    return this.#data.getUint16(this.at + RUN.RRSETS, true)
  }

  get children(): number {
    return this.#data.getInt32(this.at + RUN.CHILDREN, true)
  }

  get units(): number {
    return this.#data.getInt32(this.at + RUN.UNITS, true)
  }

  /** The name relative to the apex, one character per octet. */
  get key(): string {
    const start = this.at + NAME_AT
    let key = ''
    for (let i = start; i < this.firstSet; i += 1) key += String.fromCharCode(this.octets[i] ?? 0)
    return key
  }

  /** Whether there is no such name: it is there for its NSEC3 only. */
  get isHidden(): boolean {
    return (this.flags & NAME_FLAG.ONLY_NSEC3) !== 0 && this.children === 0
  }

  get firstSet(): number {
    return this.at + NAME_AT + this.#data.getUint8(this.at)
  }

  findSet(type: number): number {
    let set = this.firstSet
    for (let i = this.rrsets; i > 0; i -= 1) {
      if (this.typeOf(set) === type) return set
      set = this.afterSet(set)
    }
    return -1
  }

  typeOf(set: number): number {
    return this.#data.getUint16(set + SET.TYPE, true)
  }

  afterSet(set: number): number {
    const end = this.#signaturesAt(set)
    return this.hasSignatures(set) ? end + SIGNED.HEAD + this.signatureOctets(set) : end
  }

  hasSignatures(set: number): boolean {
    return (this.#data.getUint8(set + SET.FLAGS) & SET_FLAG.SIGNED) !== 0
  }

  pointsInside(set: number): boolean {
    return (this.#data.getUint8(set + SET.FLAGS) & SET_FLAG.POINTS_INSIDE) !== 0
  }

  /** Whether the rrset has signatures of this epoch that are used at this time, in seconds. */
  isSigned(set: number, epoch: number, seconds: number): boolean {
    if (!this.hasSignatures(set)) return false
    const data = this.#data
    const signed = this.#signaturesAt(set)
    return (
      data.getUint32(signed + SIGNED.EPOCH, true) === epoch &&
      seconds >= data.getUint32(signed + SIGNED.USABLE_FROM, true) &&
      seconds < data.getUint32(signed + SIGNED.REFRESH_AT, true)
    )
  }

  #signaturesAt(set: number): number {
    return set + SET.HEAD + this.length(set)
  }

  count(set: number): number {
    return this.#data.getInt32(set + SET.COUNT, true)
  }

  /** Octets of the records. */
  length(set: number): number {
    return this.#data.getInt32(set + SET.OCTETS, true)
  }

  signatureCount(set: number): number {
    return this.#data.getInt32(this.#signaturesAt(set) + SIGNED.COUNT, true)
  }

  signatureOctets(set: number): number {
    return this.#data.getInt32(this.#signaturesAt(set) + SIGNED.OCTETS, true)
  }

  /** The records, not copied. */
  records(set: number): Uint8Array {
    return this.octets.subarray(set + SET.HEAD, set + SET.HEAD + this.length(set))
  }

  /** The rrset, not copied. */
  rrset(set: number): Rrset {
    const wire = this.records(set)
    return { type: this.typeOf(set), ttl: ttlAt(wire, 0), count: this.count(set), wire, records: NO_RECORDS }
  }

  /** Copies the records. Returns the end of the copy. */
  copy(set: number, out: Uint8Array, at: number): number {
    return copyOctets(this.octets, set + SET.HEAD, this.length(set), out, at)
  }

  copySignatures(set: number, out: Uint8Array, at: number): number {
    const from = this.#signaturesAt(set) + SIGNED.HEAD
    return copyOctets(this.octets, from, this.signatureOctets(set), out, at)
  }

  /** The records with their signatures, as a copy. */
  signedSet(set: number): { readonly count: number; readonly wire: Uint8Array } {
    const wire = new Uint8Array(this.length(set) + this.signatureOctets(set))
    this.copySignatures(set, wire, this.copy(set, wire, 0))
    return { count: this.count(set) + this.signatureCount(set), wire }
  }

  /** The node of this run, as a copy. */
  node(apex: WireName): Node {
    const { rrsets, flags } = this
    const state = stateOf(flags)
    const run = this.octets.slice(this.at, this.at + this.units * UNIT_OCTETS)
    const view = new RunView().showCopy(run)
    const source = { view, apex }
    const all: Rrset[] = []
    for (let i = 0, set = view.firstSet; i < rrsets; i += 1, set = view.afterSet(set))
      all.push(new StoredRrset(source, set, i))
    return createNode(all, run[RUN.NAME_OCTETS] === 0, state)
  }
}

interface NodeSource {
  readonly view: RunView
  readonly apex: WireName
}

/** An rrset as a copy of its octets; its records are read on request. */
class StoredRrset implements Rrset {
  readonly type: number
  readonly ttl: number
  readonly count: number
  readonly wire: Uint8Array
  readonly #source: NodeSource
  readonly #index: number

  constructor(source: NodeSource, set: number, index: number) {
    const { view } = source
    const { octets } = view
    const start = set + SET.HEAD
    this.type = view.typeOf(set)
    this.count = view.count(set)
    this.wire = octets.subarray(start, start + view.length(set))
    this.ttl = ttlAt(this.wire, 0)
    this.#source = source
    this.#index = index
  }

  get records(): readonly ZoneRecord[] {
    const { view, apex } = this.#source
    const data = dataOf(view.octets)
    let at = view.firstSet
    for (let i = 0; i < view.rrsets; i += 1) at = view.afterSet(at)
    for (let i = 0; i < this.#index; i += 1) at = skipGiven(data, at)
    const name = ownerName(view, apex)
    const records: ZoneRecord[] = []
    const number = givenCount(data, at)
    at += number < MANY ? 1 : 5
    for (let i = 0, own = 0; i < number; i += 1) {
      const { id, own: ownData, end } = readGiven(data, at)
      at = end
      const rdataEnd = own + RDATA_OFFSET + (ownData === undefined ? uint16At(this.wire, own + 10) : 0)
      const known = ownData ?? {
        ttl: ttlAt(this.wire, own),
        rdata: this.wire.slice(own + RDATA_OFFSET, rdataEnd),
      }
      records.push({ id, name, type: this.type, ...known })
      if (own < this.wire.length) own += RDATA_OFFSET + uint16At(this.wire, own + 10)
    }
    return records
  }
}

function ownerName(view: RunView, apex: WireName): Name {
  const key = view.octets.subarray(view.at + NAME_AT, view.firstSet)
  return nameFromWire(Buffer.concat([key, apex.wire()]))
}

/** Writes runs, one at a time. */
export class RunWriter {
  octets = new Uint8Array(4096)
  #data = dataOf(this.octets)
  /** End of what has been written. */
  end = 0
  readonly #target = new WireName()

  get units(): number {
    return Math.ceil(this.end / UNIT_OCTETS)
  }

  /**
   * Writes the run of a node. Signatures of `old` are taken over if their rrset is the same.
   *
   * @param key as of WireName.key
   */
  write(key: string, node: Node, children: number, apex: WireName, old: RunView | undefined): void {
    this.end = NAME_AT
    this.#reserve(key.length)
    for (let i = 0; i < key.length; i += 1) this.octets[NAME_AT + i] = key.charCodeAt(i)
    this.end += key.length
    for (const rrset of node.rrsets) this.#writeSet(rrset, apex, old)
    for (const rrset of node.rrsets) this.#writeGiven(rrset)
    this.octets[RUN.NAME_OCTETS] = key.length
    this.octets[RUN.FLAGS] = flagsOf(node)
    this.#data.setUint16(RUN.RRSETS, node.rrsets.length, true)
    this.#data.setUint32(RUN.CHILDREN, children, true)
    this.#data.setUint32(RUN.UNITS, this.units, true)
  }

  /** Writes the run again, with signatures for one of its rrsets: from their SIGNED head on. */
  writeSigned(old: RunView, set: number, signatures: Uint8Array, epoch: number): void {
    const rrsetEnd = set + SET.HEAD + old.length(set)
    this.end = 0
    this.#append(old.octets.subarray(old.at, rrsetEnd))
    const flags = set - old.at + SET.FLAGS
    this.octets[flags] = (this.octets[flags] ?? 0) | SET_FLAG.SIGNED
    const head = this.end
    this.#append(signatures)
    this.#data.setUint32(head + SIGNED.EPOCH, epoch, true)
    this.#append(old.octets.subarray(old.afterSet(set), old.at + old.units * UNIT_OCTETS))
    this.#data.setUint32(RUN.UNITS, this.units, true)
  }

  #writeSet(rrset: Rrset, apex: WireName, old: RunView | undefined): void {
    const { type, count, wire } = rrset
    const at = this.#reserve(SET.HEAD)
    this.#data.setUint16(at + SET.TYPE, type, true)
    this.#data.setUint16(at + SET.FLAGS, this.#pointsInside(rrset, apex) ? SET_FLAG.POINTS_INSIDE : 0, true)
    this.#data.setUint32(at + SET.COUNT, count, true)
    this.#data.setUint32(at + SET.OCTETS, wire.length, true)
    this.end += SET.HEAD
    this.#append(wire)
    const before = old?.findSet(type) ?? -1
    if (old === undefined || before === -1 || !old.hasSignatures(before)) return
    const start = before + SET.HEAD
    const end = start + old.length(before)
    if (compareOctets(old.octets.subarray(start, end), wire) !== 0) return
    this.octets[at + SET.FLAGS] = (this.octets[at + SET.FLAGS] ?? 0) | SET_FLAG.SIGNED
    this.#append(old.octets.subarray(end, old.afterSet(before)))
  }

  #writeGiven({ records, wire }: Rrset): void {
    const at = this.#reserve(5)
    this.octets[at] = Math.min(records.length, MANY)
    if (records.length >= MANY) this.#data.setUint32(at + 1, records.length, true)
    this.end += records.length < MANY ? 1 : 5
    let own = 0
    for (const { id, ttl: ownTtl, rdata } of records) {
      const isThere = own < wire.length
      const end = isThere ? own + RDATA_OFFSET + uint16At(wire, own + 10) : own
      const isSame =
        isThere && ownTtl === ttlAt(wire, own) && hasOctetsAt(wire, own + RDATA_OFFSET, end, rdata)
      own = end
      this.#writeId(id, isSame ? 0 : GIVEN.OWN_DATA)
      if (isSame) continue
      const head = this.#reserve(6)
      this.#data.setUint32(head, ownTtl, true)
      this.#data.setUint16(head + 4, rdata.length, true)
      this.end += 6
      this.#append(rdata)
    }
  }

  #writeId(id: string, how: number): void {
    const at = this.#reserve(1 + SHORT_ID_OCTETS)
    const end = at + 1 + SHORT_ID_OCTETS
    if (id.length === 2 * SHORT_ID_OCTETS && writeHex(id, this.octets, at + 1)) {
      this.octets[at] = how | GIVEN.SHORT_ID
      this.end = end
      return
    }
    const octets = Buffer.from(id)
    this.octets[at] = how
    this.octets[at + 1] = octets.length
    this.end += 2
    this.#append(octets)
  }

  #append(octets: Uint8Array): void {
    const at = this.#reserve(octets.length)
    copyOctets(octets, 0, octets.length, this.octets, at)
    this.end += octets.length
  }

  /** Makes room for some octets and the rest of their unit. Returns where they begin. */
  #reserve(octets: number): number {
    const needed = this.end + octets + UNIT_OCTETS
    if (needed > this.octets.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.octets.length))
      larger.set(this.octets)
      this.octets = larger
      this.#data = dataOf(larger)
    }
    return this.end
  }

  #pointsInside({ type, wire, count }: Rrset, apex: WireName): boolean {
    const offset = targetOffset(type)
    if (offset === -1 || type === TYPE.CNAME) return false
    const target = this.#target
    for (let i = 0, at = 0; i < count; i += 1) {
      const rdata = at + RDATA_OFFSET
      at = rdata + uint16At(wire, at + 10)
      if (isServiceType(type) && wire[rdata + offset] === 0) {
        if (uint16At(wire, rdata) !== 0) return true // ServiceMode: the owner itself
        continue
      }
      if (target.read(wire, rdata + offset, at) === -1) continue
      const apexLabel = target.labels - apex.labels
      if (apexLabel >= 0 && target.endsLike(apexLabel, apex, 0)) return true
    }
    return false
  }
}

/** Writes lower-case hexadecimal digits as octets. Returns false for other characters; what was written is then invalid. */
function writeHex(digits: string, out: Uint8Array, at: number): boolean {
  for (let i = 0; i < digits.length; i += 2) {
    const high = digitOf(digits.charCodeAt(i))
    const low = digitOf(digits.charCodeAt(i + 1))
    if (high === -1 || low === -1) return false
    out[at + (i >> 1)] = (high << 4) | low
  }
  return true
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1
}

function hasOctetsAt(octets: Uint8Array, start: number, end: number, others: Uint8Array): boolean {
  if (end - start !== others.length) return false
  for (let i = 0; i < others.length; i += 1) if (octets[start + i] !== others[i]) return false
  return true
}

interface GivenRecord {
  readonly id: string
  /** Undefined: as the rrset has it. */
  readonly own: { readonly ttl: number; readonly rdata: Uint8Array } | undefined
  readonly end: number
}

function readGiven(data: DataView, start: number): GivenRecord {
  const octets = Buffer.from(data.buffer, data.byteOffset)
  const how = data.getUint8(start)
  const isShort = (how & GIVEN.SHORT_ID) !== 0
  const idAt = start + (isShort ? 1 : 2)
  const idEnd = idAt + (isShort ? 16 : data.getUint8(start + 1))
  const id = octets.toString(isShort ? 'hex' : 'utf8', idAt, idEnd)
  if ((how & GIVEN.OWN_DATA) === 0) return { id, own: undefined, end: idEnd }
  const rdataAt = idEnd + 6
  const end = rdataAt + data.getUint16(idEnd + 4, true)
  const rdata = new Uint8Array(octets.subarray(rdataAt, end))
  return { id, own: { ttl: data.getUint32(idEnd, true), rdata }, end }
}

function skipGiven(data: DataView, start: number): number {
  const number = givenCount(data, start)
  let at = start + (number < MANY ? 1 : 5)
  for (let i = number; i > 0; i -= 1) at = readGiven(data, at).end
  return at
}

function givenCount(data: DataView, at: number): number {
  const number = data.getUint8(at)
  return number < MANY ? number : data.getUint32(at + 1, true)
}

function flagsOf({ rrsets, delegation, cname, dname, state }: Node): number {
  return (
    denialFlagsOf(rrsets) |
    (delegation === undefined ? 0 : NAME_FLAG.CUT) |
    (cname === undefined ? 0 : NAME_FLAG.ALIAS) |
    (dname === undefined ? 0 : NAME_FLAG.DNAME) |
    (state === 'failing' ? NAME_FLAG.FAILING : 0) |
    (state === 'empty' ? NAME_FLAG.EMPTY : 0)
  )
}

function denialFlagsOf(rrsets: readonly Rrset[]): number {
  let flags = 0
  let isOnly = true
  for (const { type } of rrsets) {
    if (type === NSEC) flags = NAME_FLAG.DENIES
    else if (type === NSEC3) flags = NAME_FLAG.DENIES | NAME_FLAG.ONLY_NSEC3
    if (type !== NSEC3 && type !== RRSIG) isOnly = false
  }
  return isOnly ? flags : flags & ~NAME_FLAG.ONLY_NSEC3
}

function stateOf(flags: number): NameState | undefined {
  if ((flags & NAME_FLAG.FAILING) !== 0) return 'failing'
  return (flags & NAME_FLAG.EMPTY) === 0 ? undefined : 'empty'
}

const ttlAt = (wire: Uint8Array, at: number): number =>
  uint16At(wire, at + 6) * 0x1_0000 + uint16At(wire, at + 8)

/** Up to this length a loop is faster than a call of the built-in copy. */
const COPIED_BY_HAND = 160

function copyOctets(from: Uint8Array, start: number, length: number, out: Uint8Array, at: number): number {
  if (length > COPIED_BY_HAND) out.set(from.subarray(start, start + length), at)
  else for (let i = 0; i < length; i += 1) out[at + i] = from[start + i] ?? 0
  return at + length
}

const dataOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)

const NO_OCTETS = new Uint8Array(0)
const NO_DATA = dataOf(NO_OCTETS)
