// The monitoring script: served only where it is switched on, what its reports may contain, what is stored of them, and
// what a real Chromium sends.
import { createHash } from 'node:crypto'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { findChromium, loadPlaywright } from '@zonereeve/page-scanner'
import { query } from '@zonereeve/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeWith } from '../../../../../../scripts/test-requirements.ts'
import { startTestApp, type TestApp, type TestAppOptions } from '../../../testing/app.ts'

const HOST = 'www.example.com'
const PAGE = `https://${HOST}/checkout`
const ATTACKER = '203.0.113.9'
const DAY_MILLIS = 86_400_000

interface Beacon {
  readonly enabled: boolean
  readonly script_url: string
  readonly integrity: string
  readonly report_url: string
  readonly expires_at: string
  readonly one_in: number
  readonly element: string
}

interface Cookie {
  readonly name: string
  readonly type: string
  readonly set_by?: string | null
  readonly http_only_attribute?: boolean
  readonly page_urls: readonly string[]
}

let app: TestApp
let zoneId = ''

async function begin(options: TestAppOptions = {}): Promise<void> {
  app = await startTestApp({ trustProxy: ['127.0.0.0/8'], ...options })
  zoneId = (await app.must('POST', '/zones', { name: 'example.com' })).id
  await app.must('PUT', `/zones/${zoneId}/page_shield`, { enabled: true })
}

afterEach(() => app.close())

const own = (path: string): string => `/zonereeve/zones/${zoneId}/page_shield${path}`
const switchOn = (more: object = {}) => app.must('PUT', own('/sampling'), { beacon: true, ...more })
const beacon = (path = '') => app.must<Beacon>('GET', own(`/beacon${path}`))
const outside = (method: string, path: string, more: object = {}) =>
  app.call({ method, path, base: '', token: null, ...more })

/** Sends a report as the script does, as text without a preflight. */
async function report(body: unknown, from = '192.0.2.1', address?: string) {
  const path = address ?? (await beacon()).report_url
  const headers = { 'content-type': 'text/plain;charset=UTF-8', 'x-forwarded-for': from, host: HOST }
  const answer = await outside('POST', path, { headers, body })
  await app.collector.flush()
  return answer
}

const names = (visible: readonly string[], changed: readonly string[] = [], page_url = PAGE) => ({
  page_url,
  visible,
  changed,
})
const cookies = () => app.must<Cookie[]>('GET', `/zones/${zoneId}/page_shield/cookies`)
const counts = () => app.must<{ recorded: number; dropped: Record<string, number> }>('GET', own('/collector'))
const stored = async () => (await cookies()).map(({ name, set_by = null }) => [name, set_by]).toSorted()

