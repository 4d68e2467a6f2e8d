import { compareNames, nameFromWire } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalOrder } from './denial-chain.ts'
import { OrderedList, type Ordered } from './ordered-list.ts'

interface Item extends Ordered {
  readonly value: number
}

test('after any additions and removals, few or many at once, it lists the remaining items in order', () => {
  const change = fc.tuple(fc.stringMatching(/^[a-f]{1,2}$/), fc.option(fc.nat(9)))
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 60 }), { maxLength: 6 }), (batches) => {
      const list = new OrderedList<Item>()
      const model = new Map<string, Item>()
      for (const batch of batches) {
        const before = list.all()
        const copy = [...before]
        const update = new Map<string, Item | undefined>()
        for (const [order, value] of batch) update.set(order, value === null ? undefined : { order, value })
        for (const [order, item] of update) {
          if (item === undefined) model.delete(order)
          else model.set(order, item)
        }
        list.update(update)
        const expected = [...model.values()].toSorted((a, b) => (a.order < b.order ? -1 : 1))
        expect(list.all()).toEqual(expected)
        expect(list.length).toBe(model.size)
        for (const order of ['', 'a', 'cc', 'g']) {
          expect(list.get(order)).toEqual(model.get(order))
          expect(list.indexFrom(order)).toBe(expected.filter((item) => item.order < order).length)
        }
        // A list returned earlier does not change.
        expect(before).toEqual(copy)
      }
    }),
  )
})

test('keys are sorted as RFC 4034 sorts names', () => {
  const octet = fc.oneof(
    fc.constantFrom(0, 1, 2, 0x2d, 0x40, 0x5b, 0x61, 0x62, 0xff),
    fc.integer({ min: 0x61, max: 0x7a }),
  )
  const label = fc.array(octet, { minLength: 1, maxLength: 3 })
  const wire = fc.array(label, { maxLength: 3 })
  const keyOf = (labels: readonly number[][]): string =>
    Buffer.from(labels.flatMap((each) => [each.length, ...each])).toString('latin1')
  const nameOf = (key: string) => nameFromWire(Uint8Array.from([...Buffer.from(key, 'latin1'), 0]))
  fc.assert(
    fc.property(wire, wire, (a, b) => {
      const [first, second] = [keyOf(a), keyOf(b)]
      const [one, two] = [canonicalOrder(first), canonicalOrder(second)]
      const order = one === two ? 0 : one < two ? -1 : 1
      expect(order).toBe(Math.sign(compareNames(nameOf(first), nameOf(second))))
    }),
    { numRuns: 2_000 },
  )
})
