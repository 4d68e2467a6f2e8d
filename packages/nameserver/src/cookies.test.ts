// Vectors: RFC 9018 appendix A.
import { hexFromOctets, octetsFromHex } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { createCookies } from './cookies.ts'
import { addressOctets } from './peer.ts'

const hex = (text: string): Uint8Array => octetsFromHex(text) ?? new Uint8Array()
const SECRET = 'e5e973e5a6b2a43f48e7dc849e37bfcf'
const CLIENT = '2464c4abcf10c957'
const ADDRESS = '198.51.100.100'
const MADE_AT = 1_559_731_985
const COOKIE = '010000005cf79f111f8130c3eee29480'
const DAY_SECONDS = 86_400

function cookiesAt(seconds: () => number, ...secrets: string[]) {
  const secretOf = (day: number): Uint8Array => new Uint8Array(16).fill(day)
  return createCookies({ now: () => seconds() * 1000, secretOf, secrets: secrets.map(hex) })
}

describe('RFC 9018, appendix A', () => {
  const cases: [
    name: string,
    seconds: number,
    client: string,
    address: string,
    sent: string,
    answer: string,
  ][] = [
    ['A.1: a new server cookie', MADE_AT, CLIENT, ADDRESS, '', COOKIE],
    [
      'A.2: renewed after half an hour',
      1_559_734_385,
      CLIENT,
      ADDRESS,
      COOKIE,
      '010000005cf7a871d4a564a1442aca77',
    ],
  ]
  test.each(cases)('%s', (_, seconds, client, address, sent, answer) => {
    const cookies = cookiesAt(() => seconds, SECRET)
    const octets = addressOctets(address)
    const valid = cookies.isValid(hex(client), hex(sent), octets)
    expect(valid).toBe(sent !== '')
    expect(hexFromOctets(cookies.answer(hex(client), hex(sent), octets, valid))).toBe(answer)
  })

  test('A.4: an IPv6 client, with the previous secret', () => {
    const cookies = cookiesAt(
      () => 1_559_741_961,
      '445536bcd2513298075a5d379663c962',
      'dd3bdf9344b678b185a6f5cb60fca715',
    )
    const address = addressOctets('2001:db8:220:1:59de:d0f4:8769:82b8')
    const sent = hex('010000005cf7c57926556bd0934c72f8')
    expect(cookies.isValid(hex('22681ab97d52c298'), sent, address)).toBe(true)
    const renewed = cookiesAt(() => 1_559_741_961, '445536bcd2513298075a5d379663c962')
    expect(hexFromOctets(renewed.answer(hex('22681ab97d52c298'), hex(''), address, false))).toBe(
      '010000005cf7c609a6bb79d16625507a',
    )
  })
})

describe('accepted cookies', () => {
  const changed = (at: number): string => COOKIE.slice(0, 2 * at) + 'ee' + COOKIE.slice(2 * at + 2)
  const cases: [
    name: string,
    ageSeconds: number,
    client: string,
    address: string,
    server: string,
    taken: boolean,
  ][] = [
    ['at once', 0, CLIENT, ADDRESS, COOKIE, true],
    ['after an hour', 3600, CLIENT, ADDRESS, COOKIE, true],
    ['a second later', 3601, CLIENT, ADDRESS, COOKIE, false],
    ['from a clock five minutes ahead', -300, CLIENT, ADDRESS, COOKIE, true],
    ['from one more second ahead', -301, CLIENT, ADDRESS, COOKIE, false],
    ['from another client', 0, '2464c4abcf10c958', ADDRESS, COOKIE, false],
    ['from another address', 0, CLIENT, '198.51.100.101', COOKIE, false],
    ['on an IPv6 socket', 0, CLIENT, `::ffff:${ADDRESS}`, COOKIE, true],
    ['with another version', 0, CLIENT, ADDRESS, changed(0), false],
    ['with its reserved octets changed', 0, CLIENT, ADDRESS, changed(2), false],
    ['with its hash changed', 0, CLIENT, ADDRESS, changed(15), false],
    ['cut short', 0, CLIENT, ADDRESS, COOKIE.slice(2), false],
    ['none', 0, CLIENT, ADDRESS, '', false],
  ]
  test.each(cases)('%s', (_, age, client, address, server, taken) => {
    const cookies = cookiesAt(() => MADE_AT + age, SECRET)
    expect(cookies.isValid(hex(client), hex(server), addressOctets(address))).toBe(taken)
  })
})

describe('renewal', () => {
  test.each([
    ['young: the same', 1800, true],
    ['older: a new one', 1801, false],
  ])('%s', (_, age, same) => {
    const cookies = cookiesAt(() => MADE_AT + age, SECRET)
    const answer = cookies.answer(hex(CLIENT), hex(COOKIE), addressOctets(ADDRESS), true)
    expect(hexFromOctets(answer) === COOKIE).toBe(same)
  })

  test('a generated secret changes once a day, and the previous one is still accepted', () => {
    let seconds = MADE_AT - (MADE_AT % DAY_SECONDS)
    const cookies = cookiesAt(() => seconds)
    const address = addressOctets(ADDRESS)
    const bake = (): Uint8Array => cookies.answer(hex(CLIENT), new Uint8Array(), address, false)
    seconds += DAY_SECONDS - 1
    const first = bake()
    seconds += 1
    const second = bake()
    expect(second.subarray(8)).not.toEqual(first.subarray(8))
    expect([first, second].map((cookie) => cookies.isValid(hex(CLIENT), cookie, address))).toEqual([
      true,
      true,
    ])
  })

  test('given secrets do not change', () => {
    let seconds = MADE_AT
    const cookies = cookiesAt(() => seconds, SECRET)
    seconds += 30 * DAY_SECONDS
    const cookie = cookies.answer(hex(CLIENT), new Uint8Array(), addressOctets(ADDRESS), false)
    expect(cookiesAt(() => seconds, SECRET).isValid(hex(CLIENT), cookie, addressOctets(ADDRESS))).toBe(true)
  })
})
