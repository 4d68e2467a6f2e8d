import { parseName, rcodeText, type Message } from '@zonereeve/dns'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DomainError, silentLog, SYSTEM } from '@zonereeve/platform'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'
import { allow, EVERYTHING, groupId, makeToken } from '../../../testing/test-tokens.ts'
import { createDynamicUpdates } from './dynamic-updates.service.ts'
import { MAX_UPDATE_KEYS } from './update-keys.service.ts'
import { updateOf } from './update-messages.cases.ts'

const KEY = 'acme.update'
const ADDRESS = '192.0.2.99'
const GIVEN = [
  { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300, comment: 'kept' },
  { type: 'A', name: 'www', content: '192.0.2.2', ttl: 300 },
  { type: 'TXT', name: 'www', content: '"hello"', ttl: 300 },
  { type: 'CNAME', name: 'alias', content: 'www.example.net', ttl: 300 },
  { type: 'A', name: 'below.ent', content: '192.0.2.3', ttl: 300 },
  { type: 'MX', name: '@', content: 'mail.example.net', priority: 10, ttl: 300 },
]

let app: TestApp
let zones = 0
beforeAll(async () => {
  app = await startTestApp()
  await app.updateKeys.create(
    app.userId,
    { name: KEY, tokenId: await adminTokenId(), algorithm: 'hmac-sha256' },
    SYSTEM,
  )
})
afterAll(async () => {
  await expectConsistent(app.storage)
  await app.close()
})

async function adminTokenId(): Promise<string> {
  return (await app.must<{ id: string }>('GET', '/user/tokens/verify')).id
}

interface Line {
  readonly type: string
  readonly name: string
  readonly content: string
  readonly ttl: number
  readonly priority?: number
}

/** Creates a zone with the given records. */
async function newZone(given: readonly object[] = GIVEN) {
  const name = `zone-${(zones += 1)}.example`
  const { id } = await app.must('POST', '/zones', { name, account: { id: app.accountId } })
  await app.must('PATCH', `/zones/${id}`, { plan: { id: 'enterprise' } })
  await app.must('POST', `/zones/${id}/dns_records/batch`, { posts: given })
  return { id, name, lines }

  /** `name ttl type content`, sorted. */
  async function lines(): Promise<string[]> {
    const records = await app.must<Line[]>('GET', `/zones/${id}/dns_records?per_page=1000`)
    return records
      .map((each) => {
        const owner = each.name === name ? '@' : each.name.slice(0, -name.length - 1)
        return `${owner} ${each.ttl} ${each.type} ${each.priority === undefined ? '' : `${each.priority} `}${each.content}`
      })
      .toSorted()
  }
}

async function send(message: Message, keyName = KEY, address = ADDRESS): Promise<string> {
  return rcodeText(await app.updates.update(message, { address, keyName: parseName(keyName) }))
}

const OWN = [
  '@ 300 MX 10 mail.example.net',
  'alias 300 CNAME www.example.net',
  'below.ent 300 A 192.0.2.3',
  'www 300 A 192.0.2.1',
  'www 300 A 192.0.2.2',
  'www 300 TXT "hello"',
]
const without = (...gone: string[]): string[] => OWN.filter((line) => !gone.includes(line))
const [MX_LINE = '', ALIAS_LINE = '', , WWW1 = '', WWW2 = '', TXT_LINE = ''] = OWN

test.each([
  ['adds a record', { steps: ['new 300 IN A 192.0.2.9'] }],
  ['changes nothing', { steps: [] }],
  ['queries the current records', { prerequisites: ['www 0 NONE A'], steps: [] }],
])('a secondary zone rejects an update that %s', async (_, lines) => {
  const name = `followed-${(zones += 1)}.example`
  const account = { id: app.accountId }
  const { id } = await app.must('POST', '/zones', { name, type: 'secondary', account })
  const changes = await app.changeCount()
  expect(await send(updateOf(name, lines))).toBe('REFUSED')
  expect(await app.must('GET', `/zones/${id}/dns_records`)).toEqual([])
  expect(await app.changeCount()).toBe(changes)
})

