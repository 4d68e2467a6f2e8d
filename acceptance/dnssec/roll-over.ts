// Rolls keys over while validating resolvers are queried all the time: days pass in seconds on a moved clock.
// The parent publishes the DS when the API shows it. A DS that is published too early shows that the timing matters.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import packet, { type DecodedPacket } from 'dns-packet'
import { missingOf } from '../../scripts/requirements.ts'
import { createApi, type Api } from '../browsers/api.ts'
import { startServer } from '../program.ts'
import type { Report } from '../report.ts'
import { createMovedTime, type MovedTime } from './moved-time.ts'
import { startResolvers, type Resolvers } from './resolvers.ts'
import { createZone, publishDs, sign, type SignedZone } from './signed-zone.ts'

const PARENT = 'rolling.example'
const CHILD = `child.${PARENT}`
const EARLY = `early.${PARENT}`
/** Records that caches may keep for a day, and for shorter times. */
const RECORDS: readonly object[] = [
  { type: 'A', name: 'day', content: '192.0.2.1', ttl: 86_400 },
  { type: 'A', name: 'short', content: '192.0.2.2', ttl: 300 },
  { type: 'TXT', name: '*.wild', content: 'wild', ttl: 3_600 },
]
const STEP_SECONDS = 1_800
/** Steps after a rollover: as long as any cache may keep any record. */
const AFTERWARDS_STEPS = 52
const MAX_STEPS = 200
const REPLY_LIMIT_MS = 10_000

interface Key {
  readonly role: string
  readonly state: string
  readonly key_tag: number
  readonly ds: string | null
}

/** Request body: roll the key of a role, or both keys to another algorithm. */
type RollOver = { readonly role: 'zsk' | 'ksk' } | { readonly algorithm: string }

interface Keys {
  readonly status: string
  readonly keys: readonly Key[]
}

interface World {
  readonly api: Api
  readonly time: MovedTime
  readonly parent: SignedZone
  readonly resolvers: Resolvers
  /** Returns a label that no cache has been queried for. */
  readonly freshLabel: () => string
}

interface Child extends SignedZone {
  /** Id of its DS record at the parent. */
  readonly dsId: string
}

/**
 * @param launcher starts the program, with a clock that tests move.
 * @param flags of the program.
 */
export async function runRollOver(
  launcher: string,
  report: Report,
  parentFolder: string,
  flags: readonly string[] = [],
): Promise<void> {
  const missing = missingOf(['unbound', 'libfaketime', 'dig'])
  if (missing !== undefined)
    return report.skip('key rollover with resolvers', missing.reason, missing.required)
  const folder = join(parentFolder, 'roll-over')
  mkdirSync(folder, { recursive: true })
  const time = createMovedTime(folder)
  const prefix = ['env', ...Object.entries(time.environment).map(([name, value]) => `${name}=${value}`)]
  const program = await startServer(launcher, join(folder, 'state'), {
    prefix,
    flags: ['--resolver', 'off', ...flags],
  })
  let resolvers: Resolvers | undefined
  try {
    const api = createApi(program)
    const parent = await sign(api, await createZone(api, PARENT, []))
    const [child, early] = [await createChild(api, parent, CHILD), await createChild(api, parent, EARLY)]
    resolvers = await startResolvers({
      folder,
      time,
      authority: program.dns,
      zones: [PARENT, CHILD, EARLY],
      ds: parent.ds,
    })
    let labels = 0
    const freshLabel = (): string => `n${(labels += 1)}`
    const world = { api, time, parent, resolvers, freshLabel }
    for (const roles of [['zsk'], ['ksk'], ['zsk', 'ksk']] as const)
      await report.check(`rollover of ${roles.join(' and ')}: no resolver ever fails`, () =>
        rollsOver(
          world,
          child,
          roles.map((role) => ({ role })),
        ),
      )
    for (const algorithm of ['ED25519', 'ECDSAP256SHA256'])
      await report.check(`algorithm rollover to ${algorithm}: no resolver ever fails`, () =>
        rollsOver(world, child, [{ algorithm }]),
      )
    await report.check('a DS that is replaced too early fails at a validator behind a cache', () =>
      failsEarly(world, early),
    )
    await report.check('signing ends: no resolver ever fails', () => endsSigning(world, early))
    await report.check('an unsupported algorithm is rejected with a message that names it', () =>
      rejectsAlgorithm(world, child),
    )
  } finally {
    await resolvers?.stop()
    await report.check('rollover: the program ends with code 0 on SIGTERM', program.stop)
  }
}

