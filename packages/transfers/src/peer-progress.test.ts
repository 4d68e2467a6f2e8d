// Which peers are behind: real notifications and transfers, and peers that do only a part of their work.
import { createSocket, type Socket } from 'node:dgram'
import { RCODE } from '@zonereeve/dns'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { zoneOf } from '@zonereeve/nameserver/asking.cases.ts'
import {
  askTcp,
  askUdp,
  HOST,
  KEY,
  logInto,
  startTransfers,
  type Asked,
  type Transfers,
} from './asking.cases.ts'
import { createNotifier, type Notifier } from './notifier.ts'

const ZONE_ID = 'zone-example.com'
const SECOND = 1_000
const axfr: Asked = { name: 'example.com', type: 'AXFR', key: KEY }
const ixfr = (serial: number): Asked => ({ ...axfr, type: 'IXFR', serial })

let transfers: Transfers
let notifier: Notifier
let socket: Socket
let answerCode: number
let changedAt: number
beforeEach(async () => {
  transfers = await startTransfers((table) => table.load(zoneOf('example.com', '')))
  answerCode = RCODE.NOERROR
  socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, HOST, resolve))
  socket.on('message', (packet, { port }) => {
    const reply = new Uint8Array(packet)
    reply[2] = (reply[2] ?? 0) | 0x80
    reply[3] = answerCode
    socket.send(reply, port, HOST)
  })
  const { table, policies, outgoing, clock, logged, progress } = transfers
  // The peer with the key has no address: the other peer is notified.
  const notified = { id: 'notified', address: HOST, port: socket.address().port, key: undefined }
  const asking = { id: 'asking', address: undefined, port: 53, key: KEY }
  policies.setZone(ZONE_ID, { zoneId: ZONE_ID, accountId: 'account', peers: [notified, asking], ranges: [] })
  outgoing.follow(ZONE_ID, true)
  const { recordAcknowledgement: acknowledged } = progress
  const log = logInto(logged)
  notifier = createNotifier({ table, policies, clock, log, acknowledged })
})
afterEach(async () => {
  notifier.close()
  socket.close()
  await transfers.close()
})

/** Moves the zone to `serial`, as a change set does. */
function change(serial: number): void {
  transfers.table.apply({ zoneId: ZONE_ID, serial, removed: [], added: [] })
  transfers.progress.zoneChanged(ZONE_ID)
  changedAt = transfers.clock.now()
}
const peer = (id: string) => transfers.progress.peersOf(ZONE_ID).find(({ peerId }) => peerId === id)
const ended = async (event: string): Promise<void> => {
  while (!transfers.logged.some((each) => each.event === event))
    await new Promise((resolve) => setTimeout(resolve, 5))
}

test('before any event, no state is known and no peer is behind', () => {
  expect([peer('notified')?.state, peer('asking')?.state]).toEqual(['unknown', 'unknown'])
  expect(transfers.progress.behind()).toEqual({ count: 0, seconds: 0 })
  expect(transfers.progress.zonesBehind(10)).toEqual([])
})

test('a peer that acknowledges and never transfers is behind since the first change', async () => {
  change(2)
  const since = changedAt
  notifier.notify(ZONE_ID)
  await ended('notify answered')
  transfers.clock.advance(60 * SECOND)
  change(3)
  expect(peer('notified')).toEqual({
    peerId: 'notified',
    state: 'behind',
    notifiedSerial: 2,
    transferredSerial: null,
    behindSince: since,
  })
  expect(transfers.progress.behind()).toEqual({ count: 2, seconds: 60 })
})

test('a peer that refuses notifications has acknowledged nothing, and the log says so', async () => {
  answerCode = RCODE.REFUSED
  change(2)
  notifier.notify(ZONE_ID)
  await ended('notify refused')
  expect(peer('notified')).toMatchObject({ state: 'behind', notifiedSerial: null })
})

test('querying only the serial is no transfer', async () => {
  change(2)
  await askUdp(transfers.port, { ...axfr, type: 'SOA' })
  expect(peer('asking')).toMatchObject({ state: 'behind', transferredSerial: null })
})

