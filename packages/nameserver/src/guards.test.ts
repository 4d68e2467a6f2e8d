// Cookies, rate limits, NSID, keepalive and padding, checked on answers.
import { decodeMessage, hexFromOctets, octetsFromHex, rcodeText } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { silentLog } from './silent-log.cases.ts'
import { CLIENT, opt, queryOf, zoneOf } from './asking.cases.ts'
import { createCookies } from './cookies.ts'
import {
  type CountedZone,
  createZoneTable,
  DEFAULT_LIMITS,
  type DropReason,
  type Transport,
} from './index.ts'
import { createRateLimits } from './rate-limits.ts'
import { createResponder, MAX_REPLY_OCTETS } from './responder.ts'

const SECRET = new Uint8Array(16).fill(7)
const NSID = 'ams-1'
const CLIENT_COOKIE = '0011223344556677'

function server(perSecond = 1000, { withCookies = true } = {}) {
  const table = createZoneTable()
  table.load(zoneOf('example.com', 'www 300 A 192.0.2.1\n_.sub 300 NS ns.example.net'))
  const counted: string[] = []
  const now = (): number => 1_700_000_000_000
  const respond = createResponder({
    table,
    log: silentLog,
    limits: DEFAULT_LIMITS,
    metrics: {
      countQuery: (transport: Transport, rcode: string, zone: CountedZone | undefined) =>
        counted.push(`${transport} ${rcode} ${zone?.name ?? '-'}`),
      countDropped: (transport: Transport, reason: DropReason) => counted.push(`${transport} ${reason}`),
    },
    cookies: withCookies ? createCookies({ now, secretOf: () => SECRET, secrets: [SECRET] }) : undefined,
    rateLimits: createRateLimits({ perSecond, slip: 2, isExempt: () => false, now, seed: 1 }),
    nsid: Buffer.from(NSID),
  })
  return { ask, counted }

  function ask(query: Uint8Array, transport: Transport = 'udp') {
    const out = Buffer.alloc(MAX_REPLY_OCTETS)
    const octets = respond(query, query.length, { transport, address: CLIENT }, out)
    if (octets === 0) return undefined
    const message = decodeMessage(out.subarray(0, octets))
    const option = (code: number): string | undefined => {
      const found = message.edns?.options.find((each) => each.code === code)
      return found && hexFromOctets(found.data)
    }
    return { message, octets, rcode: rcodeText(message.rcode), option }
  }
}

/** An EDNS option as octets, its data as hexadecimal. */
function option(code: number, data: string): number[] {
  const octets = [...(octetsFromHex(data) ?? [])]
  return [0, code, octets.length >> 8, octets.length & 255, ...octets]
}
const asking = (question: string, ...options: number[][]): Uint8Array =>
  queryOf(question, { tail: opt(1232, { rdata: options.flat() }) })
const [NSID_CODE, COOKIE, KEEPALIVE, PADDING] = [3, 10, 11, 12] as const

describe('cookies', () => {
  test('a client that sends its own cookie gets a server cookie, which stays the same', () => {
    const { ask } = server()
    const first = ask(asking('www.example.com A', option(COOKIE, CLIENT_COOKIE)))?.option(COOKIE) ?? ''
    expect(first).toMatch(new RegExp(`^${CLIENT_COOKIE}01000000[0-9a-f]{24}$`))
    const second = ask(asking('www.example.com A', option(COOKIE, first)))
    expect([second?.rcode, second?.option(COOKIE)]).toEqual(['NOERROR', first])
  })

  test('a wrong server cookie is answered with a valid one', () => {
    const { ask } = server()
    const answer = ask(asking('www.example.com A', option(COOKIE, `${CLIENT_COOKIE}${'0'.repeat(32)}`)))
    expect([answer?.rcode, answer?.message.answers.length]).toEqual(['NOERROR', 1])
    expect(answer?.option(COOKIE)).toMatch(new RegExp(`^${CLIENT_COOKIE}01`))
  })

  test.each([0, 1, 7, 9, 15, 41])('a cookie of %i octets is FORMERR', (octets) => {
    const answer = server().ask(asking('www.example.com A', option(COOKIE, '00'.repeat(octets))))
    expect([answer?.rcode, answer?.message.answers.length, answer?.message.edns]).toEqual([
      'FORMERR',
      0,
      undefined,
    ])
  })

  test.each([8, 16, 40])('a cookie of %i octets is allowed', (octets) => {
    expect(server().ask(asking('www.example.com A', option(COOKIE, '00'.repeat(octets))))?.rcode).toBe(
      'NOERROR',
    )
  })

  test('a query without a question gets a cookie (RFC 7873 §5.4)', () => {
    const tail = opt(1232, { rdata: option(COOKIE, CLIENT_COOKIE) })
    const whole = queryOf('.', { tail, counts: [0, 0, 0, 1] })
    const query = Uint8Array.from([...whole.subarray(0, 12), ...tail])
    const answer = server().ask(query)
    expect([answer?.rcode, answer?.message.questions.length]).toEqual(['NOERROR', 0])
    expect(answer?.option(COOKIE)).toMatch(new RegExp(`^${CLIENT_COOKIE}01`))
  })

  test('without EDNS or without a client cookie there is none', () => {
    const { ask } = server()
    expect(ask(queryOf('www.example.com A'))?.message.edns).toBeUndefined()
    expect(ask(asking('www.example.com A'))?.message.edns?.options).toEqual([])
  })
})

