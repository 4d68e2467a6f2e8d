// Scripts and connections over HTTP: effects of observations, every list filter, files, plans, and changes over time.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Scenario, type Send } from '../../../testing/scenarios.ts'
import { get, observe, ON, OWN, SETTINGS, views } from './observing.cases.ts'
import { CHUNK_SIZE } from '@zonereeve/cooperate'

const SCRIPTS = `${SETTINGS}/scripts`
const CONNECTIONS = `${SETTINGS}/connections`
const A = 'https://cdn.example.net/a.js?v=1'
const SHOP = 'https://shop.example.com/checkout?cart=1#top'
const seen = (count: number, url = A, page_url = SHOP) =>
  observe(...views(count, { page_url, scripts: [url] }))
const MISSING = 'f'.repeat(32)

/** More than fit into one chunk of a reply, or into one time slice. */
const CROWD = 1200
const crowd = (kind: 'scripts' | 'connections') =>
  observe(
    ...Array.from({ length: CROWD / 200 }, (_, part) => ({
      page_url: 'https://example.com/',
      [kind]: Array.from({ length: 200 }, (_item, index) => `https://h${part}x${index}.example.net/a.js`),
    })),
  )

describe('a large inventory', () => {
  let app: TestApp
  let zoneId: string
  beforeAll(async () => {
    app = await startTestApp()
    const created = await app.call({ method: 'POST', path: '/zones', body: { name: 'example.com' } })
    zoneId = JSON.parse(created.text).result.id
    const send = ({ method, path, body }: Send) =>
      app.call({ method, path: path.replace('{zone}', zoneId), body })
    for (const one of [ON, crowd('scripts'), crowd('connections')]) expect((await send(one)).status).toBe(200)
  })
  afterAll(() => app.close())

  test.each(['scripts', 'connections'])(
    '%s: one page with all equals all pages, in the same order',
    async (what) => {
      const path = `/zones/${zoneId}/page_shield/${what}?status=infrequent&order_by=first_seen_at`
      const read = async (page: string) => {
        const { status, text, headers } = await app.call({ method: 'GET', path: `${path}&${page}` })
        expect([status, headers['content-type']]).toEqual([200, 'application/json'])
        return JSON.parse(text)
      }
      const whole = await read('page=all')
      const paged = []
      for (let page = 1; page <= CROWD / 100; page++)
        paged.push(...(await read(`page=${page}&per_page=100`)).result)
      expect(whole.result).toEqual(paged)
      expect(Object.keys(whole)).toEqual(['result', 'success', 'errors', 'messages', 'result_info'])
      expect(whole.result_info).toEqual({
        page: 1,
        per_page: CROWD,
        count: CROWD,
        total_count: CROWD,
        total_pages: 1,
      })
    },
  )

  test.each(['scripts', 'connections'])('%s: a file has a line for each', async (what) => {
    const path = `/zones/${zoneId}/page_shield/${what}?status=infrequent&export=csv`
    const { status, text } = await app.call({ method: 'GET', path })
    const lines = text.split('\r\n')
    expect([status, lines.length, lines.at(-1)]).toEqual([200, CROWD + 2, ''])
    expect(new Set(lines.slice(1, -1).map((line) => line.split(',')[1])).size).toBe(CROWD)
  })

  test('the evidence has a line and a row for each', async () => {
    const path = `/zonereeve/zones/${zoneId}/page_shield/evidence`
    expect((await app.call({ method: 'GET', path })).text.split('\r\n').length).toBe(CROWD + 2)
    const page = (await app.call({ method: 'GET', path: `${path}?format=html` })).text
    expect(page.match(/<code>https:\/\/h\dx\d+\.example\.net\/a\.js<\/code><br>/g)?.length).toBe(CROWD)
    expect(page.endsWith('</table>\n</body>\n</html>\n')).toBe(true)
  })

  test('everything is deleted with the zone', async () => {
    expect((await app.call({ method: 'DELETE', path: `/zones/${zoneId}` })).status).toBe(200)
    for (const table of ['page_shield_resources', 'page_shield_events', 'page_shield_cookies'] as const)
      expect(await app.storage.all(query.selectFrom(table).selectAll().limit(1))).toEqual([])
  })
})