test('a node that does not write answers SERVFAIL, so that clients try another one', async () => {
  const { name } = await newZone([])
  const storage = {
    ...app.storage,
    write: () => Promise.reject(new DomainError({ reason: 'storage.unavailable', values: { problem: '' } })),
  }
  const { ids, updateKeys: keys, tokens, records } = app
  const updates = createDynamicUpdates({ storage, ids, log: silentLog, keys, tokens, records })
  const message = updateOf(name, { steps: ['new 300 IN A 192.0.2.9'] })
  expect(rcodeText(await updates.update(message, { address: ADDRESS, keyName: parseName(KEY) }))).toBe(
    'SERVFAIL',
  )
})

describe('steps', () => {
  const cases: [name: string, steps: string[], expected: string[]][] = [
    ['nothing', [], OWN],
    ['add to an rrset', ['www 300 IN A 192.0.2.9'], [...OWN, 'www 300 A 192.0.2.9']],
    ['add a name', ['new 60 IN AAAA 2001:db8::1'], [...OWN, 'new 60 AAAA 2001:db8::1']],
    ['add at the apex', ['@ 300 IN TXT "apex"'], [...OWN, '@ 300 TXT "apex"']],
    ['add a TTL that is too low: it is raised', ['new 0 IN A 192.0.2.9'], [...OWN, 'new 60 A 192.0.2.9']],
    [
      'add a value whose name has capitals',
      ['new 300 IN MX 5 MAIL.Example.NET.'],
      [...OWN, 'new 300 MX 5 mail.example.net'],
    ],
    ['add an existing record', ['www 300 IN A 192.0.2.1'], OWN],
    [
      'add an existing record with another TTL',
      ['www 600 IN A 192.0.2.1'],
      [...without(WWW1), 'www 600 A 192.0.2.1'],
    ],
    [
      'add the same record twice',
      ['n 300 IN A 192.0.2.9', 'n 300 IN A 192.0.2.9'],
      [...OWN, 'n 300 A 192.0.2.9'],
    ],
    ['add a CNAME beside other data: ignored', ['www 300 IN CNAME example.net.'], OWN],
    ['add data beside a CNAME: ignored', ['alias 300 IN A 192.0.2.9'], OWN],
    [
      'add another CNAME: it replaces the first',
      ['alias 300 IN CNAME b.example.net.'],
      [...without(ALIAS_LINE), 'alias 300 CNAME b.example.net'],
    ],
    ['delete a record', ['www 0 NONE A 192.0.2.1'], without(WWW1)],
    ['delete a record that is not there', ['www 0 NONE A 192.0.2.77'], OWN],
    ['delete an rrset', ['www 0 ANY A'], without(WWW1, WWW2)],
    ['delete an rrset that is not there', ['nope 0 ANY A'], OWN],
    ['delete a name', ['www 0 ANY ANY'], without(WWW1, WWW2, TXT_LINE)],
    [
      'delete an alias and put data in its place',
      ['alias 0 ANY CNAME', 'alias 300 IN A 192.0.2.9'],
      [...without(ALIAS_LINE), 'alias 300 A 192.0.2.9'],
    ],
    [
      'replace an rrset',
      ['www 0 ANY A', 'www 300 IN A 192.0.2.9'],
      [...without(WWW1, WWW2), 'www 300 A 192.0.2.9'],
    ],
    ['add and delete again', ['n 300 IN A 192.0.2.9', 'n 0 ANY A'], OWN],
    [
      'delete at the apex: SOA and name servers stay',
      ['@ 0 ANY ANY', '@ 0 ANY SOA', '@ 0 ANY NS'],
      without(MX_LINE),
    ],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', async (_, steps, expected) => {
    const zone = await newZone()
    const changes = await app.changeCount()
    const events = app.events.length
    expect(await send(updateOf(zone.name, { steps }))).toBe('NOERROR')
    const lines = await zone.lines()
    expect(lines).toEqual(expected.toSorted())
    const isChanged = lines.join() !== OWN.toSorted().join()
    expect([(await app.changeCount()) - changes, app.events.length - events]).toEqual(
      isChanged ? [1, 1] : [0, 0],
    )
  })

  test('a record that is deleted and added again keeps its id, with its comment', async () => {
    const zone = await newZone()
    const read = () =>
      app.must<{ id: string; comment: string }[]>('GET', `/zones/${zone.id}/dns_records?content=192.0.2.1`)
    const before = await read()
    const steps = ['www 0 ANY A', 'www 300 IN A 192.0.2.1', 'www 300 IN A 192.0.2.5']
    expect(await send(updateOf(zone.name, { steps }))).toBe('NOERROR')
    expect(await read()).toEqual(before)
  })

  test('an address that replaces another keeps the record: proxied as before', async () => {
    const proxied = { type: 'A', name: 'www', content: '192.0.2.1', proxied: true, comment: 'kept' }
    const zone = await newZone([proxied, { type: 'TXT', name: 'www', content: '"x"', ttl: 300 }])
    const shown = () =>
      app.must<{ id: string; content: string; proxied: boolean; comment: string | null; ttl: number }[]>(
        'GET',
        `/zones/${zone.id}/dns_records?type=A`,
      )
    const [before] = await shown()
    const steps = ['www 0 ANY A', 'www 300 IN A 192.0.2.9', 'www 300 IN A 192.0.2.10']
    expect(await send(updateOf(zone.name, { steps }))).toBe('NOERROR')
    expect((await shown()).find(({ id }) => id === before?.id)).toMatchObject({
      content: '192.0.2.9',
      proxied: true,
      comment: 'kept',
      ttl: 1,
    })
    expect(await zone.lines()).toContain('www 300 TXT "x"')
  })

  test('the change set names the token, and can be reverted', async () => {
    const zone = await newZone()
    await send(updateOf(zone.name, { steps: ['www 0 ANY ANY'] }))
    const last = (await app.changeLog(zone.id)).at(-1)
    expect([last?.actor_kind, last?.actor_id, last?.ops.length]).toEqual(['token', await adminTokenId(), 3])
    await app.must('POST', `/zonereeve/zones/${zone.id}/changes/${last?.number}/revert`)
    expect(await zone.lines()).toEqual(OWN.toSorted())
  })
})

