// Browser reports over HTTP into the inventory: every shape, every reason to reject or drop them, and what is stored.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sharedFile } from '../../../../../../scripts/requirements.ts'
import { describeWith } from '../../../../../../scripts/test-requirements.ts'
import { startTestApp, type Answer, type TestApp, type TestAppOptions } from '../../../testing/app.ts'

const CHECKOUT = 'https://shop.example.com/checkout'
const LIB = 'https://cdn.example.net/lib.js'

interface Site {
  readonly app: TestApp
  readonly zoneId: string
  /** Path and query of the report endpoint. */
  readonly address: string
  /** Sends a body to the collector, and waits until it is stored. */
  report(body: unknown, more?: Partial<Sending>): Promise<Answer>
  scripts(): Promise<readonly ReportedResource[]>
  connections(): Promise<readonly ReportedResource[]>
  counts(): Promise<Counts>
}

interface Sending {
  readonly address: string
  readonly type: string | null
  readonly method: string
  /** Distinguishes visitors. */
  readonly browser: string
}

interface ReportedResource {
  readonly id: string
  readonly url: string
  readonly host: string
  readonly status: string
  readonly last_seen_at: string
}

interface Counts {
  readonly recorded: number
  readonly violations: number
  readonly dropped: Readonly<Record<string, number>>
}

async function openSite(name = 'example.com', options: TestAppOptions = {}): Promise<Site> {
  const app = await startTestApp(options)
  const { id: zoneId } = await app.must('POST', '/zones', { name })
  await app.must('PUT', `/zones/${zoneId}/page_shield`, { enabled: true })
  const zone = { id: zoneId } as never // the address depends only on the id
  const url = await app.pageShield.reporting.reportingUrls(app.storage, zone)
  const address = url(new URL(`https://${name}/`), null).replace(`https://${name}`, '')
  const list = (what: string) =>
    app.must<readonly ReportedResource[]>(
      'GET',
      `/zones/${zoneId}/page_shield/${what}?status=active,infrequent&page=all&exclude_cdn_cgi=false`,
    )
  return {
    app,
    zoneId,
    address,
    async report(
      body,
      { address: to = address, type = 'application/csp-report', method = 'POST', browser = 'a' } = {},
    ) {
      const answer = await app.call({
        method,
        base: '',
        path: to,
        token: null,
        body,
        headers: { 'content-type': type, 'user-agent': browser },
      })
      await app.collector.flush()
      return answer
    },
    scripts: () => list('scripts'),
    connections: () => list('connections'),
    counts: () => app.must<Counts>('GET', `/zonereeve/zones/${zoneId}/page_shield/collector`),
  }
}

const violation = (blocked: string, directive = 'script-src-elem', page = CHECKOUT, more: object = {}) => ({
  'csp-report': {
    'document-uri': page,
    'blocked-uri': blocked,
    'effective-directive': directive,
    ...more,
  },
})

const HASH = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
const ran = (subresourceURL: string, hash = HASH, documentURL = CHECKOUT) => [
  { type: 'csp-hash', body: { documentURL, subresourceURL, hash, destination: 'script' } },
]

interface Shape {
  readonly name: string
  readonly type: string
  readonly body: unknown
  readonly scripts: readonly string[]
  readonly connections: readonly string[]
}
const SHAPES = JSON.parse(
  readFileSync(new URL('../../../../../../fixtures/browser-reports/shapes.json', import.meta.url), 'utf8'),
) as readonly Shape[] // written by hand

describe('every shape of a report', () => {
  test('has a fixture', () => expect(SHAPES.length).toBeGreaterThan(5))

  test.each(SHAPES.map((shape) => [shape.name, shape] as const))('%s', async (_, shape) => {
    const site = await openSite()
    onTestFinished(() => site.app.close())
    const answer = await site.report(shape.body, { type: shape.type })
    expect([answer.status, answer.text, answer.headers['access-control-allow-origin']]).toEqual([
      204,
      '',
      '*',
    ])
    expect((await site.scripts()).map(({ url }) => url)).toEqual(shape.scripts)
    expect((await site.connections()).map(({ url }) => url)).toEqual(shape.connections)
    const seen = [...(await site.scripts()), ...(await site.connections())]
    expect(seen.every(({ host }) => host === 'shop.example.com')).toBe(true)
  })
})

