import { describe, expect, test } from 'vitest'
import { isHostname } from './hostname.ts'
import { parseName } from './name.ts'

describe('isHostname', () => {
  const cases: [name: string, plain: boolean, withUnderscore: boolean, withWildcard: boolean][] = [
    ['example.com', true, true, true],
    ['3com.com', true, true, true],
    ['a-b.example', true, true, true],
    ['xn--bcher-kva.example', true, true, true],
    ['a'.repeat(63), true, true, true],
    ['_dmarc.example', false, true, false],
    ['a_b.example', false, true, false],
    ['*.example', false, false, true],
    ['*', false, false, true],
    ['a.*.example', false, false, false],
    ['*a.example', false, false, false],
    ['-a.example', false, false, false],
    ['a-.example', false, false, false],
    ['a\\.b.example', false, false, false],
    ['\\000.example', false, false, false],
    ['192.0.2.1', false, false, false],
    ['192.0.2', true, true, true],
    ['.', false, false, false],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', (text, plain, withUnderscore, withWildcard) => {
    const name = parseName(text)
    expect(isHostname(name)).toBe(plain)
    expect(isHostname(name, { underscore: true })).toBe(withUnderscore)
    expect(isHostname(name, { wildcard: true })).toBe(withWildcard)
  })
})
