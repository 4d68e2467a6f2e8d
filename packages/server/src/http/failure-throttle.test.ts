// Guessing is slowed down by address, without locking out the tools that share the address.
import { describe, expect, test } from 'vitest'
import { manualClock } from '../platform/clock.ts'
import { DomainError } from '../platform/domain-error.ts'
import { ADMIN_TOKEN, startTestApp, type TestApp } from '../testing/app.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'
import { createFailureThrottle, FAILURES_PER_WINDOW, WINDOW_MILLIS } from './failure-throttle.ts'

const IP = '192.0.2.1'
const OTHER_IP = '192.0.2.2'

function throttled(check: () => void): boolean {
  try {
    check()
    return false
  } catch (error) {
    if (error instanceof DomainError && error.issues[0].reason === 'auth.throttled') return true
    throw error
  }
}

describe('failure throttle', () => {
  function afterFailures(count: number) {
    const clock = manualClock(0)
    const throttle = createFailureThrottle(clock)
    throttle.succeeded('proven')
    for (let failure = 0; failure < count; failure += 1) throttle.failed(IP)
    const isThrottled = (credential: string, ip = IP) => throttled(() => throttle.check(ip, credential))
    return { clock, throttle, isThrottled }
  }

  test(`lets ${FAILURES_PER_WINDOW - 1} failures pass`, () => {
    expect(afterFailures(FAILURES_PER_WINDOW - 1).isThrottled('guess')).toBe(false)
  })

  test(`after ${FAILURES_PER_WINDOW}, looks at nothing new from that address`, () => {
    const { isThrottled } = afterFailures(FAILURES_PER_WINDOW)
    expect([isThrottled('guess'), isThrottled('proven'), isThrottled('guess', OTHER_IP)]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('ends with the window, counted from its first failure', () => {
    const { clock, isThrottled } = afterFailures(FAILURES_PER_WINDOW)
    clock.advance(WINDOW_MILLIS - 1)
    expect(isThrottled('guess')).toBe(true)
    clock.advance(1)
    expect(isThrottled('guess')).toBe(false)
  })

  test('begins anew after a window', () => {
    const { clock, throttle, isThrottled } = afterFailures(FAILURES_PER_WINDOW)
    clock.advance(WINDOW_MILLIS)
    throttle.failed(IP)
    expect(isThrottled('guess')).toBe(false)
  })

  test('forgets the oldest of ten thousand addresses, not the newest', () => {
    const { throttle, isThrottled } = afterFailures(FAILURES_PER_WINDOW)
    for (let address = 0; address < 10_000; address += 1) throttle.failed(`address ${address}`)
    expect(isThrottled('guess')).toBe(false)
    for (let failure = 1; failure < FAILURES_PER_WINDOW; failure += 1) throttle.failed('address 9999')
    expect(isThrottled('guess', 'address 9999')).toBe(true)
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

  test('are told as too many; a token that has worked still does; so does any after the window', async () => {
    const app = await startTestApp()
    expect((await get(app, ADMIN_TOKEN)).status).toBe(200)
    const value = await makeToken(app, [allow(['User Details Read'], 'user.*')])
    await failing(app)
    const refused = await get(app, guess(0))
    expect([refused.status, refused.text]).toEqual([
      429,
      '{"success":false,"errors":[{"code":10502,"message":"Too many authentication failures"}],"messages":[],"result":null}',
    ])
    expect((await get(app, value)).status).toBe(429)
    expect((await get(app, ADMIN_TOKEN)).status).toBe(200)
    app.clock.advance(WINDOW_MILLIS)
    expect((await get(app, value)).status).toBe(200)
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

  test('count by the address that a trusted proxy names', async () => {
    const app = await startTestApp({ trustProxy: ['127.0.0.0/8'] })
    await failing(app, { 'x-forwarded-for': IP })
    expect((await get(app, guess(0), { 'x-forwarded-for': IP })).status).toBe(429)
    expect((await get(app, guess(0), { 'x-forwarded-for': OTHER_IP })).status).toBe(403)
    await app.close()
  })

  test('count by the socket where no proxy is trusted, whatever a header says', async () => {
    const app = await startTestApp()
    await failing(app, { 'x-forwarded-for': IP })
    expect((await get(app, guess(0), { 'x-forwarded-for': OTHER_IP })).status).toBe(429)
    await app.close()
  })
})
