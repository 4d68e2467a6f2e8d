// Exceptions and rules from an event: valid expressions, and no wider than the event.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WireSecurityEvent } from '../../api/security-events.ts'
import { problemOf } from '../rules/expression-problem.ts'
import { exceptionOf, exceptionPlace, ruleOf } from './follow-ups.ts'

const EVENT: WireSecurityEvent = {
  ray_id: '0123456789abcdef',
  occurred_at: '2026-01-05T10:20:30.123456Z',
  action: 'block',
  source: 'firewallManaged',
  level: 'zone',
  phase: 'http_request_firewall_managed',
  ruleset_id: 'a'.repeat(32),
  rule_id: 'b'.repeat(32),
  description: 'SQL injection',
  expression: null,
  matched_field: 'query',
  uninspected_field: null,
  method: 'GET',
  host: 'www.example.com',
  path: '/search',
  ip: '192.0.2.1',
  origin_status: null,
  logged_fields: null,
}

test.each<[string, Partial<WireSecurityEvent>, unknown, unknown]>([
  ['managed rules: this rule only', {}, 'managed', { rules: { ['a'.repeat(32)]: ['b'.repeat(32)] } }],
  ['custom rules', { source: 'firewallCustom' }, 'custom', { ruleset: 'current' }],
  ['rate limits', { source: 'ratelimit' }, 'custom', { phases: ['http_ratelimit'] }],
  ['legacy rules', { source: 'waf', level: null, ruleset_id: null }, 'custom', { products: ['waf'] }],
  ['redirects', { source: 'dynamicRedirect' }, undefined, undefined],
  ['rules of the account', { level: 'account' }, undefined, undefined],
  ['what was skipped', { action: 'skip' }, undefined, undefined],
])('an exception from %s', (_, change, place, parameters) => {
  const event = { ...EVENT, ...change }
  expect(exceptionPlace(event)).toBe(place)
  expect(exceptionOf(event)?.actionParameters).toEqual(parameters)
})

test('an exception is for this host and path, before all other rules', () => {
  expect(exceptionOf(EVENT)).toMatchObject({
    action: 'skip',
    expression: 'http.host eq "www.example.com"\nand raw.http.request.uri.path eq "/search"',
    position: { index: 1 },
  })
  expect(ruleOf(EVENT)).toMatchObject({
    action: 'block',
    expression: expect.stringMatching(/^ip\.src eq 192\.0\.2\.1\n/) as string,
  })
})

test('expressions are valid for any path', () => {
  fc.assert(
    fc.property(fc.webPath(), fc.constantFrom('192.0.2.1', '2001:db8::1'), (path, ip) => {
      const event = { ...EVENT, path: `${path}/"\\`, ip }
      for (const rule of [exceptionOf(event), ruleOf(event)])
        expect(problemOf(String(rule?.expression))).toBeUndefined()
    }),
  )
})

test('a path that was cut is the beginning of a longer one', () => {
  const path = `/${'a'.repeat(1_023)}`
  const filter = `starts_with(raw.http.request.uri.path, "${path}")`
  for (const rule of [exceptionOf({ ...EVENT, path }), ruleOf({ ...EVENT, path })])
    expect(rule?.expression.split('\nand ').at(-1)).toBe(filter)
})
