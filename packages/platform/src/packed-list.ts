// A list whose items are octets until they are read: a million objects of one list would take hundreds of MiB.
import { elementAt } from '@zonereeve/dns'

/** Each block has twice the octets of the one before: most lists have one item, and some a million. */
const FIRST_BLOCK_OCTETS = 1 << 9
const LARGEST_BLOCK_OCTETS = 1 << 18
/** Octets of an entry, then of each of its strings. */
const LENGTH_OCTETS = 4

/** What an item is stored as. */
export interface PackedEntry {
  /** Whole numbers from 0 to 2^32-1. */
  readonly numbers: readonly number[]
  /** ASCII. */
  readonly strings: readonly string[]
  readonly octets: Uint8Array
}

/** How items are stored; each entry has the same number of numbers and strings. */
export interface ItemCodec<Item> {
  readonly numbers: number
  readonly strings: number
  readonly pack: (item: Item) => PackedEntry
  /** @param entry its octets are a view that keeps all octets of its block: copy what outlives the list. */
  readonly unpack: (entry: PackedEntry) => Item
}

/** The memory of a list: another thread, to which it is transferred, reads it with the same codec. */
export interface PackedMemory {
  readonly length: number
  readonly blocks: readonly ArrayBuffer[]
  /** Where the entries of each block end. */
  readonly ends: readonly number[]
}

/** Items are added, and then read in their order, any number of times. */
export class PackedList<Item> implements Iterable<Item> {
  length: number
  readonly #codec: ItemCodec<Item>
  readonly #blocks: Buffer[]
  readonly #ends: number[]
  #releases: 'never' | 'when read' | 'has released' = 'never'

  constructor(codec: ItemCodec<Item>, { length, blocks, ends }: PackedMemory = NO_MEMORY) {
    this.#codec = codec
    this.length = length
    this.#blocks = blocks.map((block) => Buffer.from(block))
    this.#ends = [...ends]
  }

  get memory(): PackedMemory {
    const blocks = this.#blocks.map(({ buffer }) => buffer as ArrayBuffer) // each is a whole one, not shared
    return { length: this.length, blocks, ends: this.#ends }
  }

  add(item: Item): void {
    const { numbers, strings, octets } = this.#codec.pack(item)
    let size = LENGTH_OCTETS * (1 + numbers.length + strings.length) + octets.length
    for (const string of strings) size += string.length
    const block = this.#blockFor(size)
    const last = this.#blocks.length - 1
    const start = elementAt(this.#ends, last)
    let at = block.writeUInt32LE(size, start)
    for (const number of numbers) at = block.writeUInt32LE(number, at)
    for (const string of strings) {
      at = block.writeUInt32LE(string.length, at)
      at += block.write(string, at, 'latin1')
    }
    block.set(octets, at)
    this.#ends[last] = start + size
    this.length += 1
  }

  /** Each block is released when it has been read: the list is read once more, and not again. */
  releaseWhenRead(): void {
    this.#releases = 'when read'
  }

  *[Symbol.iterator](): Generator<Item, void, undefined> {
    if (this.#releases === 'has released') throw new Error('a list that was released is read again')
    if (this.#releases === 'when read') this.#releases = 'has released'
    const { numbers, strings, unpack } = this.#codec
    for (const [index, block] of this.#blocks.entries()) {
      const blockEnd = elementAt(this.#ends, index)
      for (let start = 0; start < blockEnd;) {
        const end = start + block.readUInt32LE(start)
        let at = start + LENGTH_OCTETS
        const read: PackedEntry = { numbers: [], strings: [], octets: NO_OCTETS }
        const entry = read as { numbers: number[]; strings: string[]; octets: Uint8Array } // filled here
        for (let i = 0; i < numbers; i += 1, at += LENGTH_OCTETS) entry.numbers.push(block.readUInt32LE(at))
        for (let i = 0; i < strings; i += 1) {
          const stringAt = at + LENGTH_OCTETS
          at = stringAt + block.readUInt32LE(at)
          entry.strings.push(block.toString('latin1', stringAt, at))
        }
        entry.octets = block.subarray(at, end)
        yield unpack(entry)
        start = end
      }
      if (this.#releases === 'has released') this.#blocks[index] = Buffer.alloc(0)
    }
  }

  #blockFor(size: number): Buffer {
    const last = this.#blocks.at(-1)
    if (last !== undefined && elementAt(this.#ends, this.#ends.length - 1) + size <= last.length) return last
    const octets = last === undefined ? FIRST_BLOCK_OCTETS : Math.min(2 * last.length, LARGEST_BLOCK_OCTETS)
    const block = Buffer.allocUnsafeSlow(Math.max(octets, size))
    this.#blocks.push(block)
    this.#ends.push(0)
    return block
  }
}

const NO_OCTETS = new Uint8Array(0)
const NO_MEMORY: PackedMemory = { length: 0, blocks: [], ends: [] }
