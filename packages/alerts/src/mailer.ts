// Sends e-mails over SMTP, each on a connection of its own. Certificates are always verified. A failure is returned and
// never ends the process.
import type { createTransport } from 'nodemailer'
import type { SmtpServer } from './smtp-url.ts'

export interface Mail {
  /** Without angle brackets. A mail that is sent again has the same one, so that mailboxes recognize it. */
  readonly messageId: string
  readonly recipients: readonly string[]
  readonly subject: string
  readonly text: string
}

export interface MailOutcome {
  /** The server has taken the mail for at least one recipient. */
  readonly isAccepted: boolean
  /** Why it was not sent, or which recipients were rejected; null = none. */
  readonly problem: string | null
}

/** Never rejects. */
export type Mailer = (mail: Mail, signal: AbortSignal) => Promise<MailOutcome>

export interface MailerOptions {
  readonly server: SmtpServer
  readonly password: string | undefined
  /** Address of the sender. */
  readonly from: string
  /** Certificates (PEM) trusted instead of the default ones. */
  readonly ca?: string
  /** Limit for the connection, the greeting, and silence of the server. */
  readonly timeoutMillis?: number
}

const TIMEOUT_MILLIS = 20_000
/** For an answer of the server with several lines. */
const MAX_PROBLEM_CHARACTERS = 300

export function createMailer({
  server: { host, port, hasImplicitTls, isLocal, user },
  password,
  from,
  ca,
  timeoutMillis = TIMEOUT_MILLIS,
}: MailerOptions): Mailer {
  const options = {
    host,
    port,
    secure: hasImplicitTls,
    requireTLS: !hasImplicitTls && !isLocal,
    // A server on this machine may offer STARTTLS with a certificate that nobody signed.
    ignoreTLS: !hasImplicitTls && isLocal,
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }), // '' as without a password
    // Whatever the environment says.
    tls: { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
    connectionTimeout: timeoutMillis,
    greetingTimeout: timeoutMillis,
    socketTimeout: timeoutMillis,
    dnsTimeout: timeoutMillis,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  // Loaded when there is something to send.
  let transport: Promise<ReturnType<typeof createTransport>> | undefined
  return async ({ messageId, recipients, subject, text }, signal) => {
    if (signal.aborted) return { isAccepted: false, problem: 'stopped' }
    try {
      transport ??= import('nodemailer').then(({ createTransport: create }) => create(options))
      const { rejected } = await (
        await transport
      ).sendMail({
        messageId: `<${messageId}>`,
        from,
        to: [...recipients],
        subject,
        text,
        // RFC 3834: no automatic replies.
        headers: { 'auto-submitted': 'auto-generated', 'x-auto-response-suppress': 'All' },
        signal,
      })
      const isPartial = rejected.length > 0
      return { isAccepted: true, problem: isPartial ? `rejected: ${rejected.join(', ')}` : null }
    } catch (error) {
      return { isAccepted: false, problem: describe(error) }
    }
  }
}

/** `EAUTH: Invalid login: 535 …`, in one line. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  return `${code}${error.message}`.replaceAll(/\s+/g, ' ').slice(0, MAX_PROBLEM_CHARACTERS)
}
