// Authorization: every operation with tokens and sessions of other zones, other accounts and other scopes. A refusal is
// the same whether or not the object exists, comes before the body is read, and changes nothing.
import { OPERATIONS, PERMISSION_GROUPS, type Operation } from '@zonereeve/contract'
import { MAY_READ } from '@zonereeve/platform'
import { isHeldBy, ROLES } from '@zonereeve/sign-in'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type Answer, type Call, type TestApp } from '../testing/app.ts'
import { makeSession, type TestRoles } from '../testing/test-sessions.ts'
import { ALL_GROUPS, allow, deny, EVERYTHING, makeToken, type TestPolicy } from '../testing/test-tokens.ts'

const ABSENT = 'f'.repeat(32)

interface World {
  readonly app: TestApp
  /** Ids for paths, of the token's own side and of the other side. */
  readonly own: Ids
  readonly other: Ids
}

interface Ids {
  readonly zone_id: string
  readonly account_id: string
  readonly dns_record_id: string
  readonly token_id: string
  readonly number: string
  readonly setting_id: string
  readonly pagerule_id: string
  readonly filter_id: string
  readonly rule_id: string
  readonly package_id: string
  readonly group_id: string
  readonly overrides_id: string
}

async function makeWorld(): Promise<World> {
  const app = await startTestApp()
  // Streams of events end at once, so that each call has its whole answer.
  app.eventStreams.close()
  const account = await app.must('POST', '/accounts', { name: 'other' })
  const side = async (zone: string, accountId: string): Promise<Ids> => {
    const { id } = await app.must('POST', '/zones', { name: zone, account: { id: accountId } })
    const record = await app.must('POST', `/zones/${id}/dns_records`, {
      type: 'A',
      name: 'www',
      content: '192.0.2.1',
    })
    const pageRule = await app.must('POST', `/zones/${id}/pagerules`, {
      targets: [{ target: 'url', constraint: { operator: 'matches', value: `${zone}/*` } }],
      actions: [{ id: 'browser_check', value: 'on' }],
    })
    const [firewallRule] = await app.must<{ id: string; filter: { id: string } }[]>(
      'POST',
      `/zones/${id}/firewall/rules`,
      [{ action: 'log', filter: { expression: 'http.request.method eq "PUT"' } }],
    )
    const packages = `/zones/${id}/firewall/waf/packages`
    const [legacyPackage] = await app.must<{ id: string }[]>('GET', packages)
    const [group] = await app.must<{ id: string }[]>('GET', `${packages}/${legacyPackage?.id}/groups`)
    const overrides = await app.must('POST', `/zones/${id}/firewall/waf/overrides`, {
      urls: [`${zone}/*`],
      groups: { [group?.id ?? 'none']: 'default' },
    })
    const policy = {
      effect: 'allow',
      resources: { 'com.cloudflare.api.account.zone.*': '*' },
      permission_groups: [{ id: '82e64a83756745bbbb1c9c2701bf816b' }],
    }
    const token = await app.must('POST', `/accounts/${accountId}/tokens`, {
      name: 'its own',
      policies: [policy],
    })
    return {
      zone_id: id,
      account_id: accountId,
      dns_record_id: record.id,
      token_id: token.id,
      number: '1',
      setting_id: 'http3',
      pagerule_id: pageRule.id,
      filter_id: firewallRule?.filter.id ?? 'none',
      rule_id: firewallRule?.id ?? 'none',
      package_id: legacyPackage?.id ?? 'none',
      group_id: group?.id ?? 'none',
      overrides_id: overrides.id,
    }
  }
  return {
    app,
    own: await side('own.example', app.accountId),
    other: await side('other.example', account.id),
  }
}

/** Missing objects stand in for existing ones: an unauthorized client must not learn whether they exist. */
const fill = (path: string, ids: Ids): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    Object.hasOwn(ids, name) ? ids[name as keyof Ids] : ABSENT,
  ) // one of its keys