const takes: [name: string, asked: Asked][] = [
  ['the whole zone', axfr],
  ['what is new', ixfr(1)],
]
test.each(takes)(
  'a peer that takes %s is current, and behind again after the next change',
  async (_, asked) => {
    change(2)
    await askTcp(transfers.port, asked)
    expect(peer('asking')).toMatchObject({ state: 'current', transferredSerial: 2, behindSince: null })
    expect(peer('notified')).toMatchObject({ state: 'behind' })
    expect(transfers.progress.zonesBehind(10)).toEqual([ZONE_ID])
    transfers.clock.advance(SECOND)
    change(3)
    expect(peer('asking')).toMatchObject({ state: 'behind', behindSince: changedAt })
  },
)

test.each(takes)('a peer that repeatedly rejects %s is behind since the change', async (_, asked) => {
  change(2)
  const since = changedAt
  for (const state of ['current', 'current', 'behind', 'behind']) {
    transfers.clock.advance(SECOND)
    await askTcp(transfers.port, { ...asked, aheadSeconds: (transfers.clock.now() - since) / SECOND })
    expect(peer('asking')?.state).toBe(state)
  }
  expect(peer('asking')?.behindSince).toBe(since)
  const ahead = { aheadSeconds: (transfers.clock.now() - since) / SECOND }
  await askTcp(transfers.port, { ...ixfr(2), ...ahead })
  expect(peer('asking')).toMatchObject({ state: 'current', behindSince: null })
})

test('new peers are expected to take the zone; removed peers are forgotten', async () => {
  await askTcp(transfers.port, ixfr(1))
  transfers.progress.expectNewPeers(ZONE_ID)
  expect([peer('notified')?.state, peer('asking')?.state]).toEqual(['behind', 'current'])
  expect(transfers.progress.zonesBehind(10)).toEqual([ZONE_ID])
  expect(transfers.progress.zonesBehind(0)).toEqual([])
  transfers.policies.setZone(ZONE_ID, undefined)
  expect(transfers.progress.zonesBehind(10)).toEqual([])
  expect(transfers.progress.peersOf(ZONE_ID)).toEqual([])
  expect(transfers.progress.behind()).toEqual({ count: 0, seconds: 0 })
})

test('of two peers that are behind, both must catch up, or be removed', async () => {
  const { policies, progress } = transfers
  const zone = policies.zone(ZONE_ID)
  if (zone === undefined) throw new Error('set before each test')
  change(2)
  const takeNewest = (peerId: string) =>
    progress.recordRequest({ zoneId: ZONE_ID, peerId, peerSerial: 2, sentSerial: undefined })
  takeNewest('asking')
  expect(progress.zonesBehind(10)).toEqual([ZONE_ID])
  takeNewest('notified')
  expect(progress.zonesBehind(10)).toEqual([])
  change(3)
  await askTcp(transfers.port, axfr)
  expect(progress.zonesBehind(10)).toEqual([ZONE_ID])
  policies.setZone(ZONE_ID, { ...zone, peers: zone.peers.filter(({ id }) => id === 'asking') })
  expect(progress.zonesBehind(10)).toEqual([])
  expect(progress.behind()).toEqual({ count: 0, seconds: 0 })
  policies.setZone(ZONE_ID, zone)
  change(4)
  expect(progress.zonesBehind(10)).toEqual([ZONE_ID])
})

test('only zones among the given ones are found', () => {
  change(2)
  expect(transfers.progress.zonesBehind(1, new Set(['other', ZONE_ID]))).toEqual([ZONE_ID])
  expect(transfers.progress.zonesBehind(1, new Set(['other']))).toEqual([])
})

test('a zone that is forgotten is not behind', () => {
  change(2)
  transfers.progress.forgetZone(ZONE_ID)
  expect(transfers.progress.zonesBehind(10)).toEqual([])
  expect(transfers.progress.behind()).toEqual({ count: 0, seconds: 0 })
  expect(peer('notified')?.state).toBe('unknown')
})

test('an unauthorized request changes nothing', async () => {
  change(2)
  await askTcp(transfers.port, { name: 'example.com', type: 'IXFR', serial: 2 })
  transfers.policies.setKeys({ accountId: 'account', keys: [] })
  await askTcp(transfers.port, ixfr(2))
  expect(peer('asking')).toMatchObject({ state: 'behind', transferredSerial: null })
})
