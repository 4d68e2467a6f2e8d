// A map of limited size: for caches, and for data about clients, who can invent any number of keys.

/** When it is full, a new key evicts the one that was set or touched longest ago. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #maxSize: number
  /**
   * One iterator for many evictions: a new one would step over the entries of all deleted keys each time. It keeps
   * every table that the map has had since it was used last. It is replaced after every maxSize sets, so that old tables
   * are kept for at most as many.
   */
  #oldest = this.keys()
  #sets = 0

  /** @param maxSize at least 1. */
  constructor(maxSize: number) {
    super()
    this.#maxSize = maxSize
  }

  /** Sets the value and makes the key the newest. */
  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    this.#sets = (this.#sets + 1) % this.#maxSize
    if (this.#sets === 0) this.#oldest = this.keys()
    if (this.size > this.#maxSize) {
      const oldest = this.#oldest.next()
      if (oldest.done !== true) this.delete(oldest.value)
    }
    return this
  }

  /** Returns the value and makes its key the newest: for a map that evicts the least recently used key. */
  touch(key: Key): Value | undefined {
    const value = this.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }
}