/** RFC 6672 §5.2; records below a DNAME are rejected as over HTTP. */
describe('DNAME', () => {
  const target = (letter: string) => `TYPE39 \\# 3 01${letter.charCodeAt(0).toString(16)}00`
  const given = [
    { type: 'TYPE39', name: 'd', content: 'a.', ttl: 300 },
    { type: 'TXT', name: 'd', content: '"beside"', ttl: 300 },
    { type: 'A', name: 'x.e', content: '192.0.2.1', ttl: 300 },
    { type: 'CNAME', name: 'alias', content: 'www.example.net', ttl: 300 },
  ]
  const D_LINE = `d 300 ${target('a')}`
  const BESIDE_LINE = 'd 300 TXT "beside"'
  const E_LINE = 'x.e 300 A 192.0.2.1'
  const own = [D_LINE, BESIDE_LINE, E_LINE, ALIAS_LINE]
  const cases: [name: string, steps: string[], rcode: string, expected: string[]][] = [
    [
      'another one replaces the first',
      ['d 60 IN DNAME b.'],
      'NOERROR',
      [...own.slice(1), `d 60 ${target('b')}`],
    ],
    ['the same', ['d 300 IN DNAME a.'], 'NOERROR', own],
    [
      'two: the last is stored',
      ['n 60 IN DNAME a.', 'n 60 IN DNAME b.'],
      'NOERROR',
      [...own, `n 60 ${target('b')}`],
    ],
    ['beside a CNAME: ignored', ['alias 60 IN DNAME b.'], 'NOERROR', own],
    ['a CNAME beside it: ignored', ['d 60 IN CNAME b.'], 'NOERROR', own],
    ['data beside it', ['d 60 IN A 192.0.2.9'], 'NOERROR', [...own, 'd 60 A 192.0.2.9']],
    ['above a record', ['e 60 IN DNAME b.'], 'REFUSED', own],
    ['a record below', ['a.d 60 IN A 192.0.2.9'], 'REFUSED', own],
    ['both at once', ['n 60 IN DNAME b.', 'a.n 60 IN A 192.0.2.9'], 'REFUSED', own],
    [
      'instead of the record below',
      ['x.e 0 ANY ANY', 'e 60 IN DNAME b.'],
      'NOERROR',
      [D_LINE, BESIDE_LINE, ALIAS_LINE, `e 60 ${target('b')}`],
    ],
    [
      'a record below instead of it',
      ['a.d 60 IN A 192.0.2.9', 'd 0 ANY DNAME'],
      'NOERROR',
      [...own.slice(1), 'a.d 60 A 192.0.2.9'],
    ],
    ['delete it', ['d 0 NONE DNAME a.'], 'NOERROR', own.slice(1)],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', async (_, steps, rcode, expected) => {
    const zone = await newZone(given)
    const changes = await app.changeCount()
    expect(await send(updateOf(zone.name, { steps }))).toBe(rcode)
    const lines = await zone.lines()
    expect(lines).toEqual(expected.toSorted())
    const isChanged = lines.join() !== own.toSorted().join()
    expect((await app.changeCount()) - changes).toBe(isChanged ? 1 : 0)
  })
})

