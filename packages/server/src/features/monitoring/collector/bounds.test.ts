// Limits of the collector: recent keys, rates, batches and counters, at their limits and one above.
import {
  createAddressRate,
  createDigester,
  createDigestTable,
  isForeignScheme,
  isInjectedHost,
  createRecentKeys,
} from '@zonereeve/browser-reports'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCounters } from './counters.ts'
import { readPage } from '../page-shield/index.ts'
import { createBatchBuffer, MAX_BUFFERED, type SingleDetection } from './batch-buffer.ts'
import { createPages } from './pages.ts'
import { createRecentlyStored, type RecentlyStored } from './recently-stored.ts'

const digest = createDigester([0x9e37_79b9, 0x41c6_ce57])

/** With strings as keys. */
function recentStrings(keepMillis: number, maxKeys: number) {
  const keys = createRecentKeys(keepMillis, maxKeys)
  return {
    add: (key: string, nowMillis: number) => keys.add(digest(key), nowMillis),
    get size() {
      return keys.size
    },
  }
}

describe('recent keys', () => {
  test('are known for the configured time, and at most twice as long', () => {
    const keys = recentStrings(1000, 100)
    expect(keys.add('a', 0)).toBe(true)
    expect(keys.add('a', 1)).toBe(false)
    expect(keys.add('b', 999)).toBe(true)
    expect(keys.add('a', 1000)).toBe(false)
    expect(keys.add('b', 1999)).toBe(false)
    expect(keys.add('a', 2000)).toBe(true)
    expect(keys.add('c', 9000)).toBe(true)
    expect(keys.size).toBe(1)
  })

  test('never exceed two generations, however many are added', () => {
    const keys = recentStrings(1_000_000, 100)
    for (let key = 0; key < 10_000; key++) keys.add(String(key), key)
    expect(keys.size).toBeLessThanOrEqual(200)
    expect(keys.add('9999', 10_000)).toBe(false)
  })

  test('differ if the strings differ', () => {
    const keys = recentStrings(1000, 1_000_000)
    const fresh = Array.from({ length: 100_000 }, (_, index) => keys.add(`https://a.example/${index}`, 0))
    expect(fresh.filter((isNew) => !isNew)).toEqual([])
  })
})

