import { describe, expect, test } from 'vitest'
import { isFiltered, readAuditFilter } from './audit-filter.ts'

describe('filter of the audit log', () => {
  test.each([
    ['nothing', {}, {}],
    [
      'fields',
      { q: 'action:zones.create zone:example.com' },
      { 'action.type': 'zones.create', 'zone.name': 'example.com' },
    ],
    ['an address with colons', { q: 'address:2001:db8::1' }, { 'actor.ip': '2001:db8::1' }],
    ['words as the actor', { q: 'terraform prod' }, { 'actor.email': 'terraform prod' }],
    [
      'a field that wins over words',
      { q: 'anna actor:jun@example.com' },
      { 'actor.email': 'jun@example.com' },
    ],
    [
      'what cannot be excluded as words',
      { q: '-action:zones.create' },
      { 'actor.email': '-action:zones.create' },
    ],
    ['days that mean nothing', { since: 'yesterday', before: '' }, {}],
  ])('%s', (_, search, expected) => {
    expect(readAuditFilter(search)).toEqual(expected)
    expect(isFiltered(search)).toBe(Object.keys(expected).length > 0)
  })

  test('both days are part of the range', () => {
    const { since, before } = readAuditFilter({ since: '2026-11-23', before: '2026-11-23' })
    expect(Date.parse(before ?? '') - Date.parse(since ?? '')).toBe(86_400_000)
  })
})
