// A map of limited size: for caches, and for data about clients, who can invent any number of keys.

/** When it is full, a new key evicts the one that was set or touched longest ago. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #maxSize: number
  /** One iterator for all evictions: a new one would step over the entries of all deleted keys each time. */
  #oldest = this.keys()

  /** @param maxSize at least 1. */
  constructor(maxSize: number) {
    super()
    this.#maxSize = maxSize
  }

  /** Sets the value and makes the key the newest. */
  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
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
