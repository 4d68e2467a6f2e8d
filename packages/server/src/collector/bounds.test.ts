// What keeps the collector small: recent keys, rates, batches and counters, at their limits and one past them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAddressRate } from './address-rate.ts'
import { createCounters } from './counters.ts'
import { readPage } from '../features/page-shield/index.ts'
import { createDigester, createDigestTable } from './digest.ts'
import { createGathering, MAX_GATHERED, type OneSighting } from './gathering.ts'
import { isForeignScheme, isInjectedHost } from './noise.ts'
import { createPages } from './pages.ts'
import { createRecentKeys } from './recent.ts'
import { createSettled, type Settled } from './settled.ts'

const digest = createDigester([0x9e37_79b9, 0x41c6_ce57])

/** With texts as keys. */
function recentTexts(keepMillis: number, maxKeys: number) {
  const keys = createRecentKeys(keepMillis, maxKeys)
  return {
    add: (key: string, nowMillis: number) => keys.add(digest(key), nowMillis),
    get size() {
      return keys.size
    },
  }
}

describe('recent keys', () => {
  test('are known for their time, and not for more than twice as long', () => {
    const keys = recentTexts(1000, 100)
    expect(keys.add('a', 0)).toBe(true)
    expect(keys.add('a', 1)).toBe(false)
    expect(keys.add('b', 999)).toBe(true)
    expect(keys.add('a', 1000)).toBe(false)
    expect(keys.add('b', 1999)).toBe(false)
    expect(keys.add('a', 2000)).toBe(true)
    expect(keys.add('c', 9000)).toBe(true)
    expect(keys.size).toBe(1)
  })

  test('are never more than two generations, however many come', () => {
    const keys = recentTexts(1_000_000, 100)
    for (let key = 0; key < 10_000; key++) keys.add(String(key), key)
    expect(keys.size).toBeLessThanOrEqual(200)
    expect(keys.add('9999', 10_000)).toBe(false)
  })

  test('differ where texts differ', () => {
    const keys = recentTexts(1000, 1_000_000)
    const fresh = Array.from({ length: 100_000 }, (_, index) => keys.add(`https://a.example/${index}`, 0))
    expect(fresh.filter((isNew) => !isNew)).toEqual([])
  })
})

describe('digests', () => {
  test('depend on the text, what it is behind, and the secret, and are never 0', () => {
    const another = createDigester([0x85eb_ca6b, 0xc2b2_ae35])
    const texts = ['', 'a', 'b', 'ab', 'ba', 'https://a.example/1', 'https://a.example/2']
    const all = texts.flatMap((text) => [digest(text), digest(text, digest('a')), another(text)])
    expect(new Set(all).size).toBe(texts.length * 3)
    expect(all.every((one) => Number.isSafeInteger(one) && one > 0)).toBe(true)
    expect(digest('b', digest('a'))).toBe(digest('b', digest('a')))
  })

  test('are found where they were put, until the table is cleared', () => {
    const table = createDigestTable(1000)
    const all = Array.from({ length: 1000 }, (_, index) => digest(String(index)))
    const places = all.map((one) => table.add(one))
    expect(all.map((one) => table.find(one))).toEqual(places)
    expect([new Set(places).size, table.size, Math.max(...places) < table.places]).toEqual([1000, 1000, true])
    expect(table.add(all[0] ?? 0)).toBe(places[0])
    expect([table.size, table.find(digest('other'))]).toEqual([1000, -1])
    table.clear()
    expect([table.size, table.find(all[0] ?? 0)]).toEqual([0, -1])
  })

  test('that all meet in one place take the place of others after 64 steps', () => {
    const table = createDigestTable(1000)
    const meeting = Array.from({ length: 200 }, (_, index) => (index + 1) * 2 ** 33 + 5)
    for (const one of meeting) {
      table.add(one)
      expect(table.find(one)).toBeGreaterThanOrEqual(0)
    }
    expect(table.size).toBeLessThanOrEqual(65)
    expect(table.find(meeting[0] ?? 0)).toBe(5)
  })
})

describe('pages', () => {
  const page = fc
    .tuple(
      fc.constantFrom('https://', 'http://', 'HTTPS://', 'file://', ''),
      fc.constantFrom('shop.example.com', 'Shop.example.com:8443', 'user@x.example', '[::1]', ''),
      fc.constantFrom('', '/', '/a', '/a b', '/a ', '/ä', '/../b', ` ${'/x'.repeat(600)}`),
      fc.constantFrom('', '?', '?q=1', '#', '#x?y', '?x#y', ' ?x', '\n'),
    )
    .map((parts) => parts.join(''))

  test('are what they are without being remembered, whatever comes between', () => {
    fc.assert(
      fc.property(fc.array(page, { maxLength: 30 }), (texts) => {
        const read = createPages(4)
        for (const text of texts) expect([text, read(text)]).toEqual([text, readPage(text)])
      }),
      { numRuns: 300 },
    )
  })

  test('of one path are one, and are forgotten when others come', () => {
    const read = createPages(2)
    const first = read('https://a.example/?1')
    expect(read('https://a.example/?2')).toBe(first)
    for (let other = 0; other < 5; other++) read(`https://a.example/${other}`)
    expect(read('https://a.example/?2')).toEqual(first)
    expect(read('https://a.example/?3')).not.toBe(first)
  })
})