/** True if a path names an object within a zone or an account. */
const namesObject = (path: string): boolean =>
  (path.match(/\{\w+_id\}/g) ?? []).some((part) => part !== '{zone_id}' && part !== '{account_id}')

const absent = (ids: Ids): Ids => ({ ...ids, zone_id: ABSENT, account_id: ABSENT })
const without = (text: string, ...ids: string[]): string =>
  ids.reduce((rest, id) => rest.replaceAll(id, 'ID'), text)

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

/** Calls, and expects that nothing was written and nobody was notified. */
async function callInVain(operation: Operation, path: string, credential: Credential): Promise<Answer> {
  const { app } = world
  const before = await app.changeCount()
  app.events.length = 0
  const answer = await app.call({ method: operation.method, path, ...credential })
  expect([(await app.changeCount()) - before, app.events]).toEqual([0, []])
  return answer
}

type Holder = [
  name: string,
  make: (own: Ids) => { policies: TestPolicy[]; accountId?: string } | TestRoles,
  sees?: 'all but named ones',
]

type Credential = Pick<Call, 'token' | 'headers'>

async function credentialOf(held: ReturnType<Holder[1]>): Promise<Credential> {
  if (!('policies' in held)) return makeSession(world.app, held)
  return { token: await makeToken(world.app, held.policies, held.accountId) }
}

/** Sessions of users without any right on the other zone. */
const zoneSessions: Holder[] = [
  [
    'a session of the administrator of one zone',
    (own) => ({ zoneRoles: [{ zoneId: own.zone_id, role: 'admin' }] }),
  ],
  ['a session of a user without a role', () => ({})],
]

const onZones: Holder[] = [
  ['a token of one zone', (own) => ({ policies: [allow(ALL_GROUPS, `account.zone.${own.zone_id}`)] })],
  ['a token of one account', (own) => ({ policies: [allow(ALL_GROUPS, `account.${own.account_id}`)] })],
  [
    'a token of the zones in one account',
    (own) => ({ policies: [allow(ALL_GROUPS, [`account.${own.account_id}`, ['account.zone.*']])] }),
  ],
  [
    'an account’s own token, though its policies name everything',
    (own) => ({ policies: [allow(ALL_GROUPS, ...EVERYTHING)], accountId: own.account_id }),
  ],
  ['a user token without account or zone', () => ({ policies: [allow(ALL_GROUPS, 'user.*')] })],
  [
    'a token of everything, denied the other account',
    () => ({
      policies: [allow(ALL_GROUPS, ...EVERYTHING), deny(ALL_GROUPS, `account.${world.other.account_id}`)],
    }),
    'all but named ones',
  ],
  [
    'a token whose zones are named within the wrong account',
    (own) => ({
      policies: [allow(ALL_GROUPS, [`account.${own.account_id}`, [`account.zone.${world.other.zone_id}`]])],
    }),
  ],
  ...zoneSessions,
]
const onAccounts: Holder[] = [
  ...onZones,
  ['a token of all zones', () => ({ policies: [allow(ALL_GROUPS, 'account.zone.*')] })],
]
const onUser: Holder[] = [
  [
    'a token of all zones and accounts',
    () => ({ policies: [allow(ALL_GROUPS, 'account.zone.*', 'account.*')] }),
  ],
  [
    'an account’s own token, though its policies name everything',
    (own) => ({ policies: [allow(ALL_GROUPS, ...EVERYTHING)], accountId: own.account_id }),
  ],
  ['a token of another user', () => ({ policies: [allow(ALL_GROUPS, `user.${ABSENT}`)] })],
]

const withPermission = (on: string) => OPERATIONS.filter(({ permission }) => permission.on === on)

