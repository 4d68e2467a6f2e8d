// One-time links: one session each, within their time, and only where the cookie is safe.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type Call, type TestApp } from '../../../testing/app.ts'
import { expectDocumented } from '../../../testing/documented.ts'
import { sentBy } from '../../../testing/test-sessions.ts'
import { createSignInLink } from './index.ts'

const PATH = '/zonereeve/session'

let app: TestApp
beforeEach(async () => {
  app = await startTestApp()
})
afterEach(() => app.close())

const makeLink = (of: TestApp = app) => of.storage.write((tx) => createSignInLink(tx, of, of.userId))
const use = (link: string, headers: Call['headers'] = {}, path = PATH) =>
  app.call({ method: 'POST', path, token: null, headers, body: { link } })
const sessionCount = async () => (await app.storage.all(query.selectFrom('sessions').select('id'))).length
const cookieIn = ({ headers }: Awaited<ReturnType<typeof use>>): string => String(headers['set-cookie'])

describe('a link', () => {
  test('signs its user in, once', async () => {
    const link = await makeLink()
    const answer = await use(link)
    expect(answer.status).toBe(200)
    expectDocumented('POST', PATH, 200, answer.json)
    expect(answer.json.result).toMatchObject({ user: { id: app.userId }, role: 'owner', methods: ['link'] })
    const [, value = ''] =
      /^zonereeve=([\w-]{40}); Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/.exec(cookieIn(answer)) ??
      []
    expect((await app.call({ method: 'GET', path: '/zones', ...sentBy(value) })).status).toBe(200)
    expect((await use(link)).json.errors).toMatchObject([{ code: 19895 }])
    expect(await sessionCount()).toBe(1)
  })

  test('signs in once although it is used many times at once', async () => {
    const link = await makeLink()
    const answers = await Promise.all(Array.from({ length: 5 }, () => use(link)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403, 403])
    expect(await sessionCount()).toBe(1)
  })

  test.each([
    [30 * 60_000 - 1, 200],
    [30 * 60_000, 403],
  ])('after %i ms is answered %i', async (millis, status) => {
    const link = await makeLink()
    app.clock.advance(millis)
    expect((await use(link)).status).toBe(status)
  })

  test('is stored as a hash, and logged without its token', async () => {
    const link = await makeLink()
    const stored = await app.storage.all(query.selectFrom('sign_in_links').selectAll())
    expect(stored.length).toBe(1)
    const log = await app.changeLog()
    expect(log.at(-1)?.ops[0]?.kind).toBe('sign_in_link.create')
    expect(JSON.stringify([stored, log])).not.toContain(link)
  })

  test('with an unreadable time is refused', async () => {
    const link = await makeLink()
    await app.storage.write((tx) => tx.run(query.updateTable('sign_in_links').set({ expires_on: 'damaged' })))
    expect((await use(link)).status).toBe(403)
  })

  test('is not used up by a dry run, which sets no cookie', async () => {
    const link = await makeLink()
    const answer = await use(link, {}, `${PATH}?dry_run=true`)
    expect([answer.status, answer.headers['set-cookie'], await sessionCount()]).toEqual([200, undefined, 0])
    expect((await use(link)).status).toBe(200)
  })

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://attacker.example' }],
  ])('is not used by another site: %o', async (headers) => {
    const link = await makeLink()
    expect((await use(link, headers)).json.errors).toMatchObject([{ code: 19892 }])
    expect((await use(link)).status).toBe(200)
  })

  test('is not used over plain HTTP from another machine, unless that was configured', async () => {
    const link = await makeLink()
    expect((await use(link, { host: '192.0.2.1' })).json.errors).toMatchObject([{ code: 19893 }])
    expect((await use(link, { host: 'localhost:8080' })).status).toBe(200)
    const configured = await startTestApp({ publicUrl: 'http://192.0.2.1' })
    const { status, headers } = await configured.call({
      method: 'POST',
      path: PATH,
      token: null,
      headers: { host: '192.0.2.1' },
      body: { link: await makeLink(configured) },
    })
    expect([status, String(headers['set-cookie'])]).toEqual([200, expect.not.stringContaining('Secure')])
    await configured.close()
  })

  test.each([
    ['--public-url', { publicUrl: 'https://dns.example.com' }, { host: 'dns.example.com' }],
    [
      'a trusted proxy',
      { trustProxy: ['127.0.0.1'] },
      { host: 'dns.example.com', 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' },
    ],
  ])('over HTTPS by %s sets a cookie of this host alone', async (_, options, sent) => {
    const behind = await startTestApp({ allowedHosts: ['dns.example.com'], ...options })
    const link = await makeLink(behind)
    const call = (headers: Call['headers'], body?: unknown) =>
      behind.call({
        method: body === undefined ? 'GET' : 'POST',
        path: PATH,
        token: null,
        headers: { ...sent, ...headers },
        body,
      })
    const cookie = String((await call({}, { link })).headers['set-cookie'])
    expect(cookie).toMatch(
      /^__Host-zonereeve=[\w-]{40}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    )
    const pair = cookie.split(';')[0] ?? ''
    expect((await call({ cookie: pair })).status).toBe(200)
    // Another host, or plain HTTP, could have set a cookie without the prefix.
    expect((await call({ cookie: pair.replace('__Host-', '') })).status).toBe(401)
    await behind.close()
  })

  test('is throttled like every way to sign in', async () => {
    const link = await makeLink()
    for (let count = 0; count < 50; count += 1) expect((await use('wrong')).status).toBe(403)
    app.clock.advance(60_500)
    const { json, headers } = await use(link)
    expect([json.errors[0]?.code, headers['retry-after']]).toEqual([19896, '840'])
    app.clock.advance(840_000 - 1_000)
    expect((await use(link)).headers['retry-after']).toBe('1')
    app.clock.advance(1_000)
    expect((await use(link)).status).toBe(200)
  })
})

test('the ways to sign in are public', async () => {
  const answer = await app.call({ method: 'GET', path: '/zonereeve/sign_in', token: null })
  expect(answer.status).toBe(200)
  expectDocumented('GET', '/zonereeve/sign_in', 200, answer.json)
  expect(answer.json.result).toMatchObject({ has_account: false, link: true })
})
