// The names of one zone as octets: what most questions are answered from.
//
// Nodes (node.ts) are the same as objects, a dozen for each name, anywhere in memory; in a zone of a million names each of
// them is a miss of the processor's caches, and coming by them takes several times as long as all else of an answer. Here a
// name is one place of a table and one run of octets. Who changes the nodes of a zone changes these with them.
//
// A run has its name, and one after the other the rrsets as they go into an answer, each followed by its signatures once
// somebody has asked for them. Runs lie in segments and take up whole units; what is given back goes to the next run of the
// same size. Nothing is ever moved, so that no question waits for tidying.
import type { HashKey } from './octet-hash.ts'
import { hashOctets } from './octet-hash.ts'
import type { Node } from './node.ts'
import { RDATA_OFFSET, targetOffset, TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import type { Freshness } from './signature-times.ts'
import { WireName } from './wire-name.ts'

const UNIT_OCTETS = 16
/** Of a run: its count of units is one octet. */
const MAX_UNITS = 255
const SEGMENT_UNITS = 65_536
/** Zones of a few names have a segment of their own size. */
const FIRST_SEGMENT_UNITS = 32
const FIRST_PLACES = 16

/** Fields of a run before the octets of its name. */
const RUN = { NAME_OCTETS: 0, RRSETS: 1, FLAGS: 2, UNITS: 3, HEAD: 4 } as const
/** Fields of an rrset before its octets. `EPOCH` and `REFRESH_AT` (seconds) are those of its signatures. */
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

/** What else there is to a name. */
export const NAME_FLAG = {
  /** It is not answered from here: another zone is cut off, addresses are not known, or it has more than fits. */
  ELSEWHERE: 1,
  /** It is an alias. */
  ALIAS: 2,
} as const

/** Its answer has addresses beside it, since it points into the zone. */
const SET_FLAG_POINTS_INSIDE = 1

/** Octets of an rrset and its signatures that are packed at all. */
const MAX_SET_OCTETS = 2048

/** Signatures hold from an hour before they were made: when the clock is put back further, they are from a future. */
const MAX_STEP_BACK_SECONDS = 1800

export class PackedNames {
  /** Where the run that was found last lies. */
  #position = 0
  #segment: Uint8Array = NOTHING
  #run = 0
  /** Where the rrset that was found last lies. */
  #set = 0
  readonly #key: HashKey
  readonly #apex: WireName
  readonly #target = new WireName()
  readonly #segments: Uint8Array[] = []
  /** Units of the last segment that were given out. */
  #used = 0
  /** Runs that were given back, by their units. */
  readonly #free: (number[] | undefined)[] = []
  /** Pairs of a hash and a position; position 0 is nothing's. */
  #places = new Int32Array(2 * FIRST_PLACES)
  #names = 0
  /** Moved by whatever makes all signatures void. */
  #epoch = 0
  /** The latest time that was asked about, in seconds. */
  #latest = 0
  /** Runs are put together here. */
  #scratch = new Uint8Array(MAX_UNITS * UNIT_OCTETS)

  constructor(apex: WireName, key: HashKey) {
    this.#apex = apex
    this.#key = key
  }

  /** Octets of memory, the table included. */
  get octets(): number {
    return this.#segments.reduce((sum, { length }) => sum + length, this.#places.byteLength)
  }

  get size(): number {
    return this.#names
  }

  /** Finds the name in `octets[start, end)`, folded and relative to the apex. What is asked next is asked of it. */
  find(octets: Uint8Array, start: number, end: number): boolean {
    const place = this.#placeOf(octets, start, end, hashOctets(octets, start, end, this.#key))
    return this.#places[place + 1] !== 0
  }

  get flags(): number {
    return this.#segment[this.#run + RUN.FLAGS] ?? 0
  }

  /** Finds an rrset of the name. What is asked next is asked of it. */
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

  /** Whether the rrset has signatures that are good at this time, in seconds. */
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

  /** Records of the rrset, with its signatures or without. */
  count(isSigned: boolean): number {
    const records = get16(this.#segment, this.#set + SET.COUNT)
    return isSigned ? records + get16(this.#segment, this.#set + SET.SIGNATURES) : records
  }

  /** Octets of the rrset, with its signatures or without. */
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

  /** Gives a name its node, or with `undefined` takes it away. The key is one of WireName.key. */
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
   * Keeps the signatures of an rrset at a name while they are fresh. Without effect on what is not here.
   *
   * @param labels those of the name that are not the apex's
   * @param signed the rrset's records and behind them its signatures
   */
  sign(name: WireName, labels: number, plain: Rrset, signed: Rrset, times: Freshness): void {
    const { octets } = name
    const refreshAt = times.refreshAt / 1000
    const end = name.labelAt[labels] ?? 0
    const place = this.#placeOf(octets, 0, end, hashOctets(octets, 0, end, this.#key))
    if (this.#places[place + 1] === 0 || !this.findSet(plain.type)) return
    if (this.pointsInside || this.#isSignedAt(Math.floor(refreshAt) - 1)) return // not asked for here, or here already
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
    // Whoever was answered the long way has asked no time of this.
    this.#latest = Math.max(this.#latest, times.usableFrom / 1000 + MAX_STEP_BACK_SECONDS)
    this.#giveBack()
    this.#places[place + 1] = this.#store(runEnd + more)
  }

  /** All signatures are void from now on. */
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
      at = rdata + get16(wire, at + 10)
      target.read(wire, rdata + offset, at)
      const apexLabel = target.labels - this.#apex.labels
      if (apexLabel >= 0 && target.endsLike(apexLabel, this.#apex, 0)) return true
    }
    return false
  }

  /** The place of a name, or the free one where it would go. Notes the run. */
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

  /** Takes a name out of the table; those behind it move up, so that looking for them needs no gaps (Knuth's algorithm R). */
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

  /** Copies the first `octets` of the scratch memory to a run of their own. Returns its position. */
  #store(octets: number): number {
    const units = Math.ceil(octets / UNIT_OCTETS)
    this.#scratch[RUN.UNITS] = units
    const position = this.#free[units]?.pop() ?? this.#extend(units)
    this.#segments[position >>> 16]?.set(this.#scratch.subarray(0, octets), (position & 0xffff) * UNIT_OCTETS)
    return position
  }

  /** Units that nobody has had yet. Returns their position. */
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

  /** Makes a segment hold so many units at least. The first one grows by doubling, the others are as large as any. */
  #enlarge(index: number, least: number): void {
    const old = this.#segments[index] ?? NOTHING
    let units = index === 0 ? Math.max(old.length / UNIT_OCTETS, FIRST_SEGMENT_UNITS) : SEGMENT_UNITS
    while (units < least) units *= 2
    const segment = new Uint8Array(units * UNIT_OCTETS)
    segment.set(old)
    this.#segments[index] = segment
  }

  /** Gives back the run that was found last. */
  #giveBack(): void {
    this.#release(this.#position, this.#segment[this.#run + RUN.UNITS] ?? 0)
  }

  #release(position: number, units: number): void {
    if (units > 0) (this.#free[units] ??= []).push(position)
  }

  /** Where the run that was found last ends. */
  #runEnd(): number {
    const segment = this.#segment
    let at = this.#run + RUN.HEAD + (segment[this.#run] ?? 0)
    for (let i = segment[this.#run + RUN.RRSETS] ?? 0; i > 0; i -= 1)
      at += SET.HEAD + get16(segment, at + SET.OCTETS) + get16(segment, at + SET.SIGNATURE_OCTETS)
    return at
  }
}

const NOTHING = new Uint8Array(0)

/** Up to here a loop is quicker than what it takes to call for help. */
const COPIED_BY_HAND = 160

/** Writes a key as the octets that it was made of. Returns how many. */
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