describe.each(onZones)('%s', (_, make) => {
  let credential: Credential
  beforeAll(async () => {
    credential = await credentialOf(make(world.own))
  })

  test.each(withPermission('zone').map((operation) => [operation.id, operation] as const))(
    'is refused %s on another zone, as on one that does not exist',
    async (__, operation) => {
      const { other } = world
      const answer = await callInVain(operation, fill(operation.path, other), credential)
      expectForbidden(answer, operation)
      const onAbsent = await callInVain(operation, fill(operation.path, absent(other)), credential)
      expect(without(onAbsent.text, ABSENT)).toBe(without(answer.text, other.zone_id))
      expect(onAbsent.status).toBe(answer.status)
    },
  )
})

describe.each(onAccounts)('%s', (_, make, sees) => {
  let credential: Credential
  beforeAll(async () => {
    credential = await credentialOf(make(world.own))
  })

  test.each(withPermission('account').map((operation) => [operation.id, operation] as const))(
    'is refused %s on another account, as on one that does not exist',
    async (__, operation) => {
      const { other } = world
      const answer = await callInVain(operation, fill(operation.path, other), credential)
      expectForbidden(answer, operation)
      // Only a caller that may see all accounts, except those its own policies name, learns whether other accounts
      // exist.
      const onAbsent = await callInVain(operation, fill(operation.path, absent(other)), credential)
      const expected =
        sees === 'all but named ones' ? '"success":false' : without(answer.text, other.account_id)
      expect(without(onAbsent.text, ABSENT)).toContain(expected)
    },
  )
})

describe.each(onUser)('%s', (_, make) => {
  test.each(withPermission('user').map((operation) => [operation.id, operation] as const))(
    'is refused %s',
    async (__, operation) => {
      const credential = await credentialOf(make(world.own))
      expectForbidden(await callInVain(operation, fill(operation.path, world.own), credential), operation)
    },
  )
})

// What each role lacks: as a session, every operation whose permission it does not include is refused on everything.
describe.each(ROLES.filter((role) => role !== 'owner'))('a session with the role %s', (role) => {
  let credential: Credential
  beforeAll(async () => {
    credential = await makeSession(world.app, { role })
  })
  const lacking = OPERATIONS.filter(
    ({ permission }) =>
      'anyOf' in permission &&
      !PERMISSION_GROUPS.some((group) => permission.anyOf.includes(group.name) && isHeldBy(role, group)),
  )

  test('lacks operations', () => expect(lacking.length).toBeGreaterThan(0))

  test.each(lacking.map((operation) => [operation.id, operation] as const))(
    'is refused %s',
    async (_, operation) => {
      const { own } = world
      if (operation.permission.on === 'body-account') {
        const body = { name: 'new.example', account: { id: own.account_id } }
        const { method } = operation
        const answer = await world.app.call({ method, path: operation.path, body, ...credential })
        expect(answer.status).toBe(403)
      } else expectForbidden(await callInVain(operation, fill(operation.path, own), credential), operation)
    },
  )

  test('is granted every reading of zones', async () => {
    const readings = withPermission('zone').filter(
      // Only owners have edges, which read the rules of whole accounts.
      ({ id, method, path }) => method === 'GET' && !namesObject(path) && id !== 'edge.configuration',
    )
    expect(readings.length).toBeGreaterThan(0)
    for (const { id, method, path } of readings) {
      const answer = await world.app.call({ method, path: fill(path, world.own), ...credential })
      expect([id, answer.status === 403]).toEqual([id, false])
    }
  })
})

function expectForbidden(answer: Answer, operation: Operation): void {
  const groups = 'anyOf' in operation.permission ? operation.permission.anyOf.join(' or ') : ''
  expect([answer.status, answer.json.errors]).toEqual([
    403,
    [{ code: 10000, message: 'Authentication error' }],
  ])
  expect(answer.json.messages).toEqual([
    { code: 19001, message: expect.stringContaining(`Missing permission: ${groups} on `) },
  ])
}

