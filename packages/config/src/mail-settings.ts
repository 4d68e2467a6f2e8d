// Settings of the SMTP server for e-mail alerts.
import { parseSmtpUrl } from '@zonereeve/alerts'
import { matching, setting } from './setting.ts'

const SENDER = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9][A-Za-z0-9.-]{0,250}$/
const PASSWORD = /^[^\p{Cc}]{1,500}$/u

export const MAIL_SETTINGS = {
  smtpUrl: setting({
    name: 'smtp-url',
    placeholder: 'url',
    description:
      'SMTP server for e-mail alerts: smtps://USER@HOST:465, or smtp://USER@HOST:587 with STARTTLS, which only a server on this machine may lack; default: none',
    default: '',
    parse: (text) => (text === '' ? undefined : parseSmtpUrl(text)),
  }),
  smtpFrom: setting({
    name: 'smtp-from',
    placeholder: 'address',
    description: 'sender of e-mail alerts, like alerts@example.com; needed with --smtp-url',
    default: '',
    parse: (text) =>
      text === '' ? undefined : matching(text, SENDER, 'must be an address like alerts@example.com'),
  }),
  smtpPassword: setting({
    name: 'smtp-password',
    description: 'password at the SMTP server, if --smtp-url has a user',
    default: undefined,
    secret: true,
    parse: (text) => matching(text, PASSWORD, 'must be 1 to 500 characters without control characters'),
  }),
} as const
