// The exchange of a zone's algorithm over HTTP: what begins it, what is refused meanwhile, and its steps.
import { rdataFromText, type Ds } from '@zonereeve/dns'
import { afterEach, expect, test } from 'vitest'
import { query } from '../../storage/index.ts'
import { startTestApp, type TestApp, type TestAppOptions } from '../../testing/app.ts'
import { scenarios, type Send } from '../../testing/scenarios.ts'
import { allZoneKeys, createKeyVault } from './index.ts'

const OWN = '/zonereeve/zones/{zone}/dnssec'
const patch = (body: unknown): Send => ({ method: 'PATCH', path: '/zones/{zone}/dnssec', body })
const enable = patch({ status: 'active' })
const disable = patch({ status: 'disabled' })
const roll = (role: string): Send => ({ method: 'POST', path: `${OWN}/roll`, body: { role } })
const exchange = (algorithm: unknown): Send => ({ method: 'POST', path: `${OWN}/roll`, body: { algorithm } })
const MOVED = { changes: 1, events: ['zone settings'] }

scenarios('/zonereeve/zones/:id/dnssec/roll', [
  {
    name: 'an exchange of the algorithm begins: both keys are made, and are not among the zone’s yet',
    before: [enable],
    send: exchange('ED25519'),
    expect: {
      status: 200,
      ...MOVED,
      result: { status: 'pending' },
      text: /"role":"ksk","state":"signing","key_tag":\d+,"algorithm":15[^}]*"next_on":"2026-01-06T[^]*"role":"zsk","state":"signing"/,
    },
  },
  ...(['ksk', 'zsk'] as const).map((role) => ({
    name: `no roll-over of the ${role} while the algorithm is exchanged`,
    before: [enable, exchange('ED25519')],
    send: roll(role),
    expect: {
      status: 400,
      codes: [19752],
      pointers: ['/role'],
      text: 'A roll-over of the algorithm is under way',
    },
  })),
  {
    name: 'no second exchange of the algorithm, be it back',
    before: [enable, exchange('ED25519')],
    send: exchange('ECDSAP256SHA256'),
    expect: { status: 400, codes: [19752], pointers: ['/algorithm'] },
  },
  ...(['ksk', 'zsk'] as const).map((role) => ({
    name: `no exchange of the algorithm while the ${role} is exchanged`,
    before: [enable, roll(role)],
    send: exchange('ED25519'),
    expect: { status: 400, codes: [19752], pointers: ['/algorithm'], text: `A roll-over of the ${role} is` },
  })),
  {
    name: 'an algorithm for itself',
    before: [enable],
    send: exchange('ECDSAP256SHA256'),
    expect: { status: 400, codes: [19755], pointers: ['/algorithm'] },
  },
  {
    name: 'no algorithm of an unsigned zone',
    send: exchange('ED25519'),
    expect: { status: 400, codes: [19750] },
  },
  {
    name: 'no exchange of the algorithm where others sign, too',
    before: [enable, patch({ dnssec_multi_signer: true })],
    send: exchange('ED25519'),
    expect: { status: 400, codes: [19756], pointers: ['/algorithm'] },
  },
  {
    name: 'no others that sign while the algorithm is exchanged, and nothing else that is asked for along',
    before: [enable, exchange('ED25519')],
    send: patch({ dnssec_multi_signer: true, dnssec_use_nsec3: true }),
    expect: { status: 400, codes: [19756], pointers: ['/dnssec_multi_signer'] },
  },
  {
    name: 'other denials meanwhile',
    before: [enable, exchange('ED25519')],
    send: patch({ dnssec_use_nsec3: true }),
    expect: { status: 200, ...MOVED, result: { dnssec_use_nsec3: true } },
  },
  {
    name: 'the end of signing meanwhile',
    before: [enable, exchange('ED25519')],
    send: disable,
    expect: { status: 200, ...MOVED, result: { status: 'pending-disabled' } },
  },
  ...[
    ['a number', { algorithm: 15 }, '/algorithm'],
    ['one that is not signed with here', { algorithm: 'RSASHA256' }, '/algorithm'],
    ['no word for one', { algorithm: null }, '/algorithm'],
    ['a role and an algorithm', { role: 'ksk', algorithm: 'ED25519' }, '/algorithm'],
    ['neither role nor algorithm', {}, '/role'],
  ].map(([name, body, pointer]) => ({
    name: `no roll-over: ${String(name)}`,
    before: [enable],
    send: { method: 'POST', path: `${OWN}/roll`, body } satisfies Send,
    expect: { status: 400, codes: [6008], pointers: [String(pointer)] },
  })),
])

const HOUR_MILLIS = 3_600_000
interface KeysReply {
  readonly status: string
  readonly keys: readonly { readonly role: string; readonly state: string; readonly algorithm: number }[]
}

let app: TestApp | undefined
afterEach(() => app?.close())

/** A signed zone, whose parent has what the test says. */
async function signed(askParent: NonNullable<TestAppOptions['askParent']>) {
  app = await startTestApp({ askParent })
  const { id } = await app.must('POST', '/zones', { name: 'signed.example', account: { id: app.accountId } })
  await app.must('PATCH', `/zones/${id}/dnssec`, { status: 'active' })
  return { app, id }
}

