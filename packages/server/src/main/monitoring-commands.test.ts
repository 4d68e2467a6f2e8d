// Commands for monitoring as typed, against a server: scans of a page by a real browser, and contents of scripts.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { ADMIN_TOKEN, startTestApp, type TestApp } from '../testing/app.ts'
import { runCommand } from '../testing/run-command.ts'

const SCRIPT = 'https://cdn.example.net/a.js'
const NO_SCORES = {
  jsIntegrity: null,
  obfuscation: null,
  dataflow: null,
  malware: null,
  cryptomining: null,
  magecart: null,
}

let app: TestApp
let zone = ''
let site: Server
let page = ''

beforeAll(async () => {
  app = await startTestApp()
  vi.stubEnv('ZONEREEVE_URL', `http://127.0.0.1:${app.port}/client/v4`)
  vi.stubEnv('ZONEREEVE_TOKEN', ADMIN_TOKEN)
  zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
  await app.must('PUT', `/zones/${zone}/page_shield`, { enabled: true })
  site = createServer((request, response) => {
    const isScript = request.url?.endsWith('.js') === true
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.setHeader('x-frame-options', 'DENY')
    response.setHeader('set-cookie', 'session=secret; HttpOnly')
    response.end(isScript ? '' : '<script src="/a.js"></script><iframe src="/frame"></iframe>')
  })
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  page = `http://shop.example.com:${(site.address() as AddressInfo).port}/checkout`
})
afterAll(async () => {
  vi.unstubAllEnvs()
  site.closeAllConnections()
  site.close()
  await app.close()
})

/** Its port is not known before the site listens. */
const PAGE = 'the page'
const ALLOWED = ['--resolve', 'shop.example.com:127.0.0.1', '--allow-networks', '127.0.0.0/8', '--any-port']
const own = (path: string): string => `/zonereeve/zones/${zone}/page_shield${path}`
const scripts = async (): Promise<readonly string[]> =>
  (
    await app.must<{ url: string }[]>('GET', `/zones/${zone}/page_shield/scripts?status=active,infrequent`)
  ).map(({ url }) => url)

describeWith(['chromium'], 'scan-page', () => {
  test('with --dry-run lists what a page loads, and records nothing', { timeout: 90_000 }, async () => {
    const { code, out, err } = await runCommand('scan-page', page, ...ALLOWED, '--dry-run', '-o', 'json')
    expect([code, err]).toEqual([0, ''])
    const origin = new URL(page).origin
    const rows = JSON.parse(out) as { kind: string; value: string }[] // of that form
    const values = (kind: string) => rows.flatMap((row) => (row.kind === kind ? [row.value] : []))
    expect([values('script'), values('frame')]).toEqual([[`${origin}/a.js`], [`${origin}/frame`]])
    expect(values('header')).toContain('x-frame-options: DENY')
    expect(values('cookie')).toEqual(['session=; Path=/; HttpOnly; SameSite=Lax'])
    expect(out).not.toContain('secret')
    expect(await scripts()).toEqual([])
  })

  test('records it in the inventory, and in the history of a watched page', { timeout: 90_000 }, async () => {
    const { id } = await app.must<{ id: string }>('POST', own('/pages'), { url: page })
    const { code, err } = await runCommand('scan-page', page, ...ALLOWED)
    expect([code, err]).toEqual([
      0,
      'note: recorded: 1 scripts, 0 connections, 1 frames, 1 cookies; and in the history of the watched page\n',
    ])
    expect(await scripts()).toEqual([`${new URL(page).origin}/a.js`])
    const frames = await app.must<{ url: string }[]>('GET', own('/loads?kind=frame&status=active,infrequent'))
    expect(frames.map(({ url }) => url)).toEqual([new URL(page).origin])
    const [cookie] = await app.must<object[]>('GET', `/zones/${zone}/page_shield/cookies`)
    expect(cookie).toMatchObject({ name: 'session', http_only_attribute: true, set_by: 'response' })
    const history = await app.must<{ source: string; headers: unknown }[]>('GET', own(`/pages/${id}/history`))
    expect(history).toMatchObject([
      {
        source: 'scan',
        headers: [
          { name: 'set-cookie', value: 'session; httponly' },
          { name: 'x-frame-options', value: 'DENY' },
        ],
      },
    ])
  })

  test.each([
    [
      'a private network is not reached',
      [PAGE, ...ALLOWED.slice(0, 2), '--any-port'],
      /may not be connected to/,
    ],
    [
      'a missing browser is named',
      [PAGE, ...ALLOWED, '--chromium', '/nonexistent/x'],
      /\/nonexistent\/x is not a program/,
    ],
    ['a host of no zone', ['http://elsewhere.test/'], /elsewhere\.test is in no zone/],
    ['no URL', ['shop.example.com'], /must be an http or https URL/],
    ['a wrong --resolve', [PAGE, '--resolve', 'shop.example.com'], /--resolve "shop\.example\.com"/],
  ])('%s', { timeout: 60_000 }, async (_, given, expected) => {
    const before = await scripts()
    const { code, err } = await runCommand('scan-page', ...given.map((one) => (one === PAGE ? page : one)))
    expect([code, expected.test(err) || err]).toEqual([1, true])
    expect(await scripts()).toEqual(before)
  })
})

