// The wire index: the names of one zone as octets. Most queries are answered from it.
//
// Nodes (node.ts) hold the same data as objects: about a dozen for each name, spread over memory. In a zone of a
// million names each of them is a cache miss, and reading them takes several times as long as the rest of an answer.
// Here a name is one table entry and one run of octets. Whoever changes the nodes of a zone must change this index
// with them.
//
// A run has its name and then its rrsets as they appear in an answer, each followed by its signatures once a client
// has asked for them. Runs lie in segments and take up whole units; a freed run is reused for the next run of the
// same size. Runs are never moved, so no query waits for compaction.
import { uint16At } from '@zonereeve/dns'
import type { HashKey } from './octet-hash.ts'
import { hashOctets } from './octet-hash.ts'
import type { Node } from './node.ts'
import { isServiceType, RDATA_OFFSET, targetOffset, TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import type { Freshness } from './signature-times.ts'
import { WireName } from './wire-name.ts'

const UNIT_OCTETS = 16
/** Maximum units of a run: the count is one octet. */
const MAX_UNITS = 255
const SEGMENT_UNITS = 65_536
/** Zones with few names have a first segment of this size. */
const FIRST_SEGMENT_UNITS = 32
const FIRST_PLACES = 16

/** Offsets of the fields in a run before the octets of its name. */
const RUN = { NAME_OCTETS: 0, RRSETS: 1, FLAGS: 2, UNITS: 3, HEAD: 4 } as const
/**
 * Offsets of the fields in an rrset before its octets. `EPOCH` and `REFRESH_AT` (seconds) belong to its signatures.
 */
const SET = {
  TYPE: 0,
  COUNT: 2,
  OCTETS: 4,
  SIGNATURES: 6,
  SIGNATURE_OCTETS: 8,
  FLAGS: 10,
  EPOCH: 12,
  REFRESH_AT: 16,
  HEAD: 20,
} as const

/** Flags of a name. */
export const NAME_FLAG = {
  /** It is not answered from the index: it is a cut, its addresses are unknown, or it has more data than fits. */
  ELSEWHERE: 1,
  /** It is an alias. */
  ALIAS: 2,
} as const

/** The rrset points into the zone, so its answer has additional addresses. */
const SET_FLAG_POINTS_INSIDE = 1

/** Maximum octets of an rrset with its signatures in the index. */
const MAX_SET_OCTETS = 2048

/**
 * Signatures are valid from an hour before they were made. If the clock is set back further than this, they would be
 * in the future.
 */
const MAX_STEP_BACK_SECONDS = 1800

export class WireIndex {
  /** Position of the run that was found last. */
  #position = 0
  #segment: Uint8Array = NOTHING
  #run = 0
  /** Position of the rrset that was found last. */
  #set = 0
  readonly #key: HashKey
  readonly #apex: WireName
  readonly #target = new WireName()
  readonly #segments: Uint8Array[] = []
  /** Units of the last segment that are in use. */
  #used = 0
  /** Freed runs, by their units. */
  readonly #free: (number[] | undefined)[] = []
  /** Pairs of a hash and a position; position 0 is never used. */
  #places = new Int32Array(2 * FIRST_PLACES)
  #names = 0
  /** Incremented to invalidate all signatures. */
  #epoch = 0
  /** The latest time passed in, in seconds. */
  #latest = 0
  /** Runs are assembled here. */
  #scratch = new Uint8Array(MAX_UNITS * UNIT_OCTETS)

  constructor(apex: WireName, key: HashKey) {
    this.#apex = apex
    this.#key = key
  }

  /** Octets of memory, including the table. */
  get octets(): number {
    return this.#segments.reduce((sum, { length }) => sum + length, this.#places.byteLength)
  }

  get size(): number {
    return this.#names
  }

  /** Finds the name in `octets[start, end)`, folded and relative to the apex. The following calls refer to it. */
  find(octets: Uint8Array, start: number, end: number): boolean {
    const place = this.#placeOf(octets, start, end, hashOctets(octets, start, end, this.#key))
    return this.#places[place + 1] !== 0
  }

  get flags(): number {
    return this.#segment[this.#run + RUN.FLAGS] ?? 0
  }

  /** Finds an rrset of the name. The following calls refer to it. */
  findSet(type: number): boolean {
    const segment = this.#segment
    let at = this.#run + RUN.HEAD + (segment[this.#run] ?? 0)
    for (let i = segment[this.#run + RUN.RRSETS] ?? 0; i > 0; i -= 1) {
      if (get16(segment, at + SET.TYPE) === type) {
        this.#set = at
        return true
      }
      at += SET.HEAD + get16(segment, at + SET.OCTETS) + get16(segment, at + SET.SIGNATURE_OCTETS)
    }
    return false
  }

  get pointsInside(): boolean {
    return this.#segment[this.#set + SET.FLAGS] === SET_FLAG_POINTS_INSIDE
  }

  /** Whether the rrset has signatures that are valid at this time, in seconds. */
  isSigned(seconds: number): boolean {
    if (seconds > this.#latest) this.#latest = seconds
    else if (seconds < this.#latest - MAX_STEP_BACK_SECONDS) {
      this.#latest = seconds
      this.forgetSignatures()
    }
    return this.#isSignedAt(seconds)
  }

  #isSignedAt(seconds: number): boolean {
    const segment = this.#segment
    const at = this.#set
    return (
      get16(segment, at + SET.SIGNATURE_OCTETS) > 0 &&
      get32(segment, at + SET.EPOCH) === this.#epoch &&
      seconds < get32(segment, at + SET.REFRESH_AT)
    )
  }

  /** Record count of the rrset, with or without its signatures. */
  count(isSigned: boolean): number {
    const records = get16(this.#segment, this.#set + SET.COUNT)
    return isSigned ? records + get16(this.#segment, this.#set + SET.SIGNATURES) : records
  }

  /** Octets of the rrset, with or without its signatures. */
  setOctets(isSigned: boolean): number {
    const octets = get16(this.#segment, this.#set + SET.OCTETS)
    return isSigned ? octets + get16(this.#segment, this.#set + SET.SIGNATURE_OCTETS) : octets
  }

  /** Copies the first `octets` of the rrset to `out[at, …)`. */
  copy(octets: number, out: Uint8Array, at: number): void {
    const segment = this.#segment
    const from = this.#set + SET.HEAD
    if (octets > COPIED_BY_HAND) out.set(segment.subarray(from, from + octets), at)
    else for (let i = 0; i < octets; i += 1) out[at + i] = segment[from + i] ?? 0
  }

  /** Sets the node of a name; `undefined` removes it. The key is one of WireName.key. */
  put(key: string, node: Node | undefined): void {
    const octets = this.#scratch
    const end = RUN.HEAD + writeKey(octets, RUN.HEAD, key)
    const hash = hashOctets(octets, RUN.HEAD, end, this.#key)
    const place = this.#placeOf(octets, RUN.HEAD, end, hash)
    const old = this.#places[place + 1] ?? 0
    if (old !== 0) this.#giveBack()
    if (node === undefined) {
      if (old !== 0) this.#vacate(place)
      return
    }
    const position = this.#store(this.#write(node, end))
    this.#places[place] = hash
    this.#places[place + 1] = position
    if (old === 0) {
      this.#names += 1
      if (this.#names * 4 > this.#places.length) this.#grow()
    }
  }

  /**
   * Stores the signatures of an rrset at a name while they are fresh. Does nothing for names that are not in the
   * index.
   *
   * @param labels number of labels below the apex
   * @param signed the records of the rrset, followed by its signatures
   */
  sign(name: WireName, labels: number, plain: Rrset, signed: Rrset, times: Freshness): void {
    const { octets } = name
    const refreshAt = times.refreshAt / 1000
    const end = name.labelAt[labels] ?? 0
    const place = this.#placeOf(octets, 0, end, hashOctets(octets, 0, end, this.#key))
    if (this.#places[place + 1] === 0 || !this.findSet(plain.type)) return
    if (this.pointsInside || this.#isSignedAt(Math.floor(refreshAt) - 1)) return // signatures not needed here, or already stored
    const { length } = plain.wire
    if (length !== this.setOctets(false) || signed.wire.length > MAX_SET_OCTETS) return
    const segment = this.#segment
    const scratch = this.#scratch
    const set = this.#set - this.#run
    const oldSignatures = get16(segment, this.#set + SET.SIGNATURE_OCTETS)
    const more = signed.wire.length - length - oldSignatures
    const runEnd = this.#runEnd() - this.#run
    if (runEnd + more > scratch.length) return
    const before = set + SET.HEAD + length
    scratch.set(segment.subarray(this.#run, this.#run + before))
    scratch.set(signed.wire.subarray(length), before)
    scratch.set(
      segment.subarray(this.#run + before + oldSignatures, this.#run + runEnd),
      before + signed.wire.length - length,
    )
    put16(scratch, set + SET.SIGNATURES, signed.count - plain.count)
    put16(scratch, set + SET.SIGNATURE_OCTETS, signed.wire.length - length)
    put32(scratch, set + SET.EPOCH, this.#epoch)
    put32(scratch, set + SET.REFRESH_AT, refreshAt)
    // An answer by the full path has not passed the time to this index.
    this.#latest = Math.max(this.#latest, times.usableFrom / 1000 + MAX_STEP_BACK_SECONDS)
    this.#giveBack()
    this.#places[place + 1] = this.#store(runEnd + more)
  }

  /** Invalidates all signatures. */
  forgetSignatures(): void {
    this.#epoch = (this.#epoch + 1) >>> 0
  }

  /** Writes the run of a node behind its name, which ends at `end` of the scratch memory. Returns its end. */
  #write(node: Node, end: number): number {
    const scratch = this.#scratch
    const isElsewhere = node.delegation !== undefined || node.state === 'failing'
    let at = end
    let rrsets = 0
    let fits = !isElsewhere
    for (const rrset of isElsewhere ? [] : node.rrsets) {
      const { length } = rrset.wire
      fits = fits && length <= MAX_SET_OCTETS && at + SET.HEAD + length <= scratch.length && rrsets < 255
      if (!fits) break
      scratch.fill(0, at, at + SET.HEAD)
      put16(scratch, at + SET.TYPE, rrset.type)
      put16(scratch, at + SET.COUNT, rrset.count)
      put16(scratch, at + SET.OCTETS, length)
      scratch[at + SET.FLAGS] = this.#pointsInside(rrset) ? SET_FLAG_POINTS_INSIDE : 0
      scratch.set(rrset.wire, at + SET.HEAD)
      at += SET.HEAD + length
      rrsets += 1
    }
    scratch[RUN.NAME_OCTETS] = end - RUN.HEAD
    scratch[RUN.RRSETS] = fits ? rrsets : 0
    scratch[RUN.FLAGS] = (fits ? 0 : NAME_FLAG.ELSEWHERE) | (node.cname === undefined ? 0 : NAME_FLAG.ALIAS)
    return fits ? at : end
  }

  #pointsInside({ type, wire, count }: Rrset): boolean {
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
      const apexLabel = target.labels - this.#apex.labels
      if (apexLabel >= 0 && target.endsLike(apexLabel, this.#apex, 0)) return true
    }
    return false
  }

  /** Returns the table entry of a name, or the free one for it. Sets the found run. */
  #placeOf(octets: Uint8Array, start: number, end: number, hash: number): number {
    const places = this.#places
    const mask = places.length - 1
    for (let place = (hash << 1) & mask; ; place = (place + 2) & mask) {
      const position = places[place + 1] ?? 0
      if (position === 0) return place
      if (places[place] === hash && this.#isAt(position, octets, start, end)) return place
    }
  }

  #isAt(position: number, octets: Uint8Array, start: number, end: number): boolean {
    const segment = this.#segments[position >>> 16] ?? NOTHING
    const run = (position & 0xffff) * UNIT_OCTETS
    if (segment[run] !== end - start) return false
    const shift = run + RUN.HEAD - start
    for (let i = start; i < end; i += 1) if (segment[shift + i] !== octets[i]) return false
    this.#position = position
    this.#segment = segment
    this.#run = run
    return true
  }

  /** Removes a name from the table. Later entries move up, so that no gaps are needed (Knuth's algorithm R). */
  #vacate(place: number): void {
    const places = this.#places
    const mask = places.length - 1
    this.#names -= 1
    let gap = place
    for (let next = (gap + 2) & mask; places[next + 1] !== 0; next = (next + 2) & mask) {
      const home = ((places[next] ?? 0) << 1) & mask
      if (((next - home) & mask) < ((next - gap) & mask)) continue
      places[gap] = places[next] ?? 0
      places[gap + 1] = places[next + 1] ?? 0
      gap = next
    }
    places[gap + 1] = 0
  }

  #grow(): void {
    const old = this.#places
    const places = new Int32Array(2 * old.length)
    const mask = places.length - 1
    for (let i = 0; i < old.length; i += 2) {
      if (old[i + 1] === 0) continue
      let place = ((old[i] ?? 0) << 1) & mask
      while (places[place + 1] !== 0) place = (place + 2) & mask
      places[place] = old[i] ?? 0
      places[place + 1] = old[i + 1] ?? 0
    }
    this.#places = places
  }

  /** Copies the first `octets` of the scratch memory to a new run. Returns its position. */
  #store(octets: number): number {
    const units = Math.ceil(octets / UNIT_OCTETS)
    this.#scratch[RUN.UNITS] = units
    const position = this.#free[units]?.pop() ?? this.#extend(units)
    this.#segments[position >>> 16]?.set(this.#scratch.subarray(0, octets), (position & 0xffff) * UNIT_OCTETS)
    return position
  }

  /** Allocates units that were never used. Returns their position. */
  #extend(units: number): number {
    let last = this.#segments.length - 1
    const has = (this.#segments[last]?.length ?? 0) / UNIT_OCTETS
    if (this.#used + units > has) {
      if (has === SEGMENT_UNITS || last === -1) {
        if (last >= 0) this.#release(last * SEGMENT_UNITS + this.#used, has - this.#used)
        last += 1
        this.#used = last === 0 ? 1 : 0
      }
      this.#enlarge(last, this.#used + units)
    }
    const position = last * SEGMENT_UNITS + this.#used
    this.#used += units
    return position
  }

  /**
   * Ensures that a segment has at least this many units. The first segment grows by doubling; the others have full
   * size from the start.
   */
  #enlarge(index: number, least: number): void {
    const old = this.#segments[index] ?? NOTHING
    let units = index === 0 ? Math.max(old.length / UNIT_OCTETS, FIRST_SEGMENT_UNITS) : SEGMENT_UNITS
    while (units < least) units *= 2
    const segment = new Uint8Array(units * UNIT_OCTETS)
    segment.set(old)
    this.#segments[index] = segment
  }

  /** Frees the run that was found last. */
  #giveBack(): void {
    this.#release(this.#position, this.#segment[this.#run + RUN.UNITS] ?? 0)
  }

  #release(position: number, units: number): void {
    if (units > 0) (this.#free[units] ??= []).push(position)
  }

  /** End of the run that was found last. */
  #runEnd(): number {
    const segment = this.#segment
    let at = this.#run + RUN.HEAD + (segment[this.#run] ?? 0)
    for (let i = segment[this.#run + RUN.RRSETS] ?? 0; i > 0; i -= 1)
      at += SET.HEAD + get16(segment, at + SET.OCTETS) + get16(segment, at + SET.SIGNATURE_OCTETS)
    return at
  }
}

const NOTHING = new Uint8Array(0)

/** Up to this length a loop is faster than a call of the built-in copy. */
const COPIED_BY_HAND = 160

/** Writes a key as the octets that it was made from. Returns their number. */
function writeKey(octets: Uint8Array, at: number, key: string): number {
  for (let i = 0; i < key.length; i += 1) octets[at + i] = key.charCodeAt(i)
  return key.length
}

function get16(octets: Uint8Array, at: number): number {
  return (octets[at] ?? 0) | ((octets[at + 1] ?? 0) << 8)
}

function put16(octets: Uint8Array, at: number, value: number): void {
  octets[at] = value
  octets[at + 1] = value >> 8
}

function get32(octets: Uint8Array, at: number): number {
  return (get16(octets, at) | (get16(octets, at + 2) << 16)) >>> 0
}

function put32(octets: Uint8Array, at: number, value: number): void {
  put16(octets, at, value)
  put16(octets, at + 2, value >>> 16)
}
