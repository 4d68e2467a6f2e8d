// Notifications to a peer that answers, answers late, or never does.
import { createSocket } from 'node:dgram'
import type { RemoteInfo, Socket } from 'node:dgram'
import { decodeMessage, decodeRdata } from '@zonereeve/dns'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { zoneOf } from '@zonereeve/nameserver/asking.cases.ts'
import { createTransferPolicies, createZoneTable, type ZoneTable } from '@zonereeve/nameserver'
import { manualClock } from '@zonereeve/platform'
import { HOST, KEY, logInto, NOW, type Logged } from './asking.cases.ts'
import { createNotifier, type Notifier } from './notifier.ts'

const ZONE_ID = 'zone-example.com'
/** Short, so that the test ends soon. */
const RETRY_MILLIS = [30, 30, 30]

let socket: Socket
let table: ZoneTable
let notifier: Notifier
let logged: Logged[]
let serials: number[]
let hear: (packet: Uint8Array, from: RemoteInfo) => void

beforeEach(async () => {
  logged = []
  serials = []
  hear = () => {}
  socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, HOST, resolve))
  socket.on('message', (packet, from) => {
    const [soa] = decodeMessage(packet).answers
    serials.push(decodeRdata('SOA', soa?.rdata ?? new Uint8Array()).serial)
    hear(packet, from)
  })
  table = createZoneTable()
  table.load(zoneOf('example.com', ''))
  start(undefined)
})
afterEach(() => {
  notifier.close()
  socket.close()
})

/** @param morePorts ports of other peers. */
function start(
  key: typeof KEY | undefined,
  retryMillis: readonly number[] = RETRY_MILLIS,
  morePorts: readonly number[] = [],
): void {
  const policies = createTransferPolicies()
  const ports = [socket.address().port, ...morePorts]
  const peers = ports.map((port, index) => ({ id: `peer ${index}`, address: HOST, port, key }))
  policies.setZone(ZONE_ID, { zoneId: ZONE_ID, accountId: 'account', peers, ranges: [] })
  const log = logInto(logged)
  notifier = createNotifier({ table, policies, clock: manualClock(NOW), log, retryMillis })
}

const step = (serial: number): void => table.apply({ zoneId: ZONE_ID, serial, removed: [], added: [] })
const answer = (packet: Uint8Array, { port }: RemoteInfo): void => {
  const reply = new Uint8Array(packet)
  reply[2] = (reply[2] ?? 0) | 0x80
  socket.send(reply, port, HOST)
}
const ended = async (count: number): Promise<string[]> => {
  const events = () =>
    logged.map(({ event }) => event).filter((event) => event !== 'notify answer unreadable')
  while (events().length < count) await new Promise((resolve) => setTimeout(resolve, 5))
  return events()
}

test('changes within a short time cause one notification, with the last serial', async () => {
  start(undefined, [600_000])
  hear = answer
  for (const serial of [2, 3, 4]) {
    step(serial)
    notifier.notify(ZONE_ID)
  }
  expect(await ended(1)).toEqual(['notify answered'])
  expect(serials).toEqual([4])
})

test('a peer that does not answer is notified again, and then given up', async () => {
  notifier.notify(ZONE_ID)
  expect(await ended(1)).toEqual(['notify not answered'])
  expect(serials).toEqual([1, 1, 1])
})

test('a peer whose address is corrected during a conversation is notified there', async () => {
  const policies = createTransferPolicies()
  const setPort = (port: number): void => {
    const peers = [{ id: 'peer', address: HOST, port, key: undefined }]
    policies.setZone(ZONE_ID, { zoneId: ZONE_ID, accountId: 'account', peers, ranges: [] })
  }
  const other = createSocket('udp4')
  await new Promise<void>((resolve) => other.bind(0, HOST, resolve))
  setPort(other.address().port)
  notifier = createNotifier({
    table,
    policies,
    clock: manualClock(NOW),
    log: logInto(logged),
    retryMillis: RETRY_MILLIS,
  })
  hear = answer
  // The change is sent to the old port, too, before its last retry.
  other.once('message', () => {
    setPort(socket.address().port)
    step(2)
    notifier.notify(ZONE_ID)
  })
  notifier.notify(ZONE_ID)
  expect(await ended(2)).toEqual(['notify not answered', 'notify answered'])
  expect(serials).toEqual([2])
  other.close()
})

