import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StringMap } from './string-map.ts'

const ascii = (maxLength: number) => fc.string({ unit: 'grapheme-ascii', maxLength })
const step = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), key: ascii(2), value: ascii(30) }),
  fc.record({ kind: fc.constant('delete' as const), key: ascii(2) }),
  fc.record({ kind: fc.constant('get' as const), key: ascii(2) }),
)

describe('a map of strings', () => {
  test('has what a Map has, after any steps', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const map = new StringMap()
        const model = new Map<string, string>()
        for (const each of steps) {
          if (each.kind === 'delete') {
            map.delete(each.key)
            model.delete(each.key)
          } else if (each.kind === 'set') {
            map.set(each.key, each.value)
            model.set(each.key, each.value)
          } else expect(map.get(each.key)).toBe(model.get(each.key))
        }
        expect(map.size).toBe(model.size)
        for (const { key } of steps) expect(map.get(key)).toBe(model.get(key))
      }),
    )
  })

  test('grows, and forgets everything when it is cleared', () => {
    const map = new StringMap()
    for (let i = 0; i < 100_000; i += 1) map.set(`name-${i}.example.com`, `value ${i}`)
    expect([map.size, map.get('name-99999.example.com'), map.get('name-100000.example.com')]).toEqual([
      100_000,
      'value 99999',
      undefined,
    ])
    map.clear()
    expect([map.size, map.get('name-1.example.com')]).toEqual([0, undefined])
    map.set('a', '')
    expect(map.get('a')).toBe('')
  })

  test('has a key that was looked up before it was set, whatever comes in between', () => {
    const map = new StringMap()
    for (let i = 0; i < 10_000; i += 1) {
      expect(map.get(`key ${i}`)).toBe(undefined)
      if (i % 3 === 1) map.delete(`key ${i - 1}`)
      if (i % 5 === 1) map.set(`other ${i}`, 'other')
      map.set(`key ${i}`, String(i))
    }
    const expected = Array.from({ length: 10_000 }, (_, i) =>
      i % 3 === 0 && i < 9_999 ? undefined : String(i),
    )
    expect(expected.map((_, i) => map.get(`key ${i}`))).toEqual(expected)
  })

  test('stays small when keys are set again and again', () => {
    const map = new StringMap()
    for (let i = 0; i < 10_000; i += 1) {
      map.set('a', String(i))
      map.delete('b')
      map.set('b', String(i))
    }
    expect([map.size, map.get('a'), map.get('b')]).toEqual([2, '9999', '9999'])
  })
})
