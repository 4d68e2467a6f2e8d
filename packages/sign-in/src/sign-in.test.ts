// Roles, passwords, one-time codes and attempts.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  acceptCode,
  createAttempts,
  createRecoveryCodes,
  createTotpKey,
  hashPassword,
  hashRecoveryCode,
  isHeldBy,
  isPassword,
  passwordProblem,
  ROLES,
} from './index.ts'

describe('a role', () => {
  const groups = [
    { name: 'Zone Read', scope: 'zone', held: ['owner', 'admin', 'editor', 'viewer'] },
    { name: 'DNS Write', scope: 'zone', held: ['owner', 'admin', 'editor'] },
    { name: 'Domain Page Shield', scope: 'zone', held: ['owner', 'admin', 'editor'] },
    { name: 'Zone Write', scope: 'zone', held: ['owner', 'admin'] },
    { name: 'Account API Tokens Write', scope: 'account', held: ['owner', 'admin'] },
    { name: 'Account Settings Read', scope: 'account', held: ['owner', 'admin', 'editor', 'viewer'] },
    { name: 'Account Settings Write', scope: 'account', held: ['owner'] },
    { name: 'Users Write', scope: 'account', held: ['owner'] },
    { name: 'API Tokens Write', scope: 'user', held: ['owner', 'admin', 'editor', 'viewer'] },
    { name: 'Memberships Write', scope: 'user', held: ['owner'] },
  ] as const
  test.each(groups)('holds $name: $held', ({ name, scope, held }) => {
    expect(ROLES.filter((role) => isHeldBy(role, { name, scope }))).toEqual(held)
  })

  test('that does not exist holds nothing', () => {
    fc.assert(
      fc.property(fc.string(), (role) => {
        fc.pre(!ROLES.some((known) => known === role))
        expect(isHeldBy(role as never, { name: 'Zone Read', scope: 'zone' })).toBe(false) // as a damaged row
      }),
    )
  })

  test('holds all that a weaker one holds', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('user', 'account', 'zone'), (name, scope) => {
        const held = ROLES.map((role) => isHeldBy(role, { name, scope }))
        expect(held).toEqual(held.toSorted((a, b) => Number(b) - Number(a)))
      }),
    )
  })
})

describe('a password', () => {
  test('is recognized in any Unicode form, and nothing else is', async () => {
    const stored = await hashPassword('caf\u00e9 au lait, please')
    expect(await isPassword('cafe\u0301 au lait, please', stored)).toBe(true)
    expect(await isPassword('cafe au lait, please', stored)).toBe(false)
    expect(await isPassword('', stored)).toBe(false)
    expect(await hashPassword('caf\u00e9 au lait, please')).not.toBe(stored)
  })

  test('is never recognized without a readable hash', async () => {
    const stored = await hashPassword('a long and quiet river')
    const damaged = [undefined, '', 'x', stored.slice(0, -1), stored.replace('32768', '32769'), `${stored}x`]
    for (const each of [...damaged, stored.replace('$32768$8$1$', '$9999999$99$9$')])
      expect([each, await isPassword('a long and quiet river', each)]).toEqual([each, false])
  })

  test.each([
    ['a long and quiet river', undefined],
    ['x1y2z3a4b5c6', undefined],
    ['elevenchars', 'too_short'],
    ['\u{1f600}'.repeat(11), 'too_short'],
    ['qwertyuiopas', 'common'],
    ['Password1234!', 'common'],
    ['ababababababab', 'common'],
    ['anna@example.com', 'common'],
  ])('%s is %s', (password, problem) => {
    expect(passwordProblem(password, 'Anna@example.com')).toBe(problem)
  })

  test('of any characters has a verdict', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (password, email) => {
        expect([undefined, 'too_short', 'too_long', 'common']).toContain(passwordProblem(password, email))
      }),
    )
  })
})

describe('a one-time code', () => {
  // RFC 6238, appendix B, in six digits: the key is "12345678901234567890".
  const KEY = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const rows = [
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [20_000_000_000, '353130', 666_666_666],
  ] as const
  test.each(rows)('at %i is %s', (seconds, code, step) => {
    const at = (offset: number, lastStep = 0) => acceptCode(KEY, code, (seconds + offset) * 1000, lastStep)
    expect(at(0)).toBe(step)
    expect([at(30), at(61)]).toEqual([step, undefined])
    expect(at(0, step)).toBeUndefined()
  })

  test('of any other form is refused', () => {
    fc.assert(
      fc.property(fc.string(), (code) => {
        fc.pre(code !== '287082')
        expect(acceptCode(KEY, code, 59_000, 0)).toBeUndefined()
      }),
    )
  })

  test('is refused by a damaged key', () => {
    for (const key of ['', 'damaged', '\0\0', KEY.toLowerCase()])
      expect(acceptCode(key, '287082', 59_000, 0)).toBeUndefined()
  })

  test('belongs to a new key each time', () => {
    const [one, other] = [createTotpKey('anna@example.com'), createTotpKey('anna@example.com')]
    expect(one.secret).not.toBe(other.secret)
    expect(one.uri).toMatch(/^otpauth:\/\/totp\/Zonereeve:anna%40example\.com\?.*secret=[A-Z2-7]{32}/)
  })

  test('for recovery is recognized in any spelling', () => {
    for (const code of createRecoveryCodes())
      expect(hashRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')}`)).toBe(hashRecoveryCode(code))
  })
})

describe('attempts', () => {
  const limit = { failures: 3, windowMillis: 1_000, maxKeys: 2 }

  test('lock a key, and no other, until the time is over', () => {
    let now = 0
    const attempts = createAttempts(() => now, limit)
    expect([1, 2, 3].map(() => attempts.begin('a'))).toMatchObject([{ left: 2 }, { left: 1 }, { left: 0 }])
    expect([attempts.begin('a'), attempts.begin('b')]).toMatchObject([{ lockedMillis: 1_000 }, { left: 2 }])
    now = 999
    expect(attempts.begin('a')).toEqual({ lockedMillis: 1 })
    now = 1_000
    expect(attempts.begin('a')).toMatchObject({ left: 2 })
  })

  test('that were canceled or succeeded do not count', () => {
    const attempts = createAttempts(() => 0, limit)
    const begin = () => {
      const attempt = attempts.begin('a')
      if ('lockedMillis' in attempt) throw new Error('locked')
      return attempt
    }
    for (let count = 0; count < 10; count += 1) begin().cancel()
    begin()
    begin().succeed()
    expect(begin().left).toBe(2)
  })

  test('are remembered for a limited number of keys', () => {
    const attempts = createAttempts(() => 0, limit)
    for (const key of ['a', 'a', 'b', 'c']) attempts.begin(key)
    expect(attempts.begin('a')).toMatchObject({ left: 2 })
  })
})
