// Algorithm rollover of a zone over HTTP: what starts it, what is rejected meanwhile, and its steps.
import { rdataFromText, type Ds } from '@zonereeve/dns'
import { afterEach, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp, type TestAppOptions } from '../../../testing/app.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'
import { allZoneKeys } from './index.ts'
import { createKeyVault } from '@zonereeve/platform'

const OWN = '/zonereeve/zones/{zone}/dnssec'
const patch = (body: unknown): Send => ({ method: 'PATCH', path: '/zones/{zone}/dnssec', body })
const enable = patch({ status: 'active' })
const disable = patch({ status: 'disabled' })
const roll = (role: string): Send => ({ method: 'POST', path: `${OWN}/roll`, body: { role } })
const rollover = (algorithm: unknown): Send => ({ method: 'POST', path: `${OWN}/roll`, body: { algorithm } })
const MOVED = { changes: 1, events: ['zone settings'] }

scenarios('/zonereeve/zones/:id/dnssec/roll', [
  {
    name: 'an algorithm rollover starts: both keys are created, and are not in the DNSKEY set yet',
    before: [enable],
    send: rollover('ED25519'),
    expect: {
      status: 200,
      ...MOVED,
      result: { status: 'pending' },
      text: /"role":"ksk","state":"signing","key_tag":\d+,"algorithm":15[^}]*"next_on":"2026-01-06T[^]*"role":"zsk","state":"signing"/,
    },
  },
  ...(['ksk', 'zsk'] as const).map((role) => ({
    name: `no rollover of the ${role} during an algorithm rollover`,
    before: [enable, rollover('ED25519')],
    send: roll(role),
    expect: {
      status: 400,
      codes: [19752],
      pointers: ['/role'],
      text: 'A rollover of the algorithm has been running',
    },
  })),
  {
    name: 'no second algorithm rollover, not even back',
    before: [enable, rollover('ED25519')],
    send: rollover('ECDSAP256SHA256'),
    expect: { status: 400, codes: [19752], pointers: ['/algorithm'] },
  },
  ...(['ksk', 'zsk'] as const).map((role) => ({
    name: `no algorithm rollover during a rollover of the ${role}`,
    before: [enable, roll(role)],
    send: rollover('ED25519'),
    expect: { status: 400, codes: [19752], pointers: ['/algorithm'], text: `A rollover of the ${role} has` },
  })),
  {
    name: 'a rollover to the same algorithm',
    before: [enable],
    send: rollover('ECDSAP256SHA256'),
    expect: { status: 400, codes: [19755], pointers: ['/algorithm'] },
  },
  {
    name: 'the algorithm of an unsigned zone',
    send: rollover('ED25519'),
    expect: { status: 400, codes: [19750] },
  },
  {
    name: 'no algorithm rollover with multi_signer',
    before: [enable, patch({ dnssec_multi_signer: true })],
    send: rollover('ED25519'),
    expect: { status: 400, codes: [19756], pointers: ['/algorithm'] },
  },
  {
    name: 'no multi_signer during an algorithm rollover, and other changes of the same request are not applied',
    before: [enable, rollover('ED25519')],
    send: patch({ dnssec_multi_signer: true, dnssec_use_nsec3: true }),
    expect: { status: 400, codes: [19756], pointers: ['/dnssec_multi_signer'] },
  },
  {
    name: 'a different denial meanwhile',
    before: [enable, rollover('ED25519')],
    send: patch({ dnssec_use_nsec3: true }),
    expect: { status: 200, ...MOVED, result: { dnssec_use_nsec3: true } },
  },
  {
    name: 'the end of signing meanwhile',
    before: [enable, rollover('ED25519')],
    send: disable,
    expect: { status: 200, ...MOVED, result: { status: 'pending-disabled' } },
  },
  ...[
    ['a number', { algorithm: 15 }, '/algorithm'],
    ['an unsupported algorithm', { algorithm: 'RSASHA256' }, '/algorithm'],
    ['an unknown mnemonic', { algorithm: null }, '/algorithm'],
    ['a role and an algorithm', { role: 'ksk', algorithm: 'ED25519' }, '/algorithm'],
    ['neither role nor algorithm', {}, '/role'],
  ].map(([name, body, pointer]) => ({
    name: `invalid rollover: ${String(name)}`,
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

/** A signed zone, whose parent follows the test's script. */
async function signed(askParent: NonNullable<TestAppOptions['askParent']>) {
  app = await startTestApp({ askParent })
  const { id } = await app.must('POST', '/zones', { name: 'signed.example', account: { id: app.accountId } })
  await app.must('PATCH', `/zones/${id}/dnssec`, { status: 'active' })
  return { app, id }
}

test('an algorithm rollover takes five steps, each one change set; a restart in any of them loses nothing', async () => {
  let ds: readonly Ds[] = []
  const askParent = () => Promise.resolve({ kind: 'known', ds, ttlSeconds: 3600 } as const)
  const { app: own, id } = await signed(askParent)
  const shownDs = async (): Promise<Ds> => {
    const { ds: line } = await own.must<{ ds: string }>('GET', `/zones/${id}/dnssec`)
    return rdataFromText('DS', line.split(' ').slice(4).join(' '))
  }
  const old = await shownDs()
  ds = [old]
  const reported: string[] = []
  /** The keys in the API, and as the nameserver reads them from the database when it starts. */
  const look = async (hours: number): Promise<void> => {
    own.clock.advance(hours * HOUR_MILLIS)
    await own.dnssec.advanceAll()
    const { keys } = await own.must<KeysReply>('GET', `/zonereeve/zones/${id}/dnssec/keys`)
    const states = keys.map(({ role, algorithm, state }) => `${role} ${algorithm} ${state}`).toSorted()
    const started = (await allZoneKeys(own.storage, createKeyVault(undefined))).keys.get(id)
    const algorithms = (of: readonly { readonly algorithm: number }[] = []) =>
      of.map(({ algorithm }) => algorithm).toSorted((a, b) => a - b)
    const served = `${algorithms(started?.keys).join(' ')} + ${algorithms(started?.unpublished).join(' ')}`
    expect(started?.dnskeys).toHaveLength(started?.keys.length ?? 0)
    reported.push(`${states.join(', ')}; ${served}; DS ${(await shownDs()).algorithm}`)
  }
  await look(0)
  const changes = await own.changeCount()
  await own.must('POST', `/zonereeve/zones/${id}/dnssec/roll`, { algorithm: 'ED25519' })
  for (const hours of [0, 26, 2, 2, 100]) await look(hours)
  ds = [old, await shownDs()]
  await look(100)
  ds = [await shownDs()]
  for (const hours of [0, 26, 2, 2, 3, 100]) await look(hours)
  expect(reported).toEqual([
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
  // The start and five steps.
  expect(await own.changeCount()).toBe(changes + 6)
  expect(await own.storage.all(query.selectFrom('dnssec_keys').select('algorithm'))).toHaveLength(2)
})

test('signing that is disabled during an algorithm rollover keeps the keys, which continue when it is enabled again', async () => {
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
  expect((await allZoneKeys(own.storage, createKeyVault(undefined))).keys.has(id)).toBe(false)
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
