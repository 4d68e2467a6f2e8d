// When primaries are queried, and how many at once.
import { createServer, type Server, type Socket } from 'node:net'
import { parseName, type Soa } from '@zonereeve/dns'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { manualClock, silentLog } from '@zonereeve/platform'
import { HOST, NOW } from './asking.cases.ts'
import {
  createSecondaryRefresher,
  MAX_RUNS,
  type SecondaryZone,
  type SecondaryRefresher,
  type SecondaryRefresherDeps,
} from './secondary-refresher.ts'

const SOA: Soa = {
  mname: parseName('ns.example'),
  rname: parseName('ns.example'),
  serial: 1,
  refresh: 3_600,
  retry: 600,
  expire: 86_400,
  minimum: 60,
}
const times = { refreshSeconds: 3_600, retrySeconds: 600, expireSeconds: 86_400 }

let server: Server
/** Conversations that wait for an answer that never comes. */
let sockets: Socket[]
let follower: SecondaryRefresher
let failed: string[]
let expired: string[]
const clock = manualClock(NOW)

beforeEach(async () => {
  sockets = []
  failed = []
  expired = []
  server = createServer((socket) => void sockets.push(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
})
afterEach(async () => {
  await follower.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

function start(given: Partial<SecondaryRefresherDeps> = {}): void {
  follower = createSecondaryRefresher({
    clock,
    log: silentLog,
    take: () => Promise.resolve(true),
    confirm: () => Promise.resolve(),
    fail: (zoneId) => Promise.resolve(void failed.push(zoneId)),
    expire: (zoneId) => Promise.resolve(void expired.push(zoneId)),
    isUnusable: (error): error is Error => error instanceof RangeError,
    timesOf: () => times,
    ...given,
  })
}

function zone(at: number, given: Partial<SecondaryZone> = {}): SecondaryZone {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    zoneId: `zone-${at}`,
    name: parseName(`zone-${at}.example`),
    peers: [{ id: 'peer', address: HOST, port, key: undefined, ixfrEnabled: true }],
    autoRefreshSeconds: 86_400,
    isKnown: true,
    forcedBy: 'force_axfr',
    authority: { soa: SOA, expiresAtMillis: clock.now() + 86_400_000 },
    ...given,
  }
}

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 5))
}
const while50Millis = () => new Promise((resolve) => setTimeout(resolve, 50))

describe('after a start', () => {
  test('zones are queried one after the other, in the time allotted to each', async () => {
    // The latest possible time: 50 ms for the first zone, five seconds for the hundredth.
    start({ random: () => 1 })
    const began = performance.now()
    for (let at = 0; at < 100; at += 1) follower.set(`zone-${at}`, zone(at))
    await until(() => sockets.length > 0)
    // However late the test sees it: no more zones than the time allows.
    const asked = sockets.length
    expect(asked).toBeLessThanOrEqual(Math.ceil((performance.now() - began) / 50))
  })

  test('the number of conversations with a primary is limited, and all zones get their turn', async () => {
    start({ random: () => 0 })
    const count = 3 * MAX_RUNS.each
    for (let at = 0; at < count; at += 1) follower.set(`zone-${at}`, zone(at))
    for (let ended = 0; ended < count; ended += MAX_RUNS.each) {
      await until(() => sockets.length === ended + MAX_RUNS.each)
      await while50Millis()
      expect(sockets).toHaveLength(ended + MAX_RUNS.each)
      for (const socket of sockets.slice(ended)) socket.end()
    }
    await until(() => failed.length === count)
    expect(new Set(failed).size).toBe(count)
  })

  test('a new zone is queried at once', async () => {
    start({ random: () => 1 })
    for (let at = 0; at < 1_000; at += 1) follower.set(`zone-${at}`, zone(at))
    follower.set('new', zone(1_000, { zoneId: 'new', isKnown: false, authority: undefined }))
    await until(() => sockets.length > 0)
    sockets[0]?.end()
    await until(() => failed.length > 0)
    expect(failed[0]).toBe('new')
  })
})

test('a notification triggers only its own zone, among many', async () => {
  start({ random: () => 1 })
  for (let at = 0; at < 1_000; at += 1) follower.set(`zone-${at}`, zone(at))
  follower.set('zone-3', undefined)
  const heard = (name: string, address = HOST) => follower.heard(parseName(name), address, undefined)
  expect([heard('zone-3.example'), heard('example'), heard('zone-7.example', '192.0.2.1')]).toEqual([
    false,
    false,
    false,
  ])
  expect(heard('zone-7.example')).toBe(true)
  await until(() => sockets.length > 0)
  for (const socket of sockets) socket.end()
  await until(() => failed.includes('zone-7'))
  expect(failed).not.toContain('zone-3')
})

describe('an expired zone', () => {
  test('is reported once when a failure finds it expired', async () => {
    start({ random: () => 0 })
    follower.set('zone-1', zone(1))
    for (const count of [1, 2]) {
      await until(() => sockets.length === count)
      clock.advance(86_400_000)
      sockets.at(-1)?.end()
      await until(() => failed.length === count)
      follower.heard(parseName('zone-1.example'), HOST, undefined)
    }
    expect(expired).toEqual(['zone-1'])
  })

  test('is reported when the timer runs out', async () => {
    start({ random: () => 1 })
    const expiresAtMillis = clock.now() + 100
    follower.set('zone-1', zone(1, { authority: { soa: SOA, expiresAtMillis } }))
    expect(expired).toEqual([])
    clock.advance(100)
    await until(() => expired.length > 0)
    expect(expired).toEqual(['zone-1'])
  })
})

test('the expiry is known only for followed zones that were transferred', () => {
  start({ random: () => 1 })
  follower.set('zone-1', zone(1))
  follower.set('zone-2', zone(2, { authority: undefined }))
  follower.set('zone-3', zone(3))
  follower.set('zone-3', undefined)
  expect(['zone-1', 'zone-2', 'zone-3'].map(follower.expiresAtMillis)).toEqual([
    clock.now() + 86_400_000,
    undefined,
    undefined,
  ])
})
