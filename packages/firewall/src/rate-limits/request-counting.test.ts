// Rate limits of rules: what counts, by what, and when.
import { parseIp, type HeaderLine, type ResponseFacts } from '@zonereeve/expr'
import { describe, expect, test } from 'vitest'
import { runAtOnce } from '@zonereeve/cooperate'
import { inspect } from '../managed-rules/inspected-request.ts'
import { compileRuleset } from '../rulesets/compiled-ruleset.ts'
import { evaluateRequest, type Firewall } from '../rulesets/evaluate-request.ts'
import { rulesetOf } from '../rulesets/firewall.cases.ts'
import type { JsonObject } from '../rulesets/ruleset.ts'
import { createRateCounters } from './rate-counters.ts'
import { countRequest } from './request-counting.ts'

interface Sent {
  readonly target?: string
  readonly ip?: string
  readonly headers?: readonly HeaderLine[]
  /** Undefined: it never answers. */
  readonly response?: ResponseFacts
}

function firewallWith(ratelimit: JsonObject, expression: string): Firewall {
  const empty = rulesetOf({ id: 'limits', level: 'zone', phase: 'http_ratelimit', rules: [] })
  const rule = {
    id: 'limit',
    version: 1,
    ref: 'limit',
    lastUpdated: '',
    regexBytes: 0,
    definition: { action: 'block' as const, expression, enabled: true, ratelimit },
  }
  const entry = runAtOnce(compileRuleset({ ...empty, rules: [rule] }))
  return { entryPoints: { account: new Map(), zone: new Map([[entry.phase, entry]]) }, custom: new Map() }
}

/** Sends all at the same time. @returns those that were stopped, by their position. */
function stopped(ratelimit: JsonObject, sent: readonly Sent[], expression = 'true'): readonly number[] {
  const firewall = firewallWith(ratelimit, expression)
  const counters = createRateCounters()
  return sent.flatMap(({ target = '/', ip = '192.0.2.1', headers = [], response }, index) => {
    const clientIp = parseIp(ip)
    if (clientIp === undefined) throw new Error(`${ip} is no address`)
    const facts = {
      method: 'GET',
      version: 'HTTP/1.1',
      isTls: false,
      host: 'example.com',
      target,
      headers,
      clientIp,
      receivedAtMs: 0,
    }
    const counting = countRequest(counters, 'zone', 1_000_000)
    const { action } = evaluateRequest(firewall, inspect(facts, new Uint8Array()), { count: counting.count })
    if (counting.settle(action === undefined) && response !== undefined) counting.noteAnswer(response)
    return action === undefined ? [] : [index]
  })
}

const BASE = {
  characteristics: ['cf.colo.id', 'ip.src'],
  period: 10,
  requests_per_period: 2,
  mitigation_timeout: 60,
}
const times = (count: number, sent: Sent = {}): readonly Sent[] => Array.from({ length: count }, () => sent)
const status = (code: number, ...headers: readonly HeaderLine[]): Sent => ({
  response: { status: code, headers },
})

describe('what requests are counted by', () => {
  test.each<[string, readonly string[], readonly Sent[], readonly number[]]>([
    ['the address', ['ip.src'], [...times(3), ...times(2, { ip: '192.0.2.2' })], [2]],
    ['an address of version 6', ['ip.src'], [...times(3, { ip: '2001:db8::1' }), { ip: '2001:db8::2' }], [2]],
    ['a visitor', ['cf.unique_visitor_id'], [...times(3), { ip: '192.0.2.2' }], [2]],
    [
      'the place alone: all share a count',
      ['cf.colo.id'],
      [{}, { ip: '192.0.2.2' }, { ip: '192.0.2.3' }],
      [2],
    ],
    [
      'the path',
      ['http.request.uri.path'],
      [{ target: '/a' }, { target: '/b' }, { target: '/a?x' }, { target: '/a?y' }],
      [3],
    ],
    [
      'a header, which may be missing',
      ['http.request.headers["x-key"]'],
      [...times(3, { headers: [['x-key', 'a']] }), ...times(3), { headers: [['X-Key', 'b']] }],
      [2, 5],
    ],
    [
      'long values, which differ at their end',
      ['http.request.headers["x-key"]'],
      [
        ...times(3, { headers: [['x-key', `${'a'.repeat(5_000)}1`]] }),
        { headers: [['x-key', `${'a'.repeat(5_000)}2`]] },
      ],
      [2],
    ],
    [
      'two of them together',
      ['ip.src', 'http.request.uri.path'],
      [{ target: '/a' }, { target: '/a' }, { target: '/b' }, { target: '/a' }],
      [3],
    ],
  ])('%s', (_, characteristics, sent, expected) => {
    expect(stopped({ ...BASE, characteristics }, sent)).toEqual(expected)
  })
})

describe('what counts', () => {
  const login = { target: '/login' }
  test.each<[string, JsonObject, readonly Sent[], string, readonly number[]]>([
    [
      'requests that match the rule',
      BASE,
      [...times(3), login, login, login],
      'http.request.uri.path eq "/login"',
      [5],
    ],
    [
      'requests that another expression selects',
      { ...BASE, counting_expression: 'http.request.uri.path eq "/login"' },
      [...times(3), login, login, {}, login],
      'true',
      [5, 6],
    ],
    [
      'answers with a status',
      { ...BASE, counting_expression: 'http.response.code eq 401' },
      [status(200), status(200), status(401), status(401), status(200)],
      'true',
      [4],
    ],
    [
      'answers that never come do not count',
      { ...BASE, counting_expression: 'http.response.code eq 401' },
      times(5),
      'true',
      [],
    ],
    ['what passes to the origin', { ...BASE, requests_to_origin: true }, times(4), 'true', [2, 3]],
    [
      'the score in a header of the answer',
      {
        characteristics: ['ip.src'],
        period: 10,
        mitigation_timeout: 60,
        score_per_period: 100,
        score_response_header_name: 'X-Cost',
      },
      [
        status(200, ['x-cost', '99']),
        status(200),
        status(200, ['x-cost', 'many']),
        status(200, ['X-Cost', '1']),
        {},
      ],
      'true',
      [4],
    ],
  ])('%s', (_, ratelimit, sent, expression, expected) => {
    expect(stopped(ratelimit, sent, expression)).toEqual(expected)
  })
})