describe('digests', () => {
  test('depend on the string, its prefix and the secret, and are never 0', () => {
    const another = createDigester([0x85eb_ca6b, 0xc2b2_ae35])
    const strings = ['', 'a', 'b', 'ab', 'ba', 'https://a.example/1', 'https://a.example/2']
    const all = strings.flatMap((text) => [digest(text), digest(text, digest('a')), another(text)])
    expect(new Set(all).size).toBe(strings.length * 3)
    expect(all.every((one) => Number.isSafeInteger(one) && one > 0)).toBe(true)
    expect(digest('b', digest('a'))).toBe(digest('b', digest('a')))
  })

  test('are found until the table is cleared', () => {
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

  test('that all collide replace others after 64 steps', () => {
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

  test('equal the uncached values, whatever is read in between', () => {
    fc.assert(
      fc.property(fc.array(page, { maxLength: 30 }), (strings) => {
        const read = createPages(4)
        for (const text of strings) expect([text, read(text)]).toEqual([text, readPage(text)])
      }),
      { numRuns: 300 },
    )
  })

  test('of one path share an entry, and are evicted by others', () => {
    const read = createPages(2)
    const first = read('https://a.example/?1')
    expect(read('https://a.example/?2')).toBe(first)
    for (let other = 0; other < 5; other++) read(`https://a.example/${other}`)
    expect(read('https://a.example/?2')).toEqual(first)
    expect(read('https://a.example/?3')).not.toBe(first)
  })
})

describe('a rate', () => {
  test('ends with its window, separately for each address', () => {
    const isWithin = createAddressRate({ requests: 2, windowSeconds: 1 })
    const asked = (address: string, at: number) => isWithin(address, at)
    expect([asked('a', 0), asked('a', 1), asked('a', 2), asked('b', 3)]).toEqual([true, true, false, true])
    expect([asked('a', 1000), asked('a', 1001), asked('a', 1999)]).toEqual([true, true, false])
  })

  test('counts IPv6 addresses of one /64 together', () => {
    const isWithin = createAddressRate({ requests: 1, windowSeconds: 1 })
    expect(['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'].map((address) => isWithin(address, 0))).toEqual([
      true,
      false,
      true,
    ])
  })

  test('counts the networks of one /48 together, up to 16 times as many', () => {
    const isWithin = createAddressRate({ requests: 2, windowSeconds: 1 })
    const asked = (network: number, site = 1) => isWithin(`2001:db8:${site}:${network.toString(16)}::1`, 0)
    const first = Array.from({ length: 32 }, (_, network) => asked(network))
    expect([first.includes(false), asked(99), asked(99, 2)]).toEqual([false, false, true])
  })

  test('of a /48 is not used up by one of its networks', () => {
    const isWithin = createAddressRate({ requests: 2, windowSeconds: 1 })
    const flood = Array.from({ length: 1000 }, () => isWithin('2001:db8:1:7::1', 0))
    expect(flood.filter(Boolean).length).toBe(2)
    expect(isWithin('2001:db8:1:8::1', 0)).toBe(true)
  })

  test('counts IPv4 addresses in IPv6 as themselves', () => {
    const isWithin = createAddressRate({ requests: 1, windowSeconds: 1 })
    const asked = ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:192.0.2.2'].map((address) => isWithin(address, 0))
    expect(asked).toEqual([true, false, true])
  })

  test('counts addresses above the maximum number together', () => {
    const isWithin = createAddressRate({ requests: 5, windowSeconds: 1 })
    for (let address = 0; address < 50_000; address++) isWithin(`10.0.0.${address}`, 0)
    const more = Array.from({ length: 6 }, (_, index) => isWithin(`192.0.2.${index}`, 0))
    expect(more).toEqual([true, true, true, true, true, false])
    expect(isWithin('10.0.0.1', 0)).toBe(true)
  })

  test('of 0 means no limit', () => {
    const isWithin = createAddressRate(undefined)
    expect(Array.from({ length: 10_000 }, () => isWithin('a', 0)).includes(false)).toBe(false)
  })
})

const detection = (part: Partial<SingleDetection>): SingleDetection => ({
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
  reporter: '192.0.2.1',
  ...part,
})

describe('a batch', () => {
  test('has each resource once, with everything reported about it', () => {
    const batchBuffer = createBatchBuffer()
    batchBuffer.addDetection(detection({}))
    batchBuffer.addDetection(
      detection({ pageUrl: 'h/2', browserHash: 'sha256-x', seenAt: '2026-01-05T10:20:31Z' }),
    )
    batchBuffer.addDetection(
      detection({ pageUrl: 'h/1', browserHash: 'sha256-x', pageViews: 0, reporter: '192.0.2.2' }),
    )
    batchBuffer.addDetection(detection({ kind: 'connection' }))
    expect(batchBuffer.take().detections).toMatchObject([
      {
        kind: 'script',
        pageViews: 2,
        pageUrls: ['h/1', 'h/2'],
        browserHashes: ['sha256-x'],
        reporters: ['192.0.2.1', '192.0.2.2'],
        seenAt: '2026-01-05T10:20:31Z',
      },
      { kind: 'connection', pageViews: 1 },
    ])
    expect([batchBuffer.size, batchBuffer.take()]).toEqual([
      0,
      { detections: [], violations: [], code: [], cookies: [] },
    ])
  })

  test('is bounded: known resources are still counted, new ones are not', () => {
    const batchBuffer = createBatchBuffer()
    for (let index = 0; index < MAX_BUFFERED; index++)
      expect(batchBuffer.addDetection(detection({ url: `https://a.example/${index}` }))).toBe(true)
    expect(batchBuffer.addDetection(detection({ url: 'https://b.example/' }))).toBe(false)
    expect(batchBuffer.addDetection(detection({ url: 'https://a.example/1' }))).toBe(true)
    for (let page = 0; page < 50; page++)
      batchBuffer.addDetection(
        detection({ url: 'https://a.example/1', pageUrl: `p${page}`, browserHash: `h${page}` }),
      )
    const [, one] = batchBuffer.take().detections
    expect([one?.pageUrls.length, one?.browserHashes.length, one?.pageUrls[0]]).toEqual([10, 5, 'p49'])
  })

  test('counts equal violations', () => {
    const batchBuffer = createBatchBuffer()
    const violation = {
      zoneId: 'z',
      policyId: 'p',
      at: '2026-01-05T10:20:30.000Z',
      count: 1,
      documentUri: 'https://h/',
      blockedUri: 'inline',
      effectiveDirective: 'script-src-elem',
    }
    batchBuffer.addViolation(violation)
    batchBuffer.addViolation({ ...violation, at: '2026-01-05T10:20:31.000Z' })
    batchBuffer.addViolation({ ...violation, policyId: 'q' })
    expect(batchBuffer.take().violations).toEqual([
      { ...violation, count: 2, at: '2026-01-05T10:20:31.000Z' },
      { ...violation, policyId: 'q' },
    ])
  })
})

describe('recently stored resources', () => {
  const ENOUGH = 3

  /** Stores these, one per batch. */
  function recentlyStoredWith(...ones: readonly SingleDetection[]) {
    const recentlyStored = createRecentlyStored(100, digest)
    for (const one of ones) {
      const batchBuffer = createBatchBuffer()
      batchBuffer.addDetection(one)
      recentlyStored.remember(batchBuffer.take().detections)
    }
    return recentlyStored
  }

  const covers = (recentlyStored: RecentlyStored, one: SingleDetection) =>
    recentlyStored.covers(recentlyStored.keyOf(one), one, ENOUGH)

  test.each<[string, readonly SingleDetection[], Partial<SingleDetection>, boolean]>([
    ['nothing is', [], {}, false],
    ['often enough', [detection({ pageViews: 3 })], {}, true],
    ['enough page views in several batches', [detection({}), detection({}), detection({})], {}, true],
    ['too seldom', [detection({ pageViews: 2 })], {}, false],
    ['later in the ten minutes', [detection({ pageViews: 3 })], { seenAt: '2026-01-05T10:29:59Z' }, true],
    ['before', [detection({ pageViews: 3 })], { seenAt: '2026-01-05T10:19:59Z' }, true],
    ['in the next ten minutes', [detection({ pageViews: 3 })], { seenAt: '2026-01-05T10:30:00Z' }, false],
    ['on another page', [detection({ pageViews: 3 })], { pageUrl: 'h/2' }, false],
    [
      'on an earlier page',
      [detection({ pageViews: 3 }), detection({ pageUrl: 'h/2' })],
      { pageUrl: 'h/1' },
      true,
    ],
    ['with a hash', [detection({ pageViews: 3 })], { browserHash: 'sha256-x' }, false],
    ['another URL', [detection({ pageViews: 3 })], { url: 'https://a.example/2' }, false],
    ['another kind', [detection({ pageViews: 3 })], { kind: 'connection' }, false],
    ['another host', [detection({ pageViews: 3 })], { host: 'i' }, false],
    ['another zone', [detection({ pageViews: 3 })], { zoneId: 'y' }, false],
  ])('%s', (_, stored, part, expected) => {
    expect(covers(recentlyStoredWith(...stored), detection(part))).toBe(expected)
  })

  test('evicts the eleventh page, and entries above the limit', () => {
    const pages = Array.from({ length: 11 }, (_, page) => detection({ pageUrl: `p${page}` }))
    const recentlyStored = recentlyStoredWith(...pages)
    expect(['p0', 'p1', 'p10'].map((pageUrl) => covers(recentlyStored, detection({ pageUrl })))).toEqual([
      false,
      true,
      true,
    ])
    for (let other = 0; other < 1000; other++) {
      const batchBuffer = createBatchBuffer()
      batchBuffer.addDetection(detection({ url: `https://b.example/${other}` }))
      recentlyStored.remember(batchBuffer.take().detections)
    }
    expect(recentlyStored.size).toBeLessThanOrEqual(200)
    expect(covers(recentlyStored, detection({ pageUrl: 'p10' }))).toBe(false)
  })
})

test('counters are per zone up to a maximum number of zones; metrics count everything', () => {
  let total = 0
  const counters = createCounters((_, by) => {
    total += by
  })
  for (let zone = 0; zone < 10_001; zone++) counters.count('recorded', String(zone))
  counters.count('unsigned', undefined, 5)
  counters.count('unrecognized', '1', 0)
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
  ])('%s is a foreign scheme', (uri) => expect(isForeignScheme(uri)).toBe(true))

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
