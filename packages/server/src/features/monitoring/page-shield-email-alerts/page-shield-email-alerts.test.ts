// E-mail alerts over HTTP, and their e-mails at a real SMTP server: digests, retries, tests.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMailer, type Mailer } from '@zonereeve/alerts'
import { query } from '@zonereeve/storage'
import { type MailServer, startMailServer } from '../../../../../alerts/src/mail-server.cases.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'
import { retryMillis } from '@zonereeve/alerts'
import { MAX_EMAIL_ALERTS } from './page-shield-email-alerts.rules.ts'

const ALERTS = '/zonereeve/zones/{zone}/page_shield/email_alerts'
const MISSING = 'f'.repeat(32)
const RECIPIENTS = ['security@example.com']
const create = (body: unknown): Send => ({ method: 'POST', path: ALERTS, body })
const add: Send = { ...create({ recipients: RECIPIENTS }), as: 'alert' }
const patch = (body: unknown): Send => ({ method: 'PATCH', path: `${ALERTS}/{alert}`, body })
const get = (path: string): Send => ({ method: 'GET', path })

/** Takes everything. */
const takeAll: Mailer = () => Promise.resolve({ isAccepted: true, problem: null })

scenarios(
  ALERTS,
  [
    {
      name: 'none initially',
      send: get(ALERTS),
      expect: { status: 200, result: [], info: { total_count: 0 } },
    },
    {
      name: 'created: all kinds, enabled, every 15 minutes',
      send: create({ recipients: RECIPIENTS }),
      expect: {
        status: 200,
        changes: 1,
        result: {
          recipients: RECIPIENTS,
          enabled: true,
          digest_minutes: 15,
          kinds: expect.arrayContaining(['script.new', 'connection.cleared']),
          status: { last_event: 0, delivered_at: null, failures: 0, problem: null },
        },
      },
    },
    {
      name: 'created: all members',
      send: create({
        recipients: ['a@example.com', "o'b+c@d.example"],
        kinds: ['script.reported'],
        enabled: false,
        digest_minutes: 1440,
      }),
      expect: {
        status: 200,
        changes: 1,
        result: { kinds: ['script.reported'], enabled: false, digest_minutes: 1440 },
      },
    },
    ...(
      [
        ['nothing', {}, '/recipients'],
        ['no recipients', { recipients: [] }, '/recipients'],
        ['a recipient twice', { recipients: ['a@b.example', 'a@b.example'] }, '/recipients'],
        [
          'eleven recipients',
          { recipients: Array.from({ length: 11 }, (_, i) => `a${i}@b.example`) },
          '/recipients',
        ],
        ['a name', { recipients: ['Security <a@b.example>'] }, '/recipients/0'],
        ['another header', { recipients: ['a@b.example\r\nBcc: c@d.example'] }, '/recipients/0'],
        ['two addresses in one', { recipients: ['a@b.example,c@d.example'] }, '/recipients/0'],
        ['a host without a dot', { recipients: ['root@localhost'] }, '/recipients/0'],
        ['a long address', { recipients: [`a@${'b'.repeat(250)}.example`] }, '/recipients/0'],
        ['a digest of no time', { recipients: RECIPIENTS, digest_minutes: 0 }, '/digest_minutes'],
        ['a digest of months', { recipients: RECIPIENTS, digest_minutes: 10_081 }, '/digest_minutes'],
        ['an unknown kind', { recipients: RECIPIENTS, kinds: ['zone.changed'] }, '/kinds/0'],
        ['an unknown member', { recipients: RECIPIENTS, url: 'https://example.com/' }, '/url'],
      ] as const
    ).map(([name, body, pointer]) => ({
      name: `refused: ${name}`,
      send: create(body),
      expect: { status: 400, codes: [6008], pointers: [pointer] },
    })),
    {
      name: 'shown',
      before: [add],
      send: get(`${ALERTS}/{alert}`),
      expect: { status: 200, result: { recipients: RECIPIENTS } },
    },
    {
      name: 'changed: members not sent stay',
      before: [add],
      send: patch({ digest_minutes: 60 }),
      expect: { status: 200, changes: 1, result: { recipients: RECIPIENTS, digest_minutes: 60 } },
    },
    {
      name: 'changed to its current value',
      before: [add],
      send: patch({ enabled: true }),
      expect: { status: 200 },
    },
    {
      name: 'deleted',
      before: [add],
      send: { method: 'DELETE', path: `${ALERTS}/{alert}` },
      expect: { status: 200, changes: 1 },
    },
    ...(['GET', 'PATCH', 'DELETE'] as const).map((method) => ({
      name: `${method} of an unknown alert`,
      send: { method, path: `${ALERTS}/${MISSING}`, ...(method === 'PATCH' ? { body: {} } : {}) },
      expect: { status: 404, codes: [19650] },
    })),
    {
      name: `no more than ${MAX_EMAIL_ALERTS}`,
      before: Array.from({ length: MAX_EMAIL_ALERTS }, () => create({ recipients: RECIPIENTS })),
      send: create({ recipients: RECIPIENTS }),
      expect: { status: 400, codes: [19651] },
    },
    {
      name: 'an unknown zone',
      send: get(`/zonereeve/zones/${MISSING}/page_shield/email_alerts`),
      expect: { status: 404, codes: [1001] },
    },
  ],
  { app: { sendMail: takeAll } },
)

scenarios(`${ALERTS} without an SMTP server`, [
  {
    name: 'refused, and nothing is stored',
    send: create({ recipients: RECIPIENTS }),
    expect: { status: 400, codes: [19652] },
  },
])

