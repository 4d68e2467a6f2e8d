// Compares the collector and its caches with a reference that parses the same reports completely each time.
import { isForeignScheme, isInjectedHost, MAX_REPORTS } from '@zonereeve/browser-reports'
import { couldHaveCaused, parsePolicyList } from '@zonereeve/csp'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isOfZone,
  readConnection,
  readPage,
  readScript,
  reportingAddress,
  type MonitoredZone,
} from '../page-shield/index.ts'
import { MONITORING_POLICY } from '@zonereeve/csp'
import { createCollecting } from './collecting.ts'
import { manualClock, silentLog } from '@zonereeve/platform'
import { IN_MEMORY, openSqliteStorage } from '@zonereeve/storage'
import { createCollector } from './collector.ts'
import type { Outcome } from './counters.ts'
import { MAX_BUFFERED } from './batch-buffer.ts'

const KEY = new Uint8Array(32)
const ZONE_ID = 'a'.repeat(32)
const POLICY_ID = 'b'.repeat(32)
const START = Date.parse('2026-01-05T10:20:30Z')
/** Later than any cached page view or stored resource. */
const LONG_MILLIS = 3_600_000

interface ReportedViolation {
  readonly policyId: string | null
  readonly page: string
  readonly blocked: string
  readonly directive: string
  readonly source: string
  readonly policy: string
  readonly visitor: string
}

type Step =
  | { readonly do: 'report'; readonly reported: ReportedViolation }
  | { readonly do: 'flush' }
  | { readonly do: 'wait' }
  | ({ readonly do: 'set' } & Pick<MonitoredZone, 'isEnabled' | 'withConnectionPaths' | 'alsoReport'>)

const reported = fc.record<ReportedViolation>({
  policyId: fc.constantFrom(null, null, POLICY_ID),
  page: fc.constantFrom(
    ...['/', '/?a', '/?b#c', '/#d?e', '/pay', '/pay ?x', ':8443/'].map(
      (path) => `https://shop.example.com${path}`,
    ),
    'https://example.org/',
    'https://Example.com',
    'about:blank',
  ),
  blocked: fc.constantFrom(
    ...['a.js', 'a.js?v=1', 'a.js#x', '%61.js', './a.js', 'ä.js'].map(
      (file) => `https://cdn.example.net/${file}`,
    ),
    'https://CDN.example.net/a.js',
    'https://cdn.example.net:443/a.js',
    'https://kaspersky-labs.com/x.js',
    'http://127.0.0.1/x.js',
    'wss://live.example.net/s?k=1',
    'moz-extension',
    'inline',
    'data',
  ),
  directive: fc.constantFrom('script-src-elem', 'connect-src', 'img-src', 'made-up'),
  source: fc.constantFrom('', '', 'https://shop.example.com/x.js', 'chrome-extension://x/y.js'),
  policy: fc.constantFrom('', "script-src 'none'; connect-src 'none'", 'script-src *', 'connect-src https:'),
  visitor: fc.constantFrom('one', 'two'),
})
/** Few values, so that many reports are equal. */
const fallback = reported.map((one): ReportedViolation => ({
  ...one,
  page: one.page.includes('pay') ? 'https://shop.example.com/?c' : 'https://shop.example.com/',
  blocked: one.blocked.includes('?') ? 'https://cdn.example.net/a.js' : one.blocked,
  directive: 'script-src-elem',
  source: '',
  policy: one.policy.includes("'none'") ? one.policy : '',
}))
const step = fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
  { weight: 10, arbitrary: reported.map((one) => ({ do: 'report', reported: one })) },
  { weight: 20, arbitrary: fallback.map((one) => ({ do: 'report', reported: one })) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: 'flush' }, { do: 'wait' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      isEnabled: fc.boolean(),
      withConnectionPaths: fc.boolean(),
      alsoReport: fc.constantFrom([], ['inline' as const], ['images' as const, 'inline' as const]),
    }),
  },
)