test('a change during a conversation is sent after it', async () => {
  start(undefined, [600_000])
  hear = (packet, from) => {
    if (serials.length === 1) {
      step(2)
      notifier.notify(ZONE_ID)
      setTimeout(() => answer(packet, from), 50)
    } else answer(packet, from)
  }
  notifier.notify(ZONE_ID)
  await ended(2)
  expect(serials.at(-1)).toBe(2)
})

test('a change while a peer does not answer is sent with the next retry, and older serials never again', async () => {
  start(undefined, [200, 200, 600_000])
  hear = (packet, from) => {
    if (serials.length < 3) {
      step(serials.length + 1)
      notifier.notify(ZONE_ID)
    } else answer(packet, from)
  }
  notifier.notify(ZONE_ID)
  expect(await ended(1)).toEqual(['notify answered'])
  expect(serials).toEqual([1, 2, 3])
})

test('a change during a long wait for a peer is sent earlier', async () => {
  start(undefined, [30, 600_000])
  hear = (packet, from) => {
    if (serials.length === 2) {
      step(2)
      notifier.notify(ZONE_ID)
    } else if (serials.length === 3) answer(packet, from)
  }
  notifier.notify(ZONE_ID)
  expect(await ended(2)).toEqual(['notify not answered', 'notify answered'])
  expect(serials).toEqual([1, 1, 2])
})

test('changes do not shorten the retries to a silent peer until it answers', async () => {
  const retryMillis = [20, 20]
  start(undefined, retryMillis)
  notifier.notify(ZONE_ID)
  await ended(1)
  retryMillis[1] = 600_000
  hear = () => {
    if (serials.length < 4) return
    step(2)
    notifier.notify(ZONE_ID)
  }
  notifier.notify(ZONE_ID)
  while (serials.length < 4) await new Promise((resolve) => setTimeout(resolve, 5))
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(serials).toEqual([1, 1, 1, 1])
})

test('a silent peer does not delay the others', async () => {
  const other = createSocket('udp4')
  const heard: number[] = []
  await new Promise<void>((resolve) => other.bind(0, HOST, resolve))
  other.on('message', (packet, { port }) => {
    heard.push(decodeRdata('SOA', decodeMessage(packet).answers[0]?.rdata ?? new Uint8Array()).serial)
    const reply = new Uint8Array(packet)
    reply[2] = (reply[2] ?? 0) | 0x80
    other.send(reply, port, HOST)
  })
  start(undefined, [600_000], [other.address().port])
  for (const serial of [2, 3, 4]) {
    step(serial)
    notifier.notify(ZONE_ID)
    await ended(serial - 1)
  }
  expect(heard).toEqual([2, 3, 4])
  expect(serials).toEqual([2])
  other.close()
})

test('unrelated replies are ignored', async () => {
  hear = (packet, from) => {
    socket.send(Buffer.from('nonsense'), from.port, HOST)
    socket.send(packet, from.port, HOST)
    const other = new Uint8Array(packet)
    other[0] = (other[0] ?? 0) ^ 1
    answer(other, from)
  }
  notifier.notify(ZONE_ID)
  expect(await ended(1)).toEqual(['notify not answered'])
})

test('an unsigned answer to a signed notification is ignored', async () => {
  start(KEY)
  hear = (packet, from) => {
    const reply = packet.slice(0, packet.length)
    reply[11] = 0
    answer(reply.subarray(0, 12), from)
  }
  notifier.notify(ZONE_ID)
  expect(await ended(1)).toEqual(['notify not answered'])
  expect(serials).toHaveLength(RETRY_MILLIS.length)
})

test('no peer is notified of a zone without transfers, or after the end', async () => {
  notifier.notify('another')
  notifier.close()
  notifier.notify(ZONE_ID)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([serials, logged]).toEqual([[], []])
})