describe('prerequisites', () => {
  const cases: [name: string, prerequisites: string[], rcode: string][] = [
    ['name in use', ['www 0 ANY ANY'], 'NOERROR'],
    ['name in use, but it is not', ['nope 0 ANY ANY'], 'NXDOMAIN'],
    ['an empty non-terminal is not in use (RFC 2136 §2.4.4)', ['ent 0 ANY ANY'], 'NXDOMAIN'],
    ['the apex is in use', ['@ 0 ANY ANY'], 'NOERROR'],
    ['name not in use', ['nope 0 NONE ANY'], 'NOERROR'],
    ['name not in use, but it is', ['www 0 NONE ANY'], 'YXDOMAIN'],
    ['rrset exists', ['www 0 ANY TXT'], 'NOERROR'],
    ['rrset exists, but it does not', ['www 0 ANY MX'], 'NXRRSET'],
    ['the SOA exists', ['@ 0 ANY SOA'], 'NOERROR'],
    ['rrset does not exist', ['www 0 NONE MX'], 'NOERROR'],
    ['rrset does not exist, but it does', ['www 0 NONE A'], 'YXRRSET'],
    ['the name servers exist', ['@ 0 NONE NS'], 'YXRRSET'],
    ['rrset is exactly these', ['www 0 IN A 192.0.2.2', 'www 0 IN A 192.0.2.1'], 'NOERROR'],
    ['rrset has one more', ['www 0 IN A 192.0.2.2'], 'NXRRSET'],
    [
      'rrset has one less',
      ['www 0 IN A 192.0.2.2', 'www 0 IN A 192.0.2.1', 'www 0 IN A 192.0.2.3'],
      'NXRRSET',
    ],
    ['rrset has another', ['www 0 IN A 192.0.2.2', 'www 0 IN A 192.0.2.3'], 'NXRRSET'],
    [
      'name servers are exactly these',
      ['@ 0 IN NS ns1.zonereeve.internal.', '@ 0 IN NS ns2.zonereeve.internal.'],
      'NOERROR',
    ],
    ['name servers are not these', ['@ 0 IN NS ns1.zonereeve.internal.'], 'NXRRSET'],
    ['the SOA’s value', ['@ 0 IN SOA a. b. 1 2 3 4 5'], 'REFUSED'],
    ['two, the second of which fails', ['www 0 ANY A', 'www 0 ANY MX'], 'NXRRSET'],
    ['with a TTL', ['www 1 ANY ANY'], 'FORMERR'],
    ['outside the zone', ['www.example.net. 0 ANY ANY'], 'NOTZONE'],
    ['with a value where none may be', ['www 0 ANY A 192.0.2.1'], 'FORMERR'],
    ['not in use, with a value', ['www 0 NONE A 192.0.2.1'], 'FORMERR'],
    ['of another class', ['www 0 CH A'], 'FORMERR'],
    ['of a meta type', ['www 0 ANY AXFR'], 'FORMERR'],
  ]
  test.each(cases)('%s', async (_, prerequisites, rcode) => {
    const zone = await newZone()
    const changes = await app.changeCount()
    expect(await send(updateOf(zone.name, { prerequisites, steps: ['new 300 IN A 192.0.2.9'] }))).toBe(rcode)
    const isDone = rcode === 'NOERROR'
    expect(await app.changeCount()).toBe(changes + (isDone ? 1 : 0))
    expect(await zone.lines()).toEqual((isDone ? [...OWN, 'new 300 A 192.0.2.9'] : OWN).toSorted())
  })
})

