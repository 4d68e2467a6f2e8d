// A map from strings to strings, kept as octets: a million entries of a Map take hundreds of MiB.
import { randomBytes } from 'node:crypto'

/** One record that is written has a map of its own. */
const FIRST_OCTETS = 1 << 8
/** Above it the octets grow by this instead of doubling. */
const LARGEST_STEP = 1 << 24
const FIRST_SLOTS = 1 << 4
/** Before an entry: the hash of its key, and the lengths of key and value. */
const HEAD = { HASH: 0, KEY: 4, VALUE: 8, OCTETS: 12 } as const
/** Secret odd factors, so that clients cannot construct keys that collide (octet-hash.ts of the nameserver). */
const [FIRST_FACTOR, SECOND_FACTOR] = [randomBytes(4).readInt32LE() | 1, randomBytes(4).readInt32LE() | 1]
/** An entry that was replaced or removed. */
const GONE = 0xffff_ffff
const UNKNOWN = -1

/** Keys and values are ASCII. Replaced and removed entries take up memory until the map is dropped. */
export class StringMap {
  #size = 0
  #octets = Buffer.allocUnsafeSlow(FIRST_OCTETS)
  #end = 0
  /** Positions of entries, each plus one, at the first free slot from that of its hash on. */
  #slots = new Uint32Array(FIRST_SLOTS)
  #used = 0

  /** The key of the last look-up, its hash, and its free slot if it was not there: it is mostly set next. */
  #hashedKey: string | undefined
  #hash = 0
  #freeSlot = UNKNOWN

  get size(): number {
    return this.#size
  }

  get(key: string): string | undefined {
    const slot = this.#slotOf(key, this.#hashOf(key))
    const at = this.#entryIn(slot)
    this.#freeSlot = at === -1 ? slot : UNKNOWN
    if (at === -1) return undefined
    const start = at + HEAD.OCTETS + key.length
    return this.#octets.toString('latin1', start, start + this.#octets.readUInt32LE(at + HEAD.VALUE))
  }

  set(key: string, value: string): void {
    if (2 * (this.#used + 1) > this.#slots.length) this.#growSlots()
    const hash = this.#hashOf(key)
    const slot = this.#freeSlot === UNKNOWN ? this.#slotOf(key, hash) : this.#freeSlot
    const known = this.#entryIn(slot)
    if (this.#slots[slot] === 0) this.#used += 1
    if (known === -1) this.#size += 1
    const at = this.#reserve(HEAD.OCTETS + key.length + value.length)
    this.#octets.writeUInt32LE(hash, at + HEAD.HASH)
    this.#octets.writeUInt32LE(key.length, at + HEAD.KEY)
    this.#octets.writeUInt32LE(value.length, at + HEAD.VALUE)
    this.#octets.write(key, at + HEAD.OCTETS, 'latin1')
    this.#octets.write(value, at + HEAD.OCTETS + key.length, 'latin1')
    this.#slots[slot] = at + 1
    this.#freeSlot = UNKNOWN
  }

  delete(key: string): void {
    const at = this.#entryIn(this.#slotOf(key, this.#hashOf(key)))
    if (at === -1) return
    this.#octets.writeUInt32LE(GONE, at + HEAD.KEY)
    this.#size -= 1
  }

  clear(): void {
    this.#slots = new Uint32Array(FIRST_SLOTS)
    this.#octets = Buffer.allocUnsafeSlow(FIRST_OCTETS)
    this.#size = this.#used = this.#end = 0
    this.#freeSlot = UNKNOWN
  }

  /** A key is looked up before it is set. */
  #hashOf(key: string): number {
    if (key !== this.#hashedKey) {
      this.#hashedKey = key
      this.#freeSlot = UNKNOWN
      this.#hash = hashString(key)
    }
    return this.#hash
  }

  /** The position of the entry in a slot; -1 if there is none, or one that is gone. */
  #entryIn(slot: number): number {
    const at = (this.#slots[slot] ?? 0) - 1 // within the slots
    return at === -1 || this.#octets.readUInt32LE(at + HEAD.KEY) === GONE ? -1 : at
  }

  /** The slot of the key. If it is not there: of an entry that is gone, or a free one. */
  #slotOf(key: string, hash: number): number {
    const octets = this.#octets
    const mask = this.#slots.length - 1
    let gone = -1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = (this.#slots[slot] ?? 0) - 1 // as above
      if (at === -1) return gone === -1 ? slot : gone
      if (octets.readUInt32LE(at + HEAD.HASH) === hash && this.#isNamed(at, key)) return slot
      if (gone === -1 && octets.readUInt32LE(at + HEAD.KEY) === GONE) gone = slot
    }
  }

  #isNamed(at: number, key: string): boolean {
    const octets = this.#octets
    if (octets.readUInt32LE(at + HEAD.KEY) !== key.length) return false
    const start = at + HEAD.OCTETS
    for (let i = 0; i < key.length; i += 1) if (octets[start + i] !== key.charCodeAt(i)) return false
    return true
  }

  /** Without entries that are gone. */
  #growSlots(): void {
    const old = this.#slots
    this.#slots = new Uint32Array(2 * old.length)
    this.#used = this.#size
    this.#freeSlot = UNKNOWN
    const mask = this.#slots.length - 1
    for (const entry of old) {
      if (entry === 0 || this.#octets.readUInt32LE(entry - 1 + HEAD.KEY) === GONE) continue
      let slot = this.#octets.readUInt32LE(entry - 1 + HEAD.HASH) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = entry
    }
  }

  #reserve(octets: number): number {
    const at = this.#end
    this.#end += octets
    if (this.#end > this.#octets.length) {
      const step = Math.min(this.#octets.length, LARGEST_STEP)
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#end, this.#octets.length + step))
      this.#octets.copy(larger, 0, 0, at)
      this.#octets = larger
    }
    return at
  }
}

/** From 0 to 2^32-1, the same within a process. */
export function hashString(key: string): number {
  let sum = Math.imul(key.length, FIRST_FACTOR)
  for (let at = 0; at < key.length;) {
    let four = 0
    for (const end = Math.min(at + 4, key.length); at < end; at += 1) four = (four << 8) | key.charCodeAt(at)
    sum = Math.imul(sum ^ four, FIRST_FACTOR)
    sum = Math.imul(sum ^ (sum >>> 15), SECOND_FACTOR)
    sum ^= sum >>> 13
  }
  return (sum ^ (sum >>> 16)) >>> 0
}