describe('scripts', () => {
  const sources = [
    'function pay(card){send(card)}var a=1;',
    'function pay(card){send(card);steal(card)}var a=1;',
  ]
  let id = ''

  beforeAll(async () => {
    await app.pageShield.detections.record([
      {
        zoneId: zone,
        kind: 'script',
        host: 'shop.example.com',
        url: SCRIPT,
        urlHost: 'cdn.example.net',
        hasCdnCgi: false,
        pageUrls: ['shop.example.com/'],
        seenAt: '2026-01-05T10:20:30Z',
        pageViews: 5,
        browserHashes: [],
        reporters: null,
      },
    ])
    id =
      (await app.must<{ id: string }[]>('GET', `/zones/${zone}/page_shield/scripts?urls=cdn.example.net`))[0]
        ?.id ?? ''
    for (const [index, text] of sources.entries()) {
      app.clock.advance(60_000)
      await app.pageShield.contents.saveFetch(zone, id, {
        hash: `${index}`.repeat(64),
        contentSha256: `${index}`.repeat(64),
        sri: 'sha384-x',
        scores: NO_SCORES,
        reasons: [],
        memory: null,
        source: { bytes: Buffer.from(text), charset: null },
      })
    }
  })

  test('diff shows what changed, by URL and by ID', async () => {
    const byUrl = await runCommand('scripts', 'diff', 'example.com', SCRIPT)
    expect([byUrl.code, byUrl.err]).toEqual([0, ''])
    expect(byUrl.out).toContain(`--- ${SCRIPT}  ${'0'.repeat(64)}`)
    expect(byUrl.out).toMatch(/^\+ +steal\(card\);?$/m)
    expect(byUrl.out).toMatch(/^ +send\(card\);?$/m)
    expect(byUrl.out).toMatch(/^1 added, 0 removed, 0 moved$/m)
    const byId = await runCommand('scripts', 'diff', 'example.com', id, '--json')
    expect(JSON.parse(byId.out)).toMatchObject({ script_id: id, added: 1, removed: 0 })
    const back = await runCommand(
      'scripts',
      'diff',
      'example.com',
      id,
      '--from',
      '1'.repeat(64),
      '--to',
      '0'.repeat(64),
    )
    expect(back.out).toMatch(/^0 added, 1 removed, 0 moved$/m)
  })

  test('contents lists what was fetched, newest first', async () => {
    const { code, out } = await runCommand('scripts', 'contents', 'example.com', SCRIPT, '-o', 'json')
    const rows = JSON.parse(out) as { content_sha256: string }[] // of that form
    expect([code, rows.map(({ content_sha256: sha256 }) => sha256[0])]).toEqual([0, ['1', '0']])
  })

  test('fetch makes a script due now', async () => {
    app.clock.advance(3_600_000)
    const { code, out } = await runCommand('scripts', 'fetch', 'example.com', SCRIPT, '-o', 'json')
    expect([code, JSON.parse(out)]).toEqual([
      0,
      [
        {
          next_fetch_at: `${new Date(app.clock.now()).toISOString().slice(0, 19)}Z`,
          content_sha256: '1'.repeat(64),
        },
      ],
    ])
  })

  test.each([
    [
      'an unknown script',
      ['diff', 'example.com', 'https://nowhere.example/x.js'],
      1,
      /no script with the URL/,
    ],
    ['an unknown zone', ['fetch', 'example.org', SCRIPT], 1, /unknown zone example\.org/],
    ['an unknown content', ['diff', 'example.com', SCRIPT, '--from', 'f'.repeat(64)], 5, /./],
  ])('%s is an error', async (_, given, expected, message) => {
    const { code, err } = await runCommand('scripts', ...given)
    expect([code, message.test(err) || err]).toEqual([expected, true])
  })
})