describe('a rate', () => {
  test('ends with its window, for each address apart', () => {
    const isWithin = createAddressRate({ requests: 2, windowSeconds: 1 })
    const asked = (address: string, at: number) => isWithin(address, at)
    expect([asked('a', 0), asked('a', 1), asked('a', 2), asked('b', 3)]).toEqual([true, true, false, true])
    expect([asked('a', 1000), asked('a', 1001), asked('a', 1999)]).toEqual([true, true, false])
  })

  test('counts addresses that are too many to be told apart as one', () => {
    const isWithin = createAddressRate({ requests: 5, windowSeconds: 1 })
    for (let address = 0; address < 50_000; address++) isWithin(`10.0.0.${address}`, 0)
    const more = Array.from({ length: 6 }, (_, index) => isWithin(`192.0.2.${index}`, 0))
    expect(more).toEqual([true, true, true, true, true, false])
    expect(isWithin('10.0.0.1', 0)).toBe(true)
  })

  test('of none is no limit', () => {
    const isWithin = createAddressRate(undefined)
    expect(Array.from({ length: 10_000 }, () => isWithin('a', 0)).includes(false)).toBe(false)
  })
})

const sighting = (part: Partial<OneSighting>): OneSighting => ({
  zoneId: 'z',
  kind: 'script',
  host: 'h',
  url: 'https://a.example/',
  urlHost: 'a.example',
  hasCdnCgi: false,
  pageUrl: 'h/1',
  seenAt: '2026-01-05T10:20:30Z',
  pageViews: 1,
  browserHash: '',
  ...part,
})

describe('a batch', () => {
  test('has each resource once, with all that was told of it', () => {
    const gathering = createGathering()
    gathering.addSighting(sighting({}))
    gathering.addSighting(
      sighting({ pageUrl: 'h/2', browserHash: 'sha256-x', seenAt: '2026-01-05T10:20:31Z' }),
    )
    gathering.addSighting(sighting({ pageUrl: 'h/1', browserHash: 'sha256-x', pageViews: 0 }))
    gathering.addSighting(sighting({ kind: 'connection' }))
    expect(gathering.take().sightings).toMatchObject([
      {
        kind: 'script',
        pageViews: 2,
        pageUrls: ['h/1', 'h/2'],
        browserHashes: ['sha256-x'],
        seenAt: '2026-01-05T10:20:31Z',
      },
      { kind: 'connection', pageViews: 1 },
    ])
    expect([gathering.size, gathering.take()]).toEqual([0, { sightings: [], violations: [] }])
  })

  test('is bounded: what is known finds room, what is new does not', () => {
    const gathering = createGathering()
    for (let index = 0; index < MAX_GATHERED; index++)
      expect(gathering.addSighting(sighting({ url: `https://a.example/${index}` }))).toBe(true)
    expect(gathering.addSighting(sighting({ url: 'https://b.example/' }))).toBe(false)
    expect(gathering.addSighting(sighting({ url: 'https://a.example/1' }))).toBe(true)
    for (let page = 0; page < 50; page++)
      gathering.addSighting(
        sighting({ url: 'https://a.example/1', pageUrl: `p${page}`, browserHash: `h${page}` }),
      )
    const [, one] = gathering.take().sightings
    expect([one?.pageUrls.length, one?.browserHashes.length, one?.pageUrls[0]]).toEqual([10, 5, 'p49'])
  })

  test('counts violations that say the same', () => {
    const gathering = createGathering()
    const violation = {
      zoneId: 'z',
      policyId: 'p',
      at: '2026-01-05T10:20:30.000Z',
      count: 1,
      documentUri: 'https://h/',
      blockedUri: 'inline',
      effectiveDirective: 'script-src-elem',
    }
    gathering.addViolation(violation)
    gathering.addViolation({ ...violation, at: '2026-01-05T10:20:31.000Z' })
    gathering.addViolation({ ...violation, policyId: 'q' })
    expect(gathering.take().violations).toEqual([
      { ...violation, count: 2, at: '2026-01-05T10:20:31.000Z' },
      { ...violation, policyId: 'q' },
    ])
  })
})

