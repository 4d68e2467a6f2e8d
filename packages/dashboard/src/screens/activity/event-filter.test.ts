// The filter of the activity log: from the URL to the question to the server.
import { expect, test } from 'vitest'
import {
  changeTerms,
  parseEvents,
  rangeName,
  rangeOf,
  termsOf,
  withTerm,
  writeTerms,
  type ActivitySearch,
} from './event-filter.ts'

const HOUR = 3_600_000

test.each<[string, ActivitySearch, object, number | undefined]>([
  ['nothing', {}, {}, 24 * HOUR],
  ['a range', { since: '7d' }, {}, 168 * HOUR],
  ['is', { q: 'action:block address:2001:db8::1' }, { action: 'block', ip: '2001:db8::1' }, 24 * HOUR],
  ['is not', { q: '-path:/robots.txt -path:/a,b' }, { 'path.not': '/robots.txt,/a\\,b' }, 24 * HOUR],
  ['both', { q: 'service:waf -rule:100005' }, { source: 'waf', 'rule_id.not': '100005' }, 24 * HOUR],
  ['the last of two', { q: 'method:GET method:POST' }, { method: 'POST' }, 24 * HOUR],
  ['words and unknown fields mean nothing', { q: 'x country:DE -ray:1' }, {}, 24 * HOUR],
  [
    'times',
    { since: '2026-01-05T10:00:00Z', until: '2026-01-05T11:00:00Z' },
    { since: '2026-01-05T10:00:00Z', until: '2026-01-05T11:00:00Z' },
    undefined,
  ],
])('%s', (_, search, query, sinceMillis) => {
  expect(rangeOf(search)).toEqual({ query, sinceMillis })
})

test.each([
  ['', 'action:block', 'action:block'],
  ['action:log', 'action:block', 'action:block'],
  ['-action:log', 'action:block', 'action:block'],
  ['action:block', '-action:block', '-action:block'],
  ['-path:/a', '-path:/b', '-path:/a -path:/b'],
  ['-path:/a', '-path:/a', '-path:/a'],
  ['host:a', 'path:/', 'host:a path:/'],
])('%s and then %s is %s', (before, added, after) => {
  const [term] = parseEvents(added).terms
  if (term === undefined) throw new Error('no term')
  expect(writeTerms(withTerm(termsOf({ q: before }), term))).toBe(after)
})

test('terms are changed in the newest search, which may have others by now', () => {
  const [log] = parseEvents('-action:log').terms
  const { terms } = parseEvents('host:a method:GET')
  if (log === undefined) throw new Error('no term')
  expect(writeTerms(changeTerms({ q: '-action:log path:/' }, [log], terms))).toBe('path:/ host:a method:GET')
  expect(writeTerms(changeTerms({ q: '-action:log' }, [], terms))).toBe('-action:log host:a method:GET')
})

test('a range with an end has no name', () => {
  expect(rangeName({})).toBe('24h')
  expect(rangeName({ since: '1h', until: '2026-01-05T11:00:00Z' })).toBeUndefined()
  expect(rangeName({ since: 'yesterday' })).toBeUndefined()
})
