// What changes have made unreachable, until no reader has an older version (epoch-based reclamation: Fraser, "Practical
// Lock-Freedom", 2004, §5.2.3). A version is a number; each change ends one.
import { elementAt } from '@zonereeve/dns'
import { type Control, FIRST_VERSION } from './control.ts'
import type { Arena } from './pages.ts'

interface Retired {
  readonly version: number
  readonly positions: readonly number[]
  readonly units: readonly number[]
}

export class Versions {
  readonly #arena: Arena
  readonly #control: Control
  #current = FIRST_VERSION
  /** The oldest first. */
  #retired: Retired[] = []
  /** Versions that are read, the oldest first, each with the number of its readers. */
  readonly #held = new Map<number, number>()

  constructor(arena: Arena, control: Control) {
    this.#arena = arena
    this.#control = control
  }

  /** Runs that wait for readers. */
  get waiting(): number {
    return this.#retired.reduce((sum, { positions }) => sum + positions.length, 0)
  }

  /**
   * Publishes a version with this root of the zone directory. The runs at these positions cannot be reached from it.
   */
  next(positions: readonly number[], units: readonly number[], root: number): void {
    this.#current += ((this.#current + 1) | 0) === 0 ? 2 : 1
    this.#control.publish(this.#current | 0, root)
    if (positions.length > 0) this.#retired.push({ version: this.#current, positions, units })
    this.#reclaim()
  }

  /** Keeps what can be reached now, until the function that it returns is called. */
  hold(): () => void {
    const version = this.#current
    this.#held.set(version, (this.#held.get(version) ?? 0) + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const others = (this.#held.get(version) ?? 1) - 1
      if (others > 0) this.#held.set(version, others)
      else this.#held.delete(version)
      this.#reclaim()
    }
  }

  /** Gives back what no reader can reach. */
  #reclaim(): void {
    const [oldest = Infinity] = this.#held.keys()
    let done = 0
    for (const { version, positions, units } of this.#retired) {
      if (oldest < version || this.#control.isReadBefore(version | 0)) break
      for (const [i, position] of positions.entries()) this.#arena.giveBack(position, elementAt(units, i))
      done += 1
    }
    if (done > 0) this.#retired = this.#retired.slice(done)
  }
}
