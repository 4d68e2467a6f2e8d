// Floods: how many requests a client may send, by sensitivity, network and time, and what each action does.
import { parseIp } from '@zonereeve/expr'
import { describe, expect, test } from 'vitest'
import { createRateCounters } from '../rate-limits/rate-counters.ts'
import { countRequest } from '../rate-limits/request-counting.ts'
import { evaluateRequest, type Verdict } from '../rulesets/evaluate-request.ts'
import { firewallOf, type ShortRule, type ShortRuleset } from '../rulesets/firewall.cases.ts'
import { responseOf } from '../decision/response.ts'
import { FLOOD_RULE } from './flood-rule.ts'
import { inspect } from './inspected-request.ts'
import { HTTP_DDOS_RULESET_ID } from './managed-rulesets.ts'

const NOW = 1_000_000
const executing = (overrides?: object, id = 'protect'): ShortRule => ({
  id,
  action: 'execute',
  parameters: { id: HTTP_DDOS_RULESET_ID, ...(overrides !== undefined && { overrides }) },
})
const entry = (rules: readonly ShortRule[], level: 'account' | 'zone' = 'zone'): ShortRuleset => ({
  id: `${level} entry`,
  level,
  phase: 'ddos_l7',
  rules,
})

/** Sends requests through one set of counters. */
function clients(...rulesets: readonly ShortRuleset[]) {
  const firewall = firewallOf(rulesets)
  const counters = createRateCounters()
  return { send, sendMany }

  function send(ip: string, nowMillis = NOW): Verdict & { readonly statusCode: number | undefined } {
    const clientIp = parseIp(ip)
    if (clientIp === undefined) throw new Error(`${ip} is no address`)
    const facts = {
      method: 'GET',
      version: 'HTTP/1.1',
      isTls: true,
      host: 'www.example.com',
      target: '/',
      headers: [],
      clientIp,
      receivedAtMs: nowMillis,
    }
    const counting = countRequest(counters, 'zone', nowMillis)
    const verdict = evaluateRequest(firewall, inspect(facts, new Uint8Array()), { count: counting.count })
    counting.settle(verdict.action === undefined)
    return { ...verdict, statusCode: responseOf(verdict, firewall, facts)?.statusCode }
  }

  /** @returns how many passed. */
  function sendMany(count: number, ip: string, nowMillis = NOW): number {
    let passed = 0
    for (let sent = 0; sent < count; sent += 1) if (send(ip, nowMillis).action === undefined) passed += 1
    return passed
  }
}

describe('the number of requests that pass in a period', () => {
  test.each<[string, object | undefined, number]>([
    ['by default', undefined, 2_000],
    ['at the sensitivity default', { sensitivity_level: 'default' }, 2_000],
    ['medium', { sensitivity_level: 'medium' }, 5_000],
    ['low', { sensitivity_level: 'low' }, 20_000],
    ['essentially off', { sensitivity_level: 'eoff' }, 20_100],
    ['by the tag', { categories: [{ category: 'generic', sensitivity_level: 'medium' }] }, 5_000],
    [
      'by the rule, which beats the ruleset',
      { sensitivity_level: 'low', rules: [{ id: FLOOD_RULE.id, sensitivity_level: 'medium' }] },
      5_000,
    ],
    ['turned off', { rules: [{ id: FLOOD_RULE.id, enabled: false }] }, 20_100],
  ])('%s', (_name, overrides, limit) => {
    expect(clients(entry([executing(overrides)])).sendMany(20_100, '192.0.2.1')).toBe(limit)
  })
})

test('others pass, a network of IPv6 counts as one client, and the block ends after a minute', () => {
  const { send, sendMany } = clients(entry([executing()]))
  expect(sendMany(2_001, '192.0.2.1')).toBe(2_000)
  expect([send('192.0.2.2').action, send('192.0.2.1').action]).toEqual([undefined, 'block'])
  expect(send('192.0.2.1').statusCode).toBe(429)
  expect([send('192.0.2.1', NOW + 59_000).action, send('192.0.2.1', NOW + 61_000).action]).toEqual([
    'block',
    undefined,
  ])
  expect([sendMany(1_500, '2001:db8::1'), sendMany(600, '2001:db8::ffff:2')]).toEqual([1_500, 500])
  expect(send('2001:db8:0:1::1').action).toBeUndefined()
})

test('a request every ten milliseconds, for a minute, is no flood', () => {
  const { send } = clients(entry([executing()]))
  for (let at = 0; at < 60_000; at += 10) expect(send('192.0.2.1', NOW + at).action).toBeUndefined()
})

test.each(['managed_challenge', 'log'])('the action %s', (action) => {
  const { send, sendMany } = clients(entry([executing({ action })]))
  sendMany(2_000, '192.0.2.1')
  const { steps, action: ending, by } = send('192.0.2.1')
  expect(steps.at(-1)).toMatchObject({ action, outcome: 'matched', ruleId: FLOOD_RULE.id, phase: 'ddos_l7' })
  expect([ending, by?.rulesetId]).toEqual(
    action === 'log' ? [undefined, undefined] : [action, HTTP_DDOS_RULESET_ID],
  )
})

test('two rules that execute it, and an account beside its zone, count for themselves', () => {
  const { sendMany } = clients(
    entry([executing({ sensitivity_level: 'medium' })], 'account'),
    entry([executing({ sensitivity_level: 'low' }, 'one'), executing({ sensitivity_level: 'low' }, 'two')]),
  )
  expect(sendMany(6_000, '192.0.2.1')).toBe(5_000)
})

test('without counters, as in a trace, it is shown and nothing is stopped', () => {
  const firewall = firewallOf([entry([executing()])])
  const facts = {
    method: 'GET',
    version: 'HTTP/1.1',
    isTls: true,
    host: 'www.example.com',
    target: '/',
    headers: [],
    clientIp: parseIp('192.0.2.1') ?? expect.fail('no address'),
    receivedAtMs: NOW,
  }
  const { action, steps } = evaluateRequest(firewall, inspect(facts, new Uint8Array()))
  expect([action, steps.at(-1)?.outcome]).toEqual([undefined, 'counted'])
})
