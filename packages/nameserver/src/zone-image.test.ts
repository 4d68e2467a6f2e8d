// Names of a zone that were copied to an image and placed into the store of another table are the same names, also
// after changes; and a file whose octets were changed is refused.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { client, recordOf, zoneOf } from './asking.cases.ts'
import { parseName } from '@zonereeve/dns'
import { createZoneTable, type ZoneContents, type ZoneRecord, type ZoneTable } from './index.ts'
import { QUESTIONS, RECORD_LINE } from './random-zone.cases.ts'
import { scratchFolder } from './scratch-folder.cases.ts'
import { SnapshotReader, writeSnapshotFile } from './snapshot-file.ts'
import { IMAGE_FORMAT } from './zone-store/tree-image.ts'

const APEX = parseName('example.com')
const ZONE_ID = 'zone-example.com'

const imageOf = (table: ZoneTable) => [...table.capture()].find(({ zoneId }) => zoneId === ZONE_ID)?.image()

/** Contents as a snapshot gives them: blocks are read once, and their octets are reused. */
function saved(table: ZoneTable, contents: ZoneContents, damage?: (block: Uint8Array) => void): ZoneContents {
  const release = table.hold()
  const image = imageOf(table)
  if (image === undefined) throw new Error('no zone')
  const { blocks, counts } = image.names
  const copies: Uint8Array[] = []
  let root = 0
  for (;;) {
    const step = blocks.next()
    if (step.done === true) {
      root = step.value
      break
    }
    if (step.value !== undefined) copies.push(step.value.slice())
  }
  release()
  function* again(): Generator<Uint8Array, number, void> {
    const shared = new Uint8Array(Math.max(...copies.map(({ length }) => length)))
    for (const copy of copies) {
      damage?.(copy)
      shared.set(copy)
      yield shared.subarray(0, copy.length)
      shared.fill(0xff)
    }
    return root
  }
  return { ...contents, records: [], image: { ...image, names: { counts, blocks: again() } } }
}

const statistics = (table: ZoneTable) => table.statistics()
const recordsOf = (table: ZoneTable): string[] => {
  const all: ZoneRecord[] = []
  table.eachName(ZONE_ID, (records) => void all.push(...records))
  return all.map((record) => JSON.stringify({ ...record, rdata: [...record.rdata] })).toSorted()
}

test('the image of a small zone holds little memory, of which a snapshot has very many', () => {
  const { table } = client([zoneOf('example.com', 'www 300 A 192.0.2.1')])
  const image = imageOf(table)
  const blocks = [...(image?.names.blocks ?? [])].filter((block) => block !== undefined)
  expect(blocks).toHaveLength(1)
  for (const { buffer } of blocks) expect(buffer.byteLength).toBeLessThanOrEqual(1_024)
})

test('a zone from an image answers as before, and so it does after the same changes', () => {
  let compared = 0
  const lines = fc.array(RECORD_LINE, { maxLength: 12 })
  fc.assert(
    fc.property(lines, lines, fc.boolean(), (first, added, multiProvider) => {
      const contents = zoneOf('example.com', first.join('\n'), { multiProvider })
      const before = client([contents])
      const after = client([saved(before.table, contents)])
      expect(statistics(after.table)).toEqual(statistics(before.table))
      expect(recordsOf(after.table)).toEqual(recordsOf(before.table))
      const removed = [...contents.records].filter((_, i) => i % 2 === 0)
      const delta = {
        zoneId: ZONE_ID,
        serial: 2,
        removed,
        added: added.map((line, i) => recordOf(line, APEX, `a${i}`)),
      }
      for (const change of [false, true]) {
        if (change) for (const { table } of [before, after]) table.apply(delta)
        expect(statistics(after.table)).toEqual(statistics(before.table))
        expect(recordsOf(after.table)).toEqual(recordsOf(before.table))
        for (const question of QUESTIONS) {
          const expected = before.ask(question, { transport: 'tcp' })
          const actual = after.ask(question, { transport: 'tcp' })
          if (JSON.stringify(actual) !== JSON.stringify(expected)) expect(actual).toEqual(expected)
          compared += 1
        }
      }
    }),
    { numRuns: 25 },
  )
  expect(compared).toBeGreaterThan(5_000)
})

