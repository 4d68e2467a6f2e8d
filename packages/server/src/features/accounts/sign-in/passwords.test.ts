// Signing in with a password and a second factor; what needs a recent sign-in; and what guessers get.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { OPERATIONS } from '@zonereeve/contract'
import { Secret, TOTP } from 'otpauth'
import { query } from '@zonereeve/storage'
import { ADMIN_EMAIL, startTestApp, type Call, type TestApp } from '../../../testing/app.ts'
import { expectDocumented } from '../../../testing/documented.ts'
import { sentBy, type SessionCredential } from '../../../testing/test-sessions.ts'
import { createSignInLink } from './index.ts'

const PASSWORD = 'a long and quiet river'
const SESSION = '/zonereeve/session'
const MINUTE = 60_000

let app: TestApp
let owner: SessionCredential
beforeEach(async () => {
  app = await startTestApp({ trustProxy: ['127.0.0.1'] })
  owner = await signIn({ link: await makeLink() })
})
afterEach(() => app.close())

const makeLink = () => app.storage.write((tx) => createSignInLink(tx, app, app.userId))
const send = (
  method: string,
  path: string,
  body?: unknown,
  credential: Pick<Call, 'token' | 'headers'> = owner,
) =>
  app.call<{ id: string; recovery_codes: string[]; secret: string; totp: boolean }>({
    method,
    path,
    body,
    ...credential,
  })
const attempt = (body: object, ip = '192.0.2.1') =>
  app.call({ method: 'POST', path: SESSION, token: null, headers: { 'x-forwarded-for': ip }, body })
const valueIn = (headers: Readonly<Record<string, unknown>>): string =>
  /=([\w-]{40});/.exec(String(headers['set-cookie']))?.[1] ?? 'none'
async function signIn(body: object): Promise<SessionCredential> {
  const answer = await attempt(body)
  if (answer.status !== 200) throw new Error(answer.text)
  return sentBy(valueIn(answer.headers))
}
const setPassword = (password = PASSWORD) => send('PUT', '/zonereeve/user/password', { password })
const withPassword = (more: object = {}) => ({ email: ADMIN_EMAIL, password: PASSWORD, ...more })
const codeOf = (secret: string, at = app.clock.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })

/** Requires codes. @returns the key and the recovery codes. */
async function turnCodesOn() {
  await setPassword()
  const { json } = await send('POST', '/zonereeve/user/totp')
  const { secret } = json.result
  const confirmed = await send('PUT', '/zonereeve/user/totp', { code: codeOf(secret) })
  expectDocumented('PUT', '/zonereeve/user/totp', 200, confirmed.json)
  return { secret, codes: confirmed.json.result.recovery_codes }
}

describe('a password', () => {
  test('is set after signing in by a link, and signs in from then on', async () => {
    const link = await makeLink()
    expect((await attempt(withPassword())).json.errors).toMatchObject([{ code: 19898 }])
    const answer = await setPassword()
    expect(answer.status).toBe(200)
    expectDocumented('PUT', '/zonereeve/user/password', 200, answer.json)
    const session = await signIn(withPassword({ email: ADMIN_EMAIL.toUpperCase() }))
    expect((await send('GET', SESSION, undefined, session)).json.result).toMatchObject({
      methods: ['password'],
    })
    expect((await attempt({ link })).json.errors).toMatchObject([{ code: 19895 }])
    expect((await send('GET', '/zonereeve/sign_in')).json.result).toMatchObject({ has_account: true })
  })

  test('ends the other sessions, and not its own', async () => {
    const other = await signIn({ link: await makeLink() })
    await setPassword()
    expect([
      (await send('GET', SESSION)).status,
      (await send('GET', SESSION, undefined, other)).status,
    ]).toEqual([200, 401])
  })

  test('is stored and logged nowhere', async () => {
    await setPassword()
    const rows = await app.storage.all(query.selectFrom('passwords').selectAll())
    expect(rows[0]?.hash).toMatch(/^scrypt\$32768\$8\$1\$/)
    const log = await app.changeLog()
    expect(log.at(-1)?.ops.map(({ kind }) => kind)).toEqual(['password.set'])
    expect(JSON.stringify([rows, log, app.logged])).not.toContain(PASSWORD)
    expect(JSON.stringify(log)).not.toContain('scrypt')
  })

  const refused: [password: string, code: number][] = [
    ['elevenchars', 19904],
    ['password1234', 19906],
    ['aaaaaaaaaaaaaaa', 19906],
    ['123456789012', 19906],
    [ADMIN_EMAIL, 19906],
    [`${'long enough '.repeat(20)}`, 19905],
  ]
  test.each(refused)('%s is refused', async (password, code) => {
    const { status, json } = await setPassword(password)
    expect([status, json.errors]).toMatchObject([400, [{ code, source: { pointer: '/password' } }]])
    expect(await app.storage.all(query.selectFrom('passwords').selectAll())).toEqual([])
  })

  test.each([
    {},
    { email: ADMIN_EMAIL },
    { password: PASSWORD },
    { link: 'x', email: ADMIN_EMAIL, password: 'x' },
  ])('and link, neither or half: %o', async (body) => {
    expect((await attempt(body)).json.errors).toMatchObject([{ code: 6008 }])
  })

  test.each([
    ['hash', 'damaged'],
    ['hash', 'scrypt$1048576$16$9$x$y'],
  ])('with an unreadable %s (%s) opens nothing', async (column, value) => {
    await setPassword()
    await app.storage.write((tx) => tx.run(query.updateTable('passwords').set({ [column]: value })))
    expect((await attempt(withPassword())).json.errors).toMatchObject([{ code: 19898 }])
  })
})

