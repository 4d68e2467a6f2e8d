// Our secondary zone follows Knot, BIND, NSD and PowerDNS, set up as in docs/transfers.md, and a misbehaving primary.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { missingOf } from '../../scripts/requirements.ts'
import type { Api } from '../browsers/api.ts'
import { ask, askUntil } from '../dns-client.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import type { Target } from '../program.ts'
import { reportTimes, type Report } from '../report.ts'
import { startMeddler } from './meddler.ts'
import {
  FIRST_ADDRESS,
  FIRST_SERIAL,
  PRIMARIES,
  startKnotPrimary,
  type Primary,
  type PrimaryZone,
} from './primaries.ts'

const FIRST_LIMIT_MS = 15_000
/** Time limit for the large zone. */
const LARGE_LIMIT_MS = 120_000

export interface FollowingWorld {
  readonly api: Api
  readonly target: Target
  readonly accountId: string
  readonly keyId: string
  readonly folder: string
  /** Of the zone that takes its time. */
  readonly largeRecords: number
}

interface Status {
  readonly state: string
  readonly problem: string | null
  readonly soa_serial: number | null
}

/** A secondary zone of ours. */
interface Follower {
  readonly name: string
  readonly primary: Primary
  readonly status: () => Promise<Status>
  readonly force: () => Promise<unknown>
  readonly end: () => Promise<void>
}

type Name = keyof typeof PRIMARIES

/** Log pattern of an incremental transfer. PowerDNS sends whole zones; NSD's log does not distinguish them. */
const INCREMENTAL: Readonly<Partial<Record<Name, RegExp>>> = {
  knotd: /\[knotd\.followed\.example\.\] IXFR, outgoing, remote .*finished/,
  named: /transfer of 'named\.followed\.example\/IN':.* IXFR (?:started|ended)/,
}

export async function judgeFollowing(world: FollowingWorld, report: Report): Promise<void> {
  for (const name of Object.keys(PRIMARIES) as Name[]) {
    const missing = missingOf(
      name === 'pdns' ? [name, 'pdns-sqlite3'] : name === 'named' ? [name, 'nsupdate'] : [name],
    )
    if (missing !== undefined) report.skip(`${name} as a primary`, missing.reason, missing.required)
    else await judgePrimary(world, report, name)
  }
  const missing = missingOf(['knotd'])
  if (missing !== undefined) return
  await judgeMisbehaviour(world, report)
  await judgeLargeZone(world, report)
}

async function judgePrimary(world: FollowingWorld, report: Report, server: Name): Promise<void> {
  const follower = await follow(world, smallZone(`${server}.followed.example`), PRIMARIES[server])
  const { name, primary, status, force, end } = follower
  try {
    await report.check(`${server} as a primary is followed`, async () => {
      await isCurrent(follower)
      await isSame(world, follower)
    })
    await report.check(`changes at ${server} are answered`, async () => {
      const took: number[] = []
      for (const last of [21, 22, 23]) {
        await primary.change(`192.0.2.${last}`)
        took.push(await answers(world, name, `192.0.2.${last}`))
        await isSame(world, follower)
      }
      reportTimes(took)
      const seen = INCREMENTAL[server]
      if (seen !== undefined) ok(seen.test(primary.log()), primary.log().slice(-3_000))
    })
    await report.check(`without ${server} the zone is still answered`, async () => {
      await primary.stop()
      await force()
      await fails(status)
      deepEqual((await ask(world.target.dns, `www.${name}`, 'A')).answers.length, 1)
    })
  } finally {
    await end()
  }
}