/** Four hosts and pages, each with its own script, three times; the latest first. */
const at = (second: number) => ({ observed_at: `2026-01-05T10:20:${second}Z` })
const MANY = observe(
  ...views(3, { page_url: 'https://example.com/', scripts: ['https://one.example.net/lib.js'], ...at(29) }),
  ...views(3, {
    page_url: 'https://shop.example.com/cart/1',
    scripts: ['https://two.example.net/lib.js'],
    ...at(28),
  }),
  ...views(3, {
    page_url: 'http://www.example.com:8080/blog/a,b',
    scripts: ['https://two.example.net/%20x.js'],
    ...at(27),
  }),
  ...views(3, {
    page_url: 'https://example.com/docs',
    scripts: ['https://example.com/cdn-cgi/challenge.js'],
    ...at(26),
  }),
)
const list = (name: string, queryText: string, urls: readonly string[]): Scenario => ({
  name,
  before: [ON, MANY],
  send: get(`${SCRIPTS}?${queryText}`),
  expect: { status: 200, result: urls.map((url) => ({ url })), info: { total_count: urls.length } },
})
const ONE = 'https://one.example.net/lib.js'
const TWO = 'https://two.example.net/lib.js'
const SPACE = 'https://two.example.net/%20x.js'
const CGI = 'https://example.com/cdn-cgi/challenge.js'

