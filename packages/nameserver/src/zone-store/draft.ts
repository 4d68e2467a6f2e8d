// A change before it is published: takes pages, replaces pages, and can be undone completely.
import type { Arena, Pages } from './pages.ts'

/** Positions of one map: 2 MiB. */
const NEAR_BITS = 18

export class Draft {
  readonly pages: Pages
  readonly #arena: Arena
  /**
   * Runs that this draft has taken and that no reader can see, with their units. In several maps by their positions: a
   * map of millions doubles its memory at once when it grows.
   */
  readonly #own = new Map<number, Map<number, number>>()
  readonly #retiredPositions: number[] = []
  readonly #retiredUnits: number[] = []

  constructor(arena: Arena) {
    this.#arena = arena
    this.pages = arena.pages
  }

  /** @throws StoreFullError; then the draft should be undone */
  take(units: number): number {
    const position = this.#arena.take(units)
    const near = this.#own.get(position >>> NEAR_BITS)
    if (near === undefined) this.#own.set(position >>> NEAR_BITS, new Map([[position, units]]))
    else near.set(position, units)
    return position
  }

  /** Whether a run may be changed in place. */
  isOwn(position: number): boolean {
    return this.#own.get(position >>> NEAR_BITS)?.has(position) === true
  }

  /** The draft does not refer to the run any more. */
  drop(position: number, units: number): void {
    if (this.#own.get(position >>> NEAR_BITS)?.delete(position) === true)
      this.#arena.giveBack(position, units)
    else {
      this.#retiredPositions.push(position)
      this.#retiredUnits.push(units)
    }
  }

  /** Frees everything that was taken. What the draft was made from has not changed. */
  undo(): void {
    for (const near of this.#own.values())
      for (const [position, units] of near) this.#arena.giveBack(position, units)
    this.#own.clear()
  }

  /** Ends the draft. Returns the positions and units that its result does not refer to any more. */
  finish(): readonly [positions: number[], units: number[]] {
    this.#own.clear()
    return [this.#retiredPositions, this.#retiredUnits]
  }
}