const plain: ReportedViolation = {
  policyId: null,
  page: 'https://shop.example.com/',
  blocked: 'https://cdn.example.net/a.js',
  directive: 'script-src-elem',
  source: '',
  policy: '',
  visitor: 'one',
}
/** Rare outcomes must not depend on chance: one history has them all. */
const everyOutcome: Step[] = [
  ...[
    plain,
    plain,
    { ...plain, policyId: POLICY_ID, policy: "script-src 'none'; connect-src 'none'" },
    { ...plain, page: 'https://example.org/' },
    { ...plain, blocked: 'moz-extension' },
    { ...plain, blocked: 'https://kaspersky-labs.com/x.js' },
    { ...plain, directive: 'made-up' },
    { ...plain, blocked: 'wss://live.example.net/s?k=1' },
  ].map((one): Step => ({ do: 'report', reported: one })),
  { do: 'set', isEnabled: false, withConnectionPaths: false, alsoReport: [] },
  { do: 'report', reported: plain },
]

const hostsIn = (uri: string): string[] => (URL.canParse(uri) ? [new URL(uri).host] : [])

/** Expected outcome of a report, from its strings alone. @param seen page views already counted. */
function outcomeOf(one: ReportedViolation, zone: MonitoredZone, seen: Set<string>): Outcome {
  const { policyId, blocked, directive, source, policy, visitor } = one
  const page = readPage(one.page)
  if (page === undefined || !isOfZone(page.host, zone.name)) return 'foreign_page'
  if (isForeignScheme(blocked) || isForeignScheme(source)) return 'extension'
  if ([blocked, source].flatMap(hostsIn).some((host) => isInjectedHost(host, page.host))) return 'injected'
  const cause = { documentUri: one.page, blockedUri: blocked, effectiveDirective: directive }
  const governing = policyId === null ? MONITORING_POLICY : policy
  if (governing !== '' && !couldHaveCaused(parsePolicyList(governing), cause, undefined))
    return 'policy_mismatch'
  const isNew = (...strings: readonly string[]): boolean => seen.size < seen.add(strings.join('\n')).size
  const isNewViolation = policyId !== null && isNew('violation', directive, blocked, page.pageUrl, visitor)
  const detection = detectionsOf()
  if (policyId === null || detection === 'recorded') return detection ?? 'policy_mismatch'
  return isNewViolation ? 'violation' : 'duplicate'

  function detectionsOf(): Outcome | undefined {
    if (!zone.isEnabled) return 'disabled'
    const isImage = directive === 'img-src' && zone.alsoReport.includes('images')
    if (directive !== 'script-src-elem' && directive !== 'connect-src' && !isImage) return undefined
    const isScript = directive === 'script-src-elem'
    if (isScript && blocked === 'inline' && !zone.alsoReport.includes('inline')) return 'policy_mismatch'
    if (isScript && (blocked === 'inline' || blocked === 'data'))
      return isNew('code', blocked, source, page?.pageUrl ?? '', visitor) ? 'recorded' : 'duplicate'
    const resource = isScript
      ? readScript(blocked)
      : readConnection(blocked, zone.withConnectionPaths && !isImage)
    if (resource === undefined) return 'not_fetched'
    return isNew('met', directive, resource.url, page?.pageUrl ?? '', visitor) ? 'recorded' : 'duplicate'
  }
}

test('a report is counted as without caches, whatever was reported before', async () => {
  const outcomes = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
      let zone: MonitoredZone = {
        name: 'example.com',
        isEnabled: true,
        withConnectionPaths: false,
        activePageViews: 2,
        alsoReport: [],
        hasBeacon: false,
      }
      const clock = manualClock(START)
      const storage = await openSqliteStorage(IN_MEMORY, silentLog)
      const collector = createCollecting({
        storage,
        clock,
        log: silentLog,
        reportingKey: KEY,
        findZone: () => Promise.resolve(zone),
        rate: undefined,
        reportBudget: undefined,
        observe: (outcome) => outcomes.add(outcome),
        noteEvicted: () => {},
        countRecorded: () => {},
      })
      const expected: Partial<Record<Outcome, number>> = {}
      const seen = new Set<string>()
      for (const one of steps) {
        if (one.do === 'flush') await collector.flush()
        else if (one.do === 'wait') {
          clock.advance(LONG_MILLIS)
          seen.clear()
        } else if (one.do === 'set') {
          const { isEnabled, withConnectionPaths, alsoReport } = one
          zone = { ...zone, isEnabled, withConnectionPaths, alsoReport }
          collector.forgetZone(ZONE_ID)
        } else {
          await collector.take(requestOf(one.reported, clock.now()))
          const outcome = outcomeOf(one.reported, zone, seen)
          expected[outcome] = (expected[outcome] ?? 0) + 1
          expect([one.reported, collector.countsOf(ZONE_ID)]).toEqual([one.reported, expected])
        }
      }
      await collector.close()
      await storage.close()
    }),
    { numRuns: 60, examples: [[everyOutcome]] },
  )
  // Every possible outcome occurred.
  expect([...outcomes].toSorted()).toEqual(
    [
      'disabled',
      'duplicate',
      'extension',
      'foreign_page',
      'policy_mismatch',
      'injected',
      'not_fetched',
      'recorded',
      'violation',
    ].toSorted(),
  )
})

