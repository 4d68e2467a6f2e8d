// Cookies on their way to the inventory: names and attributes, once an hour, and never a value.
import { ipv4, type HeaderLine, type RequestFacts } from '@zonereeve/expr'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSeenCookies, type SeenCookie } from './seen-cookies.ts'

const HTML: HeaderLine = ['content-type', 'text/html']
const HOUR = 3_600_000

function seen(isAccepted = () => true) {
  const recorded: SeenCookie[] = []
  const cookies = createSeenCookies((_zoneId, cookie) => {
    if (!isAccepted()) return false
    recorded.push(cookie)
    return true
  })
  const note = (
    { set = [], sent, type = HTML, target = '/a?secret=1', host = 'Shop.Example.com' }: Answered,
    nowMillis = 0,
  ): void => {
    const facts: RequestFacts = {
      method: 'GET',
      version: 'HTTP/1.1',
      isTls: true,
      host,
      target,
      headers: sent === undefined ? [] : [['Cookie', sent]],
      clientIp: ipv4(0),
      receivedAtMs: nowMillis,
    }
    const headers = [type, ...set.map((value): HeaderLine => ['Set-Cookie', value])]
    cookies.note('zone', facts, { status: 200, headers }, nowMillis)
  }
  return { recorded, note }
}

interface Answered {
  readonly set?: readonly string[]
  readonly sent?: string
  readonly type?: HeaderLine
  readonly target?: string
  readonly host?: string
}

const shown = ({ setCookie, name }: SeenCookie): string => setCookie ?? `sent ${name}`

test.each<[string, Answered, readonly string[]]>([
  ['attributes without the value', { set: ['sid=s3cret; Path=/; HttpOnly'] }, ['sid=; Path=/; HttpOnly']],
  ['a value with equals signs and quotes', { set: ['a="b=c; d"; Secure'] }, ['a=; d"; Secure']],
  ['several', { set: ['a=1', 'b=2; Secure'] }, ['a=', 'b=; Secure']],
  ['without a name', { set: ['=secret', 'secret', ''] }, []],
  ['names that a browser sends with a page', { sent: 'a=1; b=2;c' }, ['sent a', 'sent b', 'sent c']],
  [
    'of a response that is no page: only what it sets',
    { set: ['a=1'], sent: 'b=2', type: ['content-type', 'image/png'] },
    ['a='],
  ],
  ['a name that is too long', { sent: `${'n'.repeat(1_025)}=1` }, []],
  ['a header that is too long', { set: [`a=1; Path=/${'p'.repeat(2_048)}`] }, []],
  ['a page whose address is too long', { set: ['a=1'], target: `/${'p'.repeat(2_048)}` }, []],
  [
    'many',
    { set: Array.from({ length: 60 }, (_, at) => `c${at}=1`) },
    Array.from({ length: 50 }, (_, at) => `c${at}=`),
  ],
])('%s', (_name, answered, expected) => {
  const { recorded, note } = seen()
  note(answered)
  expect(recorded.map(shown)).toEqual(expected)
})

test('the page has neither query nor fragment', () => {
  const { recorded, note } = seen()
  note({ set: ['a=1'] })
  expect(recorded[0]?.pageUrl).toBe('https://Shop.Example.com/a')
})

test('once an hour for each host, whatever the value and the end of its life', () => {
  const { recorded, note } = seen()
  note({ set: ['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/'] })
  note({ set: ['a=2; Expires=Wed, 21 Oct 2026 07:28:01 GMT; Path=/'], target: '/b' }, HOUR - 1)
  note({ set: ['a=2; Max-Age=5; Path=/'] }, HOUR - 1)
  expect(recorded).toHaveLength(1)
  note({ set: ['a=2; Path=/x'] }, HOUR - 1)
  note({ set: ['a=2; Path=/'], host: 'other.example.com' }, HOUR - 1)
  expect(recorded).toHaveLength(3)
  note({ set: ['a=1; Path=/'] }, HOUR)
  expect(recorded).toHaveLength(4)
})

test('what finds no room is reported another time', () => {
  let isFull = true
  const { recorded, note } = seen(() => !isFull)
  note({ set: ['a=1'] })
  isFull = false
  note({ set: ['a=1'] })
  expect(recorded).toHaveLength(1)
})

test('no value leaves, whatever the header', () => {
  const SECRET = 'S3CRET'
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z= "]{0,9}$/), (name, around) => {
      const { recorded, note } = seen()
      note({ set: [`${name}=${around}${SECRET}${around}; Path=/`], sent: `${name}=${around}${SECRET}` })
      expect(JSON.stringify(recorded)).not.toContain(SECRET)
      expect(recorded).toHaveLength(2)
    }),
  )
})
