// Settings of the log of browser reports.
import { matching, setting } from './setting.ts'

const PASSWORD = /^[^\p{Cc}]{1,500}$/u

export const REPORT_LOG_SETTINGS = {
  reportLog: setting({
    name: 'report-log',
    placeholder: 'url',
    description:
      'Redis that has browser reports until they are stored: redis://HOST:6379, or rediss:// with TLS; default: none, reports are answered before they are stored',
    default: '',
    parse: parseRedisUrl,
  }),
  reportLogPassword: setting({
    name: 'report-log-password',
    description: 'password at the Redis of --report-log',
    default: undefined,
    secret: true,
    parse: (text) => matching(text, PASSWORD, 'must be 1 to 500 characters without control characters'),
  }),
} as const

function parseRedisUrl(text: string): string | undefined {
  if (text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url !== undefined && url.search === '' && url.hash === '' && /^\/?\d{0,4}$/.test(url.pathname)
  if (!isPlain || !/^rediss?:$/.test(url.protocol) || url.hostname === '')
    throw new Error('must be like redis://HOST:6379 or rediss://USER@HOST:6379')
  if (url.password !== '')
    throw new Error('must not contain the password; set ZONEREEVE_REPORT_LOG_PASSWORD, or its _FILE')
  return url.href
}
