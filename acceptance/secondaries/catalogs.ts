// Zonereeve consumes catalog zones of Knot and BIND, set up as in docs/transfers.md: zones appear with the primaries of
// their groups, are reset and removed; a broken version changes nothing; kill -9 in the middle loses and doubles nothing.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import { missingOf } from '../../scripts/requirements.ts'
import { createApi, type Api } from '../browsers/api.ts'
import { ask, askUntil } from '../dns-client.ts'
import { builtProgram, startServer, type Target } from '../program.ts'
import type { Report } from '../report.ts'
import type { FollowingWorld } from './following.ts'
import { put, startKnotWith, startNamedWith, type Nameserver, type Start } from './nameservers.ts'
import { pageBlock } from './transfers-page.ts'
import { SECRET } from './world.ts'

const LIMIT_MS = 30_000
const KILLED_MEMBERS = 400

interface Status {
  readonly soa_serial: number | null
  readonly problem: string | null
  readonly members: { readonly listed: number; readonly created: number; readonly pending: number }
}

interface Zone {
  readonly id: string
  readonly name: string
}

/** A catalog zone that a server of ours consumes; its groups have a peer of their own with the same address. */
interface Consumer {
  readonly path: string
  readonly peer: string
  readonly groupPeer: string
  readonly status: () => Promise<Status>
  readonly zones: () => Promise<readonly Zone[]>
}

export async function judgeCatalogs(world: FollowingWorld, report: Report): Promise<void> {
  for (const [name, judge] of [
    ['knotd', judgeKnot],
    ['named', judgeNamed],
  ] as const) {
    const missing = missingOf([name])
    if (missing !== undefined) report.skip(`${name} as a producer`, missing.reason, missing.required)
    else await judge(world, report)
  }
}

const startOf = async ({ target, folder }: FollowingWorld, catalog: string): Promise<Start> => ({
  primaryPort: target.dns.port,
  catalog,
  folder: join(folder, `producer-${catalog.replaceAll('.', '-')}`),
  port: await freePort(),
})

/** The page's zones, with a suffix so that they do not meet those of other suites. */
const renamed = (text: string, suffix: string): string =>
  text.replaceAll(/\b(alpha|beta)\.example\b/g, `$1.${suffix}`)

const zoneText = (name: string): string =>
  `$ORIGIN ${name}.\n@ 3600 SOA ns1 hostmaster 1 3600 600 86400 60\n@ 3600 NS ns1\nns1 3600 A 192.0.2.53\nwww 60 A 192.0.2.7\n`

async function consume(
  api: Api,
  { accountId, keyId }: Pick<FollowingWorld, 'accountId' | 'keyId'>,
  { catalog, port }: Start,
): Promise<Consumer> {
  const peers: string[] = []
  for (const name of [catalog, `${catalog} internal`]) {
    const peer = { name, ip: '127.0.0.1', port, tsig_id: keyId, ixfr_enable: true }
    peers.push((await api.post<{ id: string }>(`/accounts/${accountId}/secondary_dns/peers`, peer)).id)
  }
  const [peer = '', groupPeer = ''] = peers
  const path = `/zonereeve/accounts/${accountId}/secondary_catalogs/${catalog}`
  await api.call('PUT', path, { peers: [peer], groups: [{ name: 'internal', peers: [groupPeer] }] })
  return {
    path,
    peer,
    groupPeer,
    status: () => api.get<Status>(path),
    zones: () => api.get<Zone[]>('/zones?type=secondary&per_page=50'),
  }
}

async function until(
  { status }: Consumer,
  accept: (status: Status) => boolean,
  server?: Nameserver,
  limitMs = LIMIT_MS,
): Promise<Status> {
  for (const began = performance.now(); ; await sleep(50)) {
    const now = await status()
    if (accept(now)) return now
    ok(performance.now() - began < limitMs, `${JSON.stringify(now)}\n${server?.log().slice(-3_000)}`)
  }
}

const hasMembers =
  (count: number) =>
  ({ members: { listed, created, pending }, problem }: Status): boolean =>
    listed === count && created === count && pending === 0 && problem === null

const idOf = async ({ zones }: Consumer, name: string): Promise<string | undefined> =>
  (await zones()).find((zone) => zone.name === name)?.id

async function answers(target: Target, zone: string): Promise<void> {
  await askUntil(target.dns, `www.${zone}`, 'A', ({ answers: all }) =>
    all.some((each) => each.endsWith(' 192.0.2.7')),
  )
}

async function peersOf(api: Api, consumer: Consumer, zone: string): Promise<readonly string[]> {
  const path = `/zones/${await idOf(consumer, zone)}/secondary_dns/incoming`
  return (await api.get<{ peers: string[] }>(path)).peers
}

async function judgeKnot(world: FollowingWorld, report: Report): Promise<void> {
  const { api, target } = world
  const start = await startOf(world, 'catalog.knot-producer.example')
  const { folder } = start
  const suffix = 'knot-producer.example'
  for (const zone of ['alpha', 'beta']) put(folder, `${zone}.${suffix}.zone`, zoneText(`${zone}.${suffix}`))
  const server = await startKnotWith(start, renamed(pageBlock('knot-catalog', start), suffix))
  const consumer = await consume(api, world, start)
  try {
    await report.check('the catalog zone that knotd generates is consumed, with its group', async () => {
      await until(consumer, hasMembers(2), server)
      for (const zone of ['alpha', 'beta']) await answers(target, `${zone}.${suffix}`)
      deepEqual(await peersOf(api, consumer, `alpha.${suffix}`), [consumer.peer])
      deepEqual(await peersOf(api, consumer, `beta.${suffix}`), [consumer.groupPeer])
      equal((await ask(target.dns, `version.${start.catalog}`, 'TXT')).rcode, 'REFUSED')
    })
    await report.check('a zone that is removed at knotd is removed here', async () => {
      const text = readFileSync(server.file, 'utf8')
      writeFileSync(server.file, text.replace(`  - domain: alpha.${suffix}\n    template: member\n`, ''))
      await server.knotc('reload')
      await until(consumer, hasMembers(1), server)
      equal(await idOf(consumer, `alpha.${suffix}`), undefined)
      await answers(target, `beta.${suffix}`)
    })
  } finally {
    await api.call('DELETE', `${consumer.path}?members=delete`)
    await server.stop()
  }
}

