// E-mails against a real SMTP server: what arrives, what is refused, and that no failure ends the process.
import { afterEach, describe, expect, test } from 'vitest'
import { MAIL_CERTIFICATE, MAIL_USER, startMailServer, startScriptedServer } from './mail-server.cases.ts'
import { createMailer, type Mail, type MailerOptions } from './mailer.ts'
import { parseSmtpUrl, type SmtpServer } from './smtp-url.ts'

const FROM = 'alerts@zonereeve.example'
const MAIL: Mail = {
  messageId: 'abc.1-2@zonereeve',
  recipients: ['a@example.com', 'b@example.com'],
  subject: 'Zwölf Skripte',
  text: 'First line\n.\nafter a line with a full stop\n',
}
const never = () => new AbortController().signal

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function start(...options: Parameters<typeof startMailServer>) {
  const server = await startMailServer(...options)
  closing.push(server.close)
  return server
}

const at = (port: number, more: Partial<SmtpServer> = {}): SmtpServer => ({
  host: '127.0.0.1',
  port,
  hasImplicitTls: false,
  isLocal: true,
  user: null,
  ...more,
})
const mailer = (server: SmtpServer, more: Partial<MailerOptions> = {}) =>
  createMailer({ server, password: undefined, from: FROM, ca: MAIL_CERTIFICATE, ...more })
const SENT = { isAccepted: true, problem: null }