async function createChild(api: Api, parent: SignedZone, name: string): Promise<Child> {
  const zone = await sign(api, await createZone(api, name, RECORDS))
  const ns = { type: 'NS', name, content: 'ns1.zonereeve.internal', ttl: 300 }
  await api.post(`/zones/${parent.id}/dns_records`, ns)
  const dsId = await publishDs(api, parent.id, zone)
  const { status } = await api.post<Keys>(`/zonereeve/zones/${zone.id}/dnssec/parent_check`, {})
  equal(status, 'active')
  return { ...zone, dsId }
}

/** Rolls keys over, replaces the DS as soon as the API shows a new one, and queries after every clock step. */
async function rollsOver(world: World, child: Child, rollOvers: readonly RollOver[]): Promise<void> {
  const { api, time, parent } = world
  const failures: string[] = []
  const look = async (): Promise<void> => void failures.push(...(await failing(world, child.name)))
  await look()
  const before = await keysOf(api, child)
  for (const body of rollOvers) await api.post(`/zonereeve/zones/${child.id}/dnssec/roll`, body)
  await look()
  let shown = await dsOf(api, child)
  for (let step = 0, left = AFTERWARDS_STEPS; left > 0; step += 1) {
    ok(step < MAX_STEPS, `the rollover did not end:  ${JSON.stringify(await keysOf(api, child))}`)
    time.advance(STEP_SECONDS)
    const { keys } = await api.post<Keys>(`/zonereeve/zones/${child.id}/dnssec/parent_check`, {})
    const ds = await dsOf(api, child)
    // The API shows a DS only for keys that are ready.
    if (ds !== shown) await replaceDs(api, parent, { ...child, ds: (shown = ds) })
    await look()
    if (keys.every(({ state }) => state === 'active')) left -= 1
  }
  deepEqual(failures, [])
  const after = await keysOf(api, child)
  for (const { role, key_tag } of before)
    equal(
      after.some((key) => key.role === role && key.key_tag === key_tag),
      !rollOvers.some((each) => 'algorithm' in each || each.role === role),
      `${role} ${key_tag}`,
    )
  equal(after.length, before.length)
}

async function failsEarly(world: World, early: Child): Promise<void> {
  const { api, time, parent } = world
  deepEqual(await failing(world, early.name), [])
  const before = await keysOf(api, early)
  const { keys } = await api.post<Keys>(`/zonereeve/zones/${early.id}/dnssec/roll`, { role: 'ksk' })
  const fresh = keys.find((key) => key.ds !== null && before.every(({ key_tag }) => key_tag !== key.key_tag))
  await replaceDs(api, parent, { ...early, ds: fresh?.ds ?? '' })
  // Caches have dropped the old DS by then, but still have the keys without the new one.
  time.advance(600)
  match((await failing(world, early.name)).join(), /a validator behind a cache: short\S* A SERVFAIL/)
  time.advance(3_600)
  deepEqual(await failing(world, early.name), [])
}

