import { parseName } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { createTargetCheck } from './target-check.ts'
import { createWorld, EDGE, type Outside } from './world.cases.ts'

const ALIAS = parseName('alias.example.com')
const OUTSIDE: Outside = {
  'four.example.net': ['60 A 203.0.113.1'],
  'six.example.net': ['60 AAAA 2001:db8::1'],
  'mail.example.net': [],
  'gone.example.net': 'no',
  'bad.example.net': 'fail',
  'slow.example.net': 'silent',
  'chain.example.net': ['60 CNAME a.example.com'],
}
const ZONES = {
  'example.com': [
    'a 60 A 192.0.2.1',
    'p 300 A 192.0.2.1 ; proxied',
    't 60 TXT "v"',
    'c 60 CNAME six.example.net.',
    'loop 60 CNAME alias',
    'alias 300 CNAME loop ; proxied',
  ],
}

describe.each([
  ['with an edge', EDGE],
  ['without', []],
])('the end of a chain, %s', (_, edge) => {
  test.each([
    ['a.example.com', true],
    ['p.example.com', true],
    ['c.example.com', true],
    ['t.example.com', false],
    ['nope.example.com', false],
    ['loop.example.com', false],
    ['four.example.net', true],
    ['six.example.net', true],
    ['chain.example.net', true],
    ['mail.example.net', false],
    ['gone.example.net', false],
    ['bad.example.net', false],
  ])('%s: %s', async (target, expected) => {
    const { load, publication, resolver } = createWorld({ edge, outside: OUTSIDE })
    load(ZONES)
    expect(await createTargetCheck({ publication, resolver })(ALIAS, parseName(target))).toBe(expected)
  })
})

describe('waiting', () => {
  test('names of ours are not waited for', async () => {
    const { load, publication, asked } = createWorld({ edge: EDGE, outside: OUTSIDE })
    load({ 'example.com': ['a 60 A 192.0.2.1'] })
    const check = createTargetCheck({ publication, resolver: undefined })
    expect(await check(ALIAS, parseName('a.example.com'))).toBe(true)
    expect(asked).toEqual([])
  })

  test('a silent resolver is waited for no longer than the limit', async () => {
    const { load, publication, resolver } = createWorld({ outside: OUTSIDE })
    load({ 'example.com': [] })
    const began = performance.now()
    const check = createTargetCheck({ publication, resolver, maxWaitMs: 60 })
    expect(await check(ALIAS, parseName('slow.example.net'))).toBe(false)
    expect(performance.now() - began).toBeGreaterThanOrEqual(55)
    await resolver?.close()
  })

  test('a resolver that is not answering is not waited for at all', async () => {
    const { load, publication, resolver } = createWorld({ outside: OUTSIDE })
    load({ 'example.com': [] })
    const check = createTargetCheck({ publication, resolver, maxWaitMs: 60_000 })
    await check(ALIAS, parseName('bad.example.net'))
    await check(ALIAS, parseName('worse.example.net'))
    expect(resolver?.isAnswering).toBe(false)
    expect(await check(ALIAS, parseName('slow.example.net'))).toBe(false)
    await resolver?.close()
  })

  test('without a resolver the target is unknown, so there is no warning', async () => {
    const { load, publication } = createWorld({ hasResolver: false })
    load({ 'example.com': [] })
    const check = createTargetCheck({ publication, resolver: undefined })
    expect(await check(ALIAS, parseName('bad.example.net'))).toBe(true)
    expect(await check(ALIAS, parseName('nope.example.com'))).toBe(false)
  })
})
