import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareNames,
  isAtOrBelow,
  isWildcard,
  joinName,
  labelsOf,
  parentOf,
  relativeName,
} from './name-tree.ts'
import { nameFromWire, parseName, ROOT } from './name.ts'

const n = parseName
const anyName = fc
  .array(fc.uint8Array({ minLength: 1, maxLength: 4 }), { maxLength: 5 })
  .map((labels) => nameFromWire(Uint8Array.from([...labels.flatMap((l) => [l.length, ...l]), 0])))

describe('labelsOf and parentOf', () => {
  const cases: [text: string, labels: string[], parent: string | undefined][] = [
    ['.', [], undefined],
    ['com', ['com'], '.'],
    ['www.example.com', ['www', 'example', 'com'], 'example.com'],
    ['a\\.b.com', ['a\\.b', 'com'], 'com'],
    ['a\\\\.com', ['a\\\\', 'com'], 'com'],
    ['\\000.x', ['\\000', 'x'], 'x'],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', (text, labels, parent) => {
    expect(labelsOf(n(text))).toEqual(labels)
    expect(parentOf(n(text))).toBe(parent)
  })
})

describe('isAtOrBelow', () => {
  const cases: [name: string, ancestor: string, expected: boolean][] = [
    ['example.com', 'example.com', true],
    ['www.example.com', 'example.com', true],
    ['a.b.example.com', 'example.com', true],
    ['com', '.', true],
    ['.', '.', true],
    ['.', 'com', false],
    ['example.com', 'www.example.com', false],
    ['badexample.com', 'example.com', false],
    ['a\\.example.com', 'example.com', false], // the dot belongs to the label
    ['a\\\\.example.com', 'example.com', true], // the label ends in a backslash
    ['a\\\\\\.example.com', 'example.com', false],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s under %s: %s', (name, ancestor, expected) => {
    expect(isAtOrBelow(n(name), n(ancestor))).toBe(expected)
  })
})

describe('joinName', () => {
  const cases: [relative: string, origin: string, name: string][] = [
    ['@', 'example.com', 'example.com'],
    ['@', '.', '.'],
    ['www', 'example.com', 'www.example.com'],
    ['WWW', '.', 'www'],
    ['www.', 'example.com', 'www'],
    ['.', 'example.com', '.'],
    ['a\\.', 'example.com', 'a\\..example.com'], // the dot is escaped, so the name is relative
    ['\\@', 'example.com', '\\@.example.com'],
    ['www.example.com', 'example.com', 'www.example.com.example.com'],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s below %s', (relative, origin, name) => {
    expect(joinName(relative, n(origin))).toBe(name)
  })

  const refused: [relative: string, rule: string][] = [
    ['', 'name.empty-label'],
    ['a\\', 'name.bad-escape'], // must not swallow the dot that joins
    ['a..b', 'name.empty-label'],
    [Array(5).fill('a'.repeat(50)).join('.'), 'name.too-long'],
    [Array(4).fill('a'.repeat(60)).join('.'), 'name.too-long'], // fits alone, not below the origin
  ]
  test('has refused', () => expect(refused.length).toBeGreaterThan(0))
  test.each(refused)('refuses %j', (relative, rule) => {
    expect(() => joinName(relative, n('long-origin.example.com'))).toThrow(expect.objectContaining({ rule }))
  })

  test('relativeName is its inverse', () => {
    fc.assert(
      fc.property(anyName, anyName, (name, origin) => {
        expect(joinName(relativeName(name, origin), origin)).toBe(name)
      }),
    )
    expect(relativeName(n('www.example.com'), n('example.com'))).toBe('www')
    expect(relativeName(n('example.com'), n('example.com'))).toBe('@')
    expect(relativeName(n('other.net'), n('example.com'))).toBe('other.net.')
    expect(relativeName(ROOT, n('example.com'))).toBe('.')
  })
})

describe('compareNames', () => {
  // The example of RFC 4034 §6.1, in order.
  const ordered = [
    'example',
    'a.example',
    'yljkjljk.a.example',
    'Z.a.example',
    'zABC.a.EXAMPLE',
    'z.example',
    '\\001.z.example',
    '*.z.example',
    '\\200.z.example',
  ].map(n)

  test('orders as RFC 4034 §6.1 shows', () => {
    expect(ordered.toReversed().toSorted(compareNames)).toEqual(ordered)
  })

  test('an ancestor comes before everything below it', () => {
    expect(compareNames(ROOT, n('a'))).toBeLessThan(0)
    expect(compareNames(n('a.b'), n('b'))).toBeGreaterThan(0)
    expect(compareNames(n('b'), n('b'))).toBe(0)
  })

  test('is antisymmetric, and zero only for equal names', () => {
    fc.assert(
      fc.property(anyName, anyName, (a, b) => {
        expect(Math.sign(compareNames(a, b))).toBe(-Math.sign(compareNames(b, a)) + 0)
        expect(compareNames(a, b) === 0).toBe(a === b)
      }),
    )
  })
})

test('isWildcard looks at the leftmost label only', () => {
  expect(['*', '*.com', 'a.*.com', '*a.com', 'com'].map((text) => isWildcard(n(text)))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})
