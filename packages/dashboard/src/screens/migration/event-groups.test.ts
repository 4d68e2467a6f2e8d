// Events of both versions, grouped by request and by hour.
import { describe, expect, test } from 'vitest'
import type { WireSecurityEvent } from '../../api/migration.ts'
import { problemOf } from '../rules/expression-problem.ts'
import { barsOf, filterOf, groupEvents, hoursOfBar, ruleInsteadOf } from './event-groups.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-11-18T09:00:00Z')

function event(source: 'firewallManaged' | 'waf', path: string, more: Partial<WireSecurityEvent> = {}) {
  return {
    source,
    path,
    action: 'block',
    method: 'GET',
    host: 'www.example.com',
    occurred_at: new Date(START).toISOString(),
    rule_id: `${source} of ${path}`,
    ...more,
  } as WireSecurityEvent
}

describe('groups of events', () => {
  test('what only the legacy rules ended is first, then the most frequent', () => {
    const fresh = [
      event('firewallManaged', '/often'),
      event('firewallManaged', '/often'),
      event('firewallManaged', '/both'),
    ]
    const legacy = [event('waf', '/both'), event('waf', '/alone')]
    expect(groupEvents(fresh, legacy).map(({ path, fresh: a, legacy: b }) => [path, a, b])).toEqual([
      ['/alone', 0, 1],
      ['/both', 1, 1],
      ['/often', 2, 0],
    ])
  })

  test('requests that were only logged or skipped do not count', () => {
    const reported = (['log', 'skip', 'redirect'] as const).map((action) => event('waf', '/', { action }))
    expect(groupEvents(reported, reported)).toEqual([])
  })

  test('the legacy rule is named, the newest if there are several', () => {
    const older = event('waf', '/a', { rule_id: 'older', occurred_at: new Date(START - HOUR).toISOString() })
    const newer = event('waf', '/a', { rule_id: 'newer' })
    const fresh = event('firewallManaged', '/a', { occurred_at: new Date(START + HOUR).toISOString() })
    for (const legacy of [
      [older, newer],
      [newer, older],
    ])
      expect(groupEvents([fresh], legacy)[0]?.newest.rule_id).toBe('newer')
  })
})

describe('bars', () => {
  test('each hour has one, also without events', () => {
    const late = event('waf', '/', { occurred_at: new Date(START + 2 * HOUR + 1).toISOString() })
    const bars = barsOf([event('firewallManaged', '/')], [late], { since: START, now: START + 3 * HOUR })
    expect(bars).toEqual([
      { start: START, fresh: 1, legacy: 0 },
      { start: START + HOUR, fresh: 0, legacy: 0 },
      { start: START + 2 * HOUR, fresh: 0, legacy: 1 },
      { start: START + 3 * HOUR, fresh: 0, legacy: 0 },
    ])
  })

  test.each([
    [0, 1],
    [97, 1],
    [98, 2],
    [24 * 30, 8],
  ])('%i hours have bars of %i', (hours, width) => {
    const now = START + hours * HOUR
    expect(hoursOfBar(START, now)).toBe(width)
    expect(barsOf([], [], { since: START, now }).length).toBeLessThanOrEqual(99)
  })
})

test.each([
  ['/a', 'raw.http.request.uri.path eq "/a"'],
  ['//xmlrpc.php', 'raw.http.request.uri.path eq "//xmlrpc.php"'],
  ['/a"b\\c', 'raw.http.request.uri.path eq "/a\\"b\\\\c"'],
  [`/${'x'.repeat(1_023)}`, `starts_with(raw.http.request.uri.path, "/${'x'.repeat(1_023)}")`],
])('a filter matches the path %s', (path, expected) => {
  const filter = filterOf({ method: 'POST', host: 'www.example.com', path })
  expect(filter).toBe(`http.host eq "www.example.com" and http.request.method eq "POST" and ${expected}`)
  expect(problemOf(filter)).toBeUndefined()
})

test.each([
  ['block', 'block', 'Block GET /a'],
  ['managed_challenge', 'managed_challenge', 'Challenge GET /a'],
  ['challenge', 'challenge', 'Challenge GET /a'],
  ['log', 'block', 'Block GET /a'],
  ['force_connection_close', 'block', 'Block GET /a'],
] as const)('a rule instead of one with the action %s has %s', (action, expected, description) =>
  expect(ruleInsteadOf(event('waf', '/a', { action }))).toEqual({
    description,
    action: expected,
    expression: filterOf({ method: 'GET', host: 'www.example.com', path: '/a' }),
  }),
)