test('a setting that changes while it is read is not cached with its old value', async () => {
  let zone: MonitoredZone = {
    name: 'example.com',
    isEnabled: false,
    withConnectionPaths: false,
    activePageViews: 2,
    alsoReport: [],
    hasBeacon: false,
  }
  let answer = (): void => {}
  const storage = await openSqliteStorage(IN_MEMORY, silentLog)
  const clock = manualClock(START)
  const collector = createCollecting({
    storage,
    clock,
    log: silentLog,
    reportingKey: KEY,
    findZone: () => {
      const read = zone
      return new Promise((resolve) => {
        answer = () => resolve(read)
      })
    },
    rate: undefined,
    reportBudget: undefined,
    observe: () => {},
    noteEvicted: () => {},
    countRecorded: () => {},
  })
  const one: ReportedViolation = {
    policyId: null,
    page: 'https://example.com/',
    blocked: 'https://cdn.example.net/a.js',
    directive: 'script-src-elem',
    source: '',
    policy: '',
    visitor: 'one',
  }
  for (const isEnabled of [true, true]) {
    const taken = collector.take(requestOf(one, clock.now()))
    zone = { ...zone, isEnabled }
    collector.forgetZone(ZONE_ID)
    answer()
    await taken
  }
  expect(collector.countsOf(ZONE_ID)).toEqual({ disabled: 1, recorded: 1 })
  await collector.close()
  await storage.close()
})

/** Dependencies of the collector that these tests do not check. */
const UNOBSERVED = {
  log: silentLog,
  reportingKey: KEY,
  isPossible: () => true,
  rate: undefined,
  observe: () => {},
  countRecorded: () => {},
}
const monitored = (activePageViews: number) => () =>
  Promise.resolve({
    name: 'example.com',
    isEnabled: true,
    withConnectionPaths: false,
    activePageViews,
    alsoReport: [],
    hasBeacon: false,
  })

const reportsOf = (name: string, files: number): string =>
  JSON.stringify(
    Array.from({ length: files }, (_, file) => ({
      type: 'csp-violation',
      body: {
        documentURL: 'https://example.com/',
        blockedURL: `https://cdn.example.net/${name}/${file}.js`,
        effectiveDirective: 'script-src-elem',
      },
    })),
  )

test('at most one batch waits for a slow database', async () => {
  const clock = manualClock(START)
  let free = (): void => {}
  const blocked = new Promise<void>((resolve) => {
    free = resolve
  })
  let stored = 0
  const collector = createCollector({
    clock,
    ...UNOBSERVED,
    findZone: monitored(2),
    store: async ({ detections }) => {
      await blocked
      stored += detections.length
      return new Map()
    },
  })
  const report = (name: string): ReturnType<typeof collector.take> => {
    const address = reportingAddress(KEY, { zoneId: ZONE_ID, policyId: null, oneIn: 1 }, clock.now())
    const body = reportsOf(name, MAX_REPORTS)
    const query = address.slice(address.indexOf('?') + 1)
    return collector.take({ query, body, address: '192.0.2.1', userAgent: 'one' })
  }
  await report('first')
  const flushes = [collector.flush()]
  await new Promise(setImmediate) // the first batch is being stored
  for (let request = 0; request < (2 * MAX_BUFFERED) / MAX_REPORTS; request++) {
    await report(String(request))
    flushes.push(collector.flush())
  }
  const { recorded = 0, overload = 0 } = collector.countsOf(ZONE_ID)
  expect([recorded, overload > 0]).toEqual([MAX_REPORTS + MAX_BUFFERED, true])
  free()
  await Promise.all(flushes)
  expect(stored).toBe(recorded)
  await collector.close()
})

