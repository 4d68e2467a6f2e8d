// A second node beside a secondary zone: transfers that do not raise its serial, while the node starts and afterwards; and
// reads that fail while it follows.
import { encodeRdata, parseName, typeCode } from '@zonereeve/dns'
import { createExplainer } from '@zonereeve/nameserver'
import type { Compilable } from 'kysely'
import { expect, test } from 'vitest'
import { createEventHub, followLog, isTemporary, lastPosition } from '../features/changes/index.ts'
import { DomainError, type manualClock, silentLog } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import type { Modules } from './modules.ts'
import { openReader, startNode, startWriter } from './second-node.cases.ts'

const APEX = parseName('followed.example')
const WWW = parseName('www.followed.example')
const [A = 0, NS = 0, SOA = 0] = ['A', 'NS', 'SOA'].map((type) => typeCode(type))

/** A zone as its primary has it. */
interface Transferred {
  readonly serial: number
  /** Of the address of its only host. */
  readonly last: number
  /** Of its SOA. */
  readonly minimum?: number
  /** Whether its primary signs it. */
  readonly isSigned?: boolean
}

/** No real signature and denial; a TTL of 0 is usual for parameters. */
const SIGNED = [
  { name: WWW, type: 46, ttlSeconds: 60, rdata: Uint8Array.of(0, 1, ...new Uint8Array(80)) },
  { name: WWW, type: 46, ttlSeconds: 30, rdata: Uint8Array.of(0, 47, ...new Uint8Array(80)) },
  { name: WWW, type: 47, ttlSeconds: 30, rdata: Uint8Array.of(0, 0, 1, 0x40) },
  { name: APEX, type: 47, ttlSeconds: 30, rdata: Uint8Array.of(0, 0, 1, 0x20) },
  { name: APEX, type: 51, ttlSeconds: 0, rdata: Uint8Array.of(1, 1, 0, 0, 0) },
]

const received = ({ serial, last, minimum = 60, isSigned = false }: Transferred) => ({
  soa: { mname: APEX, rname: APEX, serial, refresh: 3_600, retry: 600, expire: 86_400, minimum },
  soaTtlSeconds: 60,
  fromSerial: undefined,
  contents: {
    kind: 'whole' as const,
    records: [
      { name: APEX, type: NS, ttlSeconds: 60, rdata: encodeRdata('NS', { target: WWW }) },
      { name: WWW, type: A, ttlSeconds: 60, rdata: Uint8Array.of(192, 0, 2, last) },
      ...(isSigned ? SIGNED : []),
    ],
  },
})

/** Of the host, and of the zone. */
function answersOf({ zonePublication: { table } }: Modules): string {
  const explain = createExplainer({ table, log: silentLog })
  return JSON.stringify(
    [explain(WWW, A), explain(APEX, SOA), explain(WWW, 46), explain(APEX, 51)],
    (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value),
  )
}

/** A node that writes, with a secondary zone. */
async function startFollowing() {
  const { database, storage, clock, node: writer, call } = await startWriter({ peers: 'left alone' })
  const [account] = await call<{ id: string }[]>('GET', '/accounts')
  const peers = `/accounts/${account?.id}/secondary_dns/peers`
  const peer = await call<{ id: string }>('POST', peers, { name: 'primary', ip: '192.0.2.53', port: 53 })
  const { id } = await call<{ id: string }>('POST', '/zones', { name: APEX, type: 'secondary' })
  await call('POST', `/zones/${id}/secondary_dns/incoming`, { name: APEX, peers: [peer.id] })
  const transfer = async (zone: Transferred): Promise<void> => {
    expect(await writer.features.secondaryDns.incoming.take(id, received(zone), true)).toBe(true)
  }
  return { database, storage, clock, writer, call, id, transfer }
}

const isOfRecords = (compilable: Compilable<unknown>) => / from "dns_records"/.test(compilable.compile().sql)

interface Case {
  readonly name: string
  readonly before: readonly Transferred[]
  /** One each time the node has read the records of the zone. */
  readonly during: readonly Transferred[]
  readonly after: readonly Transferred[]
}