scenarios('/zones/:id/page_shield/scripts', [
  {
    name: 'of a new zone: none',
    send: get(SCRIPTS),
    expect: {
      status: 200,
      result: [],
      info: { page: 1, per_page: 20, count: 0, total_count: 0, total_pages: 1 },
    },
  },
  {
    name: 'after three page views: active, all members in order',
    before: [ON, seen(3)],
    send: get(SCRIPTS),
    expect: {
      status: 200,
      text: new RegExp(
        [
          '^\\{"result":\\[\\{"id":"[0-9a-f]{32}","url":"https://cdn.example.net/a.js\\?v=1",',
          '"added_at":"2026-01-05T10:20:30.\\d{6}Z","first_seen_at":"2026-01-05T10:20:30Z",',
          '"last_seen_at":"2026-01-05T10:20:30Z","host":"shop.example.com","domain_reported_malicious":false,',
          '"url_reported_malicious":false,"first_page_url":"shop.example.com/checkout","status":"active",',
          '"url_contains_cdn_cgi_path":false,"hash":null,"js_integrity_score":null,"obfuscation_score":null,',
          '"dataflow_score":null,"malware_score":null,"cryptomining_score":null,"magecart_score":null,',
          '"fetched_at":null\\}\\],"success":true',
        ].join(''),
      ),
    },
  },
  {
    name: 'after two page views: infrequent, and not in the default list',
    before: [ON, seen(2)],
    send: get(SCRIPTS),
    expect: { status: 200, result: [] },
  },
  {
    name: 'infrequent ones, on request',
    before: [ON, seen(2)],
    send: get(`${SCRIPTS}?status=infrequent`),
    expect: { status: 200, result: [{ url: A, status: 'infrequent' }] },
  },
  {
    name: 'several statuses',
    before: [ON, seen(2), seen(3, 'https://b.example/')],
    send: get(`${SCRIPTS}?status=active,%20infrequent`),
    expect: { status: 200, info: { total_count: 2 } },
  },
  {
    name: 'the same script on another host is another one',
    before: [ON, seen(3), seen(3, A, 'https://example.com/')],
    send: get(`${SCRIPTS}?exclude_duplicates=false`),
    expect: { status: 200, info: { total_count: 2 } },
  },
  ...['http://EXAMPLE.com:80/', 'https://user:secret@example.com/x#y'].map((page_url) => ({
    name: `a page of the zone: ${page_url}`,
    before: [ON],
    send: seen(1, A, page_url),
    expect: { status: 200, result: { scripts: 1, connections: 0, cookies: 0, ignored: 0 } },
  })),
  list('without Cloudflare-style paths, the latest first', 'order_by=last_seen_at', [ONE, TWO, SPACE]),
  list('a host', 'hosts=shop.example.com', [TWO]),
  list('a host in capitals', 'hosts=SHOP.example.com', [TWO]),
  list('hosts that end so', 'hosts=*.example.com', [TWO, SPACE]),
  list('hosts that begin so', 'hosts=s*,ex*', [ONE, TWO]),
  list('hosts that have it', 'hosts=*ww*', [SPACE]),
  list('any host', 'hosts=*', [ONE, TWO, SPACE]),
  list('hosts left out', 'exclude_hosts=shop*,www*', [ONE]),
  list('parts of URLs', 'urls=one.ex,zzz', [ONE]),
  list('a part with a percent sign of its own', 'urls=%2520x', [SPACE]),
  list('capitals count in URLs', 'urls=LIB.js', []),
  list('URLs left out', 'exclude_urls=two.', [ONE]),
  list('with our own paths', 'exclude_cdn_cgi=false&urls=cdn-cgi', [CGI]),
  list('a page', 'page_url=shop.example.com/cart/1', [TWO]),
  list('a page with its scheme', 'page_url=https://shop.example.com/cart/1', [TWO]),
  list('a bare host is its first page', 'page_url=example.com', [ONE]),
  list('pages that begin so', 'page_url=shop.example.com/*', [TWO]),
  list('pages that end so', 'page_url=*/1', [TWO]),
  list('pages that have it', 'page_url=*cart*', [TWO]),
  list('no part of a page', 'page_url=shop.example.com', []),
  list('a comma in a page, encoded twice', 'page_url=www.example.com:8080/blog/a%252Cb', [SPACE]),
  list('no quotes out of the query', 'hosts=%27%20OR%20%271%27=%271', []),
  list('a star encoded twice, as by clients that encode each host', 'hosts=%252A.example.com', [TWO, SPACE]),
  list('NUL', 'hosts=%00', []),
  {
    name: 'unknown parameters are refused with their name',
    before: [ON, MANY],
    send: get(`${SCRIPTS}?colour=red&urls=one`),
    expect: { status: 400, codes: [6008], pointers: ['/colour'] },
  },
  {
    name: 'a page of a list',
    before: [ON, MANY],
    send: get(`${SCRIPTS}?page=2&per_page=2`),
    expect: {
      status: 200,
      info: { page: 2, per_page: 2, count: 1, total_count: 3, total_pages: 2 },
    },
  },
  {
    name: 'past the end',
    before: [ON, MANY],
    send: get(`${SCRIPTS}?page=999999999999999`),
    expect: { status: 200, result: [], info: { count: 0, total_count: 3 } },
  },
  {
    name: 'everything',
    before: [ON, MANY],
    send: get(`${SCRIPTS}?page=all&per_page=1`),
    expect: { status: 200, info: { page: 1, per_page: 3, count: 3, total_count: 3, total_pages: 1 } },
  },
  ...['0', '-1', '1.5', 'x', '', 'ALL', '1e3'].map((page) => ({
    name: `no page: "${page}"`,
    send: get(`${SCRIPTS}?page=${page}`),
    expect: { status: 400, codes: [19618], pointers: ['/page'] },
  })),
  ...(
    [
      ['per_page=0', '/per_page', 6008],
      ['per_page=101', '/per_page', 6008],
      ['per_page=x', '/per_page', 6008],
      ['order_by=url', '/order_by', 6008],
      ['direction=up', '/direction', 6008],
      ['status=gone', '/status', 19622],
      ['status=', '/status', 19622],
      ['status=active,,inactive', '/status', 19622],
      ['exclude_cdn_cgi=yes', '/exclude_cdn_cgi', 6008],
      ['exclude_duplicates=2', '/exclude_duplicates', 6008],
      ['prioritize_malicious=on', '/prioritize_malicious', 6008],
      ['export=pdf', '/export', 6008],
      [`urls=${'a'.repeat(8193)}`, '/urls', 6008],
    ] as const
  ).map(([text, pointer, code]) => ({
    name: `refused: ${text.slice(0, 40)}`,
    send: get(`${SCRIPTS}?${text}`),
    expect: { status: 400, codes: [code], pointers: [pointer] },
  })),
  {
    name: 'a file',
    before: [ON, seen(3, 'https://cdn.example.net/a,b.js'), seen(1)],
    send: get(`${SCRIPTS}?export=csv&page=7`),
    expect: {
      status: 200,
      file: 'text/csv; charset=utf-8',
      text: /^id,url,added_at,first_seen_at,.*,page_urls\r\n[0-9a-f]{32},"https:\/\/cdn\.example\.net\/a,b\.js",2026-01-05T.*,shop\.example\.com\/checkout\r\n$/,
    },
  },
  { name: 'no such script', send: get(`${SCRIPTS}/${MISSING}`), expect: { status: 404, codes: [19621] } },
  {
    name: 'no such contents',
    send: get(`${OWN}/scripts/${MISSING}/contents`),
    expect: { status: 404, codes: [19621] },
  },
  { name: 'no identifier', send: get(`${SCRIPTS}/nothing`), expect: { status: 400, codes: [7003] } },
  {
    name: 'plan business: pages, no contents',
    plan: 'business',
    before: [ON, seen(3)],
    send: get(SCRIPTS),
    expect: {
      status: 200,
      text: /"domain_reported_malicious":false,"first_page_url":"[^"]+","status":"active","url_contains_cdn_cgi_path":false\}\]/,
    },
  },
  {
    name: 'plan free: neither',
    plan: 'free',
    before: [ON, seen(3)],
    send: get(SCRIPTS),
    expect: {
      status: 200,
      text: /"domain_reported_malicious":false,"status":"active","url_contains_cdn_cgi_path":false\}\]/,
    },
  },
  {
    name: 'plan business: no file',
    plan: 'business',
    send: get(`${SCRIPTS}?export=csv`),
    expect: { status: 403, codes: [19616], pointers: ['/export'] },
  },
])