describe('the script', () => {
  beforeEach(() => begin())

  test('is served at a URL of its content, small, and to any page', async () => {
    await switchOn()
    const { enabled, script_url: url, integrity, element } = await beacon()
    expect([enabled, url]).toEqual([
      true,
      expect.stringMatching(/^\/cdn-cgi\/script_monitor\/[0-9a-f]{32}\/[0-9a-f]{16}\/monitor\.js$/),
    ])
    const served = await outside('GET', url, { headers: { host: HOST } })
    expect([served.status, served.headers]).toMatchObject([
      200,
      {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
      },
    ])
    expect(gzipSync(served.text).length).toBeLessThanOrEqual(3000)
    expect(integrity).toBe(`sha384-${createHash('sha384').update(served.text).digest('base64')}`)
    expect(element).toContain(`src="${url}" integrity="${integrity}" crossorigin="anonymous"`)
    expect(element).not.toMatch(/&(?!amp;)/)
  })

  test.each<readonly [string, () => Promise<unknown> | undefined, (url: string) => string]>([
    ['by default', () => undefined, (url) => url],
    [
      'after it was switched off',
      async () => {
        await switchOn()
        await app.must('PUT', own('/sampling'), { beacon: false })
      },
      (url) => url,
    ],
    [
      'while monitoring is off',
      async () => {
        await switchOn()
        await app.must('PUT', `/zones/${zoneId}/page_shield`, { enabled: false })
      },
      (url) => url,
    ],
    [
      'after its zone was deleted',
      async () => {
        await switchOn()
        return app.must('DELETE', `/zones/${zoneId}`)
      },
      (url) => url,
    ],
    ['for another zone', () => switchOn(), (url) => url.replace(zoneId, 'f'.repeat(32))],
    ['for what is no zone', () => switchOn(), (url) => url.replace(zoneId, 'nothing')],
    [
      'of another version',
      () => switchOn(),
      (url) => url.replace(/[0-9a-f]{16}\/monitor/, `${'0'.repeat(16)}/monitor`),
    ],
  ])('is an unknown path %s', async (_, before, change) => {
    const { script_url: url } = await beacon()
    await before()
    const unknown = await outside('GET', '/cdn-cgi/script_monitor/nothing.js')
    const answer = await outside('GET', change(url))
    const { date: _date, ...headers } = answer.headers
    expect([answer.status, answer.text, Object.keys(headers)]).toEqual([
      404,
      unknown.text,
      Object.keys(unknown.headers).filter((name) => name !== 'date'),
    ])
  })

  test('is shown with the sampling of the page, and is off by default', async () => {
    expect(await beacon()).toMatchObject({ enabled: false, one_in: 1, expires_at: '2026-02-05T00:00:00Z' })
    await switchOn({ mode: 'fixed', one_in: 20, whole_paths: ['/checkout'] })
    expect((await beacon()).report_url).toMatch(
      /^\/cdn-cgi\/script_monitor\/report\?v=1&z=[0-9a-f]{32}&c=20&e=\d+&m=/,
    )
    expect(await beacon('?path=/checkout/pay')).toMatchObject({ enabled: true, one_in: 1 })
    const refused = await app.call({ method: 'GET', path: own('/beacon?path=checkout') })
    expect([refused.status, refused.json.errors[0]?.source?.pointer]).toEqual([400, '/path'])
  })

  test('is on the host of the collector, if there is one', async () => {
    await app.close()
    await begin({ collectorUrl: 'https://reports.example.net' })
    const { script_url: script, report_url: address } = await beacon()
    for (const url of [script, address]) expect(url).toMatch(/^https:\/\/reports\.example\.net\/cdn-cgi\//)
  })
})

describe('a report of cookies', () => {
  beforeEach(async () => {
    await begin()
    await switchOn()
  })

  test('adds names, and says which were set while the page was open', async () => {
    expect((await report(names(['theme', 'lang'], ['cart']))).status).toBe(204)
    expect(await stored()).toEqual([
      ['cart', 'script'],
      ['lang', null],
      ['theme', null],
    ])
    expect((await cookies())[0]).toMatchObject({ type: 'unknown', page_urls: [`${HOST}/checkout`] })
    await report(names(['cart']), '192.0.2.2')
    expect(await stored()).toContainEqual(['cart', 'script'])
    expect((await counts()).recorded).toBe(4)
  })

  test('does not touch cookies that scripts cannot read, and confirms those that they can', async () => {
    await app.must('POST', own('/observations'), {
      observations: [{ page_url: PAGE, set_cookie: ['session=1; HttpOnly; Path=/', 'theme=1; Path=/'] }],
    })
    app.clock.advance(DAY_MILLIS)
    await report(names(['theme', 'session']))
    const found = (
      await app.must<(Cookie & { last_seen_at: string })[]>('GET', `/zones/${zoneId}/page_shield/cookies`)
    )
      .map(({ name, type, set_by, http_only_attribute: isHttpOnly, last_seen_at: at }) => [
        name,
        type,
        set_by,
        isHttpOnly,
        at.slice(8, 10),
      ])
      .toSorted()
    expect(found).toEqual([
      ['session', 'first_party', 'response', true, '05'],
      ['session', 'unknown', undefined, undefined, '06'],
      ['theme', 'first_party', 'response', false, '06'],
    ])
  })

  test('is replaced by a header that sets the same cookie', async () => {
    await report(names([], ['cart']))
    await app.must('POST', own('/observations'), {
      observations: [{ page_url: PAGE, set_cookie: ['cart=1'] }],
    })
    await report(names(['cart'], ['cart']), '192.0.2.2')
    expect(await stored()).toEqual([['cart', 'response']])
  })

  test.each<readonly [string, unknown, string | undefined]>([
    ['a value', names(['theme=secret']), '/visible/0'],
    ['values beside the names', { ...names(['theme']), values: ['secret'] }, '/values'],
    ['a query', names(['theme'], [], `${PAGE}?card=secret`), '/page_url'],
    ['a page of another site', names(['theme'], [], 'https://example.org/'), '/page_url'],
    ['too many names', names(Array.from({ length: 101 }, (_, index) => `n${index}`)), '/visible/100'],
    ['no JSON', '{', undefined],
    ['a report of a browser', { 'csp-report': { 'document-uri': PAGE } }, '/csp-report'],
  ])('with %s is rejected by its part, and adds nothing', async (_, body, pointer) => {
    const answer = await report(body)
    expect([answer.status, answer.json.errors]).toMatchObject([400, [{ code: 6008 }]])
    expect(answer.json.errors[0]?.source?.pointer).toBe(pointer)
    expect(answer.text).not.toContain('secret')
    expect(await cookies()).toEqual([])
    const { recorded, dropped } = await counts()
    expect([recorded, (dropped['malformed'] ?? 0) + (dropped['foreign_page'] ?? 0)]).toEqual([0, 1])
  })

  test('is dropped where its address is not for it, is old, or the script is off', async () => {
    const { report_url: address } = await beacon()
    const urls = await app.pageShield.reporting.reportingUrls(app.storage, { id: zoneId } as never) // only the id counts
    const ofBrowsers = urls(new URL(PAGE), null).replace(new URL(PAGE).origin, '')
    const statuses = [
      (await report(names(['theme']), '192.0.2.1', ofBrowsers)).status,
      (await report(names(['theme']), '192.0.2.1', address.replace('&c=1&', '&c=2&'))).status,
    ]
    await app.must('PUT', own('/sampling'), { beacon: false })
    statuses.push((await report(names(['theme']), '192.0.2.1', address)).status)
    await switchOn()
    app.clock.advance(31 * DAY_MILLIS)
    statuses.push((await report(names(['theme']), '192.0.2.1', address)).status)
    expect([statuses, await cookies()]).toEqual([[204, 204, 204, 204], []])
    expect((await counts()).dropped).toMatchObject({ malformed: 1, disabled: 1 })
  })

  test('is counted once for a visitor, and stored once in ten minutes', async () => {
    await report(names(['theme']))
    await report(names(['theme']))
    expect((await counts()).dropped).toMatchObject({ duplicate: 1 })
    const writes = async () =>
      (await app.storage.all(query.selectFrom('page_shield_cookies').select('last_seen_at')))[0]
    const before = await writes()
    app.clock.advance(120_000)
    await report(names(['theme']))
    expect(await writes()).toEqual(before)
    app.clock.advance(1_200_000)
    await report(names(['theme']))
    expect(await writes()).not.toEqual(before)
  })
})

test('an address adds no more names than its budget, and known names are free', async () => {
  await begin({ reportBudget: { entries: 6, fetches: 2 } })
  await switchOn()
  const flood = Array.from({ length: 90 }, (_, index) => `invented_${index}`)
  await report(names(flood), ATTACKER)
  expect([(await cookies()).length, (await counts()).dropped['budget']]).toEqual([6, 84])
  await report(names(['invented_0', 'more'], [], `https://${HOST}/`), ATTACKER)
  expect([(await cookies()).length, (await counts()).dropped['budget']]).toEqual([6, 85])
  await report(names(['invented_20']), '192.0.2.7')
  expect((await cookies()).length).toBe(7)
})

/** A site whose proxy forwards what docs/monitoring.md tells it to; it has a strict policy, and cookies of each kind. */
async function openSite(element: () => string) {
  const posted: string[] = []
  let answered = (_status: number): void => {}
  const site = createServer((received, response) => {
    const path = received.url ?? '/'
    if (path.startsWith('/cdn-cgi/script_monitor/')) {
      const { method, headers } = received
      const passing = forward({ port: app.port, path, method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
        if (method === 'POST') answered(answer.statusCode ?? 502)
      })
      if (method === 'POST') {
        received.on('data', (chunk: Buffer) => posted.push(chunk.toString()))
      }
      received.pipe(passing)
      return
    }
    response.writeHead(200, {
      'content-type': 'text/html',
      'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'",
      'set-cookie': ['session=secret-1; HttpOnly', 'theme=secret-2'],
    })
    response.end(`<!doctype html><title>shop</title>${element()}<p>shop</p>`)
  })
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  return {
    posted,
    /** The status of the next report that is answered. */
    nextAnswer: () => new Promise<number>((done) => (answered = done)),
    port: (site.address() as AddressInfo).port,
    close: () => {
      site.closeAllConnections()
      site.close()
    },
  }
}

describeWith(['chromium'], 'a page in Chromium', () => {
  test.each([
    ['with cookieStore', true],
    ['without cookieStore', false],
  ] as const)(
    '%s reports names and never values, once in a session',
    { timeout: 90_000 },
    async (_, hasStore) => {
      await begin()
      await switchOn()
      const { element } = await beacon()
      const site = await openSite(() => element)
      const origin = `http://${HOST}:${site.port}`
      const browser = await (
        await loadPlaywright()
      ).launch({
        executablePath: await findChromium(undefined, '/usr/bin:/usr/local/bin'),
        args: [
          '--no-sandbox',
          `--host-resolver-rules=MAP ${HOST} 127.0.0.1`,
          ...(hasStore ? [`--unsafely-treat-insecure-origin-as-secure=${origin}`] : []),
        ],
      })
      try {
        const page = await browser.newPage()
        const problems: string[] = []
        page.on('console', (message) => void problems.push(message.text()))
        page.on('pageerror', (error) => void problems.push(String(error)))
        /** Leaves the page, which sends a report. */
        const leave = async (path: string): Promise<void> => {
          const answered = site.nextAnswer()
          await page.goto(`${origin}${path}`)
          expect(await answered).toBe(204)
        }
        await page.goto(`${origin}/checkout?card=secret-3#secret-4`)
        expect(await page.evaluate(() => 'cookieStore' in globalThis)).toBe(hasStore)
        await page.evaluate(SET_COOKIES)
        await leave('/done')
        await app.collector.flush()
        expect(problems.filter((text) => !text.includes('favicon'))).toEqual([])
        expect(await stored()).toEqual([
          ...(hasStore ? [['brief', 'script']] : []),
          ['by_script', 'script'],
          ['theme', null],
        ])
        expect((await cookies()).map(({ page_urls: urls }) => urls[0])).toContain(
          `${HOST}:${site.port}/checkout`,
        )
        await leave('/checkout')
        await page.goto(`${origin}/last`) // leaves /checkout, which was reported before
        await leave('/checkout')
        const pages = site.posted.map((body) => (JSON.parse(body) as { page_url: string }).page_url) // it is ours
        expect(pages).toEqual(['/checkout', '/done', '/last'].map((path) => origin + path))
        const rows = JSON.stringify(
          await app.storage.all(query.selectFrom('page_shield_cookies').selectAll()),
        )
        for (const text of [...site.posted, JSON.stringify(await cookies()), rows])
          expect(text).not.toContain('secret')
      } finally {
        await browser.close()
        site.close()
      }
    },
  )
})

/** In the page: one cookie that stays, one without a name, and one that is deleted at once. */
const SET_COOKIES = `(async () => {
  document.cookie = 'by_script=secret-5'
  document.cookie = 'secret-6-without-name'
  const seen = 'cookieStore' in window
    ? new Promise((done) => cookieStore.addEventListener('change', ({ changed }) => { if (changed.some(({ name }) => name === 'brief')) done() }))
    : undefined
  document.cookie = 'brief=secret-7'
  await seen
  document.cookie = 'brief=; max-age=0'
})()`
