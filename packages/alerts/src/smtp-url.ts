// The address of an SMTP server: smtps:// with TLS from the start, smtp:// with STARTTLS.

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise STARTTLS is required, except on this machine. */
  readonly hasImplicitTls: boolean
  /** The server is on this machine: nothing needs to be encrypted. */
  readonly isLocal: boolean
  /** null = no authentication. */
  readonly user: string | null
}

const DEFAULT_PORTS = { 'smtp:': 587, 'smtps:': 465 } as const
const LOCAL = /^(localhost|127(\.\d{1,3}){3}|::1)$/

/** @throws Error saying what would be valid. */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const { protocol } = url ?? { protocol: '' }
  const isRoot = url !== undefined && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === ''
  if ((protocol !== 'smtp:' && protocol !== 'smtps:') || !isRoot || url.hostname === '')
    throw new Error('must be like smtps://USER@mail.example.com or smtp://mail.example.com:587')
  if (url.password !== '')
    throw new Error('must not contain the password; set ZONEREEVE_SMTP_PASSWORD, or its _FILE')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: url.port === '' ? DEFAULT_PORTS[protocol] : Number(url.port),
    hasImplicitTls: protocol === 'smtps:',
    isLocal: LOCAL.test(host),
    user: url.username === '' ? null : decodeUser(url.username),
  }
}

function decodeUser(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('has a user with a percent sign that encodes no character: write %25 for the sign itself')
  }
}