describe('rates', () => {
  test('above the limit every second answer is truncated, the others are dropped, and both are counted', () => {
    const { ask, counted } = server(2)
    const answers = Array.from({ length: 6 }, () => ask(asking('www.example.com A')))
    expect(answers.map((answer) => answer && [answer.message.tc, answer.message.answers.length])).toEqual([
      [false, 1],
      [false, 1],
      undefined,
      [true, 0],
      undefined,
      [true, 0],
    ])
    expect(counted).toEqual([
      'udp NOERROR example.com',
      'udp NOERROR example.com',
      'udp rate',
      'udp NOERROR example.com',
      'udp rate',
      'udp NOERROR example.com',
    ])
  })

  test('a client with a valid server cookie is never limited; one with only its own gets a cookie instead of an answer', () => {
    const { ask } = server(1)
    const cookie = ask(asking('www.example.com A', option(COOKIE, CLIENT_COOKIE)))?.option(COOKIE) ?? ''
    const fresh = [1, 2].map(() => ask(asking('www.example.com A', option(COOKIE, CLIENT_COOKIE))))
    expect(fresh.map((answer) => answer?.rcode)).toEqual([undefined, 'BADCOOKIE'])
    expect([fresh[1]?.message.answers, fresh[1]?.message.tc]).toEqual([[], false])
    expect(fresh[1]?.option(COOKIE)).toBe(cookie)
    for (let i = 0; i < 10; i += 1) {
      expect(ask(asking('www.example.com A', option(COOKIE, cookie)))?.message.answers.length).toBe(1)
    }
  })

  test('if server cookies are off, a client with a cookie is sent to TCP', () => {
    const { ask } = server(1, { withCookies: false })
    const answers = [1, 2, 3].map(() => ask(asking('www.example.com A', option(COOKIE, CLIENT_COOKIE))))
    expect(answers.map((answer) => answer?.message.tc)).toEqual([false, undefined, true])
    expect(answers[2]?.option(COOKIE)).toBeUndefined()
  })

  test.each(['tcp', 'tls', 'https'] as const)('over %s there is no limit', (transport) => {
    const { ask } = server(1)
    for (let i = 0; i < 10; i += 1)
      expect(ask(queryOf('www.example.com A'), transport)?.rcode).toBe('NOERROR')
  })

  test('each kind of answer has its own limit', () => {
    const { ask } = server(1)
    const questions = [
      'www.example.com A',
      'www.example.com TXT',
      'no.example.com A',
      '_.sub.example.com A',
      '. A',
    ]
    expect(questions.map((question) => ask(queryOf(question))?.rcode)).toEqual([
      'NOERROR',
      'NOERROR',
      'NXDOMAIN',
      'NOERROR',
      'REFUSED',
    ])
    for (const question of questions) expect(ask(queryOf(question))).toBeUndefined()
  })
})

describe('NSID, keepalive, padding', () => {
  test('NSID is sent only on request', () => {
    const { ask } = server()
    expect(ask(asking('www.example.com A', option(NSID_CODE, '')))?.option(NSID_CODE)).toBe(
      hexFromOctets(Buffer.from(NSID)),
    )
    expect(ask(asking('www.example.com A'))?.option(NSID_CODE)).toBeUndefined()
  })

  test.each([
    ['udp', undefined],
    ['tcp', '0064'],
    ['tls', '0064'],
    ['https', undefined],
  ] as const)('keepalive over %s is %s', (transport, expected) => {
    const answer = server().ask(asking('www.example.com A', option(KEEPALIVE, '')), transport)
    expect(answer?.option(KEEPALIVE)).toBe(expected)
  })

  test.each([
    ['udp', false],
    ['tcp', false],
    ['tls', true],
    ['https', true],
  ] as const)('a padded query over %s: padded answer %s', (transport, padded) => {
    const { ask } = server()
    for (const question of ['www.example.com A', 'no.example.com A']) {
      const all = [option(PADDING, '0000'), option(COOKIE, CLIENT_COOKIE), option(NSID_CODE, '')]
      const answer = ask(asking(question, ...all), transport)
      expect(answer?.option(PADDING) !== undefined).toBe(padded)
      expect((answer?.octets ?? 0) % 468 === 0).toBe(padded)
    }
    expect(ask(asking('www.example.com A'), transport)?.option(PADDING)).toBeUndefined()
  })

  test('options of another EDNS version are ignored', () => {
    const tail = opt(1232, { version: 1, rdata: [0, COOKIE, 0, 1, 0] })
    const answer = server().ask(queryOf('www.example.com A', { tail }))
    expect([answer?.rcode, answer?.message.edns?.options]).toEqual(['BADVERS', []])
  })
})