/** When signing ends, the DS is removed at once, the signatures only when no cache can have the DS. */
async function endsSigning(world: World, early: Child): Promise<void> {
  const { api, time, parent } = world
  const failures: string[] = []
  await api.call('PATCH', `/zones/${early.id}/dnssec`, { status: 'disabled' })
  await api.call('DELETE', `/zones/${parent.id}/dns_records/${early.dsId}`)
  for (let left = AFTERWARDS_STEPS, step = 0; left > 0; step += 1) {
    ok(step < MAX_STEPS, 'signing did not end')
    const path = `/zonereeve/zones/${early.id}/dnssec/parent_check`
    const isSigned = (await api.get<Keys>(`/zonereeve/zones/${early.id}/dnssec/keys`)).status !== 'disabled'
    if (isSigned) await api.post(path, {})
    else left -= 1
    failures.push(...(await failing(world, early.name, false)))
    time.advance(STEP_SECONDS)
  }
  deepEqual(failures, [])
}

async function rejectsAlgorithm({ api }: World, child: Child): Promise<void> {
  const before = await keysOf(api, child)
  for (const body of [{ algorithm: 'RSASHA256' }, { role: 'ksk', algorithm: 'ED25519' }]) {
    const refused = await api.post(`/zonereeve/zones/${child.id}/dnssec/roll`, body).then(() => '', String)
    match(refused, /400 .*\/algorithm/)
  }
  deepEqual(await keysOf(api, child), before)
}

async function keysOf(api: Api, { id }: SignedZone): Promise<Keys['keys']> {
  return (await api.get<Keys>(`/zonereeve/zones/${id}/dnssec/keys`)).keys
}

/** The DS that the parent must publish now. */
async function dsOf(api: Api, { id }: SignedZone): Promise<string> {
  return (await api.get<{ ds: string }>(`/zones/${id}/dnssec`)).ds
}

/** Updates the record in place, so that there is always a DS. */
async function replaceDs(api: Api, parent: SignedZone, { dsId, ds }: Child): Promise<void> {
  const [keyTag, algorithm, digestType] = ds.split(' ').slice(4, 7).map(Number)
  await api.call('PATCH', `/zones/${parent.id}/dns_records/${dsId}`, {
    data: { key_tag: keyTag, algorithm, digest_type: digestType, digest: ds.split(' ')[7] },
  })
}

/** Queries that were not answered and validated. */
async function failing(
  { resolvers, time, freshLabel }: World,
  zone: string,
  isSigned = true,
): Promise<string[]> {
  const fresh = freshLabel()
  const questions = [
    ['day', 'A', 'NOERROR'],
    ['short', 'A', 'NOERROR'],
    ['short', 'MX', 'NOERROR'],
    [`${fresh}.wild`, 'TXT', 'NOERROR'],
    ['nothing', 'A', ''],
    [fresh, 'A', ''],
  ] as const
  const failures: string[] = []
  for (const [resolver, { port }] of resolvers.validating)
    for (const [label, type, expected] of questions) {
      const reply = await askValidating(port, `${label}.${zone}`, type)
      // The codec decodes `rcode`, but its types do not have it.
      const { rcode } = reply as DecodedPacket & { rcode: string }
      // A name that does not exist is NOERROR or NXDOMAIN, depending on how the resolver reads the denial.
      const isRight = expected === '' ? rcode === 'NOERROR' || rcode === 'NXDOMAIN' : rcode === expected
      if (!isRight || (isSigned && !reply.flag_ad))
        failures.push(
          `${time.hours()} h, ${resolver}: ${label}.${zone} ${type} ${rcode}${reply.flag_ad ? '' : ', not validated'}`,
        )
    }
  return failures
}

async function askValidating(port: number, name: string, type: 'A' | 'MX' | 'TXT'): Promise<DecodedPacket> {
  const socket = createSocket('udp4')
  try {
    const flags = packet.RECURSION_DESIRED | packet.AUTHENTIC_DATA
    socket.send(
      packet.encode({ type: 'query', id: 1, flags, questions: [{ name, type, class: 'IN' }] }),
      port,
      '127.0.0.1',
    )
    const signal = AbortSignal.timeout(REPLY_LIMIT_MS)
    const [message] = (await once(socket, 'message', { signal })) as [Buffer] // the event's arguments
    return packet.decode(message)
  } finally {
    socket.close()
  }
}