describe('what is settled', () => {
  const ENOUGH = 3

  /** Stores these, as batches of one. */
  function settledWith(...ones: readonly OneSighting[]) {
    const settled = createSettled(100, digest)
    for (const one of ones) {
      const gathering = createGathering()
      gathering.addSighting(one)
      settled.note(gathering.take().sightings)
    }
    return settled
  }

  const covers = (settled: Settled, one: OneSighting) => settled.covers(settled.keyOf(one), one, ENOUGH)

  test.each<[string, readonly OneSighting[], Partial<OneSighting>, boolean]>([
    ['nothing is', [], {}, false],
    ['often enough', [sighting({ pageViews: 3 })], {}, true],
    ['often enough, bit by bit', [sighting({}), sighting({}), sighting({})], {}, true],
    ['too seldom', [sighting({ pageViews: 2 })], {}, false],
    ['later in the ten minutes', [sighting({ pageViews: 3 })], { seenAt: '2026-01-05T10:29:59Z' }, true],
    ['before', [sighting({ pageViews: 3 })], { seenAt: '2026-01-05T10:19:59Z' }, true],
    ['in the next ten minutes', [sighting({ pageViews: 3 })], { seenAt: '2026-01-05T10:30:00Z' }, false],
    ['on another page', [sighting({ pageViews: 3 })], { pageUrl: 'h/2' }, false],
    [
      'on an earlier page',
      [sighting({ pageViews: 3 }), sighting({ pageUrl: 'h/2' })],
      { pageUrl: 'h/1' },
      true,
    ],
    ['with a hash', [sighting({ pageViews: 3 })], { browserHash: 'sha256-x' }, false],
    ['another URL', [sighting({ pageViews: 3 })], { url: 'https://a.example/2' }, false],
    ['another kind', [sighting({ pageViews: 3 })], { kind: 'connection' }, false],
    ['another host', [sighting({ pageViews: 3 })], { host: 'i' }, false],
    ['another zone', [sighting({ pageViews: 3 })], { zoneId: 'y' }, false],
  ])('%s', (_, stored, part, expected) => {
    expect(covers(settledWith(...stored), sighting(part))).toBe(expected)
  })

  test('forgets the eleventh page, and what is too much', () => {
    const pages = Array.from({ length: 11 }, (_, page) => sighting({ pageUrl: `p${page}` }))
    const settled = settledWith(...pages)
    expect(['p0', 'p1', 'p10'].map((pageUrl) => covers(settled, sighting({ pageUrl })))).toEqual([
      false,
      true,
      true,
    ])
    for (let other = 0; other < 1000; other++) {
      const gathering = createGathering()
      gathering.addSighting(sighting({ url: `https://b.example/${other}` }))
      settled.note(gathering.take().sightings)
    }
    expect(settled.size).toBeLessThanOrEqual(200)
    expect(covers(settled, sighting({ pageUrl: 'p10' }))).toBe(false)
  })
})

test('counters tell zones apart as long as they are not too many, and tell metrics everything', () => {
  let total = 0
  const counters = createCounters((_, by) => {
    total += by
  })
  for (let zone = 0; zone < 10_001; zone++) counters.count('recorded', String(zone))
  counters.count('unsigned', undefined, 5)
  counters.count('strange', '1', 0)
  expect([counters.ofZone('9999'), counters.ofZone('10000'), total]).toEqual([{ recorded: 1 }, {}, 10_006])
  expect(counters.ofZone('1')).toEqual({ recorded: 1 })
})

describe('noise', () => {
  test.each([
    'resource://gre/x.js',
    'resource',
    'chromenull://x',
    'chrome-extension://abc/x.js',
    'chrome-extension',
    'moz-extension',
    'MOZ-EXTENSION://abc',
    'safari-extension://x',
    'safari-web-extension://x',
    'mxjscall://x',
    'webviewprogressproxy://x',
    'res://x',
    'mx://x',
    'safari-resource://x',
    'chromeinvoke://x',
    'chromeinvokeimmediate://x',
    'mbinit://x',
    'opera://x',
    'ms-appx://x',
    'ms-appx-web://x',
    'none://x',
    'about:blank',
    'about',
    'android-webview',
    'ms-browser-extension',
    'wvjbscheme://__BRIDGE_LOADED__',
    'nativebaiduhd://adblock',
    'bdvideo://error',
    'chrome://x',
  ])('%s is not of the page', (uri) => expect(isForeignScheme(uri)).toBe(true))

  test.each([
    'https://example.com/',
    'inline',
    'eval',
    'data',
    'blob',
    '',
    'self',
    'https://resource/',
    'aboutness',
  ])('%j may be of the page', (uri) => expect(isForeignScheme(uri)).toBe(false))

  test.each([
    ['gc.kis.v2.scr.kaspersky-labs.com', 'example.com', true],
    ['kaspersky-labs.com', 'example.com', true],
    ['notkaspersky-labs.com', 'example.com', false],
    ['example-com.translate.goog', 'example.com', true],
    ['localhost', 'example.com', true],
    ['127.0.0.1', 'example.com', true],
    ['[::1]', 'example.com', true],
    ['127.0.0.1', 'localhost', false],
    ['cdn.localhost', 'shop.localhost', false],
    ['cdn.example.net', 'example.com', false],
  ])('%s on %s is injected: %s', (host, page, expected) => expect(isInjectedHost(host, page)).toBe(expected))
})
