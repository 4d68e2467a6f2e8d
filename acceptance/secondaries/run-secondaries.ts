// Knot, BIND, PowerDNS and NSD as secondaries, each set up as in docs/transfers.md: zones are added and removed by the
// catalog zone, changes arrive by NOTIFY, and their answers equal ours.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '../../scripts/process.ts'
import { ask, askUntil } from '../dns-client.ts'
import type { Target } from '../program.ts'
import { reportTimes, type Report } from '../report.ts'
import { judgeCatalogs } from './catalogs.ts'
import { judgeDigests } from './digests.ts'
import { judgeFollowing } from './following.ts'
import type { Nameserver } from './nameservers.ts'
import { judgeRedirections } from './redirections.ts'
import {
  appears,
  CATALOG_LIMIT_MS,
  disappears,
  enable,
  importFile,
  incrementalTransfer,
  isAnswer,
  presentSecondaries,
  SECRET,
  startSecondaries,
  type SecondaryName,
  type World,
} from './world.ts'

/** PowerDNS answers new data before its transfer ends, and defers a NOTIFY received until then to its next round. */
const BETWEEN_CHANGES_MS = 300
const LARGE_ZONE_RECORDS = 100_000

/** @param largeRecords of the zones that take their time: once with secondaries of ours, and once with a primary. */
export async function runSecondaries(
  target: Target,
  report: Report,
  folder: string,
  largeRecords = LARGE_ZONE_RECORDS,
): Promise<void> {
  const names = presentSecondaries(report)
  if (names.length === 0) return
  const servers = new Map<SecondaryName, Nameserver>()
  try {
    const world = await startSecondaries(target, folder, names, servers)
    await judge(world, report, largeRecords)
    await judgeFollowing({ ...world, folder, largeRecords }, report)
    await judgeCatalogs({ ...world, folder, largeRecords }, report)
    await judgeDigests({ ...world, folder, largeRecords }, report)
  } finally {
    for (const server of servers.values()) await server.stop()
  }
}

async function judge(world: World, report: Report, largeRecords: number): Promise<void> {
  const { api, servers } = world
  const alpha = await createZone(world, 'alpha.secondaries.example')
  const beta = await createZone(world, 'beta.secondaries.example')
  for (const [name, server] of servers)
    await report.check(`${name} gets the zones of the catalog zone`, async () => {
      await appears(server, `www.${alpha.name}`, '192.0.2.1')
      await appears(server, `www.${beta.name}`, '192.0.2.1')
    })
  for (const [name, server] of servers) {
    const address = { host: '127.0.0.1', port: server.port }
    await report.check(`${name} follows changes by itself`, async () => {
      const took: number[] = []
      for (const last of [21, 22, 23]) {
        const content = `192.0.2.${last}`
        await api.call('PATCH', `/zones/${alpha.id}/dns_records/${alpha.recordId}`, { content })
        took.push(await askUntil(address, `www.${alpha.name}`, 'A', isAnswer(content)))
        await sleep(BETWEEN_CHANGES_MS)
      }
      reportTimes(took)
    })
    const seen = incrementalTransfer(name, alpha.name)
    if (seen !== undefined)
      await report.check(`${name} reports that it got them by IXFR`, () =>
        ok(seen.test(server.log()), server.log().slice(-2000)),
      )
    await report.check(`${name} answers the same SOA as we do`, async () => {
      deepEqual(
        (await ask(address, alpha.name, 'SOA')).answers,
        (await ask(world.target.dns, alpha.name, 'SOA')).answers,
      )
    })
  }
  await api.call('POST', `/zones/${beta.id}/secondary_dns/outgoing/disable`)
  for (const [name, server] of servers)
    await report.check(`${name} drops a zone that has left the catalog zone`, () =>
      disappears(server, `www.${beta.name}`),
    )
  await judgeRedirections(world, report)
  await report.check('a transfer without the key is refused', () => refused(world, alpha.name))
  const knot = servers.get('knotd')
  if (knot !== undefined) await judgeLargeZone(world, report, knot, largeRecords)
}

async function judgeLargeZone(
  world: World,
  report: Report,
  knot: Nameserver,
  records: number,
): Promise<void> {
  const name = 'large.secondaries.example'
  await report.check(
    `a zone of ${records} records arrives whole, and others are answered meanwhile`,
    async () => {
      const zone = await createZone(world, name, false)
      const lines = Array.from(
        { length: records },
        (_, i) => `h${i} 300 IN A 10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`,
      )
      await importFile(world, zone.id, ['www 60 IN A 192.0.2.1', ...lines])
      await enable(world, zone)
      const address = { host: '127.0.0.1', port: knot.port }
      let slowest = 0
      const last = `h${records - 1}.${name}`
      for (const began = performance.now(); ;) {
        const asked = performance.now()
        await ask(world.target.dns, 'www.alpha.secondaries.example', 'A')
        slowest = Math.max(slowest, performance.now() - asked)
        if ((await ask(address, last, 'A')).answers.length > 0) break
        ok(performance.now() - began < CATALOG_LIMIT_MS, 'the zone did not arrive')
      }
      console.log(`      slowest answer meanwhile: ${slowest.toFixed(1)} ms`)
      const [ours, theirs] = [
        await wholeZone(world.target.dns.port, name, true),
        await wholeZone(knot.port, name, false),
      ]
      ok(ours.length > records)
      equal(theirs.length, ours.length)
      ok(
        ours.every((line, at) => line === theirs[at]),
        'the zones differ',
      )
    },
  )
}

interface Zone {
  readonly id: string
  readonly name: string
  readonly recordId: string
}

async function createZone(world: World, name: string, isEnabled = true): Promise<Zone> {
  const { api, accountId } = world
  const { id } = await api.post<{ id: string }>('/zones', { name, account: { id: accountId } })
  const record = { type: 'A', name: `www.${name}`, content: '192.0.2.1', ttl: 60 }
  const { id: recordId } = await api.post<{ id: string }>(`/zones/${id}/dns_records`, record)
  const zone = { id, name, recordId }
  if (isEnabled) await enable(world, zone)
  return zone
}

/** The records of a zone in dig's format, sorted. */
async function wholeZone(port: number, name: string, isSigned: boolean): Promise<readonly string[]> {
  const signed = isSigned ? ['-y', `hmac-sha256:xfr-key:${SECRET}`] : []
  const given = ['+noall', '+answer', ...signed, '-p', String(port), '@127.0.0.1', name, 'AXFR']
  const { output } = await run('dig', given)
  return output
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(';'))
    .map((line) => line.split(/\s+/).join(' '))
    .toSorted()
}

async function refused({ target }: World, name: string): Promise<void> {
  const { output } = await run('dig', ['-p', String(target.dns.port), '@127.0.0.1', name, 'AXFR'])
  match(output, /Transfer failed/)
  ok(!output.includes('192.0.2.'), 'records were sent')
}
