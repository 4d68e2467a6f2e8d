// The detector finds exactly what running every pattern on every string finds: passing over strings and patterns is sound.
import { parseRegex } from '@zonereeve/expr'
import { WorkBudget } from '@zonereeve/seclang'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MANAGED_RULES } from './catalogue/registry.ts'
import { samplesOf } from './catalogue/samples.cases.ts'
import { createDetector } from './detector.ts'
import type { InspectedRequest } from './inspected-request.ts'
import type { ManagedRule } from './managed-rule.ts'
import { inspectSample, type RequestSample } from './request-sample.cases.ts'
import { type Transform, TRANSFORMS } from './transforms.ts'

const MAX_REGEX_BYTES = 256 * 1024
const RULES = MANAGED_RULES.filter(({ detection }) => detection.kind === 'patterns')

const regexes = new Map<string, (text: string) => boolean>()
function matcherOf(pattern: string): (text: string) => boolean {
  let test = regexes.get(pattern)
  if (test === undefined) {
    const regex = parseRegex(pattern, MAX_REGEX_BYTES)
    if (typeof regex === 'string') throw new Error(regex)
    test = regex.test
    regexes.set(pattern, test)
  }
  return test
}

const transformed = (text: string, transforms: readonly Transform[]): string =>
  transforms.reduce((changed, name) => TRANSFORMS[name](changed), text)

const matchesNaively = ({ detection }: ManagedRule, request: InspectedRequest): boolean =>
  detection.kind === 'patterns' &&
  detection.all.every(({ parts, transforms, patterns }) => {
    const strings = parts
      .flatMap((part) => request.stringsOf(part))
      .map(({ text }) => transformed(text, transforms))
    return patterns.some((pattern) => strings.some(matcherOf(pattern)))
  })

const WORDS = [
  'ExternalInterface',
  'External Interface',
  'select',
  'or ',
  'Mozilla/5.0 (X11)',
  '&#60;',
  '&lt;',
  '\\x3c',
]
const BYTES = ['%', '%25', '/*', '*/', '//', '/./', '\\', '+', '  ', '\t', '\n', ...'"\'`$=({;1A\u00e9']
const FRAGMENTS = [
  ...RULES.flatMap((rule) => {
    const { target, body, headers = {} } = samplesOf(rule).matching // most have none
    const sent = [target, target && decodeLoosely(target), body?.slice(0, 300), ...Object.values(headers)]
    return sent.filter((some) => some !== undefined && some !== null && some !== '')
  }),
  ...WORDS,
  ...BYTES,
]

function decodeLoosely(target: string): string {
  try {
    return decodeURIComponent(target.replace(/^[^?]*\?/, ''))
  } catch {
    return target
  }
}

const text = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 4 }).map((some) => some.join(''))
const requests = fc.record({
  path: text,
  value: text,
  name: text,
  header: text,
  cookie: text,
  body: text,
  isJson: fc.boolean(),
})
type Drawn = typeof requests extends fc.Arbitrary<infer T> ? T : never
const toSample = ({ path, value, name, header, cookie, body, isJson }: Drawn): RequestSample => ({
  method: 'POST',
  target: `/${encodeURI(path)}?q=${encodeURIComponent(value)}&${encodeURIComponent(name)}=1&id=${encodeURIComponent(value.slice(0, 9))}`,
  headers: {
    'user-agent': header,
    'x-forwarded-for': value,
    cookie: `a=${encodeURIComponent(cookie)}`,
    'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
  },
  body: isJson ? JSON.stringify({ a: body, b: [value] }) : `a=${encodeURIComponent(body)}`,
})

test('rules match as if every pattern ran on every string', () => {
  expect(FRAGMENTS.length).toBeGreaterThan(300)
  let matched = 0
  const detector = createDetector(RULES, () => new WorkBudget(Infinity))
  fc.assert(
    fc.property(requests, (drawn) => {
      const request = inspectSample(toSample(drawn))
      const expected = RULES.filter((rule) => matchesNaively(rule, request))
      matched += expected.length
      expect(RULES.filter((rule) => detector.detect(rule, request) !== null)).toEqual(expected)
    }),
    { numRuns: 60 },
  )
  expect(matched).toBeGreaterThan(0)
})
