import { expect, test } from 'vitest'
import { arePinnedFirst, readZoneFilter } from './zone-filter.ts'

test.each([
  ['nothing', {}, {}, true],
  ['a name', { q: ' Shop ' }, { name: 'contains:shop' }, false],
  ['a status', { status: 'pending' }, { status: 'pending' }, false],
  ['an order', { sort: '-name' }, { order: 'name', direction: 'desc' }, false],
  ['what means nothing', { status: 'x', sort: 'y', attention: 'z', q: ' ' }, {}, true],
  [
    'zones that need attention, and nothing else',
    { attention: 'yes', q: 'shop' },
    { needsAttention: true },
    false,
  ],
])('%s', (_, search, filter, isPinnedFirst) => {
  expect(readZoneFilter(search)).toEqual(filter)
  expect(arePinnedFirst(filter)).toBe(isPinnedFirst)
})
