import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChangeOp } from './change-event.ts'
import { addToOpBlock, emptyOpBlock, packOps, unpackOps } from './op-block.ts'

const op = (objectId: string, before: string | null, after: string | null): ChangeOp => ({
  kind: 'record.update',
  objectId,
  before,
  after,
})

async function packed(operations: readonly ChangeOp[]) {
  const block = emptyOpBlock()
  for (const each of operations) addToOpBlock(block, each)
  return packOps(7, 3, block)
}

test.each<[string, readonly ChangeOp[]]>([
  ['no operations', []],
  ['one without states', [op('a', null, null)]],
  ['empty texts', [op('', '', '')]],
  [
    'letters of one to four octets',
    [op('a', '{"b":"größe ☃ 😀"}', null), op('b', null, '{"c":"\u007f\u0080\u07ff\u0800"}')],
  ],
  ['one larger than the room of a block', [op('a', null, 'x'.repeat(400_000)), op('b', 'y', null)]],
  ['one whose octets are three times its letters', [op('a', null, '☃'.repeat(300_000)), op('b', '☃', '')]],
  [
    'many that need more room',
    Array.from({ length: 2_000 }, (_, at) => op(`id ${at}`, 'b'.repeat(at), `☃${at}`)),
  ],
])('%s: read as written', async (_, operations) => {
  expect(unpackOps(await packed(operations))).toEqual(operations)
})

test('any operations are read as written', async () => {
  const text = fc.option(fc.json())
  const operation = fc.tuple(fc.uuid(), text, text).map(([id, before, after]) => op(id, before, after))
  await fc.assert(
    fc.asyncProperty(fc.array(operation), async (operations) => {
      expect(unpackOps(await packed(operations))).toEqual(operations)
    }),
  )
})

test('operations that are added while a block is packed do not change it', async () => {
  const block = emptyOpBlock()
  addToOpBlock(block, op('a', null, '1'))
  const packing = packOps(1, 0, block)
  const next = emptyOpBlock()
  addToOpBlock(next, op('b', null, '2'))
  expect(unpackOps(await packing)).toEqual([op('a', null, '1')])
  expect(unpackOps(await packOps(1, 1, next))).toEqual([op('b', null, '2')])
})

test('a flipped bit is noticed', async () => {
  const block = await packed([op('a', null, '1')])
  const octets = Uint8Array.from(block.packed)
  octets[0] = (octets[0] ?? 0) ^ 4
  expect(() => unpackOps({ ...block, packed: octets })).toThrow('storage.damaged')
})
