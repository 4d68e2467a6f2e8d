// Which failures count as guesses of a credential.
import { expect, test } from 'vitest'
import { DomainError, type ErrorCode, manualClock } from '@zonereeve/platform'
import { createAuthenticate, FAILURES_PER_WINDOW } from './authentication.ts'

test.each<[ErrorCode, ErrorCode]>([
  ['auth.unknown_token', 'auth.throttled'],
  ['storage.unavailable', 'storage.unavailable'],
  ['storage.unwritable', 'storage.unwritable'],
])('after too many failures with %s, the next one is %s', async (reason, expected) => {
  const fail = () => Promise.reject(new DomainError({ reason, values: { problem: 'x', remedy: 'x' } }))
  const authenticate = createAuthenticate(
    { byToken: fail, bySession: fail, byKey: fail } as never,
    manualClock(0),
  )
  const attempt = () =>
    authenticate({ kind: 'token', value: 'x' }, '192.0.2.1').catch((failure: unknown) => failure)
  for (let count = 0; count < FAILURES_PER_WINDOW; count++)
    expect(await attempt()).toMatchObject({ issues: [{ reason }] })
  expect(await attempt()).toMatchObject({ issues: [{ reason: expected }] })
})