describe('rejected as a whole', () => {
  const cases: [name: string, steps: string[], rcode: string][] = [
    ['outside the zone', ['www.example.net. 300 IN A 192.0.2.9'], 'NOTZONE'],
    ['in a zone whose name ends like it', ['xzone-1.example. 300 IN A 192.0.2.9'], 'NOTZONE'],
    ['a question type', ['www 300 IN ANY'], 'FORMERR'],
    ['a transfer', ['www 0 ANY AXFR'], 'FORMERR'],
    ['an OPT record', ['www 300 IN OPT'], 'FORMERR'],
    ['an address cut short', ['www 300 IN A c00002'.replace(' A ', ' TYPE1 ')], 'FORMERR'],
    ['a deletion with a TTL', ['www 5 ANY A'], 'FORMERR'],
    ['a deletion of a record with a TTL', ['www 5 NONE A 192.0.2.1'], 'FORMERR'],
    ['a deletion of an rrset with a value', ['www 0 ANY A 192.0.2.1'], 'FORMERR'],
    ['another class', ['www 300 CH A 192.0.2.1'], 'FORMERR'],
    ['an SOA', ['@ 300 IN SOA a. b. 1 2 3 4 5'], 'REFUSED'],
    ['a record that breaks the rules', ['new 300 IN MX 10 192.0.2.1.'], 'REFUSED'],
    ['NS at a wildcard', ['* 300 IN NS ns.example.net.'], 'REFUSED'],
    ['a URL as the target of a CNAME', ['new 300 IN CNAME https://example.net/.'], 'REFUSED'],
    ['a type that the API does not have', ['new 300 IN TYPE47 00'], 'REFUSED'],
  ]
  test.each(cases)('%s, and what precedes it', async (_, steps, rcode) => {
    const zone = await newZone()
    const changes = await app.changeCount()
    const events = app.events.length
    expect(await send(updateOf(zone.name, { steps: ['before 300 IN A 192.0.2.8', ...steps] }))).toBe(rcode)
    expect([await zone.lines(), await app.changeCount(), app.events.length]).toEqual([
      OWN.toSorted(),
      changes,
      events,
    ])
  })

  test('no question, two questions, another question type, another class', async () => {
    const { name } = await newZone()
    const good = updateOf(name, {})
    const [zone] = good.questions
    if (zone === undefined) throw new Error('an update names a zone')
    const asked = async (...questions: Message['questions']) => send({ ...good, questions })
    expect(await asked()).toBe('FORMERR')
    expect(await asked(zone, zone)).toBe('FORMERR')
    expect(await asked({ ...zone, type: 1 })).toBe('FORMERR')
    expect(await asked({ ...zone, class: 3 })).toBe('NOTAUTH')
    expect(await asked({ ...zone, name: parseName(`www.${name}`) })).toBe('NOTAUTH')
  })

  test('more changes than a batch may have on the plan', async () => {
    const zone = await newZone([])
    await app.must('PATCH', `/zones/${zone.id}`, { plan: { id: 'free' } })
    const adding = (count: number) =>
      updateOf(zone.name, {
        steps: Array.from({ length: count }, (_, i) => `h${i} 300 IN A 10.0.${i >> 8}.${i & 255}`),
      })
    expect(await send(adding(201))).toBe('REFUSED')
    expect(await zone.lines()).toEqual([])
    expect(await send(adding(200))).toBe('NOERROR')
    expect((await zone.lines()).length).toBe(200)
  })
})