async function judgeNamed(world: FollowingWorld, report: Report): Promise<void> {
  const { api, target } = world
  const suffix = 'named-producer.example'
  const start = await startOf(world, `catalog.${suffix}`)
  const { folder } = start
  for (const zone of ['alpha', 'beta']) put(folder, `${zone}.${suffix}.zone`, zoneText(`${zone}.${suffix}`))
  const first = renamed(pageBlock('named-catalog-zone', start), suffix)
  const catalogFile = put(folder, `${start.catalog}.zone`, first)
  const server = await startNamedWith(start, renamed(pageBlock('named-catalog', start), suffix))
  /** Writes the next version of the catalog zone. */
  const publish = (serial: number, edit: (text: string) => string): void => {
    writeFileSync(catalogFile, edit(first).replace('invalid. 1 ', `invalid. ${serial} `))
    process.kill(Number(readFileSync(`${folder}/named.pid`, 'utf8')), 'SIGHUP')
  }
  const consumer = await consume(api, world, start)
  const has = (serial: number, count: number) => (status: Status) =>
    status.soa_serial === serial && hasMembers(count)(status)
  try {
    await report.check('a catalog zone in a file of named is consumed, with its group', async () => {
      await until(consumer, has(1, 2), server)
      for (const zone of ['alpha', 'beta']) await answers(target, `${zone}.${suffix}`)
      deepEqual(await peersOf(api, consumer, `beta.${suffix}`), [consumer.groupPeer])
    })
    await report.check('another unique label resets a zone, and keeps the others', async () => {
      const before = [await idOf(consumer, `alpha.${suffix}`), await idOf(consumer, `beta.${suffix}`)]
      publish(2, (text) => text.replace('a1.zones', 'a9.zones'))
      await until(consumer, has(2, 2), server)
      ok((await idOf(consumer, `alpha.${suffix}`)) !== before[0])
      equal(await idOf(consumer, `beta.${suffix}`), before[1])
      await answers(target, `alpha.${suffix}`)
    })
    await report.check('a broken catalog zone changes nothing', async () => {
      publish(3, (text) => text.replace('TXT "2"', 'TXT "1"').replace(/^b2.*$/m, ''))
      match((await until(consumer, ({ problem }) => problem !== null, server)).problem ?? '', /version .*"1"/)
      await answers(target, `beta.${suffix}`)
    })
    await report.check('a zone that left the catalog zone of named is removed', async () => {
      publish(4, (text) => text.replace('a1.zones', 'a9.zones').replace(/^.*b2\..*$/gm, ''))
      await until(consumer, has(4, 1), server)
      equal(await idOf(consumer, `beta.${suffix}`), undefined)
    })
    await report.check('kill -9 while zones are created loses none and doubles none', async () => {
      publish(5, (text) =>
        Array.from({ length: KILLED_MEMBERS }, (_, i) => `k${i}.zones 0 PTR k${i}.killed.example.`).reduce(
          (all, line) => `${all}${line}\n`,
          text.replaceAll(/^.*(?:a1|b2)\..*$/gm, ''),
        ),
      )
      await killedMidway(world, start)
    })
  } finally {
    await api.call('DELETE', `${consumer.path}?members=delete`)
    await server.stop()
  }
}

/** A server of ours with a folder of its own consumes the catalog zone, and is killed while it creates zones. */
async function killedMidway({ folder }: FollowingWorld, start: Start): Promise<void> {
  const data = join(folder, 'killed-consumer')
  let program = await startServer(builtProgram, data)
  try {
    let api = createApi(program)
    const [account] = await api.get<{ id: string }[]>('/accounts')
    const accountId = account?.id ?? ''
    const key = { name: 'xfr-key', secret: SECRET, algo: 'hmac-sha256.' }
    const { id: keyId } = await api.post<{ id: string }>(`/accounts/${accountId}/secondary_dns/tsigs`, key)
    const consumer = await consume(api, { accountId, keyId }, start)
    const midway = await until(consumer, ({ members: { created } }) => created > KILLED_MEMBERS / 10)
    ok(midway.members.created < KILLED_MEMBERS, 'all zones were there before the kill')
    await program.kill()
    program = await startServer(builtProgram, data)
    api = createApi(program)
    const after: Consumer = { ...consumer, status: () => api.get<Status>(consumer.path) }
    // Each zone is a transaction, and waits for a disk that may be busy.
    const isComplete = ({ members }: Status) => members.created === KILLED_MEMBERS && members.pending === 0
    await until(after, isComplete, undefined, 4 * LIMIT_MS)
    const names = new Set<string>()
    for (let page = 1; page <= KILLED_MEMBERS / 50; page += 1)
      for (const { name } of await api.get<Zone[]>(`/zones?per_page=50&page=${page}`)) names.add(name)
    equal(names.size, KILLED_MEMBERS)
    deepEqual(await api.get<Zone[]>(`/zones?per_page=50&page=${KILLED_MEMBERS / 50 + 1}`), [])
  } finally {
    await program.stop()
  }
}