describe('one site', () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(() => site.app.close())

  test.each([
    ['another page', violation(LIB, 'script-src-elem', 'https://example.org/'), 'foreign_page'],
    [
      'a page whose host only ends like the zone name',
      violation(LIB, 'script-src', 'https://evilexample.com/'),
      'foreign_page',
    ],
    [
      'a translated page',
      violation(LIB, 'script-src', 'https://example-com.translate.goog/'),
      'foreign_page',
    ],
    ['no page', violation(LIB, 'script-src', 'about:blank'), 'foreign_page'],
    ['an extension', violation('chrome-extension://abc/x.js'), 'extension'],
    ['an extension, by its scheme', violation('moz-extension'), 'extension'],
    [
      'an extension as source file',
      violation(LIB, 'script-src', CHECKOUT, { 'source-file': 'safari-web-extension://x' }),
      'extension',
    ],
    [
      'the browser itself',
      violation(LIB, 'script-src', CHECKOUT, { 'source-file': 'resource' }),
      'extension',
    ],
    ['an injected script', violation('https://gc.kis.v2.scr.kaspersky-labs.com/main.js'), 'injected'],
    [
      'a resource loaded by an injected script',
      violation(LIB, 'connect-src', CHECKOUT, {
        'source-file': 'https://me.kis.v2.scr.kaspersky-labs.com/x',
      }),
      'injected',
    ],
    ['the visitor’s own machine', violation('http://127.0.0.1:1234/x.js'), 'injected'],
    ['inline code', violation('inline'), 'policy_mismatch'],
    ['eval', violation('eval', 'script-src'), 'policy_mismatch'],
    ['wasm', violation('wasm-eval', 'script-src'), 'policy_mismatch'],
    ['data', violation('data', 'connect-src'), 'not_fetched'],
    ['a blob', violation('blob', 'connect-src'), 'not_fetched'],
    ['trusted types', violation('trusted-types-sink', 'script-src'), 'policy_mismatch'],
    [
      'our own endpoint',
      violation('https://example.com/cdn-cgi/script_monitor/report?x', 'connect-src'),
      'not_fetched',
    ],
    ['an image', violation('https://img.example/x.png', 'img-src'), 'policy_mismatch'],
    ['a style', violation('inline', 'style-src-elem'), 'policy_mismatch'],
    ['the hash of an injected script', ran('https://gc.kis.v2.scr.kaspersky-labs.com/x/main.js'), 'injected'],
    ['the hash of a script on the visitor’s own machine', ran('http://localhost:9999/inj.js'), 'injected'],
    ['the hash of an extension’s script', ran('moz-extension://abc/x.js'), 'extension'],
    ['a hash on another page', ran(LIB, HASH, 'https://example.org/'), 'foreign_page'],
    ['an empty hash', ran(LIB, ''), 'no_hash'],
    ['an empty list', [], undefined],
    ['only unknown report types', [{ type: 'network-error', body: { phase: 'dns' } }], 'unrecognized'],
    ['JSON of another kind', 5, 'malformed'],
    ['no JSON', '{"csp-report":', 'malformed'],
    ['an empty body', undefined, 'malformed'],
    ['octets', '\u0000\u0001', 'malformed'],
    ['a prototype', '{"__proto__":{"csp-report":{}}}', 'malformed'],
  ])('drops %s', async (_, body, reason) => {
    const before = await site.counts()
    const answer = await site.report(body)
    expect([answer.status, answer.text]).toEqual([204, ''])
    const after = await site.counts()
    const dropped = Object.entries(after.dropped).filter(([name, count]) => count !== before.dropped[name])
    expect(dropped.map(([name]) => name)).toEqual(reason === undefined ? [] : [reason])
    expect([await site.scripts(), await site.connections(), after.recorded]).toEqual([[], [], 0])
  })

  test.each([
    ['no query', () => '/cdn-cgi/script_monitor/report'],
    ['an unsigned query', () => '/cdn-cgi/script_monitor/report?v=a'],
    ['another zone', () => site.address.replace(/z=[0-9a-f]{32}/, `z=${'f'.repeat(32)}`)],
    ['another purpose', () => site.address.replace('s=1', `p=${'f'.repeat(32)}`)],
    ['a later expiry', () => site.address.replace(/e=\d+/, 'e=99999999999')],
    ['another signature', () => site.address.replace(/m=.{3}/, 'm=AAA')],
    ['a shorter signature', () => site.address.slice(0, -1)],
    ['something behind', () => `${site.address}&x=1`],
    ['its parameters in another order', () => site.address.replace(/\?v=1&(z=[0-9a-f]+)/, '?$1&v=1')],
  ])('an address with %s stores nothing', async (_, address) => {
    const answer = await site.report(violation(LIB), { address: address() })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await site.scripts()).toEqual([])
  })

  test('arbitrary octets neither cause an error nor store anything', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), async (body) => {
        const answer = await site.report(body, { type: null })
        expect([answer.status, answer.text]).toEqual([204, ''])
      }),
      { numRuns: 50 },
    )
    expect([await site.scripts(), await site.connections(), (await site.counts()).recorded]).toEqual([
      [],
      [],
      0,
    ])
    expect(site.app.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('a preflight is answered, for both spellings; other methods are not', async () => {
    for (const path of ['/cdn-cgi/script_monitor/report', '/cdn-cgi/script-monitor/report']) {
      const preflight = await site.report(undefined, { address: path, method: 'OPTIONS', type: null })
      expect([preflight.status, preflight.text]).toEqual([204, ''])
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type',
      })
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect((await site.report(undefined, { address: path, method, type: null })).status).toBe(404)
    }
  })

  test('64 KiB are read, one octet more is refused', async () => {
    const filled = (bytes: number) => JSON.stringify({ x: '' }).replace('""', `"${'x'.repeat(bytes - 8)}"`)
    expect((await site.report(filled(65_536))).status).toBe(204)
    const refused = await site.report(filled(65_537))
    expect([refused.status, refused.text]).toEqual([413, ''])
  })

  test('a compressed body is not decompressed', async () => {
    const { app, address } = site
    const answer = await app.call({
      method: 'POST',
      base: '',
      path: address,
      token: null,
      body: JSON.stringify(violation(LIB)).replace('{', '\u001f{'),
      headers: { 'content-type': 'application/csp-report', 'content-encoding': 'gzip' },
    })
    expect(answer.status).toBe(204)
    expect(await site.scripts()).toEqual([])
  })
})

