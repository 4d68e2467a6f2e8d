// For any insertion: priorities stay unique, the new rule gets its priority, and the others keep their order.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inTheWay } from './page-rules.rules.ts'

const unique = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 20 })

test('freeing a priority moves as few rules as necessary, by one, and keeps their order', () => {
  fc.assert(
    fc.property(unique, fc.integer({ min: 0, max: 30 }), (priorities, expected) => {
      const others = priorities.map((priority, id) => ({ id, priority }))
      const moved = new Set(inTheWay(expected, others).map(({ id }) => id))
      const after = others.map(({ id, priority }) => ({ id, priority: priority + (moved.has(id) ? 1 : 0) }))
      const taken = [...after.map(({ priority }) => priority), expected]
      expect(new Set(taken).size).toBe(taken.length)
      const order = (rules: typeof others) =>
        rules.toSorted((a, b) => a.priority - b.priority).map(({ id }) => id)
      expect(order(after)).toEqual(order(others))
      if (!priorities.includes(expected)) expect(moved.size).toBe(0)
    }),
  )
})
