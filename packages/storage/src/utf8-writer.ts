// Strings that are written one after the other as UTF-8: V8 takes four times as long to join many strings and encode the result.

const DEFAULT_OCTETS = 1 << 18
/** Of memory that {@link Utf8Writer.clear} keeps. */
const MAX_KEPT_OCTETS = 1 << 23
/** A UTF-16 unit takes at most this many in UTF-8. */
const OCTETS_PER_UNIT = 3

export class Utf8Writer {
  #octets = Buffer.alloc(0)
  #end = 0

  /** What was added: a view, which changes after {@link clear} or {@link cut}. */
  get written(): Buffer {
    return this.#octets.subarray(0, this.#end)
  }

  /** @returns the number of octets of the string. */
  add(string: string): number {
    const needed = this.#end + string.length * OCTETS_PER_UNIT
    if (needed > this.#octets.length) {
      const larger = Buffer.allocUnsafe(Math.max(DEFAULT_OCTETS, needed, 2 * this.#octets.length))
      larger.set(this.written)
      this.#octets = larger
    }
    const octets = this.#octets.write(string, this.#end)
    this.#end += octets
    return octets
  }

  /** Removes the last octets. */
  cut(octets: number): void {
    this.#end -= octets
  }

  /** Removes everything, to write again into the same memory. */
  clear(): void {
    this.#end = 0
    if (this.#octets.length > MAX_KEPT_OCTETS) this.#octets = Buffer.alloc(0)
  }
}
