// A change before it is published: takes pages, replaces pages, and can be undone completely.
import type { Arena, Pages } from './pages.ts'

export class Draft {
  readonly pages: Pages
  readonly #arena: Arena
  /** Runs that this draft has taken and that no reader can see, with their units. */
  readonly #own = new Map<number, number>()
  readonly #retiredPositions: number[] = []
  readonly #retiredUnits: number[] = []

  constructor(arena: Arena) {
    this.#arena = arena
    this.pages = arena.pages
  }

  /** @throws StoreFullError; then the draft should be undone */
  take(units: number): number {
    const position = this.#arena.take(units)
    this.#own.set(position, units)
    return position
  }

  /** Whether a run may be changed in place. */
  isOwn(position: number): boolean {
    return this.#own.has(position)
  }

  /** The draft does not refer to the run any more. */
  drop(position: number, units: number): void {
    if (this.#own.delete(position)) this.#arena.giveBack(position, units)
    else {
      this.#retiredPositions.push(position)
      this.#retiredUnits.push(units)
    }
  }

  /** Frees everything that was taken. What the draft was made from has not changed. */
  undo(): void {
    for (const [position, units] of this.#own) this.#arena.giveBack(position, units)
    this.#own.clear()
  }

  /** Ends the draft. Returns the positions and units that its result does not refer to any more. */
  finish(): readonly [positions: number[], units: number[]] {
    this.#own.clear()
    return [this.#retiredPositions, this.#retiredUnits]
  }
}