describe('e-mails', () => {
  test('arrive with subject, text and message ID, and are marked as automatic', async () => {
    const { port, received } = await start()
    expect(await mailer(at(port))(MAIL, never())).toEqual(SENT)
    expect(received).toHaveLength(1)
    const [mail] = received
    expect(mail).toMatchObject({ from: FROM, to: MAIL.recipients, isEncrypted: false, user: undefined })
    expect(mail?.text).toContain('Message-ID: <abc.1-2@zonereeve>\r\n')
    expect(mail?.text).toContain('Auto-Submitted: auto-generated\r\n')
    expect(mail?.text).toMatch(/^Subject: =\?UTF-8\?Q\?Zw=C3=B6lf_Skripte\?=\r$/m)
    expect(mail?.text).toContain('First line\r\n.\r\nafter a line with a full stop\r\n')
  })

  test.each([
    ['STARTTLS', {}, {}],
    ['TLS from the start', { secure: true }, { hasImplicitTls: true }],
  ] as const)('are encrypted by %s, with the password', async (_, options, more) => {
    const { port, received } = await start(options)
    const server = at(port, { isLocal: false, user: MAIL_USER.user, ...more })
    const send = mailer(server, { password: MAIL_USER.password })
    expect(await send(MAIL, never())).toEqual(SENT)
    expect(received).toMatchObject([{ isEncrypted: true, user: MAIL_USER.user }])
  })

  test('are not sent without encryption to another machine', async () => {
    const { port, received } = await start({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
    expect(await mailer(at(port, { isLocal: false }))(MAIL, never())).toMatchObject({
      isAccepted: false,
      problem: expect.stringMatching(/STARTTLS|ETLS/),
    })
    expect(received).toEqual([])
  })

  test.each([
    ['STARTTLS', {}, {}],
    ['TLS from the start', { secure: true }, { hasImplicitTls: true }],
  ] as const)('are not sent to a server with an unknown certificate (%s)', async (_, options, more) => {
    const { port, received } = await start(options)
    const send = createMailer({
      server: at(port, { isLocal: false, ...more }),
      password: undefined,
      from: FROM,
    })
    expect(await send(MAIL, never())).toMatchObject({
      isAccepted: false,
      problem: expect.stringContaining('self-signed'),
    })
    expect(received).toEqual([])
  })

  test('a wrong password is a problem, and is not in its text', async () => {
    const { port, received } = await start()
    const server = at(port, { user: 'alerts' })
    const outcome = await mailer(server, { password: 'wrong-secret' })(MAIL, never())
    expect(outcome).toMatchObject({ isAccepted: false, problem: expect.stringContaining('EAUTH') })
    expect(outcome.problem).not.toContain('wrong-secret')
    expect(received).toEqual([])
  })

  test('a rejected recipient among others is reported, and the others get it', async () => {
    const { port, received } = await start()
    const recipients = ['a@example.com', 'no@rejected.example']
    expect(await mailer(at(port))({ ...MAIL, recipients }, never())).toEqual({
      isAccepted: true,
      problem: 'rejected: no@rejected.example',
    })
    expect(received).toMatchObject([{ to: ['a@example.com'] }])
  })

  test('with only rejected recipients nothing is sent', async () => {
    const { port, received } = await start()
    const outcome = await mailer(at(port))({ ...MAIL, recipients: ['no@rejected.example'] }, never())
    expect(outcome).toMatchObject({ isAccepted: false, problem: expect.stringContaining('No such mailbox') })
    expect(received).toEqual([])
  })

  test('a port without a server is a problem', async () => {
    const server = await startMailServer()
    await server.close()
    expect(await mailer(at(server.port))(MAIL, never())).toMatchObject({
      isAccepted: false,
      problem: expect.stringContaining('ECONNREFUSED'),
    })
  })

  const CONVERSATION = ['220 mail', '250 mail', '250 sender', '250 a', '250 b', '354 go on', '250 taken']
  test.each(CONVERSATION.map((line, index) => [line, index] as const))(
    'a connection that is reset before "%s" is a problem and no error of the process',
    async (_, index) => {
      const server = await startScriptedServer(CONVERSATION.slice(0, index), true)
      closing.push(server.close)
      const outcome = await mailer(at(server.port))(MAIL, never())
      expect(outcome.isAccepted).toBe(false)
    },
  )

  test('a connection that is reset after the mail was taken is no problem', async () => {
    const server = await startScriptedServer(CONVERSATION, true)
    closing.push(server.close)
    expect(await mailer(at(server.port))(MAIL, never())).toEqual(SENT)
  })

  test.each([
    ['nothing at all', []],
    ['what is not SMTP', ['HTTP/1.1 400 Bad Request', '', '<html>']],
    ['a greeting and nothing more', ['220 mail']],
  ])('a server that says %s is given up', async (_, lines) => {
    const server = await startScriptedServer(lines, false)
    closing.push(server.close)
    const outcome = await mailer(at(server.port), { timeoutMillis: 200 })(MAIL, never())
    expect(outcome.isAccepted).toBe(false)
  })

  test('stopping ends a mail on its way', async () => {
    const server = await startScriptedServer(['220 mail'], false)
    closing.push(server.close)
    const stopping = new AbortController()
    const sending = mailer(at(server.port), { timeoutMillis: 600_000 })(MAIL, stopping.signal)
    setImmediate(() => stopping.abort())
    expect(await sending).toMatchObject({ isAccepted: false })
    expect(await mailer(at(server.port))(MAIL, stopping.signal)).toMatchObject({ problem: 'stopped' })
  })
})

describe('addresses of SMTP servers', () => {
  test.each([
    [
      'smtps://mail.example.com',
      { host: 'mail.example.com', port: 465, hasImplicitTls: true, isLocal: false, user: null },
    ],
    ['smtp://mail.example.com/', { port: 587, hasImplicitTls: false, isLocal: false }],
    ['smtp://localhost:25', { host: 'localhost', port: 25, isLocal: true }],
    ['smtp://[::1]:25', { host: '::1', isLocal: true }],
    ['smtp://127.0.0.2', { isLocal: true }],
    ['smtp://127.0.0.1.example.com', { isLocal: false }],
    ['smtps://a%40b.example@mail.example.com', { user: 'a@b.example' }],
  ])('%s', (text, expected) => {
    expect(parseSmtpUrl(text)).toMatchObject(expected)
  })

  test.each([
    'mail.example.com',
    'https://mail.example.com',
    'smtp:',
    'smtp://',
    'smtp://mail.example.com/path',
    'smtp://mail.example.com?pool=true',
    'smtps://user:secret@mail.example.com',
    'smtps://%zz@mail.example.com',
    'smtp://mail.example.com:99999',
  ])('refused: %s', (text) => {
    expect(() => parseSmtpUrl(text)).toThrow(/^(must|has) /)
    expect(() => parseSmtpUrl(text)).not.toThrow(/secret/)
  })
})