describe('authorization', () => {
  let keys = 0
  async function keyOf(tokenId: string): Promise<string> {
    const name = `key-${(keys += 1)}.update`
    await app.updateKeys.create(app.userId, { name, tokenId, algorithm: 'hmac-sha256' }, SYSTEM)
    return name
  }
  async function keyWith(policies: Parameters<typeof makeToken>[1]): Promise<string> {
    return keyOf(await idOf(await makeToken(app, policies)))
  }
  async function idOf(value: string): Promise<string> {
    const answer = await app.call<{ id: string }>({
      method: 'GET',
      path: '/user/tokens/verify',
      token: value,
    })
    return answer.json.result.id
  }
  const adding = (zone: { name: string }) => updateOf(zone.name, { steps: ['new 300 IN A 192.0.2.9'] })

  test('not without a key, nor with an unknown one', async () => {
    const zone = await newZone()
    // For strangers it is not even looked up whether the zone exists.
    for (const { name } of [zone, { name: 'not-here.example' }]) {
      const unsigned = app.updates.update(adding({ name }), { address: ADDRESS, keyName: undefined })
      expect(rcodeText(await unsigned)).toBe('REFUSED')
    }
    expect(await send(adding(zone), 'nobody.update')).toBe('REFUSED')
    expect(await zone.lines()).toEqual(OWN.toSorted())
  })

  test('a token that may write this zone, and no other', async () => {
    const [zone, other] = [await newZone(), await newZone()]
    const key = await keyWith([allow(['DNS Write'], `account.zone.${zone.id}`)])
    expect([await send(adding(zone), key), await send(adding(other), key)]).toEqual(['NOERROR', 'REFUSED'])
    expect(await other.lines()).toEqual(OWN.toSorted())
  })

  test('not a token that may only read, whatever the prerequisites', async () => {
    const zone = await newZone()
    const key = await keyWith([allow(['DNS Read'], ...EVERYTHING)])
    expect(await send(updateOf(zone.name, { prerequisites: ['nope 0 ANY ANY'] }), key)).toBe('REFUSED')
  })

  test('a token only from its addresses, in its time, and while it is active and exists', async () => {
    const zone = await newZone()
    const tokenId = await idOf(await makeToken(app, [allow(['DNS Write'], ...EVERYTHING)]))
    const key = await keyOf(tokenId)
    const definition = {
      name: 'restricted',
      policies: [
        {
          effect: 'allow',
          resources: { 'com.cloudflare.api.account.zone.*': '*' },
          permission_groups: [{ id: groupId('DNS Write') }],
        },
      ],
    }
    const tries = async (more: object): Promise<string> => {
      await app.must('PUT', `/user/tokens/${tokenId}`, { ...definition, ...more })
      return send(adding(zone), key)
    }
    expect(await tries({ condition: { request_ip: { in: ['198.51.100.0/24'] } } })).toBe('REFUSED')
    expect(await tries({ condition: { request_ip: { in: ['192.0.2.0/24'] } } })).toBe('NOERROR')
    expect(await tries({ expires_on: '2026-01-01T00:00:00Z' })).toBe('REFUSED')
    expect(await tries({ status: 'disabled' })).toBe('REFUSED')
    expect(await tries({ status: 'active' })).toBe('NOERROR')
    await app.must('DELETE', `/user/tokens/${tokenId}`)
    expect(await send(adding(zone), key)).toBe('REFUSED')
  })

  test('many at once: all performed, each as its own change set', async () => {
    const zone = await newZone([])
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        send(updateOf(zone.name, { steps: [`h${i} 300 IN A 192.0.2.${i}`] })),
      ),
    )
    expect(new Set(all)).toEqual(new Set(['NOERROR']))
    expect((await zone.lines()).length).toBe(50)
  })

  test('the maximum number of keys, and one more', async () => {
    const tokenId = await adminTokenId()
    const have = (await app.updateKeys.list(app.userId)).length
    for (let i = have; i < MAX_UPDATE_KEYS; i += 1) await keyOf(tokenId)
    await expect(keyOf(tokenId)).rejects.toMatchObject({ issues: [{ reason: 'update_key.quota' }] })
  })
})