describe('guessing', () => {
  const wrong = withPassword({ password: 'wrong' })

  test('locks the account for the network of the guesser', async () => {
    await setPassword()
    for (const left of [4, 3, 2, 1, 0])
      expect((await attempt(wrong)).json.errors).toMatchObject([
        { code: 19898, message: expect.stringContaining(`${left} attempts left`) },
      ])
    const locked = await attempt(withPassword())
    expect([locked.status, locked.json.errors]).toMatchObject([429, [{ code: 19896 }]])
    expect((await attempt(withPassword(), '198.51.100.1')).status).toBe(200)
    app.clock.advance(15 * MINUTE)
    expect((await attempt(withPassword())).status).toBe(200)
  })

  test('counts attempts at the same time', async () => {
    await setPassword()
    const statuses = await Promise.all(Array.from({ length: 8 }, () => attempt(wrong)))
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([403, 403, 403, 403, 403, 429, 429, 429])
  })

  test('shows not which accounts exist', async () => {
    await setPassword()
    const known = await attempt(wrong)
    const unknown = await attempt({ ...wrong, email: 'nobody@example.com' })
    expect(unknown.text).toBe(known.text)
  })

  test('is forgotten after a success', async () => {
    await setPassword()
    await attempt(wrong)
    expect((await attempt(withPassword())).status).toBe(200)
    expect((await attempt(wrong)).json.errors[0]?.message).toContain('4 attempts left')
  })

  test('by the origin of another site does not count', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    const { json } = await app.call({ method: 'POST', path: SESSION, token: null, headers, body: wrong })
    expect(json.errors).toMatchObject([{ code: 19892 }])
    expect((await attempt(wrong, '127.0.0.1')).json.errors[0]?.message).toContain('4 attempts left')
  })
})

describe('codes', () => {
  test('are required with the password, each once', async () => {
    const { secret } = await turnCodesOn()
    const missing = await attempt(withPassword())
    expect(missing.json.errors).toMatchObject([{ code: 19899, source: { pointer: '/code' } }])
    const used = await attempt(withPassword({ code: codeOf(secret) }))
    expect(used.json.errors).toMatchObject([{ code: 19900, source: { pointer: '/code' } }])
    app.clock.advance(MINUTE)
    const answer = await attempt(withPassword({ code: codeOf(secret) }))
    expect(answer.json.result).toMatchObject({ methods: ['password', 'totp'] })
    const again = await attempt(withPassword({ code: codeOf(secret) }))
    expect(again.json.errors).toMatchObject([{ code: 19900 }])
    const wrongPassword = await attempt(withPassword({ password: 'wrong', code: codeOf(secret) }))
    expect(wrongPassword.json.errors).toMatchObject([{ code: 19898 }])
  })

  test('can be recovery codes, each once, in any spelling', async () => {
    const { codes } = await turnCodesOn()
    expect([new Set(codes).size, codes.every((code) => /^(?:[\da-f]{5}-){3}[\da-f]{5}$/.test(code))]).toEqual(
      [10, true],
    )
    const [code = ''] = codes
    const answer = await attempt(withPassword({ code: code.toUpperCase().replaceAll('-', ' ') }))
    expect(answer.json.result).toMatchObject({ methods: ['password', 'recovery_code'] })
    expect((await attempt(withPassword({ code }))).json.errors).toMatchObject([{ code: 19900 }])
    const renewed = await send('POST', '/zonereeve/user/recovery_codes')
    expect(renewed.json.result.recovery_codes.length).toBe(10)
    expect((await attempt(withPassword({ code: codes[1] }))).json.errors).toMatchObject([{ code: 19900 }])
  })

  test('wrong ones lock like wrong passwords', async () => {
    await turnCodesOn()
    for (let count = 0; count < 5; count += 1)
      expect((await attempt(withPassword({ code: '000000' }))).status).toBe(403)
    expect((await attempt(withPassword({ code: '000000' }))).status).toBe(429)
  })

  test('stay required if the key is lost or damaged', async () => {
    const { secret, codes } = await turnCodesOn()
    app.clock.advance(MINUTE)
    await app.storage.write((tx) => tx.run(query.updateTable('totp_keys').set({ secret: 'sealed:AAAA' })))
    expect((await attempt(withPassword({ code: codeOf(secret) }))).json.errors).toMatchObject([
      { code: 19900 },
    ])
    await app.storage.write((tx) => tx.run(query.deleteFrom('totp_keys')))
    expect((await attempt(withPassword())).json.errors).toMatchObject([{ code: 19899 }])
    expect((await attempt(withPassword({ code: codeOf(secret) }))).json.errors).toMatchObject([
      { code: 19900 },
    ])
    expect((await attempt(withPassword({ code: codes[0] }))).status).toBe(200)
  })

  test('are not required until one was sent, and no longer after they were turned off', async () => {
    await setPassword()
    expect((await send('POST', '/zonereeve/user/totp')).status).toBe(200)
    expect((await send('PUT', '/zonereeve/user/totp', { code: '000000' })).json.errors).toMatchObject([
      { code: 19900 },
    ])
    expect((await attempt(withPassword())).status).toBe(200)
    await turnCodesOn()
    expect((await send('DELETE', '/zonereeve/user/totp')).json.result).toMatchObject({
      totp: false,
      recovery_codes_left: 0,
    })
    expect((await attempt(withPassword())).status).toBe(200)
  })

  test('need a password, and a key that waits', async () => {
    expect((await send('POST', '/zonereeve/user/totp')).json.errors).toMatchObject([{ code: 19901 }])
    expect((await send('PUT', '/zonereeve/user/totp', { code: '000000' })).json.errors).toMatchObject([
      { code: 19902 },
    ])
    expect((await send('POST', '/zonereeve/user/recovery_codes')).json.errors).toMatchObject([
      { code: 19903 },
    ])
  })
})

