// What policies see beyond scripts and connections: frames without an address, frames, images, forms, and code
// without a URL. The reports are those that Chromium and Firefox sent.
import { isAbout, pageOfFrame } from '@zonereeve/browser-reports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'

const PAGE = 'https://shop.example.com/checkout'
const SHOP = 'https://shop.example.com'
const isOwnPage = (url: string): boolean => url === SHOP || url.startsWith(`${SHOP}/`)
const NOTHING = { referrer: '', referer: undefined, origin: undefined, host: undefined }

test.each([
  ['about', true],
  ['about:srcdoc', true],
  ['about:blank', true],
  ['About:Blank', true],
  ['aboutness', false],
  ['https://about/', false],
  ['', false],
])('%j has no address of its own: %s', (uri, expected) => expect(isAbout(uri)).toBe(expected))

test.each([
  ['Chromium, about:blank', { ...NOTHING, referrer: PAGE, origin: SHOP }, PAGE],
  ['Chromium, srcdoc', { ...NOTHING, referrer: `${SHOP}/`, referer: PAGE, origin: SHOP }, PAGE],
  ['Firefox', { ...NOTHING, origin: SHOP }, SHOP],
  ['a sandboxed frame', { ...NOTHING, origin: 'null', host: 'shop.example.com' }, `${SHOP}/`],
  [
    'a sandboxed frame that reports to another host',
    { ...NOTHING, origin: 'null', host: 'r.test' },
    undefined,
  ],
  [
    'another site, whatever the host',
    { ...NOTHING, origin: 'https://r.test', host: 'shop.example.com' },
    undefined,
  ],
  [
    'another referrer, whatever the host',
    { ...NOTHING, referrer: 'https://r.test/', origin: 'null', host: 'shop.example.com' },
    undefined,
  ],
  ['nothing', NOTHING, undefined],
  ['only a host', { ...NOTHING, host: 'shop.example.com' }, undefined],
])('the page of a frame: %s', (_, sent, expected) => expect(pageOfFrame(sent, isOwnPage)).toBe(expected))

interface Listed {
  readonly kind: string
  readonly url?: string
  readonly sample?: string
  readonly page_urls: readonly string[]
}