/** A proxy between Knot and us truncates and changes transfers; then Knot itself goes back to an older serial. */
async function judgeMisbehaviour(world: FollowingWorld, report: Report): Promise<void> {
  const zone = smallZone('misbehaving.example')
  const meddler = await startMeddler()
  const follower = await follow(world, zone, startKnotPrimary, meddler)
  const { name, primary, status, force, end } = follower
  const stays = async (problem: RegExp): Promise<void> => {
    match(await fails(status), problem)
    equal((await status()).state, 'current')
    await answers(world, name, FIRST_ADDRESS)
  }
  try {
    await report.check('a truncated transfer keeps the last good zone', async () => {
      await isCurrent(follower)
      meddler.cutAfter(300)
      await force()
      await stays(/ended the connection/)
    })
    await report.check('a transfer changed on the wire keeps the last good zone', async () => {
      meddler.pass()
      await force()
      await recovers(status)
      meddler.change('misbehaving', 'MISBEHAVING')
      await force()
      await stays(/signature of the answer is wrong/)
    })
    await report.check('a lower serial keeps the last good zone, until a transfer is requested', async () => {
      meddler.pass()
      await force()
      await recovers(status)
      await primary.stop()
      const older = await startKnotPrimary(
        { ...placeOf(world, 'primary-older'), port: primary.port },
        { ...zone, text: () => zone.text(FIRST_SERIAL - 1, '192.0.2.99') },
      )
      try {
        await isThere(older)
        await world.api.call('PUT', `/zones/${follower.id}/secondary_dns/incoming`, follower.definition(301))
        await stays(/serial of the primary, 9, is behind ours, 10/)
        await force()
        await answers(world, name, '192.0.2.99')
      } finally {
        await older.stop()
      }
    })
  } finally {
    await end()
    await meddler.close()
  }
}

async function judgeLargeZone(world: FollowingWorld, report: Report): Promise<void> {
  const { largeRecords } = world
  const lines = Array.from(
    { length: largeRecords },
    (_, i) => `h${i} 300 A 10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}\n`,
  ).join('')
  const small = smallZone('large.followed.example')
  const zone = { ...small, text: (serial: number, address: string) => small.text(serial, address) + lines }
  const other = await follow(world, smallZone('other.followed.example'), startKnotPrimary)
  const follower = await follow(world, zone, startKnotPrimary)
  const { name, primary, end } = follower
  try {
    await isCurrent(other)
    await report.check(
      `a zone of ${largeRecords} records arrives whole, and others are answered meanwhile`,
      async () => {
        const began = performance.now()
        let slowest = 0
        const isThere = (name: string) =>
          ask(world.target.dns, name, 'A').then(
            ({ answers: found }) => found.length > 0,
            () => false, // the time is printed below, not checked, because the machine may be busy
          )
        for (;;) {
          const asked = performance.now()
          await isThere(`www.${other.name}`)
          slowest = Math.max(slowest, performance.now() - asked)
          if (await isThere(`h${largeRecords - 1}.${name}`)) break
          ok(performance.now() - began < LARGE_LIMIT_MS, 'the zone did not arrive')
        }
        const seconds = ((performance.now() - began) / 1_000).toFixed(1)
        console.log(`      arrived after ${seconds} s; slowest answer meanwhile: ${slowest.toFixed(1)} ms`)
        for (let at = 0; at < largeRecords; at += 1_009)
          deepEqual((await ask(world.target.dns, `h${at}.${name}`, 'A')).answers.length, 1)
        await isSame(world, follower)
      },
    )
    await report.check('a change to it is transferred incrementally', async () => {
      const whole = () => primary.log().match(/AXFR, outgoing, .*started/g)?.length
      const before = whole() // several, if one was given up on a busy machine
      const took: number[] = []
      for (const last of [31, 32, 33]) {
        await primary.change(`192.0.2.${last}`)
        took.push(await answers(world, name, `192.0.2.${last}`))
      }
      reportTimes(took)
      equal(whole(), before)
    })
  } finally {
    await end()
    await other.end()
  }
}