scenarios('/zones/:id/page_shield/connections', [
  {
    name: 'only scheme and host',
    before: [
      ON,
      observe(
        ...views(3, {
          page_url: SHOP,
          connections: [
            'wss://live.example.net:8443/socket?session=secret',
            'https://api.example.net/v1?key=s',
          ],
        }),
      ),
    ],
    send: get(`${CONNECTIONS}?order_by=first_seen_at&direction=asc&urls=live`),
    expect: {
      status: 200,
      result: [{ url: 'wss://live.example.net:8443', host: 'shop.example.com', status: 'active' }],
      text: /"host":"shop.example.com","domain_reported_malicious":false,"url_reported_malicious":false,"first_page_url"/,
    },
  },
  {
    name: 'the whole URL, if configured',
    before: [
      { method: 'PUT', path: SETTINGS, body: { enabled: true, use_connection_url_path: true } },
      observe(...views(3, { page_url: SHOP, connections: ['https://api.example.net/v1?key=s#x'] })),
    ],
    send: get(CONNECTIONS),
    expect: { status: 200, result: [{ url: 'https://api.example.net/v1?key=s' }] },
  },
  {
    name: 'no such connection',
    send: get(`${CONNECTIONS}/${MISSING}`),
    expect: { status: 404, codes: [19611] },
  },
  ...(['free', 'pro'] as const).flatMap((plan) => [
    { name: `plan ${plan}: none`, plan, send: get(CONNECTIONS), expect: { status: 403, codes: [19616] } },
    {
      name: `plan ${plan}: not one`,
      plan,
      send: get(`${CONNECTIONS}/${MISSING}`),
      expect: { status: 403, codes: [19616] },
    },
  ]),
  {
    name: 'plan business: some',
    plan: 'business',
    send: get(CONNECTIONS),
    expect: { status: 200, result: [] },
  },
])

