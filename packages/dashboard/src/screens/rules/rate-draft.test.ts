import { describe, expect, test } from 'vitest'
import { changedRule, type RateLimit, type RuleDraft, type WireRule } from '../../api/rulesets.ts'
import {
  characteristicProblem,
  readCharacteristic,
  writeCharacteristic,
  type Characteristic,
} from './characteristics.ts'
import { countingProblem, leastPeriod, numberProblem, readRate, writeRate } from './rate-draft.ts'

const limited = (ratelimit: RateLimit): RuleDraft => ({
  description: 'Logins',
  action: 'managed_challenge',
  expression: 'http.request.uri.path eq "/login"',
  ratelimit,
})
const LEAST: RateLimit = { characteristics: ['ip.src'], period: 60, requests_per_period: 5 }

describe('rate limits', () => {
  test.each([
    ['with what is required', LEAST],
    [
      'with all that the form has',
      { ...LEAST, mitigation_timeout: 0, counting_expression: 'http.response.code eq 401' },
    ],
    ['with a member that the form does not have', { ...LEAST, requests_to_origin: true }],
    [
      'by score',
      { characteristics: ['ip.src'], period: 60, score_per_period: 5, score_response_header_name: 'x-score' },
    ],
  ] satisfies [string, RateLimit][])('%s: what is read is written again', (_, ratelimit) =>
    expect(writeRate(readRate(limited(ratelimit)), ratelimit)).toEqual(limited(ratelimit)),
  )

  test('what was emptied is left out', () => {
    const stored = { ...LEAST, mitigation_timeout: 60, counting_expression: 'true' }
    const draft = { ...readRate(limited(stored)), timeout: '', countsOthers: false }
    expect(writeRate(draft, stored).ratelimit).toEqual(LEAST)
  })

  test('what the form does not have stays when the limit changes', () => {
    const rule: WireRule = {
      id: 'a'.repeat(32),
      version: '1',
      last_updated: '2026-01-05T10:20:30Z',
      ref: 'login',
      enabled: true,
      ...limited(LEAST),
      action: 'block',
      action_parameters: { response: { status_code: 429, content: '{}', content_type: 'application/json' } },
    }
    const draft = { ...readRate({ ...limited(LEAST), action: 'block' }), requests: '9' }
    expect(changedRule(rule, writeRate(draft, LEAST))).toMatchObject({
      action_parameters: rule.action_parameters,
      ratelimit: { ...LEAST, requests_per_period: 9 },
    })
  })

  test.each([
    ['matching requests', false, '', true],
    ['others', true, 'http.response.code eq 401', true],
    ['others, without saying which', true, ' ', false],
    ['others, by an unknown field', true, 'http.response.cod eq 401', false],
    ['matching requests, with an expression that is not used', false, 'http.hots', true],
  ])('%s count', (_, countsOthers, counting, isRight) =>
    expect(countingProblem({ ...readRate(limited(LEAST)), countsOthers, counting }) === undefined).toBe(
      isRight,
    ),
  )

  test.each([
    ['a new one', undefined, 1],
    ['one with a period', LEAST, 1],
    ['one with period 0', { ...LEAST, period: 0 }, 0],
  ])('the least period of %s', (_, stored, least) => expect(leastPeriod(stored)).toBe(least))

  test('a new one counts by address', () => {
    const draft = readRate({ description: '', action: 'block', expression: 'true' })
    expect(writeRate(draft, undefined).ratelimit).toEqual({
      characteristics: ['ip.src'],
      period: 60,
      requests_per_period: 100,
      mitigation_timeout: 60,
    })
  })

  test.each([
    ['the least', '1', true],
    ['whitespace around it', ' 60 ', true],
    ['one less', '0', false],
    ['a fraction', '1.5', false],
    ['an exponent', '1e3', false],
    ['a word', 'ten', false],
    ['more than numbers hold', '9007199254740993', false],
    ['nothing', '', false],
  ])('%s as a number', (_, written, isRight) =>
    expect(numberProblem(written, { least: 1, isOptional: false }) === undefined).toBe(isRight),
  )

  test('an optional number may be left out', () =>
    expect(numberProblem(' ', { least: 0, isOptional: true })).toBeUndefined())
})

describe('characteristics', () => {
  test.each([
    ['a whole field', 'ip.src', { kind: 'ip.src', name: '' }],
    ['one that is no field', 'cf.unique_visitor_id', { kind: 'cf.unique_visitor_id', name: '' }],
    ['a header', 'http.request.headers["x-api-key"]', { kind: 'header', name: 'x-api-key' }],
    ['a cookie', 'http.request.cookies["sid"]', { kind: 'cookie', name: 'sid' }],
    ['a quoted name', 'http.request.uri.args["a\\"\\\\b"]', { kind: 'query', name: 'a"\\b' }],
    ['another field', 'ip.src.asnum', { kind: 'other', name: 'ip.src.asnum' }],
    ['a call', 'lower(http.host)', { kind: 'other', name: 'lower(http.host)' }],
    [
      'a header in upper case',
      'http.request.headers["X-Key"]',
      { kind: 'other', name: 'http.request.headers["X-Key"]' },
    ],
    [
      'one value of a header',
      'http.request.headers["a"][0]',
      { kind: 'other', name: 'http.request.headers["a"][0]' },
    ],
  ] satisfies [string, string, Characteristic][])('%s is read, and written again', (_, written, read) => {
    expect(readCharacteristic(written)).toEqual(read)
    expect(writeCharacteristic(read)).toBe(written)
  })

  test('the name of a header is written in lower case', () =>
    expect(writeCharacteristic({ kind: 'header', name: ' X-Key ' })).toBe('http.request.headers["x-key"]'))

  test.each([
    ['a field without a name', { kind: 'ip.src', name: '' }, undefined],
    ['a header', { kind: 'header', name: 'x' }, undefined],
    ['no name', { kind: 'cookie', name: ' ' }, /name/],
    ['no field', { kind: 'other', name: '' }, /http\.referer/],
    ['another field', { kind: 'other', name: 'lower(http.host)' }, undefined],
    ['a header in upper case', { kind: 'other', name: 'http.request.headers["X-Key"]' }, undefined],
    ['one that is no field but counts', { kind: 'other', name: 'cf.colo.id' }, undefined],
    ['an unknown field', { kind: 'other', name: 'http.hots' }, /http\.host\?$/],
    ['a condition', { kind: 'other', name: 'http.host eq "a"' }, /./],
  ] satisfies [string, Characteristic, RegExp | undefined][])('%s: the problem', (_, one, problem) => {
    const found = characteristicProblem(one)
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(problem)
  })
})