describe('e-mails of alerts', () => {
  let app: TestApp
  let server: MailServer
  let zone: string

  beforeEach(async () => {
    server = await startMailServer()
    const address = { host: '127.0.0.1', port: server.port, hasImplicitTls: false, isLocal: true, user: null }
    app = await startTestApp({
      sendMail: createMailer({ server: address, password: undefined, from: 'alerts@zonereeve.example' }),
      publicUrl: 'https://dns.example.net',
    })
    zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
    await app.must('PUT', `/zones/${zone}/page_shield`, { enabled: true })
  })
  afterEach(async () => {
    await app.close()
    await server.close()
  })

  const path = () => `/zonereeve/zones/${zone}/page_shield/email_alerts`
  const addAlert = (more: object = {}) =>
    app.must<{ id: string }>('POST', path(), { recipients: RECIPIENTS, ...more })
  const meet = (...names: readonly string[]) =>
    app.must('POST', `/zonereeve/zones/${zone}/page_shield/observations`, {
      observations: [
        {
          page_url: 'https://example.com/',
          scripts: names.map((name) => `https://${name}.example.net/a.js`),
        },
      ],
    })
  const status = async (id: string) =>
    (await app.must<{ status: Record<string, unknown> }>('GET', `${path()}/${id}`)).status
  const subjects = () => server.received.map(({ text }) => /^Subject: (.*)\r$/m.exec(text)?.[1])

  test('the first event is sent at once, later ones together after the digest time', async () => {
    const { id } = await addAlert()
    await meet('a')
    await app.sendEmails()
    expect(server.received).toMatchObject([{ from: 'alerts@zonereeve.example', to: RECIPIENTS }])
    expect(server.received[0]?.text).toContain('hxxps://a[.]example[.]net/a.js')
    expect(server.received[0]?.text).toContain('https://dns.example.net/zones/example.com/scripts')
    await meet('b')
    await meet('c')
    await app.sendEmails()
    expect(server.received).toHaveLength(1)
    app.clock.advance(15 * 60_000 + 1)
    await app.sendEmails()
    expect(subjects()).toEqual(['[example.com] 1 script is new', '[example.com] 2 scripts are new'])
    expect(await status(id)).toMatchObject({ failures: 0, problem: null })
    app.clock.advance(15 * 60_000 + 1)
    await app.sendEmails()
    expect(server.received).toHaveLength(2)
  })

  test.each([
    ['nothing', {}],
    ['the digest time', { digest_minutes: 1 }],
    ['the recipients', { recipients: ['other@example.com'] }],
    ['the kinds', { kinds: ['script.new'] }],
  ])('a digest keeps its time when a PATCH changes %s', async (_, body) => {
    const { id } = await addAlert()
    await meet('a')
    await app.sendEmails()
    await meet('b')
    await app.must('PATCH', `${path()}/${id}`, body)
    await app.sendEmails()
    expect(server.received).toHaveLength(1)
    app.clock.advance(15 * 60_000 + 1)
    await app.sendEmails()
    expect(server.received).toHaveLength(2)
  })

  test('events of other kinds are skipped, and start no digest', async () => {
    const { id } = await addAlert({ kinds: ['connection.new'] })
    await meet('a')
    await app.sendEmails()
    expect(await status(id)).toMatchObject({ delivered_at: null, problem: null })
    await app.must('POST', `/zonereeve/zones/${zone}/page_shield/observations`, {
      observations: [{ page_url: 'https://example.com/', connections: ['wss://api.example.net/'] }],
    })
    await app.sendEmails()
    expect(subjects()).toEqual(['[example.com] 1 connection is new'])
  })

  test('what an SMTP server did not take is sent again, as the same message', async () => {
    const { id } = await addAlert({ recipients: ['no@rejected.example'] })
    await meet('a')
    for (let failures = 1; failures <= 2; failures++) {
      await app.sendEmails()
      await app.sendEmails()
      expect(await status(id)).toMatchObject({
        failures,
        problem: expect.stringContaining('No such mailbox'),
        delivered_at: null,
        next_attempt_at: new Date(app.clock.now() + retryMillis(failures)).toISOString(),
      })
      app.clock.advance(retryMillis(failures) + 1)
    }
    expect(server.received).toEqual([])
    await app.must('PATCH', `${path()}/${id}`, { recipients: ['no@rejected.example', ...RECIPIENTS] })
    await app.sendEmails()
    expect(server.received).toMatchObject([{ to: RECIPIENTS }])
    expect(await status(id)).toMatchObject({ failures: 0, problem: 'rejected: no@rejected.example' })
    expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('a test is sent at once, moves nothing, and not again for a while', async () => {
    const { id } = await addAlert({ enabled: false })
    await meet('a')
    const before = await status(id)
    const tested = () => app.call<object>({ method: 'POST', path: `${path()}/${id}/test`, body: {} })
    expect((await tested()).json.result).toEqual({ accepted: true, problem: null })
    expect(subjects()).toEqual(['[example.com] Test of an e-mail alert'])
    expect(await status(id)).toEqual(before)
    const { id: other } = await addAlert()
    for (const tooSoon of [id, other]) {
      const again = await app.call({ method: 'POST', path: `${path()}/${tooSoon}/test`, body: {} })
      expect([again.status, again.json.errors[0]?.code]).toEqual([429, 19653])
    }
    app.clock.advance(30_001)
    await server.close()
    expect((await tested()).json.result).toMatchObject({
      accepted: false,
      problem: expect.stringContaining('ECONNREFUSED'),
    })
    server = await startMailServer()
  })

  test('an alert is in the log of changes, and deleted with its zone', async () => {
    await addAlert()
    await app.must('DELETE', `/zones/${zone}`)
    expect(JSON.stringify(await app.changeLog())).toContain(RECIPIENTS[0])
    expect(await app.storage.all(query.selectFrom('page_shield_email_alerts').selectAll())).toEqual([])
  })
})