test('what lets read a part of a zone are permission groups', () => {
  const known: readonly string[] = ALL_GROUPS
  const named = Object.values(MAY_READ).flat()
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

describe('every operation', () => {
  const guarded = OPERATIONS.filter(({ permission }) => 'anyOf' in permission)
  const rows = guarded.map((operation) => [operation.id, operation] as const)

  test.each(rows)('%s is refused to a token that holds every other permission', async (_, operation) => {
    const { permission, path } = operation
    const needed: readonly string[] = 'anyOf' in permission ? permission.anyOf : []
    const groups = ALL_GROUPS.filter((name) => !needed.includes(name))
    const token = await makeToken(world.app, [allow(groups, ...EVERYTHING)])
    const { app, own } = world
    const before = await app.changeCount()
    const body =
      operation.id === 'zones.create' ? { name: 'new.example', account: { id: own.account_id } } : undefined
    const answer = await app.call({ method: operation.method, path: fill(path, own), token, body })
    expect([answer.status, answer.json.messages[0]?.code]).toEqual([403, 19001])
    expect(await app.changeCount()).toBe(before)
  })

  test.each(rows)('%s is allowed with each permission that it names, held alone', async (_, operation) => {
    const { permission, path, method } = operation
    for (const name of 'anyOf' in permission ? permission.anyOf : []) {
      const token = await makeToken(world.app, [allow([name], ...EVERYTHING)])
      // Ids of objects that do not exist, so that nothing is lost.
      const ids = {
        ...world.own,
        dns_record_id: ABSENT,
        token_id: ABSENT,
        number: '999',
        setting_id: 'absent',
      }
      const harmless = method === 'GET' || namesObject(path)
      const answer = await world.app.call({
        method,
        path: fill(path, ids),
        token,
        ...(harmless ? {} : { body: '[]' }),
        ...(method === 'DELETE' && !harmless ? { headers: { 'if-match': '"none"' } } : {}),
      })
      expect([operation.id, name, answer.status === 403]).toEqual([operation.id, name, false])
    }
  })
})

describe('ids under the wrong path', () => {
  const record = OPERATIONS.filter(({ path }) => path.includes('{dns_record_id}'))
  test('there are operations on records', () => expect(record.length).toBeGreaterThan(0))

  test.each(record.map((operation) => [operation.id, operation] as const))(
    '%s does not find a record of one zone under another, even for a caller that may do everything',
    async (_, operation) => {
      const { app, own, other } = world
      const token = await makeToken(app, [allow(ALL_GROUPS, ...EVERYTHING)])
      const path = fill(operation.path, { ...own, dns_record_id: other.dns_record_id })
      const before = await app.changeCount()
      const answer = await app.call({
        method: operation.method,
        path,
        token,
        body: { type: 'A', name: 'x', content: '192.0.2.9' },
      })
      expect([answer.status, answer.json.errors[0]?.code]).toEqual([404, 81044])
      expect(await app.changeCount()).toBe(before)
      const remaining = await app.must<{ content: string }>(
        'GET',
        `/zones/${other.zone_id}/dns_records/${other.dns_record_id}`,
      )
      expect(remaining.content).toBe('192.0.2.1')
    },
  )

  const tokens = OPERATIONS.filter(({ path }) => path.includes('{token_id}'))
  test.each(tokens.map((operation) => [operation.id, operation] as const))(
    '%s does not find a token of another owner',
    async (_, operation) => {
      const { app, own, other } = world
      const path = fill(operation.path, { ...own, token_id: other.token_id })
      const policies = [
        {
          effect: 'allow',
          resources: { 'com.cloudflare.api.user.*': '*' },
          permission_groups: [{ id: '8acbe5bb0d54464ab867149d7f7cf8ac' }],
        },
      ]
      const before = await app.changeCount()
      const answer = await app.call({ method: operation.method, path, body: { name: 'stolen', policies } })
      expect([answer.status, answer.json.errors[0]?.code]).toEqual([404, 1003])
      expect(await app.changeCount()).toBe(before)
    },
  )

  test('a batch cannot name a record of another zone', async () => {
    const { app, own, other } = world
    const before = await app.changeCount()
    for (const body of [
      { deletes: [{ id: other.dns_record_id }] },
      { patches: [{ id: other.dns_record_id, content: '192.0.2.9' }] },
    ]) {
      const answer = await app.call({ method: 'POST', path: `/zones/${own.zone_id}/dns_records/batch`, body })
      expect([answer.status, answer.json.errors[0]?.code]).toEqual([404, 81044])
    }
    expect(await app.changeCount()).toBe(before)
  })
})

describe('lists show what the token may see', () => {
  const names = async (path: string, policies: TestPolicy[], accountId?: string) => {
    const token = await makeToken(world.app, policies, accountId)
    const { status, json } = await world.app.call<{ name: string }[]>({ method: 'GET', path, token })
    return status === 200
      ? [json.result.map(({ name }) => name).toSorted(), json.result_info?.total_count]
      : status
  }
  const READ = ['Zone Read', 'Account Settings Read'] as const

  const zones: [name: string, make: (own: Ids, other: Ids) => TestPolicy[], expected: string[] | number][] = [
    ['everything', () => [allow(READ, ...EVERYTHING)], ['other.example', 'own.example']],
    ['one zone', (own) => [allow(READ, `account.zone.${own.zone_id}`)], ['own.example']],
    ['one account', (own) => [allow(READ, `account.${own.account_id}`)], ['own.example']],
    [
      'the zones in one account',
      (own) => [allow(READ, [`account.${own.account_id}`, ['account.zone.*']])],
      ['own.example'],
    ],
    [
      'one zone in its account',
      (own) => [allow(READ, [`account.${own.account_id}`, [`account.zone.${own.zone_id}`]])],
      ['own.example'],
    ],
    [
      'one zone in the wrong account',
      (own, other) => [allow(READ, [`account.${own.account_id}`, [`account.zone.${other.zone_id}`]])],
      [],
    ],
    [
      'all zones except one',
      (own) => [allow(READ, 'account.zone.*'), deny(READ, `account.zone.${own.zone_id}`)],
      ['other.example'],
    ],
    [
      'all zones except an account',
      (own) => [allow(READ, 'account.zone.*'), deny(READ, `account.${own.account_id}`)],
      ['other.example'],
    ],
    ['all zones, all denied', () => [allow(READ, 'account.zone.*'), deny(READ, 'account.zone.*')], 403],
    [
      'one zone by one group, the other by another',
      (own, other) => [
        allow(['Zone Read'], `account.zone.${own.zone_id}`),
        allow(['Zone Write'], `account.zone.${other.zone_id}`),
      ],
      ['other.example', 'own.example'],
    ],
    [
      'allowed to write, denied to read: the remaining permission counts',
      (own) => [
        allow(['Zone Read', 'Zone Write'], 'account.zone.*'),
        deny(['Zone Read'], `account.zone.${own.zone_id}`),
      ],
      ['other.example', 'own.example'],
    ],
    ['records only', () => [allow(['DNS Write'], ...EVERYTHING)], 403],
    ['a zone that does not exist', () => [allow(READ, `account.zone.${ABSENT}`)], []],
  ]
  test.each(zones)('zones: %s', async (_, make, expected) => {
    const shown = await names('/zones', make(world.own, world.other))
    expect(shown).toEqual(Array.isArray(expected) ? [expected, expected.length] : expected)
  })

  const ofAccount: [
    name: string,
    make: (own: Ids, other: Ids) => TestPolicy[],
    expected: string[] | number,
  ][] = [
    ['everything', () => [allow(READ, ...EVERYTHING)], ['own.example']],
    ['its own account', (own) => [allow(READ, `account.${own.account_id}`)], ['own.example']],
    ['a zone of another account', (_, other) => [allow(READ, `account.zone.${other.zone_id}`)], []],
    ['another account', (_, other) => [allow(READ, `account.${other.account_id}`)], []],
    [
      'a zone within another account',
      (_, other) => [allow(READ, [`account.${other.account_id}`, [`account.zone.${other.zone_id}`]])],
      403,
    ],
  ]
  test.each(ofAccount)('zones, for an account’s own token: %s', async (_, make, expected) => {
    const shown = await names('/zones', make(world.own, world.other), world.own.account_id)
    expect(shown).toEqual(Array.isArray(expected) ? [expected, expected.length] : expected)
  })

  const accounts: [
    name: string,
    make: (own: Ids, other: Ids) => TestPolicy[],
    expected: string[] | number,
    ofOwnAccount?: true,
  ][] = [
    ['everything', () => [allow(READ, ...EVERYTHING)], ['Zonereeve', 'other']],
    ['one account', (_, other) => [allow(READ, `account.${other.account_id}`)], ['other']],
    [
      'all except one',
      (own) => [allow(READ, 'account.*'), deny(READ, `account.${own.account_id}`)],
      ['other'],
    ],
    [
      'the zones in an account are not the account',
      (own) => [allow(READ, [`account.${own.account_id}`, ['account.zone.*']])],
      403,
    ],
    ['all zones include no account', () => [allow(READ, 'account.zone.*')], 403],
    ['everything, for an account’s own token', () => [allow(READ, ...EVERYTHING)], ['Zonereeve'], true],
    [
      'another account, for an account’s own token',
      (_, other) => [allow(READ, `account.${other.account_id}`)],
      [],
      true,
    ],
  ]
  test.each(accounts)('accounts: %s', async (_, make, expected, ofOwnAccount) => {
    const { own, other } = world
    const shown = await names('/accounts', make(own, other), ofOwnAccount && own.account_id)
    expect(shown).toEqual(Array.isArray(expected) ? [expected, expected.length] : expected)
  })

  test('no account token creates a zone in another account', async () => {
    const { app, own, other } = world
    const token = await makeToken(app, [allow(ALL_GROUPS, ...EVERYTHING)], own.account_id)
    const before = await app.changeCount()
    const answer = await app.call({
      method: 'POST',
      path: '/zones',
      token,
      body: { name: 'new.example', account: { id: other.account_id } },
    })
    expect([answer.status, answer.json.errors]).toMatchObject([
      403,
      [{ code: 0, source: { pointer: '/account/id' } }],
    ])
    const absentAccount = await app.call({
      method: 'POST',
      path: '/zones',
      token,
      body: { name: 'new.example', account: { id: ABSENT } },
    })
    expect(without(absentAccount.text, ABSENT)).toBe(without(answer.text, other.account_id))
    expect(await app.changeCount()).toBe(before)
  })
})

test('a token of a zone is refused it after it was deleted, and it is not remembered', async () => {
  const app = await startTestApp()
  try {
    const { id } = await app.must('POST', '/zones', { name: 'gone.example' })
    const path = `/zones/${id}/dns_records`
    const token = await makeToken(app, [allow(ALL_GROUPS, `account.zone.${id}`)])
    const record = { type: 'A', name: 'www', content: '192.0.2.1' }
    const before = await app.call({ method: 'POST', path, body: record, token })
    const removed = app.must('DELETE', `/zones/${id}`)
    const meanwhile = [1, 2, 3].map((host) =>
      app.call({ method: 'POST', path, body: { ...record, name: `h${host}` }, token }),
    )
    await removed
    const after = [
      await app.call({ method: 'GET', path, token }),
      await app.call({ method: 'POST', path, body: record, token }),
    ]
    expect([before.status, ...after.map(({ status }) => status)]).toEqual([200, 403, 403])
    const ended = (await Promise.all(meanwhile)).map(({ status }) => status)
    expect(ended.filter((status) => ![200, 403, 404].includes(status))).toEqual([])
  } finally {
    await app.close()
  }
})
