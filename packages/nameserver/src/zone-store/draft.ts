// A change before it is published: takes pages, replaces pages, and can be undone completely.
import type { Arena, Pages } from './pages.ts'

/** Positions of one region: 2 MiB. */
const NEAR_BITS = 18
const NEAR_POSITIONS = 1 << NEAR_BITS
/** Runs of a region from which on their units are in an array: a map of them would take several times as much memory. */
const MANY_RUNS = 4_096

export class Draft {
  readonly pages: Pages
  readonly #arena: Arena
  /** Runs that this draft has taken and that no reader can see, by the regions of their positions. */
  readonly #own = new Map<number, OwnRuns>()
  readonly #retiredPositions: number[] = []
  readonly #retiredUnits: number[] = []

  constructor(arena: Arena) {
    this.#arena = arena
    this.pages = arena.pages
  }

  /** @throws StoreFullError; then the draft should be undone */
  take(units: number): number {
    const position = this.#arena.take(units)
    const region = position >>> NEAR_BITS
    let near = this.#own.get(region)
    if (near === undefined) this.#own.set(region, (near = new OwnRuns(region << NEAR_BITS)))
    near.add(position, units)
    return position
  }

  /** Whether a run may be changed in place. */
  isOwn(position: number): boolean {
    return this.#own.get(position >>> NEAR_BITS)?.has(position) === true
  }

  /** The draft does not refer to the run any more. */
  drop(position: number, units: number): void {
    if (this.#own.get(position >>> NEAR_BITS)?.remove(position) === true)
      this.#arena.giveBack(position, units)
    else {
      this.#retiredPositions.push(position)
      this.#retiredUnits.push(units)
    }
  }

  /** Frees everything that was taken. What the draft was made from has not changed. */
  undo(): void {
    for (const near of this.#own.values())
      near.each((position, units) => this.#arena.giveBack(position, units))
    this.#own.clear()
  }

  /** Ends the draft. Returns the positions and units that its result does not refer to any more. */
  finish(): readonly [positions: number[], units: number[]] {
    this.#own.clear()
    return [this.#retiredPositions, this.#retiredUnits]
  }
}

/** Units of the runs in a region, by position. */
class OwnRuns {
  readonly #start: number
  /** Few runs, and those of more units than an array can hold. */
  readonly #few = new Map<number, number>()
  /** By the distance from the start; 0 is none. */
  #many: Uint16Array | undefined

  constructor(start: number) {
    this.#start = start
  }

  has(position: number): boolean {
    const units = this.#many?.[position - this.#start]
    return (units !== undefined && units > 0) || this.#few.has(position)
  }

  add(position: number, units: number): void {
    if (this.#many === undefined && this.#few.size >= MANY_RUNS) this.#spread()
    if (this.#many !== undefined && units <= MAX_ARRAY_UNITS) this.#many[position - this.#start] = units
    else this.#few.set(position, units)
  }

  remove(position: number): boolean {
    const at = position - this.#start
    if (this.#many === undefined || this.#many[at] === 0) return this.#few.delete(position)
    this.#many[at] = 0
    return true
  }

  each(take: (position: number, units: number) => void): void {
    for (const [position, units] of this.#few) take(position, units)
    if (this.#many === undefined) return
    for (const [at, units] of this.#many.entries()) if (units > 0) take(this.#start + at, units)
  }

  #spread(): void {
    this.#many = new Uint16Array(NEAR_POSITIONS)
    const all = [...this.#few]
    this.#few.clear()
    for (const [position, units] of all) this.add(position, units)
  }
}

const MAX_ARRAY_UNITS = 0xffff
