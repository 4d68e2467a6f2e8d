// Secondaries follow changes of a signed zone by IXFR, and their copy still verifies at the end.
import { ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { askUntil } from '../dns-client.ts'
import type { Report } from '../report.ts'
import type { Nameserver } from '../secondaries/nameservers.ts'
import { incrementalTransfer, isAnswer, type SecondaryName, type World } from '../secondaries/world.ts'
import type { SignedZone } from './signed-zone.ts'
import { takeZone, verifies } from './verifying.ts'

const CHANGES = 20
const FOLLOW_LIMIT_MS = 60_000
const SEED = 20_260_107

/** Log lines of servers that report a transfer of the whole zone. */
const WHOLE: Readonly<Partial<Record<SecondaryName, (zone: string) => RegExp>>> = {
  knotd: (zone) => new RegExp(`\\[${zone}\\.\\] AXFR, incoming, remote .*, finished`, 'g'),
  named: (zone) => new RegExp(`transfer of '${zone}/IN' from .*: got nonincremental response`, 'g'),
}

export interface Following {
  readonly world: World
  readonly zone: SignedZone
  readonly folder: string
  readonly describe: (text: string) => string
}

export async function judgeFollowingSigned(following: Following, report: Report): Promise<void> {
  const { world, zone, folder, describe } = following
  const counted = (server: Nameserver, pattern: RegExp | undefined): number =>
    pattern === undefined ? 0 : [...server.log().matchAll(pattern)].length
  // There is no difference from the serial before the zone was first transferred, so secondaries do one more AXFR.
  await mark(world, zone, '192.0.2.100')
  const wholeBefore = new Map(
    [...world.servers].map(([name, server]) => [name, counted(server, WHOLE[name]?.(zone.name))]),
  )
  await report.check(
    describe(`secondaries follow ${CHANGES} random changes of the signed zone`),
    async () => {
      await changeAtRandom(world, zone)
      await mark(world, zone, '192.0.2.101')
    },
  )
  for (const [name, server] of world.servers) {
    const difference = incrementalTransfer(name, zone.name)
    if (difference === undefined) continue
    await report.check(describe(`${name} says that it got them by IXFR, and none as a whole zone`), () => {
      ok(counted(server, difference) > 0, server.log().slice(-3000))
      ok(counted(server, WHOLE[name]?.(zone.name)) === wholeBefore.get(name), server.log().slice(-3000))
    })
  }
  const knot = world.servers.get('knotd')
  if (knot !== undefined)
    await report.check(describe("knotd's copy of the zone verifies after that"), async () =>
      verifies(zone.name, await takeZone(knot.port, zone.name, folder, false)),
    )
}

/** Writes a record, and waits until all secondaries have it. */
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

/** Adds and removes names, types, wildcards, empty non-terminals, zone cuts and DNAMEs; the same in every run. */
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
    { type: 'TYPE39', at: 'moved.', data: 'target.example.' },
  ] as const
  for (let count = 0; count < CHANGES; count += 1) {
    if (made.length > 5 && random(3) === 0) {
      const [gone] = made.splice(random(made.length), 1)
      await api.call('DELETE', `/zones/${id}/dns_records/${gone}`)
    } else {
      const { type, at, data } = kinds[random(kinds.length)] ?? kinds[0]
      const content = type === 'NS' || type === 'TYPE39' ? data : `${data}${count + 1}`
      const record = { type, name: `${at}n${random(8)}x${count}`, content, ttl: 60 }
      made.push((await api.post<{ id: string }>(`/zones/${id}/dns_records`, record)).id)
    }
    // Some changes reach secondaries together, some one by one.
    if (random(2) === 0) await sleep(100)
  }
}
