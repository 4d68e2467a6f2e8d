// The memory of the zone store: runs of units in shared segments. A position is the number of a unit; 0 is none.
//
// Segments are never moved or given back: threads hold views of them. Octets that were never written cost no memory,
// so that all segments but the first are made large at once.
import { elementAt } from '@zonereeve/dns'

export const UNIT_OCTETS = 8
/** Units of a segment: 16 MiB. Larger runs get a segment of their own, which takes up several numbers. */
const SEGMENT_BITS = 21
const SEGMENT_UNITS = 1 << SEGMENT_BITS
/** The first segment is small: many tables have few names. */
const FIRST_UNITS = 1 << 13
/** Positions are signed 32-bit numbers: 16 GiB. */
export const MAX_UNITS = 2 ** 31 - SEGMENT_UNITS
/** Freed runs of up to this many units are reused for the same size only. */
const EXACT_UNITS = 64
/** Larger runs are rounded up to one of this many sizes for each power of two. */
const SIZES_BITS = 3

/** There is no room for a change. Nothing has changed. */
export class StoreFullError extends Error {
  override readonly name = 'StoreFullError'

  constructor(maxUnits: number) {
    super(`the zones take up more than ${maxUnits * UNIT_OCTETS} octets`)
  }
}

/** Shared memory that takes up some numbers of segments. */
export interface Segment {
  readonly buffer: SharedArrayBuffer
  readonly numbers: number
}

/** The segments. */
export class Pages {
  readonly #octets: Uint8Array[] = []
  readonly #data: DataView[] = []

  /** All segments. */
  readonly added: Segment[] = []
  /** Called with each segment that is added from now on, before anything refers to it. */
  onAdd: ((segment: Segment) => void) | undefined

  /** Adds a segment. */
  add(segment: Segment): void {
    const { buffer, numbers } = segment
    this.added.push(segment)
    this.onAdd?.(segment)
    for (let i = 0; i < numbers; i += 1) {
      this.#octets.push(new Uint8Array(buffer))
      this.#data.push(new DataView(buffer))
    }
  }

  /** The octets of the segment of a position. @throws RangeError for a position in no segment */
  octetsOf(position: number): Uint8Array {
    return elementAt(this.#octets, position >>> SEGMENT_BITS)
  }

  /** A view of the same octets. */
  dataOf(position: number): DataView {
    return elementAt(this.#data, position >>> SEGMENT_BITS)
  }

  /** Copies some units. */
  copy(from: number, to: number, units: number): void {
    const start = octetAt(from)
    const octets = this.octetsOf(from).subarray(start, start + units * UNIT_OCTETS)
    this.octetsOf(to).set(octets, octetAt(to))
  }

  /** Number of segments. */
  get segments(): number {
    return this.#octets.length
  }
}

/** Where a position begins in the octets of its segment. */
export const octetAt = (position: number): number => (position & (SEGMENT_UNITS - 1)) * UNIT_OCTETS

/** Gives out pages. Only one thread may have it. */
export class Arena {
  readonly pages = new Pages()
  readonly #maxUnits: number
  /** The next unit that was never given out, and the end of its segment. */
  #next = 0
  #end = 0
  /** Freed runs, by their units. */
  readonly #free = new Map<number, number[]>()
  #usedUnits = 0

  constructor(maxUnits = MAX_UNITS) {
    this.#maxUnits = Math.min(maxUnits, MAX_UNITS)
    this.#addSegment(1)
  }

  /** Octets given out and not freed. */
  get usedOctets(): number {
    return this.#usedUnits * UNIT_OCTETS
  }

  /** Octets ever given out. */
  get touchedOctets(): number {
    return this.#next * UNIT_OCTETS
  }

  /** Position of a run of at least `units`. Its content is undefined. @throws StoreFullError */
  take(units: number): number {
    const size = unitsTaken(units)
    const position = this.#free.get(size)?.pop() ?? this.#extend(size)
    this.#usedUnits += size
    return position
  }

  /** Gives back a run that no reader can reach, with the units that it was taken with. */
  giveBack(position: number, units: number): void {
    const size = unitsTaken(units)
    this.#usedUnits -= size
    this.#keep(position, size)
  }

  /** Gives back what was taken for a run besides the units that were requested. */
  freeRest(position: number, units: number): void {
    const end = position + unitsTaken(units)
    for (let at = position + units; at < end; at += EXACT_UNITS)
      this.giveBack(at, Math.min(EXACT_UNITS, end - at))
  }

  #keep(position: number, size: number): void {
    const free = this.#free.get(size)
    if (free === undefined) this.#free.set(size, [position])
    else free.push(position)
  }

  #extend(size: number): number {
    if (this.#next + size > this.#end) this.#addSegment(size)
    const position = this.#next
    // The numbers after a large run belong to no segment.
    this.#next = size > SEGMENT_UNITS ? this.#end : position + size
    return position
  }

  #addSegment(size: number): void {
    const { pages } = this
    const isFirst = pages.segments === 0 && size < FIRST_UNITS
    const start = pages.segments * SEGMENT_UNITS
    const numbers = Math.ceil(size / SEGMENT_UNITS)
    const units = isFirst ? FIRST_UNITS : numbers * SEGMENT_UNITS
    if (start + size > this.#maxUnits) throw new StoreFullError(this.#maxUnits)
    const buffer = new SharedArrayBuffer(units * UNIT_OCTETS)
    const rest = this.#end - this.#next
    if (rest > 0 && rest <= EXACT_UNITS) this.#keep(this.#next, rest)
    pages.add({ buffer, numbers })
    // Position 0 is none: what is read there is an empty page.
    this.#next = Math.max(start, 1)
    this.#end = start + units
  }
}

/** The units that are given out for a run. */
export function unitsTaken(units: number): number {
  if (units <= EXACT_UNITS) return units
  const step = 2 ** (31 - Math.clz32(units - 1) - SIZES_BITS)
  return Math.ceil(units / step) * step
}
