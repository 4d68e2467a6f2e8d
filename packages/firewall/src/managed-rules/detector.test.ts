// The detector: what it reports about a match, and which rules it refuses.
import { describe, expect, test } from 'vitest'
import { MANAGED_RULES } from './catalogue/registry.ts'
import { createDetector } from './detector.ts'
import type { Detection, ManagedRule } from './managed-rule.ts'
import { inspectSample } from './request-sample.cases.ts'
import { samplesOf } from './catalogue/samples.cases.ts'

const DETECTED_RULES = MANAGED_RULES.filter(({ detection }) => detection.kind !== 'incomplete')
const [SOME_RULE] = DETECTED_RULES
if (SOME_RULE === undefined) throw new Error('the catalogue is empty')

const ruleWith = (detection: Detection): ManagedRule => ({
  ...SOME_RULE,
  description: 'A rule of the test',
  detection,
})
const patterns = (...list: readonly string[]): Detection => ({
  kind: 'patterns',
  all: [{ parts: ['args'], transforms: ['lower-case'], patterns: list }],
})

function found(detection: Detection, target: string) {
  const rule = ruleWith(detection)
  return createDetector([rule]).detect(rule, inspectSample({ target }))
}

describe('the reported finding', () => {
  test.each([
    [
      'the text around the match',
      patterns('needle'),
      `/?q=${'x'.repeat(50)}NEEDLE${'y'.repeat(100)}`,
      `${'x'.repeat(16)}needle${'y'.repeat(58)}`,
    ],
    ['control characters are not shown', patterns('needle'), '/?q=%1bneedle%00', '\ufffdneedle\ufffd'],
    ['octets that are no text are not shown', patterns('needle'), '/?q=needle%ff', 'needle\ufffd'],
    ['a pattern without any literal', patterns('^[0-9]+$'), '/?q=12345', '12345'],
    ['the second of two patterns', patterns('other', 'needle'), '/?q=needle', 'needle'],
  ])('%s', (_, detection, target, excerpt) => {
    expect(found(detection, target)).toEqual({ field: 'http.request.uri.args["q"]', excerpt })
  })

  test('for an expression, its first field', () => {
    const expression = 'http.request.uri.query contains "needle" and http.host ne ""'
    expect(found({ kind: 'expression', expression }, '/?needle')).toEqual({
      field: 'http.host',
      excerpt: 'www.example.com',
    })
    expect(found({ kind: 'expression', expression }, '/?pin')).toBeNull()
  })

  test('every check must match, and the last one is reported', () => {
    const check = (part: 'path' | 'args', pattern: string) => ({
      parts: [part],
      transforms: [],
      patterns: [pattern],
    })
    const detection: Detection = { kind: 'patterns', all: [check('path', '/a'), check('args', 'b')] }
    expect(found(detection, '/a?x=b')?.field).toBe('http.request.uri.args["x"]')
    expect(found(detection, '/c?x=b')).toBeNull()
    expect(found(detection, '/a?x=c')).toBeNull()
  })
})

describe('a word that a transformation puts together', () => {
  const joined = (pattern: string): Detection => ({
    kind: 'patterns',
    all: [{ parts: ['args'], transforms: ['remove-whitespace', 'lower-case'], patterns: [pattern] }],
  })
  test.each<[string, string, string, boolean]>([
    ['with a rare letter', 'externalinterface', '/?q=Exter%20nalInterface', true],
    ['without one', 'sensation', '/?q=Sensa%20tion', true],
    ['with a rare letter in one of two', 'sensation|externalinterface', '/?q=sensa%20tion', true],
    ['with a byte that is no letter', 'a:b', '/?q=a%20:b', true],
    ['that is another', 'externalinterface', '/?q=exter%20nal%20interior', false],
  ])('%s', (_, pattern, target, isFound) => {
    expect(found(joined(pattern), target) !== null).toBe(isFound)
  })
})

describe('invalid rules', () => {
  test.each<readonly [string, Detection]>([
    ['a broken pattern', patterns('(')],
    ['a pattern that needs to look around', patterns('a(?=b)')],
    ['a pattern that is too large', patterns('(?:.{0,100}a){100}')],
    ['a broken expression', { kind: 'expression', expression: 'http.host eq' }],
    ['an expression over the response', { kind: 'expression', expression: 'http.response.code eq 200' }],
  ])('%s is an error that names the rule', (_, detection) => {
    expect(() => found(detection, '/')).toThrow('A rule of the test')
  })

  test('a rule that the detector was not made for', () => {
    const detector = createDetector([])
    expect(() => detector.detect(SOME_RULE, inspectSample({}))).toThrow('no rule')
  })
})

describe('warming up', () => {
  test('a warm detector gives the same results as a cold one', async () => {
    const [cold, warm] = [createDetector(DETECTED_RULES), createDetector(DETECTED_RULES)]
    await warm.warmUp()
    for (const rule of DETECTED_RULES.slice(0, 40)) {
      const request = inspectSample(samplesOf(rule).matching)
      expect(warm.detect(rule, request)).toEqual(cold.detect(rule, request))
    }
  })
})