describe('over time', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  const DAY = 86_400_000
  interface Script {
    readonly id: string
    readonly status: string
    readonly first_seen_at: string
    readonly page_urls: readonly string[]
  }

  async function newZone(name: string) {
    const { id } = await app.must('POST', '/zones', { name })
    await app.must('PUT', `/zones/${id}/page_shield`, { enabled: true })
    const look = async (count: number, page = '/', scripts: readonly string[] = [A]) =>
      app.must('POST', `/zonereeve/zones/${id}/page_shield/observations`, {
        observations: views(count, { page_url: `https://${name}${page}`, scripts }),
      })
    const scripts = () =>
      app.must<readonly Script[]>('GET', `/zones/${id}/page_shield/scripts?status=active,infrequent,inactive`)
    return { id, look, scripts }
  }

  test('infrequent ones are forgotten after five days, and come back with their id', async () => {
    const { look, scripts } = await newZone('five.example')
    await look(2)
    const [first] = await scripts()
    app.clock.advance(5 * DAY)
    expect(await scripts()).toMatchObject([{ status: 'infrequent' }])
    app.clock.advance(1000)
    expect(await scripts()).toEqual([])
    // No sweep has run yet, but it is already forgotten.
    await look(2)
    const [again] = await scripts()
    expect(again).toMatchObject({ id: first?.id, status: 'infrequent' })
    expect(again?.first_seen_at).not.toBe(first?.first_seen_at)
  })

  test('active ones become inactive after seven days without reports, active at the next report, forgotten after thirty', async () => {
    const { id, look, scripts } = await newZone('thirty.example')
    await look(3)
    const [first] = await scripts()
    app.clock.advance(7 * DAY)
    expect(await scripts()).toMatchObject([{ status: 'active' }])
    app.clock.advance(1000)
    expect(await scripts()).toMatchObject([{ status: 'inactive' }])
    expect(await app.must('GET', `/zones/${id}/page_shield/scripts`)).toEqual([])
    await look(1)
    expect(await scripts()).toMatchObject([{ status: 'active', first_seen_at: first?.first_seen_at }])
    app.clock.advance(30 * DAY + 1000)
    expect(await scripts()).toEqual([])
    const gone = await app.call({ method: 'GET', path: `/zones/${id}/page_shield/scripts/${first?.id}` })
    expect(gone.status).toBe(404)
  })

  test('the sweeper deletes only forgotten resources, and only one sweep runs at a time', async () => {
    const { id, look } = await newZone('sweep.example')
    await look(3, '/', ['https://kept.example/'])
    await look(1, '/', ['https://lost.example/'])
    app.clock.advance(6 * DAY)
    const sweeps = await Promise.all([app.pageShield.sweep(), app.pageShield.sweep()])
    expect(sweeps.filter((swept) => swept === undefined)).toHaveLength(1)
    const all = await app.storage.all(
      query.selectFrom('page_shield_resources').select('url').where('zone_id', '=', id),
    )
    expect(all).toEqual([{ url: 'https://kept.example/' }])
    expect(await app.pageShield.sweep()).toBe(0)
  })

  test('the sweeper deletes more than one batch, and keeps newer resources', async () => {
    const { id } = await newZone('many.example')
    const event = (minute: number) => ({
      zone_id: id,
      at: `2020-01-01T00:${minute}:00Z`,
      kind: 'script.new',
      resource_id: 'r',
      url: 'u',
      host: 'h',
      page_url: 'p',
      previous_hash: null,
      hash: null,
    })
    await app.storage.write(async (tx) => {
      for (let count = 0; count <= 2 * CHUNK_SIZE; count++)
        await tx.run(query.insertInto('page_shield_events').values(event(10)))
      await tx.run(
        query.insertInto('page_shield_events').values({ ...event(10), at: '2999-01-01T00:00:00Z' }),
      )
    })
    expect(await app.pageShield.sweep()).toBe(2 * CHUNK_SIZE + 1)
    const all = query.selectFrom('page_shield_events').select('at').where('zone_id', '=', id)
    expect(await app.storage.all(all)).toEqual([{ at: '2999-01-01T00:00:00Z' }])
    await app.must('DELETE', `/zones/${id}`)
    expect(await app.storage.all(all)).toEqual([])
  })

  test('a script that is no longer reported is an event, once per silence', async () => {
    const { id, look } = await newZone('silent.example')
    await look(3, '/', ['https://kept.example/'])
    await look(1, '/', ['https://rare.example/'])
    const reportedEvents = () =>
      app.must<{ url: string }[]>('GET', `/zonereeve/zones/${id}/page_shield/events?kind=script.inactive`)
    await app.pageShield.sweep()
    expect(await reportedEvents()).toEqual([])
    app.clock.advance(7 * DAY + 1000)
    for (let sweep = 0; sweep < 2; sweep++) await app.pageShield.sweep()
    expect(await reportedEvents()).toMatchObject([
      { url: 'https://kept.example/', page_url: 'silent.example/' },
    ])
    await look(1, '/', ['https://kept.example/'])
    app.clock.advance(7 * DAY + 1000)
    await app.pageShield.sweep()
    expect((await reportedEvents()).map(({ url }) => url)).toEqual([
      'https://kept.example/',
      'https://kept.example/',
    ])
  })

  test('the last ten pages are kept, newest first; the first page is kept too', async () => {
    const { id, look, scripts } = await newZone('pages.example')
    for (let page = 1; page <= 12; page++) await look(1, `/${page}`)
    await look(1, '/5')
    const [script] = await scripts()
    const detail = await app.must<Script & { first_page_url: string }>(
      'GET',
      `/zones/${id}/page_shield/scripts/${script?.id}`,
    )
    expect(detail.first_page_url).toBe('pages.example/1')
    expect(detail.page_urls).toEqual([5, 12, 11, 10, 9, 8, 7, 6, 4, 3].map((page) => `pages.example/${page}`))
    expect(detail).toMatchObject({ versions: [] })
  })

  test('URLs that differ only in their query are merged if there are too many', async () => {
    const { id, look, scripts } = await newZone('variants.example')
    await app.must('PUT', `/zonereeve/zones/${id}/page_shield/retention`, { max_query_variants: 3 })
    const urls = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `https://v.example/x.js?n=${from + index}`)
    await look(1, '/', urls(0, 10))
    await look(1, '/', [...urls(2, 12), 'https://v.example/x.jsx?n=1', 'https://v.example/x.js'])
    const found = (await scripts()) as unknown as { url: string }[] // from the list above
    expect(found.map(({ url }) => url).toSorted()).toEqual([
      'https://v.example/x.js',
      'https://v.example/x.js?*',
      'https://v.example/x.js?n=0',
      'https://v.example/x.js?n=1',
      'https://v.example/x.js?n=2',
      'https://v.example/x.jsx?n=1',
    ])
  })

  test('a dry run of observations stores nothing', async () => {
    const { id, scripts } = await newZone('dry.example')
    const { status } = await app.call({
      method: 'POST',
      path: `/zonereeve/zones/${id}/page_shield/observations?dry_run=true`,
      body: { observations: [{ page_url: 'https://dry.example/', scripts: [A] }] },
    })
    expect([status, await scripts()]).toEqual([200, []])
  })
})