test('with a log, what has no room or no zone is not kept, and no duplicate when it comes again', async () => {
  const clock = manualClock(START)
  const zone = await monitored(2)()
  const found = [() => Promise.reject(new Error('away'))]
  const open = (isAnsweredWhenStored: boolean) =>
    createCollector({
      clock,
      ...UNOBSERVED,
      isAnsweredWhenStored,
      findZone: () => (found.shift() ?? (() => Promise.resolve(zone)))(),
      store: () => Promise.resolve(new Map()),
    })
  const collector = open(true)
  const { query } = requestOf(
    { policyId: null, page: '', blocked: '', directive: '', source: '', policy: '', visitor: '' },
    START,
  )
  const send = async (to: typeof collector, name: string, files = 1) => {
    const body = reportsOf(name, files)
    return to.take({ query, body, address: '192.0.2.1', userAgent: 'one' })
  }
  expect([await send(collector, 'last'), await send(collector, 'first')]).toEqual(['not_kept', undefined])
  for (let sent = 1; sent < MAX_BUFFERED; sent += MAX_REPORTS)
    await send(collector, String(sent), MAX_REPORTS)
  expect([await send(collector, 'last'), await send(collector, 'last')]).toEqual(['not_kept', 'not_kept'])
  expect(await send(collector, 'first')).toBe(undefined) // a duplicate of what is kept
  await collector.flush()
  expect(await send(collector, 'last')).toBe(undefined)
  expect(collector.countsOf(ZONE_ID)).toMatchObject({ duplicate: 1, recorded: MAX_BUFFERED + 1 })
  await collector.close()
})

test('a hash of an unknown script does not prevent stored resources from being known', async () => {
  const clock = manualClock(START)
  const stored: string[] = []
  const collector = createCollector({
    clock,
    ...UNOBSERVED,
    findZone: monitored(1),
    store: ({ detections }) => {
      stored.push(...detections.map(({ url }) => url))
      const unmatched = detections.filter(({ pageUrls }) => pageUrls.length === 0).length
      return Promise.resolve(new Map([[ZONE_ID, { refused: 0, unmatched, overBudget: 0 }]]))
    },
  })
  const known = 'https://cdn.example.net/known.js'
  const unknown = 'https://cdn.example.net/unknown.js'
  const documentURL = 'https://example.com/'
  const seen = {
    type: 'csp-violation',
    body: { documentURL, blockedURL: known, effectiveDirective: 'script-src-elem' },
  }
  const hash = {
    type: 'csp-hash',
    body: { documentURL, subresourceURL: unknown, hash: `sha256-${'A'.repeat(43)}=`, destination: 'script' },
  }
  const address = reportingAddress(KEY, { zoneId: ZONE_ID, policyId: null, oneIn: 1 }, clock.now())
  const query = address.slice(address.indexOf('?') + 1)
  for (const userAgent of ['one', 'two']) {
    await collector.take({ query, body: JSON.stringify([seen, hash]), address: '192.0.2.1', userAgent })
    await collector.flush()
  }
  expect(stored).toEqual([known, unknown, unknown])
  expect(collector.countsOf(ZONE_ID)).toEqual({ recorded: 2, hash: 2, unknown_resource: 2 })
  await collector.close()
})

function requestOf(
  { policyId, page, blocked, directive, source, policy, visitor }: ReportedViolation,
  now: number,
) {
  const address = reportingAddress(KEY, { zoneId: ZONE_ID, policyId, oneIn: 1 }, now)
  const report = {
    'document-uri': page,
    'blocked-uri': blocked,
    'effective-directive': directive,
    'source-file': source,
    'original-policy': policy,
  }
  return {
    query: address.slice(address.indexOf('?') + 1),
    body: JSON.stringify({ 'csp-report': report }),
    address: '192.0.2.1',
    userAgent: visitor,
  }
}