describe('a zone of many blocks', () => {
  const large = 20_000
  const contents = zoneOf('example.com', '', {
    records: [
      ...Array.from({ length: large }, (_, i) =>
        recordOf(`h${i}.n${i % 97} 60 A 192.0.${(i >> 8) & 255}.${i & 255}`, APEX, `${i}`),
      ),
      // One run that is larger than a block.
      ...Array.from({ length: 3_000 }, (_, i) =>
        recordOf(`many 60 TXT "${String(i).padStart(60, 'x')}"`, APEX, `t${i}`),
      ),
    ],
  })

  test('is complete, and its memory can be used again', () => {
    const before = createZoneTable()
    before.load(contents)
    const after = createZoneTable()
    after.load(saved(before, contents))
    expect(recordsOf(after)).toEqual(recordsOf(before))
    expect(after.statistics().nodes).toBe(before.statistics().nodes)
    const { store } = after.shares
    // Each name gets another run; then as many octets are in use as in a zone that never was an image.
    for (const table of [before, after])
      for (const ttl of [61, 60]) {
        const changed = [...contents.records]
        const other = changed.map((record) => ({ ...record, ttl }))
        const old = changed.map((record) => ({ ...record, ttl: ttl === 61 ? 60 : 61 }))
        table.apply({ zoneId: ZONE_ID, serial: ttl, removed: old, added: other })
      }
    expect(recordsOf(after)).toEqual(recordsOf(before))
    expect(store.usedOctets).toBeLessThan(1.05 * before.shares.store.usedOctets)
    after.remove(ZONE_ID)
  })

  test('is refused if it has positions that no block has, and leaves no memory in use', () => {
    const before = createZoneTable()
    before.load(contents)
    const after = createZoneTable()
    const used = after.shares.store.usedOctets
    expect(() => after.load(saved(before, contents, (block) => block.fill(0x7f)))).toThrow(RangeError)
    expect(after.has(ZONE_ID)).toBe(false)
    expect(after.shares.store.usedOctets).toBe(used)
    after.load(contents)
    expect(recordsOf(after)).toEqual(recordsOf(before))
  })
})

test('the layout of an image changes only with its number', () => {
  const contents = zoneOf('example.com', 'www 60 A 192.0.2.1\n*.a 60 TXT "x"\nb 60 NS ns.other.test.')
  const table = createZoneTable()
  table.load(contents)
  const hash = createHash('sha256')
  const { image } = saved(table, contents)
  for (const block of image?.names.blocks ?? []) hash.update(block ?? '')
  expect([IMAGE_FORMAT, hash.digest('hex').slice(0, 16)]).toEqual([1, '0f762ccd99d43d8f'])
})

describe('a snapshot file', () => {
  async function written(): Promise<string> {
    const path = join(scratchFolder(), 'file')
    const writer = await writeSnapshotFile(path)
    await writer.json({ a: 1 })
    await writer.octets(Uint8Array.from({ length: 300 }, (_, i) => i & 255))
    await writer.octets(new Uint8Array(0))
    await writer.json([])
    await writer.finish()
    return path
  }

  function read(path: string): unknown[] {
    const reader = new SnapshotReader(path)
    const frames: unknown[] = []
    try {
      for (let frame = reader.next(); frame !== undefined; frame = reader.next())
        frames.push('octets' in frame ? frame.octets.length : frame.json)
    } catch (failure) {
      frames.push((failure as Error).name) // no other kind is thrown
    } finally {
      reader.close()
    }
    return frames
  }

  const WHOLE = [{ a: 1 }, 300, 0, []]

  test('is read as it was written', async () => {
    expect(read(await written())).toEqual(WHOLE)
  })

  test('may have frames of any length', async () => {
    const lengths = [2 ** 20 - 20, 30, 2 ** 20, 0, 2 ** 21 + 1, 2 ** 20 - 9, 7, 3 * 2 ** 20]
    const path = join(scratchFolder(), 'file')
    const writer = await writeSnapshotFile(path)
    for (const [i, length] of lengths.entries()) await writer.octets(new Uint8Array(length).fill(i))
    await writer.finish()
    const reader = new SnapshotReader(path)
    for (const [i, length] of lengths.entries()) {
      const frame = reader.next()
      const octets = frame !== undefined && 'octets' in frame ? frame.octets : undefined
      expect(octets?.length).toBe(length)
      expect(octets?.every((octet) => octet === i)).toBe(true)
    }
    expect(reader.next()).toBeUndefined()
    reader.close()
  })

  test('is found damaged wherever a bit is flipped, and wherever it ends too early', async () => {
    const path = await written()
    const octets = readFileSync(path)
    for (let at = 0; at < octets.length; at += 1) {
      const flipped = Buffer.from(octets)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
      for (const content of [flipped, octets.subarray(0, at)]) {
        writeFileSync(path, content)
        const frames = read(path)
        expect(frames.at(-1)).toBe('SnapshotDamagedError')
        // Nothing wrong is read before it.
        expect(frames.slice(0, -1)).toEqual(WHOLE.slice(0, frames.length - 1))
      }
    }
  })

  test('that is abandoned leaves nothing behind', async () => {
    const path = join(scratchFolder(), 'file')
    const writer = await writeSnapshotFile(path)
    await writer.json(1)
    await writer.abandon()
    expect(() => readFileSync(path)).toThrow('ENOENT')
    expect(() => readFileSync(`${path}.unfinished`)).toThrow('ENOENT')
  })
})
