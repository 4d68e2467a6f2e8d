// The first user, account and token: created once, and updated from the configuration.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findUserByEmail } from '../features/accounts/users/index.ts'
import { createTokens } from '../features/accounts/tokens/index.ts'
import { manualClock, silentLog, SYSTEM } from '@zonereeve/platform'
import { IN_MEMORY, openSqliteStorage, query, type Storage } from '@zonereeve/storage'
import { countedIds } from '../testing/counted-ids.ts'
import { readChangeLog } from '../testing/change-log.ts'
import { ensureAdministrator } from './first-start.ts'

const EMAIL = 'admin@example.com'
const FIRST = 'first-configured-token-0123456789-abcdef'
const SECOND = 'second-configured-token-0123456789-abcde'
const KEY = '0123456789abcdef0123456789abcdef01234'

describe('the first start', () => {
  let storage: Storage
  let deps: Parameters<typeof ensureAdministrator>[0]
  beforeEach(async () => {
    storage = await openSqliteStorage(IN_MEMORY, silentLog)
    deps = { storage, clock: manualClock(0), ids: countedIds() }
  })
  afterEach(() => storage.close())

  const start = (expected: { token?: string; key?: string; email?: string } = {}) =>
    ensureAdministrator(deps, { token: expected.token, key: expected.key, email: expected.email ?? EMAIL })
  const works = async (token: string) =>
    createTokens(deps)
      .byToken(token, '127.0.0.1')
      .then(
        () => true,
        () => false,
      )
  const rows = async (table: 'users' | 'accounts' | 'memberships' | 'tokens') =>
    (await storage.all(query.selectFrom(table).selectAll())).length
  const counts = async () => [
    await rows('users'),
    await rows('accounts'),
    await rows('memberships'),
    await rows('tokens'),
  ]

  test('creates a user, an account and a token that is shown once', async () => {
    const token = await start()
    expect(token).toMatch(/^[A-Za-z0-9_-]{40}$/)
    expect([await works(token ?? ''), await start(), await counts()]).toEqual([true, undefined, [1, 1, 1, 1]])
  })

  test('uses a configured token, and shows none', async () => {
    expect(await start({ token: FIRST })).toBeUndefined()
    expect([await works(FIRST), await counts()]).toEqual([true, [1, 1, 1, 1]])
    const before = (await readChangeLog(storage)).length
    expect(await start({ token: FIRST })).toBeUndefined()
    expect((await readChangeLog(storage)).length).toBe(before)
  })

  test('replaces the token when another one is configured', async () => {
    await start({ token: FIRST })
    await start({ token: SECOND })
    expect([await works(FIRST), await works(SECOND), await counts()]).toEqual([false, true, [1, 1, 1, 1]])
  })

  describe('after an older version, whose token has fewer groups,', () => {
    type Tokens = ReturnType<typeof createTokens>
    type Policies = Awaited<ReturnType<Tokens['list']>>[number]['policies']
    const onlyToken = async () => {
      const owner = { kind: 'user', id: (await findUserByEmail(storage, EMAIL))?.id ?? '' } as const
      const [token] = await createTokens(deps).list(owner)
      if (token === undefined) throw new Error('there is no token')
      return token
    }
    const rewrite = async (change: (policies: Policies) => Policies, name = 'administrator') => {
      await start({ token: FIRST })
      const token = await onlyToken()
      const definition = { ...token, status: 'active', name, policies: change(token.policies) } as const
      await createTokens(deps).update(token.owner, token.id, definition, SYSTEM)
      return token.policies
    }
    const withTwoGroups = (policies: Policies): Policies =>
      policies.map((policy) => ({ ...policy, groupIds: policy.groupIds.slice(0, 2) }))
    const withoutIds = (policies: Policies) =>
      policies.map(({ effect, resources, groupIds }) => ({ effect, resources, groupIds }))
    const stored = async () => withoutIds((await onlyToken()).policies)

    test.each([
      ['the configured token gets the missing ones', FIRST],
      ['another configured token gets them too', SECOND],
    ])('%s', async (_, configured) => {
      const whole = await rewrite(withTwoGroups)
      await start({ token: configured })
      expect([await stored(), await works(configured)]).toEqual([withoutIds(whole), true])
      const logged = (await readChangeLog(storage)).length
      await start({ token: configured })
      expect((await readChangeLog(storage)).length).toBe(logged)
    })

    test.each<[string, string, (policies: Policies) => Policies]>([
      [
        'a token for fewer resources',
        'administrator',
        ([policy]) => {
          const [[name, value] = ['', '*']] = Object.entries(policy?.resources ?? {})
          return withTwoGroups(policy === undefined ? [] : [{ ...policy, resources: { [name]: value } }])
        },
      ],
      [
        'a token with a policy that denies',
        'administrator',
        (policies) => [
          ...withTwoGroups(policies),
          ...withTwoGroups(policies).map((policy) => ({ ...policy, effect: 'deny' as const })),
        ],
      ],
      ['a token with another name', 'mine', withTwoGroups],
    ])('%s stays unchanged', async (_, name, change) => {
      const whole = await rewrite(change, name)
      const before = await readChangeLog(storage)
      await start({ token: FIRST })
      expect(await stored()).toEqual(withoutIds(change(whole)))
      expect(await readChangeLog(storage)).toEqual(before)
    })
  })

  test('keeps the token if none is configured any more', async () => {
    await start({ token: FIRST })
    expect([await start(), await works(FIRST)]).toEqual([undefined, true])
  })

  test('replaces address and key if others are configured, and keeps the key if none is', async () => {
    await start({ key: KEY })
    const byKey = (email: string, key: string) =>
      createTokens(deps)
        .byKey(email, key)
        .then(
          () => true,
          () => false,
        )
    expect(await byKey(EMAIL, KEY)).toBe(true)
    await start({ email: 'Other@Example.com' })
    expect([await byKey(EMAIL, KEY), await byKey('other@example.com', KEY)]).toEqual([false, true])
    await start({ email: EMAIL, key: KEY.replace('0', 'f') })
    expect([await byKey(EMAIL, KEY), await byKey(EMAIL, KEY.replace('0', 'f')), await rows('users')]).toEqual(
      [false, true, 1],
    )
  })

  test('without a key, no key works', async () => {
    await start()
    await expect(createTokens(deps).byKey(EMAIL, '')).rejects.toThrow('auth.unknown_key')
    expect((await findUserByEmail(storage, EMAIL))?.keyHash).toBeNull()
  })

  test('that was interrupted after creating the user is completed by the next', async () => {
    await storage.write((tx) =>
      tx.run(
        query.insertInto('users').values({
          id: '1'.repeat(32),
          email: EMAIL,
          key_hash: null,
          role: 'owner',
          zone_roles: '[]',
          created_on: 'x',
          modified_on: 'x',
        }),
      ),
    )
    const token = await start()
    expect([await works(token ?? ''), await counts()]).toEqual([true, [1, 1, 1, 1]])
  })

  test('is logged as a change by the program itself', async () => {
    await start()
    const log = await readChangeLog(storage)
    expect(log.map(({ actor_kind, ops }) => [actor_kind, ops[0]?.kind])).toEqual([
      ['system', 'account.create'],
      ['system', 'token.create'],
    ])
  })
})
