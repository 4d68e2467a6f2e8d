// The taint of nested values, against a plain walk that says what is meant.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostObject, taintOf, unknownValue, type Value } from './values.ts'

const MAX_PARTS = 400

/** Every part counts, in order and with all parts before it, down to the third level. */
function plainTaintOf(value: Value, levels = 3, budget = { left: MAX_PARTS }): number {
  if (typeof value !== 'object' || value === null || value.kind === 'function') return 0
  if (value.kind === 'method') return levels === 0 ? 0 : plainTaintOf(value.self, levels - 1, budget)
  const own = value.kind === 'unknown' ? value.taint : 0
  const parts = value.kind === 'array' ? value.items : [...(value.entries?.values() ?? [])]
  return levels === 0
    ? own
    : parts.reduce<number>((taint, part) => {
        budget.left -= 1
        return budget.left < 0 ? taint : taint | plainTaintOf(part, levels - 1, budget)
      }, own)
}

const taints = fc.integer({ min: 0, max: 14 }).map((bit) => unknownValue({ taint: 1 << bit }))
const leaves: fc.Arbitrary<Value> = fc.oneof(taints, fc.constantFrom<Value>('', 1, null, undefined))
const { value: values } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaves,
    fc.array(tie('value'), { maxLength: 6 }).map((items): Value => ({ kind: 'array', items })),
    fc
      .array(tie('value'), { maxLength: 6 })
      .map((parts): Value => ({ kind: 'object', entries: new Map(parts.map((part, i) => [`${i}`, part])) })),
    fc.array(tie('value'), { maxLength: 4 }).map((parts): Value => {
      const object = hostObject('element', '', 64)
      parts.forEach((part, i) => object.entries?.set(`${i}`, part))
      return object
    }),
    tie('value').map((self): Value => ({ kind: 'method', name: 'slice', self })),
  ),
}))

test('the taint of a nested value is that of a plain walk', () => {
  fc.assert(fc.property(values, (value) => taintOf(value) === plainTaintOf(value)))
})

const many = (count: number): Value => ({ kind: 'array', items: Array.from({ length: count }, () => 'x') })
const tainted = unknownValue({ taint: 4 })
const list = (...items: readonly Value[]): Value => ({ kind: 'array', items: [...items] })

test.each<readonly [string, Value, number]>([
  ['the last part that is read', list(...Array.from({ length: MAX_PARTS - 1 }, () => 'x'), tainted), 4],
  ['the first part that is not', list(...Array.from({ length: MAX_PARTS }, () => 'x'), tainted), 0],
  ['a part behind a long list', list(many(MAX_PARTS - 2), tainted), 4],
  ['a part behind a longer list', list(many(MAX_PARTS - 1), tainted), 0],
  ['the third level', list(list(list(tainted))), 4],
  ['the fourth level', list(list(list(list(tainted)))), 0],
])('%s', (_, value, expected) => {
  expect(taintOf(value)).toBe(expected)
})