test.each<Case>([
  {
    name: 'a lower serial after a start during which it rose',
    before: [{ serial: 10, last: 1 }],
    during: [{ serial: 20, last: 2 }],
    after: [{ serial: 5, last: 3 }],
  },
  {
    name: 'the same serial after a start during which it rose',
    before: [{ serial: 10, last: 1 }],
    during: [{ serial: 20, last: 2 }],
    after: [{ serial: 20, last: 3 }],
  },
  {
    name: 'the same serial while the zone is read again',
    before: [{ serial: 10, last: 1 }],
    during: [
      { serial: 11, last: 2 },
      { serial: 11, last: 3 },
    ],
    after: [],
  },
  {
    name: 'lower serials while the zone is read, and again',
    before: [{ serial: 20, last: 1 }],
    during: [
      { serial: 5, last: 2 },
      { serial: 4, last: 3 },
    ],
    after: [{ serial: 3, last: 4 }],
  },
  {
    name: 'its first transfers while the zone is read, and again',
    before: [],
    during: [
      { serial: 10, last: 1 },
      { serial: 10, last: 2 },
    ],
    after: [],
  },
  {
    name: 'signatures and denials',
    before: [{ serial: 10, last: 1 }],
    during: [],
    after: [
      { serial: 11, last: 1, isSigned: true },
      { serial: 12, last: 2, isSigned: true },
    ],
  },
  {
    name: 'another SOA with the same serial and records',
    before: [{ serial: 10, last: 1 }],
    during: [],
    after: [{ serial: 10, last: 1, minimum: 30 }],
  },
])('a node follows a secondary zone that gets $name', async ({ before, during, after }) => {
  const { database, storage, clock, writer, id, transfer } = await startFollowing()
  for (const zone of before) await transfer(zone)

  const reader = await openReader({ database, storage })
  const pending = [...during]
  const disturbed: Storage = {
    ...reader,
    async each(compilable, take) {
      await reader.each(compilable, take)
      const next = isOfRecords(compilable) ? pending.shift() : undefined
      if (next !== undefined) await transfer(next)
    },
  }
  const position = await lastPosition(reader)
  const own = createEventHub(silentLog)
  const nodes = { reached: () => position }
  const node = await startNode(disturbed, own, clock, { nodes, isFollower: true })
  expect(pending).toEqual([])
  const reached = await followLog(reader, own, position)
  for (const zone of after) await transfer(zone)
  await followLog(reader, own, reached)
  expect(answersOf(node)).toBe(answersOf(writer))
  expect(node.zonePublication.table.serial(id)).toBe([...before, ...during, ...after].at(-1)?.serial)
  expect(node.zonePublication.zones.outOfStep()).toEqual([])
})

test('whichever read the database does not answer, a change is followed once, as a whole', async () => {
  const { database, storage, clock, call, writer, id, transfer } = await startFollowing()
  await transfer({ serial: 1, last: 1 })
  const { id: other } = await call<{ id: string }>('POST', '/zones', { name: 'example.com' })
  const { node, follow, failAt } = await startUnsteady(await openReader({ database, storage }), clock)
  const { zones, table } = node.zonePublication
  let lost = 0
  for (let at = 1; at < 500; at++) {
    await transfer({ serial: 1 + at, last: 1 + (at % 2) })
    await call('POST', `/zones/${other}/dns_records`, { type: 'A', name: `a${at}`, content: '192.0.2.1' })
    await call('PATCH', `/zones/${other}/dns_settings`, { ns_ttl: 3_600 + at })
    const { isLost, isOver } = await failAt(at)
    if (isOver) break // there are fewer reads
    if (isLost) lost += 1
    await follow()
    expect([at, zones.outOfStep(), answersOf(node)]).toEqual([at, [], answersOf(writer)])
    expect(table.records(other, parseName(`a${at}.example.com`))).toHaveLength(1)
    expect(table.zone(other)?.authority.nsTtl).toBe(3_600 + at)
    expect(table.serial(id)).toBe(1 + at)
  }
  expect(lost).toBeGreaterThan(10)
})

test('whichever read the database does not answer, a transfer is followed once, also with the next one', async () => {
  const { database, storage, clock, writer, transfer } = await startFollowing()
  await transfer({ serial: 1, last: 1 })
  const { node, follow, failAt } = await startUnsteady(await openReader({ database, storage }), clock)
  let lost = 0
  for (let at = 1; at < 500; at++) {
    await transfer({ serial: 3 * at, last: 2 })
    await transfer({ serial: 3 * at + 1, last: 3 })
    const { isLost, isOver } = await failAt(at)
    if (isOver) break // there are fewer reads
    if (isLost) lost += 1
    await transfer({ serial: 3 * at + 2, last: 4 })
    await follow()
    expect([at, node.zonePublication.zones.outOfStep(), answersOf(node)]).toEqual([at, [], answersOf(writer)])
  }
  expect(lost).toBeGreaterThan(4)
})

/** A node that follows, and whose database does not answer one of its reads. */
async function startUnsteady(reader: Storage, clock: ReturnType<typeof manualClock>) {
  let answers = Infinity
  const answered = <Value>(read: () => Promise<Value>): Promise<Value> =>
    (answers -= 1) === 0
      ? Promise.reject(new DomainError({ reason: 'storage.unavailable', values: { problem: 'gone' } }))
      : read()
  const unsteady: Storage = {
    ...reader,
    all: (compilable) => answered(() => reader.all(compilable)),
    first: (compilable) => answered(() => reader.first(compilable)),
    each: (compilable, take) => answered(() => reader.each(compilable, take)),
  }
  let position = await lastPosition(reader)
  const own = createEventHub(silentLog)
  const nodes = { reached: () => position }
  const node = await startNode(unsteady, own, clock, { nodes, isFollower: true })
  const follow = () => followLog(unsteady, own, position, (reached) => void (position = reached))
  return { node, follow, failAt }

  /** Follows the log, but fails at this read. */
  async function failAt(at: number): Promise<{ readonly isLost: boolean; readonly isOver: boolean }> {
    answers = at
    const isLost = await follow().then(() => false, isTemporary)
    const isOver = answers > 0
    answers = Infinity
    return { isLost, isOver }
  }
}