test('an algorithm is exchanged in five steps, each one change set; a restart in any of them forgets nothing', async () => {
  let ds: readonly Ds[] = []
  const askParent = () => Promise.resolve({ kind: 'known', ds, ttlSeconds: 3600 } as const)
  const { app: own, id } = await signed(askParent)
  const shownDs = async (): Promise<Ds> => {
    const { ds: line } = await own.must<{ ds: string }>('GET', `/zones/${id}/dnssec`)
    return rdataFromText('DS', line.split(' ').slice(4).join(' '))
  }
  const old = await shownDs()
  ds = [old]
  const told: string[] = []
  /** As the API has it, and as the nameserver gets it from the database when it starts. */
  const look = async (hours: number): Promise<void> => {
    own.clock.advance(hours * HOUR_MILLIS)
    await own.dnssec.advanceAll()
    const { keys } = await own.must<KeysReply>('GET', `/zonereeve/zones/${id}/dnssec/keys`)
    const states = keys.map(({ role, algorithm, state }) => `${role} ${algorithm} ${state}`).toSorted()
    const started = (await allZoneKeys(own.storage, createKeyVault(undefined))).get(id)
    const algorithms = (of: readonly { readonly algorithm: number }[] = []) =>
      of.map(({ algorithm }) => algorithm).toSorted((a, b) => a - b)
    const served = `${algorithms(started?.keys).join(' ')} + ${algorithms(started?.unpublished).join(' ')}`
    expect(started?.dnskeys).toHaveLength(started?.keys.length ?? 0)
    told.push(`${states.join(', ')}; ${served}; DS ${(await shownDs()).algorithm}`)
  }
  await look(0)
  const changes = await own.changeCount()
  await own.must('POST', `/zonereeve/zones/${id}/dnssec/roll`, { algorithm: 'ED25519' })
  for (const hours of [0, 26, 2, 2, 100]) await look(hours)
  ds = [old, await shownDs()]
  await look(100)
  ds = [await shownDs()]
  for (const hours of [0, 26, 2, 2, 3, 100]) await look(hours)
  expect(told).toEqual([
    'ksk 13 active, zsk 13 active; 13 13 + ; DS 13',
    'ksk 13 active, ksk 15 signing, zsk 13 active, zsk 15 signing; 13 13 + 15 15; DS 13',
    'ksk 13 active, ksk 15 signing, zsk 13 active, zsk 15 signing; 13 13 + 15 15; DS 13',
    'ksk 13 active, ksk 15 published, zsk 13 active, zsk 15 published; 13 13 15 15 + ; DS 13',
    'ksk 13 active, ksk 15 published, zsk 13 active, zsk 15 published; 13 13 15 15 + ; DS 13',
    'ksk 13 active, ksk 15 ready, zsk 13 active, zsk 15 ready; 13 13 15 15 + ; DS 15',
    'ksk 13 active, ksk 15 ready, zsk 13 active, zsk 15 ready; 13 13 15 15 + ; DS 15',
    'ksk 13 outgoing, ksk 15 active, zsk 13 outgoing, zsk 15 active; 13 13 15 15 + ; DS 15',
    'ksk 13 outgoing, ksk 15 active, zsk 13 outgoing, zsk 15 active; 13 13 15 15 + ; DS 15',
    'ksk 13 withdrawn, ksk 15 active, zsk 13 withdrawn, zsk 15 active; 15 15 + 13 13; DS 15',
    'ksk 13 withdrawn, ksk 15 active, zsk 13 withdrawn, zsk 15 active; 15 15 + 13 13; DS 15',
    'ksk 15 active, zsk 15 active; 15 15 + ; DS 15',
    'ksk 15 active, zsk 15 active; 15 15 + ; DS 15',
  ])
  // The beginning and five steps.
  expect(await own.changeCount()).toBe(changes + 6)
  expect(await own.storage.all(query.selectFrom('dnssec_keys').select('algorithm'))).toHaveLength(2)
})

test('signing that ends in an exchange of the algorithm keeps the keys, which go on when it begins again', async () => {
  let ds: readonly Ds[] = []
  const askParent = () => Promise.resolve({ kind: 'known', ds, ttlSeconds: 3600 } as const)
  const { app: own, id } = await signed(askParent)
  const states = async () => {
    await own.dnssec.advanceAll()
    const { status, keys } = await own.must<KeysReply>('GET', `/zonereeve/zones/${id}/dnssec/keys`)
    return [status, ...keys.map(({ role, state }) => `${role} ${state}`).toSorted()].join(', ')
  }
  await own.must('POST', `/zonereeve/zones/${id}/dnssec/roll`, { algorithm: 'ED25519' })
  await own.must('PATCH', `/zones/${id}/dnssec`, { status: 'disabled' })
  expect(await states()).toBe('disabled, ksk active, ksk signing, zsk active, zsk signing')
  expect((await allZoneKeys(own.storage, createKeyVault(undefined))).has(id)).toBe(false)
  own.clock.advance(1000 * HOUR_MILLIS)
  expect(await states()).toBe('disabled, ksk active, ksk signing, zsk active, zsk signing')
  await own.must('PATCH', `/zones/${id}/dnssec`, { status: 'active' })
  expect(await states()).toBe('pending, ksk active, ksk published, zsk active, zsk published')
  ds = []
  await own.must('PATCH', `/zones/${id}/dnssec`, { status: 'disabled' })
  await own.must('DELETE', `/zones/${id}/dnssec`)
  await own.must('PATCH', `/zones/${id}/dnssec`, { status: 'active' })
  expect(await states()).toBe('pending, ksk active, zsk active')
})
