// When primaries are asked, and how many at once.
import { createServer, type Server, type Socket } from 'node:net'
import { parseName, type Soa } from '@zonereeve/dns'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { manualClock } from '../platform/clock.ts'
import { silentLog } from '../platform/log.ts'
import { HOST, NOW } from './asking.cases.ts'
import { createFollower, MAX_RUNS, type FollowedZone, type Follower, type FollowerDeps } from './follower.ts'

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
/** Conversations that wait for an answer, which never comes. */
let sockets: Socket[]
let follower: Follower
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

function start(given: Partial<FollowerDeps> = {}): void {
  follower = createFollower({
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

function zone(at: number, given: Partial<FollowedZone> = {}): FollowedZone {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    zoneId: `zone-${at}`,
    name: parseName(`zone-${at}.example`),
    peers: [{ id: 'peer', address: HOST, port, key: undefined, ixfrEnabled: true }],
    autoRefreshSeconds: 86_400,
    isKnown: true,
    authority: { soa: SOA, expiresAtMillis: clock.now() + 86_400_000 },
    ...given,
  }
}

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 5))
}
const while50Millis = () => new Promise((resolve) => setTimeout(resolve, 50))

describe('after a start', () => {
  test('zones are asked for one after the other in the time that there is for each', async () => {
    // The last of the time: of the first zone after 50 ms, of the hundredth after five seconds.
    start({ random: () => 1 })
    const began = performance.now()
    for (let at = 0; at < 100; at += 1) follower.set(`zone-${at}`, zone(at))
    await until(() => sockets.length > 0)
    // However late it is seen here: no more than there was time for.
    const asked = sockets.length
    expect(asked).toBeLessThanOrEqual(Math.ceil((performance.now() - began) / 50))
  })

  test('there are never more conversations with a primary than so many, and all zones get their turn', async () => {
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

  test('one that was never asked for is asked for at once', async () => {
    start({ random: () => 1 })
    for (let at = 0; at < 1_000; at += 1) follower.set(`zone-${at}`, zone(at))
    follower.set('new', zone(1_000, { zoneId: 'new', isKnown: false, authority: undefined }))
    await until(() => sockets.length > 0)
    sockets[0]?.end()
    await until(() => failed.length > 0)
    expect(failed[0]).toBe('new')
  })
})

test('a notification is heard for its zone alone, among many', async () => {
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

describe('a zone whose time is up', () => {
  test('is said to be so once, when it is looked at after a failure', async () => {
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

  test('is said to be so by the time alone', async () => {
    start({ random: () => 1 })
    const expiresAtMillis = clock.now() + 100
    follower.set('zone-1', zone(1, { authority: { soa: SOA, expiresAtMillis } }))
    expect(expired).toEqual([])
    clock.advance(100)
    await until(() => expired.length > 0)
    expect(expired).toEqual(['zone-1'])
  })
})

test('when a zone expires is known of those that are followed and have come', () => {
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