describe('the user of a session', () => {
  test('changes name and e-mail address, by which they sign in', async () => {
    await setPassword()
    const answer = await send('PATCH', '/zonereeve/user', { email: 'Anna@Example.com', name: 'Anna' })
    expectDocumented('PATCH', '/zonereeve/user', 200, answer.json)
    expect(answer.json.result).toMatchObject({ email: 'anna@example.com', name: 'Anna' })
    expect((await attempt(withPassword())).status).toBe(403)
    expect((await attempt(withPassword({ email: 'anna@example.com' }))).status).toBe(200)
    expect(JSON.stringify((await app.changeLog()).map(({ ops }) => ops))).not.toContain('keyHash')
  })
})

describe('a recent sign-in', () => {
  const guarded = OPERATIONS.filter(({ needsRecentSignIn }) => needsRecentSignIn === true)

  test('is needed for tokens, deletion of zones, the irreversible step, and ways to sign in', () => {
    expect(guarded.map(({ id }) => id).toSorted()).toEqual(
      expect.arrayContaining([
        'account.tokens.create',
        'user.tokens.create',
        'user.tokens.roll',
        'update_keys.create',
        'waf_migration.deploy',
        'waf_migration.turn_off_previous',
        'zones.delete',
        'sign_in_user.set_password',
      ]),
    )
  })

  test('is needed 5 minutes later, until the user confirms who they are', async () => {
    await setPassword()
    const { id } = await app.must('POST', '/zones', { name: 'gone.example' })
    app.clock.advance(5 * MINUTE)
    const before = await app.changeCount()
    const refused = await send('DELETE', `/zones/${id}`)
    expect([refused.status, refused.json.errors]).toMatchObject([403, [{ code: 19897 }]])
    expect(await app.changeCount()).toBe(before)
    // A dry run, other operations, and tokens do not need it.
    expect((await send('DELETE', `/zones/${id}?dry_run=true`)).status).toBe(200)
    expect((await send('PATCH', `/zones/${id}`, { paused: true })).status).toBe(200)

    expect((await send('POST', `${SESSION}/confirm`, { password: 'wrong' })).json.errors).toMatchObject([
      { code: 19898 },
    ])
    const confirmed = await send('POST', `${SESSION}/confirm`, { password: PASSWORD })
    expectDocumented('POST', `${SESSION}/confirm`, 200, confirmed.json)
    // The session has a new value, and the old one ends.
    expect((await send('GET', SESSION)).status).toBe(401)
    const renewed = sentBy(valueIn(confirmed.headers))
    expect((await send('DELETE', `/zones/${id}`, undefined, renewed)).status).toBe(200)
  })

  test('is needed for the migration that is part of writing the entry point', async () => {
    const { id } = await app.must('POST', '/zones', { name: 'migrated.example', plan: { legacy_id: 'pro' } })
    app.clock.advance(5 * MINUTE)
    const path = `/zones/${id}/rulesets/phases/http_request_firewall_managed/entrypoint`
    const refused = await send('PUT', `${path}?waf_migration=1`, { rules: [] })
    expect(refused.json.errors).toMatchObject([{ code: 19897 }])
    expect((await send('PUT', path, { rules: [] })).json.errors).not.toMatchObject([{ code: 19897 }])
  })
})