const smallZone = (name: string): PrimaryZone => ({
  name,
  text: (serial, address) => `$ORIGIN ${name}.
@ 3600 SOA ns1 hostmaster ${serial} 3600 600 86400 60
@ 3600 NS ns1
ns1 3600 A 192.0.2.53
www 60 A ${address}
odd 1 TYPE65280 \\# 2 0a0b
`,
})

const placeOf = ({ target, folder }: FollowingWorld, name: string) => ({
  primaryPort: target.dns.port,
  catalog: 'unused.example',
  folder: join(folder, name),
})

/** Starts a primary and a secondary zone of ours; `between` sets up a proxy between them. */
async function follow(
  world: FollowingWorld,
  zone: PrimaryZone,
  start: (typeof PRIMARIES)[Name],
  between?: { readonly port: number; readonly lead: (to: number) => void },
): Promise<Follower & { readonly id: string; readonly definition: (seconds: number) => object }> {
  const { api, accountId, keyId } = world
  const { name } = zone
  const port = await freePort()
  between?.lead(port)
  const primary = await start({ ...placeOf(world, `primary-${name.replaceAll('.', '-')}`), port }, zone)
  const root = `/accounts/${accountId}/secondary_dns`
  const peer = { name, ip: '127.0.0.1', port: between?.port ?? port, tsig_id: keyId, ixfr_enable: true }
  const { id: peerId } = await api.post<{ id: string }>(`${root}/peers`, peer)
  const { id } = await api.post<{ id: string }>('/zones', { name, type: 'secondary' })
  const definition = (seconds: number) => ({
    name: `${name}.`,
    peers: [peerId],
    auto_refresh_seconds: seconds,
  })
  await api.post(`/zones/${id}/secondary_dns/incoming`, definition(300))
  return {
    id,
    definition,
    name,
    primary,
    status: () => api.get<Status>(`/zonereeve/zones/${id}/secondary_dns/incoming/status`),
    force: () => api.post(`/zones/${id}/secondary_dns/force_axfr`, {}),
    async end() {
      await primary.stop()
      await api.call('DELETE', `/zones/${id}`)
      await api.call('DELETE', `${root}/peers/${peerId}`)
    },
  }
}

async function isCurrent({ status, primary }: Follower): Promise<void> {
  await until(status, ({ state }) => state === 'current', primary.log)
}

/** @returns the reason. */
async function fails(status: Follower['status']): Promise<string> {
  return (await until(status, ({ problem }) => problem !== null)).problem ?? ''
}

async function recovers(status: Follower['status']): Promise<void> {
  await until(status, ({ problem }) => problem === null)
}

async function until(
  status: Follower['status'],
  accept: (status: Status) => boolean,
  log: () => string = () => '',
): Promise<Status> {
  for (const began = performance.now(); ; await sleep(50)) {
    const now = await status()
    if (accept(now)) return now
    ok(performance.now() - began < FIRST_LIMIT_MS, `${JSON.stringify(now)}\n${log().slice(-3_000)}`)
  }
}

async function isThere({ port }: Primary): Promise<void> {
  await askUntil(
    { host: '127.0.0.1', port },
    'misbehaving.example',
    'SOA',
    ({ answers: soa }) => soa.length > 0,
  )
}

/** @returns the time in milliseconds. */
function answers({ target }: FollowingWorld, name: string, address: string): Promise<number> {
  return askUntil(target.dns, `www.${name}`, 'A', ({ answers: all }) =>
    all.some((each) => each.endsWith(` ${address}`)),
  )
}

/** Another connection to the database may show a transfer some milliseconds before it is answered. */
async function isSame({ target }: FollowingWorld, { name, primary: { port } }: Follower): Promise<void> {
  for (const [owner, type] of [
    [name, 'SOA'],
    [name, 'NS'],
    [`www.${name}`, 'A'],
  ] as const) {
    const { answers: expected } = await ask({ host: '127.0.0.1', port }, owner, type)
    await askUntil(target.dns, owner, type, ({ answers: found }) => isDeepStrictEqual(found, expected))
  }
}