describe('counting', () => {
  let site: Site
  const begin = async (options?: TestAppOptions) => {
    site = await openSite('example.com', options)
    onTestFinished(() => site.app.close())
  }

  test('one page view of one visitor counts once, however often a browser reports it', async () => {
    await begin()
    for (let copy = 0; copy < 5; copy++) await site.report(violation(LIB))
    expect(await site.scripts()).toMatchObject([{ url: LIB, status: 'infrequent' }])
    expect(await site.counts()).toEqual({
      recorded: 1,
      violations: 0,
      hashes: 0,
      evicted: 0,
      dropped: { duplicate: 4 },
    })
    await site.report(violation(LIB), { browser: 'b' })
    await site.report(violation(LIB, 'script-src-elem', 'https://shop.example.com/other'))
    expect(await site.scripts()).toMatchObject([{ status: 'active' }])
    site.app.clock.advance(120_000)
    await site.report(violation(LIB))
    expect((await site.counts()).recorded).toBe(4)
  })

  test('the query of a page is neither used nor stored', async () => {
    await begin()
    for (let count = 0; count < 3; count++)
      await site.report(violation(LIB, 'script-src-elem', `${CHECKOUT}?session=${count}#x`))
    expect((await site.counts()).recorded).toBe(1)
    const [script] = await site.scripts()
    const detail = await site.app.call({
      method: 'GET',
      path: `/zones/${site.zoneId}/page_shield/scripts/${script?.id}`,
    })
    expect(detail.text).not.toContain('session')
  })

  test('a delayed report has the time of its event', async () => {
    await begin()
    await site.report([
      {
        age: 90_500,
        type: 'csp-violation',
        body: { documentURL: CHECKOUT, blockedURL: LIB, effectiveDirective: 'script-src' },
      },
    ])
    expect(await site.scripts()).toMatchObject([{ last_seen_at: '2026-01-05T10:18:59Z' }])
  })

  test('the hash of a known script is stored without counting a page view; of unknown scripts it is dropped', async () => {
    await begin()
    await site.report(ran(LIB))
    expect(await site.scripts()).toEqual([])
    expect((await site.counts()).dropped).toEqual({ unknown_resource: 1 })
    // In one batch both are stored, in any order.
    await site.report([...ran(LIB), ...ran(LIB)], { browser: 'b' })
    await site.app.call({
      method: 'POST',
      base: '',
      path: site.address,
      token: null,
      body: ran(LIB),
      headers: { 'user-agent': 'c' },
    })
    await site.report(violation(LIB), { browser: 'c' })
    expect(await site.counts()).toMatchObject({
      recorded: 1,
      hashes: 3,
      dropped: { unknown_resource: 2, duplicate: 1 },
    })
    const [script] = await site.scripts()
    expect(script).toMatchObject({ url: LIB, status: 'infrequent' })
    const contents = await site.app.must(
      'GET',
      `/zonereeve/zones/${site.zoneId}/page_shield/scripts/${script?.id}/contents`,
    )
    expect(contents).toMatchObject({ browser_hashes: [{ hash: HASH, fetched: false }] })
  })

  test('connections include the path if configured, from the next report on', async () => {
    await begin()
    const reported = violation('https://api.example.net/v1?key=1', 'connect-src')
    await site.report(reported)
    await site.app.must('PUT', `/zones/${site.zoneId}/page_shield`, { use_connection_url_path: true })
    await site.report(reported, { browser: 'b' })
    expect((await site.connections()).map(({ url }) => url).toSorted()).toEqual([
      'https://api.example.net',
      'https://api.example.net/v1?key=1',
    ])
  })

  test('disabling takes effect at once; findings remain', async () => {
    await begin()
    await site.report(violation(LIB))
    await site.app.must('PUT', `/zones/${site.zoneId}/page_shield`, { enabled: false })
    await site.report(violation('https://other.example/'))
    expect((await site.scripts()).map(({ url }) => url)).toEqual([LIB])
    expect((await site.counts()).dropped).toEqual({ disabled: 1 })
  })

  test('a deleted zone accepts no reports, and causes no errors', async () => {
    await begin()
    await site.report(violation(LIB))
    await site.app.must('DELETE', `/zones/${site.zoneId}`)
    expect((await site.report(violation(LIB), { browser: 'b' })).status).toBe(204)
    // At once, not only when the cached zone expires.
    expect(site.app.collector.countsOf(site.zoneId)).toEqual({ recorded: 1 })
    site.app.clock.advance(6000)
    expect((await site.report(violation(LIB), { browser: 'c' })).status).toBe(204)
    expect(site.app.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('a report URL expires after a month, and stays the same for a day', async () => {
    await begin()
    site.app.clock.advance(29 * 86_400_000)
    await site.report(violation(LIB))
    expect(await site.scripts()).toHaveLength(1)
    site.app.clock.advance(3 * 86_400_000)
    await site.report(violation('https://late.example/'))
    expect((await site.counts()).recorded).toBe(1)
  })

  test('too many requests from one address are refused', async () => {
    await begin({ reportRate: { requests: 3, windowSeconds: 10 } })
    const statuses: number[] = []
    for (let request = 0; request < 5; request++)
      statuses.push((await site.report(violation(`https://a.example/${request}`))).status)
    expect(statuses).toEqual([204, 204, 204, 429, 429])
    expect(await site.scripts()).toHaveLength(3)
    site.app.clock.advance(10_000)
    expect((await site.report(violation(LIB))).status).toBe(204)
  })

  test('violations are counted for their policy, and detected resources are in the inventory', async () => {
    await begin()
    const { app, zoneId } = site
    const { id: policyId } = await app.must('POST', `/zones/${zoneId}/page_shield/policies`, {
      description: 'ours',
      action: 'log',
      expression: 'true',
      enabled: true,
      value: "script-src 'self'; img-src 'self'",
    })
    const zone = { id: zoneId, createdOn: '' } as never // as above
    const urls = await app.pageShield.reporting.reportingUrls(app.storage, zone)
    const address = urls(new URL(CHECKOUT), policyId).replace('https://shop.example.com', '')
    expect(address).toContain(`&p=${policyId}&`)
    const policy = { 'original-policy': "script-src 'self'; img-src 'self'" }
    await site.report(violation(LIB, 'script-src-elem', CHECKOUT, policy), { address })
    await site.report(violation(LIB, 'script-src-elem', CHECKOUT, policy), { address })
    await site.report(violation('inline', 'script-src-elem', CHECKOUT, policy), { address })
    await site.report(violation('https://img.example/x.png', 'img-src', CHECKOUT, policy), { address })
    const found = await app.must('GET', `/zonereeve/zones/${zoneId}/page_shield/violations`)
    expect(found).toMatchObject(
      [LIB, 'https://img.example/x.png', 'inline'].map(() => ({ policy_id: policyId, count: 1 })),
    )
    expect(await site.scripts()).toMatchObject([{ url: LIB }])
    expect(await site.counts()).toEqual({
      recorded: 1,
      violations: 2,
      hashes: 0,
      evicted: 0,
      dropped: { duplicate: 1 },
    })
  })

  test.each([
    ['a host that the policy allows', LIB, "script-src 'self' https://cdn.example.net", 'recorded'],
    ['any resource under a policy that allows everything', LIB, 'script-src *', 'policy_mismatch'],
    ['a directive that the policy does not have', LIB, "img-src 'none'", 'policy_mismatch'],
    ['a resource that the policy forbids', LIB, "script-src 'none'", 'recorded'],
    ['a report without its policy', LIB, '', 'recorded'],
  ])('a report about %s', async (_, blocked, original, outcome) => {
    await begin()
    const zone = { id: site.zoneId } as never // as above
    const urls = await site.app.pageShield.reporting.reportingUrls(site.app.storage, zone)
    const address = urls(new URL(CHECKOUT), 'a'.repeat(32)).replace('https://shop.example.com', '')
    const reported = violation(blocked, 'script-src-elem', CHECKOUT, { 'original-policy': original })
    await site.report(reported, { address })
    const { recorded, dropped } = await site.counts()
    expect({ recorded, ...dropped }).toEqual(
      outcome === 'recorded' ? { recorded: 1 } : { recorded: 0, policy_mismatch: 1 },
    )
  })

  test.each([
    ['a policy that would have caused it', 'inline', "script-src 'none'", { policy_mismatch: 1 }],
    ['a policy that could not have caused it', LIB, 'script-src *', { recorded: 1 }],
    ['no policy', 'https://img.example/x.png', '', { recorded: 1 }],
  ])('the policy in monitoring’s own reports is not checked: %s', async (_, blocked, original, expected) => {
    await begin()
    await site.report(violation(blocked, 'script-src-elem', CHECKOUT, { 'original-policy': original }))
    const { recorded, dropped } = await site.counts()
    expect({ ...(recorded > 0 && { recorded }), ...dropped }).toEqual(expected)
  })

  test('the report URL has the collector’s host if configured, unless the zone uses the pages’ own hosts', async () => {
    await begin({ collectorUrl: 'https://reports.example.net' })
    const urlOf = async () => {
      const zone = { id: site.zoneId, createdOn: '' } as never // as above
      return (await site.app.pageShield.reporting.reportingUrls(site.app.storage, zone))(
        new URL(CHECKOUT),
        null,
      )
    }
    expect(await urlOf()).toMatch(/^https:\/\/reports\.example\.net\/cdn-cgi\/script_monitor\/report\?v=1&z=/)
    await site.app.must('PUT', `/zones/${site.zoneId}/page_shield`, { use_service_reporting_endpoint: false })
    expect(await urlOf()).toMatch(/^https:\/\/shop\.example\.com\/cdn-cgi\/script_monitor\/report\?v=1&z=/)
  })

  test('a batch that cannot be stored is logged and lost, and the next one is stored', async () => {
    await begin()
    const { storage } = site.app
    const write = storage.write.bind(storage)
    let broken = true
    storage.write = (unit) => (broken ? Promise.reject(new Error('disk full')) : write(unit))
    await site.report(violation(LIB))
    broken = false
    await site.report(violation('https://next.example/'))
    expect((await site.scripts()).map(({ url }) => url)).toEqual(['https://next.example/'])
    expect(site.app.logged.filter(({ level }) => level === 'error')).toMatchObject([
      { event: 'reports not stored', fields: { size: 1 } },
    ])
  })

  test('accepted reports are stored when the collector closes', async () => {
    await begin()
    const { app, address } = site
    await app.call({ method: 'POST', base: '', path: address, token: null, body: violation(LIB) })
    expect(await site.scripts()).toEqual([])
    await app.collector.close()
    expect(await site.scripts()).toHaveLength(1)
  })
})

describeWith('shared-data', 'what three browsers really sent', () => {
  const ENGINES = [
    ['chromium-156', 8443, true],
    ['firefox-esr-153', 8444, false],
    ['webkitgtk-2.50.6', 8445, true],
  ] as const

  interface Captured {
    readonly m: string
    readonly u: string
    readonly h: Readonly<Record<string, string>>
    readonly body?: string
  }

  test.each(ENGINES)('%s', async (engine, port, withPreloads) => {
    const site = await openSite('site.test')
    onTestFinished(() => site.app.close())
    const lines = readFileSync(sharedFile(`data/browser-reports/${engine}.jsonl`), 'utf8')
      .trim()
      .split('\n')
    const captured = lines.map((line) => JSON.parse(line) as Captured) // the format of the capture
    expect(captured.length).toBeGreaterThan(50)
    for (const { m: method, h, body } of captured) {
      const answer = await site.report(body, { method, type: h['content-type'] ?? null, browser: engine })
      expect(answer.status).toBe(204)
    }
    const own = ['first.js?a=1', 'mod.js', ...(withPreloads ? ['pre.js', 'preload.js'] : []), 'second.js']
    expect((await site.scripts()).map(({ url }) => url).toSorted()).toEqual(
      [
        ...['lib.js?v=2', 'nocors.js', 'redir.js?to=evil'].map((file) => `https://cdn.test:${port}/${file}`),
        `https://evil.test:${port}/dyn.js?u=1`,
        ...own.map((file) => `https://site.test:${port}/${file}`),
      ].toSorted(),
    )
    expect((await site.connections()).map(({ url }) => url).toSorted()).toEqual(
      [
        ...['api', 'beacon', 'site'].map((host) => `https://${host}.test:${port}`),
        `wss://ws.test:${port}`,
      ].toSorted(),
    )
    const { dropped } = await site.counts()
    // Firefox reports its own icon loader.
    const { extension: ownLoads = 0, no_hash: unhashed = 0, ...rest } = dropped
    const reasons = Object.keys(rest).filter((reason) => reason !== 'not_fetched')
    expect(reasons.toSorted()).toEqual(['duplicate', 'policy_mismatch'])
    // Scripts of other origins without CORS.
    expect(unhashed > 0).toBe(engine !== 'firefox-esr-153')
    expect(ownLoads).toBe(engine === 'firefox-esr-153' ? 1 : 0)
  })
})
