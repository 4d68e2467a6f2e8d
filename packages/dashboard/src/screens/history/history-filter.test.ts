import { describe, expect, test } from 'vitest'
import { isFiltered, readHistoryFilter } from './history-filter.ts'

const midnight = (year: number, month: number, day: number) => new Date(year, month - 1, day).toISOString()

describe('the filter in the URL, as the server is asked', () => {
  test.each([
    ['nothing', {}, {}],
    ['a name', { q: ' www ' }, { name: 'www' }],
    ['only spaces', { q: '  ' }, {}],
    ['an actor', { actor: 'ops' }, { actor: 'ops' }],
    ['a kind', { kind: 'dns_record.delete' }, { kind: 'dns_record.delete' }],
    ['a kind that is not offered', { kind: 'nonsense' }, {}],
    ['from a day on', { since: '2026-11-23' }, { since: midnight(2026, 11, 23) }],
    ['to the end of a day', { before: '2026-12-31' }, { before: midnight(2027, 1, 1) }],
    ['no day', { since: 'yesterday' }, {}],
  ])('%s', (_, search, asked) => {
    expect(readHistoryFilter(search)).toEqual(asked)
    expect(isFiltered(search)).toBe(Object.keys(asked).length > 0)
  })
})