describe('reports of a site', () => {
  let app: TestApp
  let zoneId: string
  let address: string
  let visitors = 0

  beforeAll(async () => {
    app = await startTestApp({})
    ;({ id: zoneId } = await app.must('POST', '/zones', { name: 'example.com' }))
    await app.must('PUT', `/zones/${zoneId}/page_shield`, { enabled: true })
    await app.must('PUT', own('retention'), { active_page_views: 1 })
    const url = await app.pageShield.reporting.reportingUrls(app.storage, { id: zoneId } as never) // its id is enough
    address = url(new URL('https://shop.example.com/'), null).replace(SHOP, '')
  })
  afterAll(() => app.close())

  const own = (path: string): string => `/zonereeve/zones/${zoneId}/page_shield/${path}`
  const list = (path: string) => app.must<readonly Listed[]>('GET', own(path))
  const listed = async (path: string) => (await list(path)).map(({ url, sample }) => url ?? sample).toSorted()
  const dropped = async (reason: string): Promise<number> => {
    const counts = await app.must<{ dropped: Record<string, number> }>('GET', own('collector'))
    return counts.dropped[reason] ?? 0
  }

  async function report(directive: string, blocked: string, more: object = {}, headers: object = {}) {
    visitors += 1
    const body = { 'document-uri': PAGE, 'blocked-uri': blocked, 'effective-directive': directive, ...more }
    const sent = { 'content-type': 'application/csp-report', 'user-agent': String(visitors), ...headers }
    await app.call({
      method: 'POST',
      base: '',
      path: address,
      token: null,
      body: { 'csp-report': body },
      headers: sent,
    })
    await app.collector.flush()
  }

  const LOADS = [
    ['frame-src', 'https://pay.example.net', 'frame'],
    ['img-src', 'https://pixel.example.net/p.png?card=4111', 'image'],
    ['form-action', 'https://take.example.net/post', 'form'],
  ] as const
  const CODE = [
    ['script-src-elem', 'inline', { 'script-sample': '\n window.a = 1…' }, 'inline', 'window.a = 1'],
    ['script-src-attr', 'inline', { 'script-sample': 'pay()' }, 'handler', 'pay()'],
    [
      'script-src-elem',
      'inline',
      { 'script-sample': 'javascript:void(0)' },
      'javascript_url',
      'javascript:void(0)',
    ],
    ['script-src', 'eval', { sample: 'window.e = 2' }, 'eval', 'window.e = 2'],
    ['script-src', 'wasm-eval', { 'source-file': `${SHOP}/w.js?v=1`, 'line-number': 3 }, 'wasm', ''],
  ] as const

  test('what the zone did not ask for is not stored', async () => {
    const before = await dropped('policy_mismatch')
    for (const [directive, blocked] of LOADS) await report(directive, blocked)
    for (const [directive, blocked, more] of CODE) await report(directive, blocked, more)
    expect((await dropped('policy_mismatch')) - before).toBe(LOADS.length + CODE.length)
    expect([...(await list('loads?kind=image')), ...(await list('code'))]).toEqual([])
  })

  test('frames without an address count as their page', async () => {
    const lib = 'https://cdn.example.net/in-frame.js'
    const about = { 'document-uri': 'about', 'source-file': 'about' }
    await report('script-src-elem', lib, { ...about, referrer: `${SHOP}/` }, { referer: PAGE, origin: SHOP })
    await report('connect-src', 'https://out.example.net/x', about, { origin: SHOP })
    const before = await dropped('foreign_page')
    await report('script-src-elem', 'https://cdn.example.net/no.js', about, {
      origin: 'https://elsewhere.test',
    })
    await report('script-src-elem', 'https://cdn.example.net/no.js', about)
    expect((await dropped('foreign_page')) - before).toBe(2)
    const scripts = await app.must<{ id: string; url: string; first_page_url: string }[]>(
      'GET',
      `/zones/${zoneId}/page_shield/scripts`,
    )
    expect(scripts.map(({ url, first_page_url: page }) => [url, page])).toEqual([
      [lib, 'shop.example.com/checkout'],
    ])
    const connections = await app.must<{ url: string; first_page_url: string }[]>(
      'GET',
      `/zones/${zoneId}/page_shield/connections`,
    )
    expect(connections.map(({ url, first_page_url: page }) => [url, page])).toEqual([
      ['https://out.example.net', 'shop.example.com/'],
    ])
  })

  test('extensions and foreign schemes in such frames are still dropped', async () => {
    const before = await dropped('extension')
    const about = { 'document-uri': 'about', 'source-file': 'chrome-extension://a/b.js' }
    await report('script-src-elem', 'https://cdn.example.net/no.js', about, { origin: SHOP })
    expect((await dropped('extension')) - before).toBe(1)
  })

  test('frames, images and forms have their own lists and events, and are no connections', async () => {
    await app.must('PUT', own('sampling'), { also_report: ['frames', 'images', 'forms'] })
    await app.must('PUT', `/zones/${zoneId}/page_shield`, { use_connection_url_path: true })
    for (const [directive, blocked] of LOADS) await report(directive, blocked)
    expect(await listed('loads?kind=frame')).toEqual(['https://pay.example.net/'])
    // What an image's URL carries may be what was stolen: only its host is stored.
    expect(await listed('loads?kind=image')).toEqual(['https://pixel.example.net'])
    expect(await listed('loads?kind=form')).toEqual(['https://take.example.net/post'])
    expect((await list('loads?kind=form'))[0]?.page_urls).toEqual(['shop.example.com/checkout'])
    const kinds = (await list('events')).map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['frame.new', 'image.new', 'form.new']))
    expect(await app.must('GET', `/zones/${zoneId}/page_shield/connections`)).toHaveLength(1)
  })

  test('code without a URL is stored by its beginning', async () => {
    await app.must('PUT', own('sampling'), { also_report: ['inline', 'eval'] })
    for (const [directive, blocked, more] of CODE) await report(directive, blocked, more)
    for (const [, , , kind, sample] of CODE) expect(await listed(`code?kind=${kind}`)).toEqual([sample])
    const [wasm] = await list('code?kind=wasm')
    expect(wasm).toMatchObject({ source_url: `${SHOP}/w.js`, line: 3, sample_sha256: null, status: 'active' })
    // The same code again is the same entry, with one more page.
    await report('script-src-attr', 'inline', { 'script-sample': 'pay()', 'document-uri': `${SHOP}/basket` })
    const handlers = await list('code?kind=handler')
    expect(handlers.map(({ page_urls: pages }) => pages)).toEqual([
      ['shop.example.com/basket', 'shop.example.com/checkout'],
    ])
  })

  test('workers and scripts from blobs are always stored', async () => {
    await app.must('PUT', own('sampling'), { also_report: [] })
    await report('worker-src', 'blob')
    await report('script-src-elem', 'data', { 'source-file': `${SHOP}/a.js` })
    expect(await list('code?kind=worker')).toHaveLength(1)
    expect(await list('code?kind=script')).toMatchObject([{ source_url: `${SHOP}/a.js` }])
  })

  test('an unknown kind is refused by name', async () => {
    const answer = await app.call({ method: 'GET', path: own('loads?kind=font') })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('kind')
  })
})
