import { expect, test } from 'vitest'
import { PackedList } from './packed-list.ts'

interface Item {
  readonly numbers: readonly number[]
  readonly strings: readonly string[]
  readonly octets: Uint8Array
}

const listOf = (items: readonly Item[]): PackedList<Item> => {
  const list = new PackedList<Item>({
    numbers: 1,
    strings: 2,
    pack: (item) => item,
    unpack: (entry) => entry,
  })
  for (const item of items) list.add(item)
  return list
}
const item = (number: number, octets: number): Item => ({
  numbers: [number],
  strings: [`name ${number}`, ''],
  octets: new Uint8Array(octets).fill(number),
})
const items = (count: number, octets: number): Item[] =>
  Array.from({ length: count }, (_, number) => item(number, octets))

/** Octets of memory that the list has, and how many allocations they are. */
function memoryOf(list: PackedList<Item>): { octets: number; blocks: number } {
  const blocks = new Set(Array.from(list, ({ octets }) => octets.buffer))
  return { octets: [...blocks].reduce((sum, { byteLength }) => sum + byteLength, 0), blocks: blocks.size }
}

test.each([
  ['no items', [], 0, 0],
  ['one item', items(1, 4), 512, 1],
  ['as many as a first block has room for', items(10, 10), 512, 1],
  ['an item larger than any block', items(1, 1_000_000), 1_001_000, 1],
  [
    'an item larger than any block, and others',
    [...items(20, 10), item(1, 1_000_000), item(2, 10)],
    1_500_000,
    4,
  ],
  ['many items', items(20_000, 100), 4_000_000, 25],
])('%s are read as they were added, twice, and take little memory', (_, added, octets, blocks) => {
  const list = listOf(added)
  expect(list.length).toBe(added.length)
  for (let read = 0; read < 2; read++) {
    let at = 0
    for (const { numbers, strings, octets: own } of list) {
      const original = added[at++]
      expect([numbers, strings]).toEqual([original?.numbers, original?.strings])
      expect(Buffer.compare(own, original?.octets ?? Buffer.alloc(0))).toBe(0)
    }
    expect(at).toBe(added.length)
  }
  const memory = memoryOf(list)
  expect(memory.octets).toBeLessThanOrEqual(octets)
  expect(memory.blocks).toBeLessThanOrEqual(blocks)
})

test('a list that is released is read once more', () => {
  const list = listOf(items(3_000, 100))
  expect([...list]).toHaveLength(3_000)
  list.releaseWhenRead()
  expect([...list]).toEqual([...listOf(items(3_000, 100))])
  expect(list.memory.blocks.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBe(0)
  expect(() => [...list]).toThrow('read again')
})

test('another list with the same memory has the same items', () => {
  const { memory } = listOf(items(3_000, 100))
  const moved = structuredClone(memory, { transfer: [...memory.blocks] })
  const list = new PackedList<Item>(
    { numbers: 1, strings: 2, pack: (each) => each, unpack: (each) => each },
    moved,
  )
  expect(list.length).toBe(3_000)
  expect(Array.from(list, ({ strings }) => strings)).toEqual(items(3_000, 0).map(({ strings }) => strings))
})
