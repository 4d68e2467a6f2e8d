// Secondaries follow changes of a signed zone by IXFR, and what they have in the end is a zone that verifies.
import { ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { askUntil } from '../dns-client.ts'
import type { Report } from '../report.ts'
import type { Nameserver } from '../secondaries/nameservers.ts'
import { isAnswer, type SecondaryName, type World } from '../secondaries/world.ts'
import type { SignedZone } from './signed-zone.ts'
import { takeZone, verifies } from './verifying.ts'

const CHANGES = 20
const FOLLOW_LIMIT_MS = 60_000
const SEED = 20_260_107

/** Whose log says what it was given, and how. PowerDNS asks for whole zones; NSD does not tell them apart. */
const DIFFERENCES: Readonly<Partial<Record<SecondaryName, (zone: string) => RegExp>>> = {
  knotd: (zone) => new RegExp(`\\[${zone}\\.\\] IXFR, incoming, remote .*, finished`, 'g'),
  named: (zone) => new RegExp(`transfer of '${zone}/IN' from .*: got incremental response`, 'g'),
}
const WHOLE: Readonly<Partial<Record<SecondaryName, (zone: string) => RegExp>>> = {
  knotd: (zone) => new RegExp(`\\[${zone}\\.\\] AXFR, incoming, remote .*, finished`, 'g'),
  named: (zone) => new RegExp(`transfer of '${zone}/IN' from .*: got nonincremental response`, 'g'),
}

export interface Following {
  readonly world: World
  readonly zone: SignedZone
  readonly folder: string
  readonly says: (text: string) => string
}

export async function judgeFollowingSigned(following: Following, report: Report): Promise<void> {
  const { world, zone, folder, says } = following
  const counted = (server: Nameserver, pattern: RegExp | undefined): number =>
    pattern === undefined ? 0 : [...server.log().matchAll(pattern)].length
  // No difference leads away from the serial that a zone had before it was given to others: they take it whole once more.
  await mark(world, zone, '192.0.2.100')
  const wholeBefore = new Map(
    [...world.servers].map(([name, server]) => [name, counted(server, WHOLE[name]?.(zone.name))]),
  )
  await report.check(says(`secondaries follow ${CHANGES} random changes of the signed zone`), async () => {
    await changeAtRandom(world, zone)
    await mark(world, zone, '192.0.2.101')
  })
  for (const [name, server] of world.servers) {
    const difference = DIFFERENCES[name]?.(zone.name)
    if (difference === undefined) continue
    await report.check(says(`${name} says that it got them by IXFR, and none as a whole zone`), () => {
      ok(counted(server, difference) > 0, server.log().slice(-3000))
      ok(counted(server, WHOLE[name]?.(zone.name)) === wholeBefore.get(name), server.log().slice(-3000))
    })
  }
  const knot = world.servers.get('knotd')
  if (knot !== undefined)
    await report.check(says('the copy of knotd verifies as a whole after that'), async () =>
      verifies(zone.name, await takeZone(knot.port, zone.name, folder, false)),
    )
}

/** Writes a record that all secondaries are waited for with. */
async function mark({ api, servers }: World, { id, name }: SignedZone, content: string): Promise<void> {
  const record = { type: 'A', name: `mark-${content.split('.')[3] ?? ''}`, content, ttl: 60 }
  await api.post(`/zones/${id}/dns_records`, record)
  for (const { port } of servers.values())
    await askUntil(
      { host: '127.0.0.1', port },
      `${record.name}.${name}`,
      'A',
      isAnswer(content),
      FOLLOW_LIMIT_MS,
    )
}

/** Names, types, wildcards, empty non-terminals and cuts come and go, the same in every run. */
async function changeAtRandom({ api }: World, { id }: SignedZone): Promise<void> {
  let state = SEED
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  const made: string[] = []
  const kinds = [
    { type: 'A', at: '', data: '192.0.2.' },
    { type: 'TXT', at: '', data: 'text ' },
    { type: 'TXT', at: '*.', data: 'wild ' },
    { type: 'A', at: 'deep.er.', data: '192.0.2.' },
    { type: 'NS', at: 'cut.', data: 'ns.example.net' },
  ] as const
  for (let count = 0; count < CHANGES; count += 1) {
    if (made.length > 5 && random(3) === 0) {
      const [gone] = made.splice(random(made.length), 1)
      await api.call('DELETE', `/zones/${id}/dns_records/${gone}`)
    } else {
      const { type, at, data } = kinds[random(kinds.length)] ?? kinds[0]
      const content = type === 'NS' ? data : `${data}${count + 1}`
      const record = { type, name: `${at}n${random(8)}x${count}`, content, ttl: 60 }
      made.push((await api.post<{ id: string }>(`/zones/${id}/dns_records`, record)).id)
    }
    // Some come together, some are told one by one.
    if (random(2) === 0) await sleep(100)
  }
}
