import { describe, expect, test } from 'vitest'
import { createFaults, faultBody } from './faults.ts'
import { matchesPath } from './path-pattern.ts'

describe('patterns of paths', () => {
  test.each([
    ['/zones', '/zones', true],
    ['/zones', '/zones/', false],
    ['/zones/*', '/zones/a', true],
    ['/zones/*', '/zones/', false],
    ['/zones/*', '/zones/a/b', false],
    ['/zones/*/dns_records', '/zones/a/dns_records', true],
    ['/zones/**', '/zones/a/b', true],
    ['/zones/**', '/zones', false],
    ['/**', '/', true],
    ['/zones.', '/zonesx', false],
  ])('%s and %s: %s', (pattern, path, isMatch) => {
    expect(matchesPath(pattern, path)).toBe(isMatch)
  })
})

describe('faults', () => {
  test('the first that matches is hit, as often as was ordered, then the next', () => {
    const faults = createFaults()
    const first = faults.add({ path: '/a', status: 503, times: 2 })
    const second = faults.add({ path: '/**', method: 'GET', delay_ms: 1 })
    const hits = Array.from({ length: 3 }, () => faults.hit('GET', '/a')?.id)
    expect(hits).toEqual([first.id, first.id, second.id])
    expect(faults.hit('POST', '/b')).toBeUndefined()
    expect(faults.list().map(({ hits: count }) => count)).toEqual([2, 1])
    expect([faults.remove(second.id), faults.remove(second.id)]).toEqual([true, false])
    faults.clear()
    expect(faults.hit('GET', '/a')).toBeUndefined()
  })

  test.each([
    ['nothing', {}, '"success":false', 'application/json'],
    ['an object', { body: { a: 1 } }, '{"a":1}', 'application/json'],
    ['a text', { body: 'gone' }, 'gone', 'text/plain; charset=utf-8'],
  ])('a body of %s', (_, more, text, type) => {
    const body = faultBody({ path: '/', status: 500, ...more })
    expect(body.text).toContain(text)
    expect(body.type).toBe(type)
  })
})
