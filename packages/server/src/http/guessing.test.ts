// Guessing is throttled by network; valid credentials are never refused, even from the same address.
import { describe, expect, test } from 'vitest'
import { DomainError, manualClock, networkOf, type RequestCounts, siteNetworkOf } from '@zonereeve/platform'
import { ADMIN_EMAIL, ADMIN_KEY, startTestApp, type TestApp } from '../testing/app.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'
import { createAuthenticate, FAILURES_PER_WINDOW, WINDOW_MILLIS } from './authentication.ts'

const IP = '192.0.2.1'
const OTHER_IP = '192.0.2.2'

describe('failures of a network', () => {
  const reject = () => Promise.reject(new DomainError({ reason: 'auth.unknown_token' }))

  /** Fails so many times. @returns also what is reported to other nodes. */
  async function afterFailures(count: number) {
    const clock = manualClock(0)
    const shared: RequestCounts[] = []
    const shareCounts = (_: string, counts: RequestCounts) => void shared.push(counts)
    const authenticator = { byToken: reject, byKey: reject, bySession: reject }
    const authenticate = createAuthenticate(authenticator, clock, { shareCounts })
    const isThrottled = (ip: string): Promise<boolean> =>
      authenticate({ kind: 'token', value: 'guessed' }, ip).then(
        () => {
          throw new Error('the guess was right')
        },
        (failure: DomainError) => failure.issues[0].reason === 'auth.throttled',
      )
    for (let failure = 0; failure < count; failure += 1) await isThrottled(IP)
    return { clock, isThrottled, counts: shared[0] as RequestCounts } // it shares one
  }

  test.each([
    [`the ${FAILURES_PER_WINDOW}th failure is still allowed`, FAILURES_PER_WINDOW - 1, IP, false],
    ['the next one is throttled', FAILURES_PER_WINDOW, IP, true],
    ['that of another network is not throttled', FAILURES_PER_WINDOW, OTHER_IP, false],
  ])('%s', async (_, before, ip, expected) => {
    expect(await (await afterFailures(before)).isThrottled(ip)).toBe(expected)
  })

  test('end with the window, counted from its first failure', async () => {
    const { clock, isThrottled } = await afterFailures(FAILURES_PER_WINDOW)
    clock.advance(WINDOW_MILLIS - 1)
    expect(await isThrottled(IP)).toBe(true)
    clock.advance(1)
    expect(await isThrottled(IP)).toBe(false)
  })

  test('are forgotten of the one of ten thousand networks that failed longest ago', async () => {
    const { isThrottled } = await afterFailures(FAILURES_PER_WINDOW)
    const address = (number: number) => `10.0.${number >> 8}.${number & 255}`
    for (let number = 0; number < 10_000; number += 1) await isThrottled(address(number))
    expect(await isThrottled(IP)).toBe(false)
    for (let failure = 1; failure < FAILURES_PER_WINDOW; failure += 1) await isThrottled(address(9_999))
    expect(await isThrottled(address(9_999))).toBe(true)
  })

  test('count together with those that other nodes have reported, if these are more than a few', async () => {
    const [many, few] = [await afterFailures(FAILURES_PER_WINDOW - 1), await afterFailures(9)]
    many.counts.take([few.counts.own()])
    expect(await many.isThrottled(IP)).toBe(false)
    few.counts.take([many.counts.own()])
    expect(await few.isThrottled(OTHER_IP)).toBe(false)
    expect(await few.isThrottled(IP)).toBe(true)
    expect(many.counts.own()).not.toContain(IP)
  })
})

describe('the network that an address counts for', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['', ''],
  ])('%s: %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

describe('the network that a customer has at most', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8:1:ffff::1', '2001:db8:1::/48'],
    ['2001:db8:2::1', '2001:db8:2::/48'],
  ])('%s: %s', (address, network) => {
    expect(siteNetworkOf(address)).toBe(network)
  })
})

describe('failures over HTTP', () => {
  const get = (app: TestApp, token: string, headers: Record<string, string> = {}) =>
    app.call({ method: 'GET', path: '/user', token, headers })
  const guess = (number: number) => String(number).padStart(40, 'guess_')

  async function failing(app: TestApp, headers: Record<string, string> = {}): Promise<void> {
    for (let number = 0; number < FAILURES_PER_WINDOW; number += 1) {
      expect((await get(app, guess(number), headers)).status).toBe(403)
    }
  }

  test('are 429 from then on; an unused token and an unused key still work', async () => {
    const app = await startTestApp()
    const value = await makeToken(app, [allow(['User Details Read'], 'user.*')])
    await failing(app)
    const refused = await get(app, guess(0))
    expect([refused.status, refused.text]).toEqual([
      429,
      '{"success":false,"errors":[{"code":10502,"message":"Too many authentication failures"}],"messages":[],"result":null}',
    ])
    expect((await get(app, value)).status).toBe(200)
    const key = { 'x-auth-email': ADMIN_EMAIL, 'x-auth-key': ADMIN_KEY }
    expect((await app.call({ method: 'GET', path: '/user', token: null, headers: key })).status).toBe(200)
    // A success in between does not start a new window for the guesser.
    expect((await get(app, guess(1))).status).toBe(429)
    app.clock.advance(WINDOW_MILLIS)
    expect((await get(app, guess(0))).status).toBe(403)
    await app.close()
  })

  test('of a request without a credential, or of a malformed one, do not count', async () => {
    const app = await startTestApp()
    for (let number = 0; number <= FAILURES_PER_WINDOW; number += 1) {
      expect((await app.call({ method: 'GET', path: '/user', token: null })).status).toBe(400)
    }
    expect((await get(app, guess(0))).status).toBe(403)
    await app.close()
  })

  test.each([
    ['the address that a trusted proxy names', ['127.0.0.0/8'], IP, IP, 429],
    ['only that address', ['127.0.0.0/8'], IP, OTHER_IP, 403],
    ['the /64 of an IPv6 address', ['127.0.0.0/8'], '2001:db8::1', '2001:db8::ffff:1', 429],
    ['that /64 alone', ['127.0.0.0/8'], '2001:db8::1', '2001:db8:0:1::1', 403],
    ['the socket if no proxy is trusted, whatever the header contains', [], IP, OTHER_IP, 429],
  ])('count by %s', async (_, trustProxy, failed, asking, status) => {
    const app = await startTestApp({ trustProxy })
    await failing(app, { 'x-forwarded-for': failed })
    expect((await get(app, guess(0), { 'x-forwarded-for': asking })).status).toBe(status)
    await app.close()
  })
})
