// DNSSEC over HTTP: states, errors, and whether the zone's serial moved.
import { rdataFromText, type Ds } from '@zonereeve/dns'
import { afterEach, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'

const PATH = '/zones/{zone}/dnssec'
const OWN = '/zonereeve/zones/{zone}/dnssec'
const patch = (body: unknown): Send => ({ method: 'PATCH', path: PATH, body })
const enable = patch({ status: 'active' })
const disable = patch({ status: 'disabled' })
const roll = (role: unknown): Send => ({ method: 'POST', path: `${OWN}/roll`, body: { role } })
const parent = (body: unknown): Send => ({ method: 'POST', path: `${OWN}/parent_check`, body })
const MOVED = { changes: 1, events: ['zone settings'] }

const NEVER = {
  status: 'disabled',
  flags: null,
  algorithm: null,
  key_type: null,
  digest_type: null,
  digest_algorithm: null,
  digest: null,
  ds: null,
  key_tag: null,
  public_key: null,
  modified_on: null,
  dnssec_multi_signer: false,
  dnssec_presigned: false,
  dnssec_use_nsec3: false,
}

scenarios('/zones/:id/dnssec', [
  {
    name: 'a zone that was never signed',
    send: { method: 'GET', path: PATH },
    expect: { status: 200, result: NEVER },
  },
  {
    name: 'active: keys are created, and the parent is awaited',
    send: enable,
    expect: {
      status: 200,
      ...MOVED,
      result: {
        status: 'pending',
        flags: 257,
        algorithm: '13',
        key_type: 'ECDSAP256SHA256',
        digest_type: '2',
        digest_algorithm: 'SHA256',
        dnssec_multi_signer: false,
        dnssec_presigned: false,
        dnssec_use_nsec3: false,
      },
      text: /"ds":"[a-z0-9.]+\. 3600 IN DS \d+ 13 2 [0-9A-F]{64}","key_tag":\d+,"public_key":"[A-Za-z0-9+/]{86}=="/,
    },
  },
  ...[
    { name: 'an unsupported member', send: patch({ status: 'active', dnssec_nsec3: true }) },
    { name: 'a read-only member', before: [enable], send: patch({ status: 'active', algorithm: '15' }) },
    { name: 'a misspelled member about the parent', before: [enable], send: parent({ keytags: [] }) },
    {
      name: 'a misspelled member of a rollover',
      before: [enable],
      send: { ...roll('zsk'), body: { role: 'zsk', algorithms: [] } },
    },
  ].map(({ name, ...rest }) => ({
    ...rest,
    name: `${name} is rejected by name, and nothing is changed`,
    expect: { status: 400, codes: [6008], changes: 0, events: [] },
  })),
  { name: 'active twice: no change', before: [enable], send: enable, expect: { status: 200 } },
  {
    name: 'options of a signed zone',
    before: [enable],
    send: patch({ dnssec_multi_signer: true, dnssec_use_nsec3: true }),
    expect: {
      status: 200,
      ...MOVED,
      result: { status: 'pending', dnssec_multi_signer: true, dnssec_use_nsec3: true },
    },
  },
  {
    name: 'options of an unsigned zone: no answer changes',
    send: patch({ dnssec_use_nsec3: true }),
    expect: { status: 200, changes: 1, result: { ...NEVER, dnssec_use_nsec3: true } },
  },
  { name: 'nothing', send: patch({}), expect: { status: 200, result: NEVER } },
  {
    name: 'the current status',
    send: patch({ dnssec_presigned: false }),
    expect: { status: 200, result: NEVER },
  },
  { name: 'disabled already', send: disable, expect: { status: 200, result: NEVER } },
  {
    name: 'disabled while the parent is unknown: still signed',
    before: [enable],
    send: disable,
    expect: { status: 200, ...MOVED, result: { status: 'pending-disabled' } },
  },
  {
    name: 'active again',
    before: [enable, disable],
    send: enable,
    expect: { status: 200, ...MOVED, result: { status: 'pending' } },
  },
  {
    name: 'dnssec_presigned is for secondary zones, and nothing else is changed',
    send: patch({ status: 'active', dnssec_presigned: true }),
    expect: { status: 400, codes: [19751], pointers: ['/dnssec_presigned'] },
  },
  ...[
    { status: 'pending' },
    { status: true },
    { status: null },
    { dnssec_use_nsec3: 'yes' },
    { dnssec_multi_signer: 1 },
    { dnssec_presigned: null },
  ].map((body) => ({
    name: `invalid patch: ${JSON.stringify(body)}`,
    send: patch(body),
    expect: {
      status: 400,
      codes: [6008],
      pointers: [`/${Object.keys(body)[0] ?? ''}`],
    },
  })),
  {
    name: 'the keys of a signed zone are kept',
    before: [enable],
    send: { method: 'DELETE', path: PATH },
    expect: { status: 400, codes: [19753] },
  },
  {
    name: 'deleting nothing',
    send: { method: 'DELETE', path: PATH },
    expect: { status: 200, text: '"result":""' },
  },
  {
    name: 'no zone',
    send: { method: 'GET', path: `/zones/${'0'.repeat(32)}/dnssec` },
    expect: { status: 404, codes: [1001] },
  },
])

scenarios('/zones/:id/dnssec/zsk', [
  {
    name: 'none',
    send: { method: 'GET', path: `${PATH}/zsk` },
    expect: { status: 200, text: '"result":[]' },
  },
  {
    name: 'the current key, without its private key',
    before: [enable],
    send: { method: 'GET', path: `${PATH}/zsk` },
    expect: {
      status: 200,
      result: [
        {
          DNSKEY: {
            Algorithm: 13,
            Flags: 256,
            Hdr: { Class: 1, Rdlength: 68, Rrtype: 48, Ttl: 3600 },
            Protocol: 3,
          },
          Location: 'database',
          SigningKey: { kek: null, privkey: null },
          Tag: 'active',
        },
      ],
    },
  },
  {
    name: 'two during a rollover',
    before: [enable, roll('zsk')],
    send: { method: 'GET', path: `${PATH}/zsk` },
    expect: { status: 200, text: /"Tag":"active"[^]*"Tag":"publish"|"Tag":"publish"[^]*"Tag":"active"/ },
  },
])

scenarios('/zonereeve/zones/:id/dnssec', [
  {
    name: 'keys of a zone that was never signed',
    send: { method: 'GET', path: `${OWN}/keys` },
    expect: { status: 200, result: { status: 'disabled', ds_gone_since: null, keys: [] } },
  },
  {
    name: 'a rollover starts',
    before: [enable],
    send: roll('zsk'),
    expect: { status: 200, ...MOVED, text: /"role":"zsk","state":"published"[^}]*"next_on":"2026-01-06T/ },
  },
  {
    name: 'one of each role at a time',
    before: [enable, roll('zsk')],
    send: roll('ksk'),
    expect: { status: 200, ...MOVED },
  },
  {
    name: 'not a second one of the same role',
    before: [enable, roll('ksk')],
    send: roll('ksk'),
    expect: { status: 400, codes: [19752], pointers: ['/role'] },
  },
  { name: 'not for an unsigned zone', send: roll('zsk'), expect: { status: 400, codes: [19750] } },
  {
    name: 'an unknown role',
    before: [enable],
    send: roll('csk'),
    expect: { status: 400, codes: [6008], pointers: ['/role'] },
  },
  {
    name: 'an unknown parent: no change',
    before: [enable],
    send: parent({}),
    expect: { status: 200 },
  },
  { name: 'of an unsigned zone', send: parent({ key_tags: [] }), expect: { status: 400, codes: [19750] } },
  {
    name: 'an unknown tag',
    before: [enable],
    send: parent({ key_tags: [65_535] }),
    expect: { status: 400, codes: [19754], pointers: ['/key_tags/0'] },
  },
  {
    name: 'a missing tag',
    before: [enable],
    send: parent({ key_tags: [70_000] }),
    expect: { status: 400, codes: [6008], pointers: ['/key_tags/0'] },
  },
])

let app: TestApp | undefined
afterEach(() => app?.close())

async function signed(given: Parameters<typeof startTestApp>[0] = {}) {
  app = await startTestApp(given)
  const { id } = await app.must('POST', '/zones', { name: 'signed.example', account: { id: app.accountId } })
  const { key_tag: keyTag } = await app.must<{ key_tag: number }>('PATCH', `/zones/${id}/dnssec`, {
    status: 'active',
  })
  return { app, id, keyTag }
}
const statusOf = async (of: TestApp, id: string) =>
  (await of.must<{ status: string }>('GET', `/zones/${id}/dnssec`)).status

test('the parent’s DS makes the zone active, without a change of its answers', async () => {
  const { app: own, id, keyTag } = await signed()
  own.events.length = 0
  await own.must('POST', `/zonereeve/zones/${id}/dnssec/parent_check`, { key_tags: [keyTag] })
  const moves = own.events.filter(({ serial }) => serial !== null)
  expect([await statusOf(own, id), moves]).toEqual(['active', []])
  await own.must('PATCH', `/zones/${id}/dnssec`, { status: 'disabled' })
  expect(await statusOf(own, id)).toBe('pending-disabled')
})

test('without a DS at the parent signing ends at once', async () => {
  const askParent = () => Promise.resolve({ kind: 'known', ds: [], ttlSeconds: 300 } as const)
  const { app: own, id } = await signed({ askParent })
  await own.must('PATCH', `/zones/${id}/dnssec`, { status: 'disabled' })
  expect(await statusOf(own, id)).toBe('disabled')
  await own.must('DELETE', `/zones/${id}/dnssec`)
  expect(await own.must('GET', `/zones/${id}/dnssec`)).toEqual(NEVER)
})

test('private keys are only in the database: not in replies, history or log', async () => {
  const { app: own, id } = await signed()
  const secrets = await own.storage.all(query.selectFrom('dnssec_keys').select('secret'))
  expect(secrets).toHaveLength(2)
  const { changes } = await own.must<{ changes?: unknown }>('GET', `/zonereeve/zones/${id}/changes/2`)
  const reported = JSON.stringify([
    changes,
    own.logged,
    await own.must('GET', `/zonereeve/zones/${id}/changes/2`),
  ])
  expect(reported).toContain('publicKey')
  for (const { secret } of secrets) {
    const octets = Buffer.from(secret).subarray(1)
    expect(reported).not.toContain(octets.toString('base64').slice(0, 40))
    expect(reported).not.toContain('secret')
  }
})

test('a deleted zone deletes its keys, and the log says so', async () => {
  const { app: own, id } = await signed()
  await own.must('DELETE', `/zones/${id}`)
  expect(await own.storage.all(query.selectFrom('dnssec_keys').selectAll())).toEqual([])
  const kinds = await own.storage.all(
    query.selectFrom('change_ops').select('kind').where('after', 'is', null),
  )
  expect(kinds.map(({ kind }) => kind)).toContain('dnssec.update')
})

test('a dry run creates no key, and shows what it would change', async () => {
  const own = (app = await startTestApp())
  const { id } = await own.must('POST', '/zones', { name: 'dry.example', account: { id: own.accountId } })
  const { status, text } = await own.call({
    method: 'PATCH',
    path: `/zones/${id}/dnssec?dry_run=true`,
    body: { status: 'active' },
  })
  expect([status, await statusOf(own, id)]).toEqual([200, 'disabled'])
  expect(text).toContain('dnssec.update')
  const stored = () => own.storage.all(query.selectFrom('dnssec_keys').select(['id', 'algorithm', 'state']))
  expect(await stored()).toEqual([])
  await own.must('PATCH', `/zones/${id}/dnssec`, { status: 'active' })
  const before = await stored()
  const rehearsed = await own.call({
    method: 'POST',
    path: `/zonereeve/zones/${id}/dnssec/roll?dry_run=true`,
    body: { algorithm: 'ED25519' },
  })
  expect([rehearsed.status, rehearsed.text]).toEqual([200, expect.stringContaining('"algorithm":15')])
  expect(await stored()).toEqual(before)
})

test('keys advance on their own: each step is one change set, and the parent is queried', async () => {
  let ds: readonly Ds[] = []
  const askParent = () => Promise.resolve({ kind: 'known', ds, ttlSeconds: 3600 } as const)
  const { app: own, id } = await signed({ askParent })
  const parentTakes = async () => {
    const { ds: line } = await own.must<{ ds: string }>('GET', `/zones/${id}/dnssec`)
    ds = [rdataFromText('DS', line.split(' ').slice(4).join(' '))]
  }
  const states = async () => {
    await own.dnssec.advanceAll()
    const { status, keys } = await own.must<KeysReply>('GET', `/zonereeve/zones/${id}/dnssec/keys`)
    return [status, ...keys.map(({ role, state }) => `${role} ${state}`).toSorted()].join(', ')
  }
  expect(await states()).toBe('pending, ksk active, zsk active')
  await parentTakes()
  expect(await states()).toBe('active, ksk active, zsk active')
  await own.must('POST', `/zonereeve/zones/${id}/dnssec/roll`, { role: 'ksk' })
  await own.must('POST', `/zonereeve/zones/${id}/dnssec/roll`, { role: 'zsk' })
  const changes = await own.changeCount()
  expect(await states()).toBe('active, ksk active, ksk published, zsk active, zsk published')
  expect(await own.changeCount()).toBe(changes)
  own.clock.advance(5 * HOUR_MILLIS)
  expect(await states()).toBe('active, ksk active, ksk ready, zsk active, zsk published')
  await parentTakes()
  expect(await states()).toBe('active, ksk active, ksk outgoing, zsk active, zsk published')
  own.clock.advance(30 * HOUR_MILLIS)
  expect(await states()).toBe('active, ksk active, zsk active')
  expect(await own.changeCount()).toBe(changes + 3)
  await own.must('PATCH', `/zones/${id}/dnssec`, { status: 'disabled' })
  expect(await states()).toBe('pending-disabled, ksk active, zsk active')
  ds = []
  expect(await states()).toBe('pending-disabled, ksk active, zsk active')
  own.clock.advance(25 * HOUR_MILLIS)
  expect(await states()).toBe('disabled, ksk active, zsk active')
})

test('keys are rolled over on a schedule: the ZSK by time, the KSK when the parent has followed CDS', async () => {
  let ds: readonly Ds[] = []
  const askParent = () => Promise.resolve({ kind: 'known', ds, ttlSeconds: 3600 } as const)
  const { app: own, id } = await signed({ askParent, zskDays: 30, kskDays: 45 })
  const parentTakes = async () => {
    const { ds: line } = await own.must<{ ds: string }>('GET', `/zones/${id}/dnssec`)
    ds = [rdataFromText('DS', line.split(' ').slice(4).join(' '))]
  }
  const states = async () => {
    await own.dnssec.advanceAll()
    const { keys } = await own.must<KeysReply>('GET', `/zonereeve/zones/${id}/dnssec/keys`)
    return keys
      .map(({ role, state }) => `${role} ${state}`)
      .toSorted()
      .join(', ')
  }
  const statesBefore = 'ksk active, zsk active'
  own.clock.advance(30 * 24 * HOUR_MILLIS - 1)
  expect(await states()).toBe(statesBefore)
  own.clock.advance(1)
  expect(await states()).toBe('ksk active, zsk active, zsk published')
  // Once is enough.
  expect(await states()).toBe('ksk active, zsk active, zsk published')
  own.clock.advance(30 * HOUR_MILLIS)
  expect(await states()).toBe(statesBefore)
  // The KSK of a zone without a DS stays: the parent does not refer to it.
  own.clock.advance(20 * 24 * HOUR_MILLIS)
  expect(await states()).toBe(statesBefore)
  await parentTakes()
  expect(await states()).toBe(statesBefore)
  expect(await states()).toBe('ksk active, ksk published, zsk active')
  own.clock.advance(5 * HOUR_MILLIS)
  expect(await states()).toBe('ksk active, ksk ready, zsk active')
  own.clock.advance(2 * 24 * HOUR_MILLIS)
  expect(await states()).toBe('ksk active, ksk ready, zsk active')
  await parentTakes()
  expect(await states()).toBe('ksk active, ksk outgoing, zsk active')
  await own.must('PATCH', `/zones/${id}/dnssec`, { dnssec_multi_signer: true })
  own.clock.advance(60 * 24 * HOUR_MILLIS)
  expect(await states()).toBe(statesBefore)
  expect(await states()).toBe(statesBefore)
})

test('rollovers by age start for ten zones a run', async () => {
  const { app: own } = await signed({ zskDays: 30 })
  const names = Array.from({ length: 11 }, (_, index) => `zone-${index}.example`)
  for (const name of names) {
    const { id } = await own.must<{ id: string }>('POST', '/zones', { name })
    await own.must('PATCH', `/zones/${id}/dnssec`, { status: 'active' })
  }
  const started = async () => {
    own.events.length = 0
    await own.dnssec.advanceAll()
    const zones = await own.must<{ id: string }[]>('GET', '/zones?per_page=50')
    const published = zones.map(async ({ id }) => {
      const { keys } = await own.must<KeysReply>('GET', `/zonereeve/zones/${id}/dnssec/keys`)
      return keys.some(({ state }) => state === 'published')
    })
    return (await Promise.all(published)).filter(Boolean).length
  }
  expect(await started()).toBe(0)
  own.clock.advance(30 * 24 * HOUR_MILLIS)
  expect(await started()).toBe(10)
  expect(await started()).toBe(12)
  expect(await started()).toBe(12)
})

const HOUR_MILLIS = 3_600_000
interface KeysReply {
  readonly status: string
  readonly keys: readonly { readonly role: string; readonly state: string }[]
}

test('the serial moves as often as copies must be re-signed', async () => {
  const due: string[] = []
  const { app: own, id } = await signed({ isRenewalDue: (zoneId) => due.includes(zoneId) })
  const steps = async (): Promise<number> => {
    own.events.length = 0
    await own.dnssec.advanceAll()
    return own.events.filter(({ kinds }) => kinds.includes('zone.answers')).length
  }
  expect(await steps()).toBe(0)
  due.push(id)
  expect([await steps(), await steps()]).toEqual([1, 1])
  due.pop()
  expect(await steps()).toBe(0)
})

test('other nameservers are called for new signatures while the old ones are valid, once in six days', async () => {
  const { app: own, id } = await signed()
  const serialMoves = async () => {
    own.events.length = 0
    await own.dnssec.advanceAll()
    return own.events.flatMap(({ kinds }) => kinds)
  }
  expect(await serialMoves()).toEqual([])
  own.clock.advance(6 * 24 * HOUR_MILLIS)
  expect(await serialMoves()).toEqual(['zone.answers'])
  expect(await serialMoves()).toEqual([])
  await own.must('DELETE', `/zones/${id}`)
  own.clock.advance(6 * 24 * HOUR_MILLIS)
  expect(await serialMoves()).toEqual([])
})
