// The keys that zones are signed with, by number: zones in shared memory refer to them, and threads get them apart from
// the zones, because keys are no data of answers.
import type { ZoneSigning } from './zone-signing.ts'

/** The number that means no keys. */
export const UNSIGNED = 0

export class Signings {
  readonly #all = new Map<number, ZoneSigning>()
  #last = UNSIGNED
  /** Called before anything refers to a new number, and after nothing refers to an old one, which is undefined. */
  onChange: ((number: number, signing: ZoneSigning | undefined) => void) | undefined

  get all(): ReadonlyMap<number, ZoneSigning> {
    return this.#all
  }

  add(signing: ZoneSigning): number {
    this.#last += 1
    this.#all.set(this.#last, signing)
    this.onChange?.(this.#last, signing)
    return this.#last
  }

  remove(number: number): void {
    if (this.#all.delete(number)) this.onChange?.(number, undefined)
  }
}
