// Load against a nameserver of the test, and the limits of what may be loaded.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CLASS, decodeMessage, encodeMessage, parseName, requireTypeCode } from '@zonereeve/dns'
import { loadDns } from './dns-load.ts'
import { latenciesOf } from './latencies.ts'
import { requireOwnHost } from './limits.ts'
import { loadRequests } from './request-load.ts'

describe('servers that may be loaded', () => {
  test.each([
    ['127.0.0.1', 'dns.example.com'],
    ['127.9.9.9', 'dns.example.com'],
    ['::1', 'dns.example.com'],
    ['localhost', 'dns.example.com'],
    ['DNS.example.com', 'dns.example.com'],
    ['2001:db8::1', '[2001:db8::1]'],
  ])('%s with the API at %s', (host, api) => expect(() => requireOwnHost(host, api)).not.toThrow())

  test.each([
    ['192.0.2.1', 'dns.example.com'],
    ['127.example.com', 'dns.example.com'],
    ['1270.0.0.1', 'dns.example.com'],
    ['dns.example.com.evil.example', 'dns.example.com'],
    ['0.0.0.0', 'dns.example.com'],
  ])('not %s with the API at %s', (host, api) =>
    expect(() => requireOwnHost(host, api)).toThrow(/is neither loopback nor dns\.example\.com/),
  )
})

test('latencies are nearest ranks', () => {
  const millis = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(latenciesOf(millis)).toEqual({ p50: 50, p95: 95, p99: 99, max: 100 })
  expect(latenciesOf([])).toEqual({ p50: 0, p95: 0, p99: 0, max: 0 })
})

const recordOf = (name: string, type: string, rdata: Uint8Array) => ({
  name: parseName(name),
  type: requireTypeCode(type),
  class: CLASS.IN,
  ttl: 300,
  rdata,
})

/** Owners of the nameservers in the authority section, by the first label of the name asked. */
const REFERRALS: Readonly<Record<string, readonly string[]>> = {
  cached: ['cached.example.com'],
  delegated: ['delegated.example.com'],
  apex: ['example.com'],
  elsewhere: ['delegated.example.com'],
  upward: ['.'],
}

describe('DNS load', () => {
  /** Answers by the first label of the name. */
  async function startNameserver(): Promise<number> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    onTestFinished(() => void socket.close())
    socket.on('message', (octets, { port, address }) => {
      const query = decodeMessage(octets)
      const label = query.questions[0]?.name.split('.')[0]
      if (label === 'lost') return
      const questions = label === 'other' ? [] : query.questions
      const reply = {
        ...query,
        qr: true,
        aa: label === 'good' || label === 'failing' || label === 'other',
        rcode: label === 'failing' ? 2 : 0,
        questions,
        answers: label === 'cached' ? [recordOf('cached.example.com', 'A', Buffer.from([192, 0, 2, 1]))] : [],
        authorities: REFERRALS[label ?? '']?.map((name) => recordOf(name, 'NS', Buffer.from([0]))) ?? [],
      }
      socket.send(encodeMessage(reply), port, address)
    })
    return socket.address().port
  }

  test.each([
    ['good answers', 'good', { wrong: {} }],
    ['an error', 'failing', { wrong: { 'rcode 2': 20 } }],
    ['answers that are not authoritative', 'cached', { wrong: { 'not authoritative': 20 } }],
    ['answers without authority and data', 'empty', { wrong: { 'not authoritative': 20 } }],
    ['referrals of a delegated name', 'delegated', { wrong: {} }],
    ['referrals of the zone itself', 'apex', { wrong: { 'not authoritative': 20 } }],
    ['referrals of another name', 'elsewhere', { wrong: { 'not authoritative': 20 } }],
    ['referrals to the root', 'upward', { wrong: { 'not authoritative': 20 } }],
    ['answers to another question', 'other', { wrong: { other: 20 } }],
    ['no answers', 'lost', { answered: 0, lost: 20, wrong: {} }],
  ])('%s', async (_, label, expected) => {
    const questions = [{ name: `${label}.example.com`, type: 'A' }]
    const port = await startNameserver()
    const load = { host: '127.0.0.1', port, zone: 'example.com', questions, rate: 20, seconds: 1 }
    expect(await loadDns(load)).toMatchObject({ sent: 20, answered: 20, lost: 0, ...expected })
  })

  test('queries that are late are not sent all at once', async () => {
    const questions = [{ name: 'good.example.com', type: 'A' }]
    const port = await startNameserver()
    setTimeout(() => {
      const until = performance.now() + 400
      while (performance.now() < until);
    }, 50)
    const load = { host: '127.0.0.1', port, zone: 'example.com', questions, rate: 2_000, seconds: 0.5 }
    expect(await loadDns(load)).toMatchObject({ sent: 1_000, answered: 1_000, lost: 0, wrong: {} })
  })

  test('a port without a nameserver is an error, and so is a type that is none', async () => {
    const free = createSocket('udp4').bind(0, '127.0.0.1')
    await once(free, 'listening')
    const { port } = free.address()
    free.close()
    const load = { host: '127.0.0.1', port, zone: 'example', rate: 50, seconds: 1 }
    await expect(loadDns({ ...load, questions: [{ name: 'a.example', type: 'A' }] })).rejects.toThrow(
      'ECONNREFUSED',
    )
    await expect(loadDns({ ...load, questions: [{ name: 'a.example', type: 'B' }] })).rejects.toThrow(
      'is not a record type',
    )
  })
})

test('requests by several clients: each waits for its answer, and failures are counted by their reason', async () => {
  let [open, most] = [0, 0]
  const stop = new AbortController()
  const result = await loadRequests({
    clients: 3,
    seconds: 60,
    signal: stop.signal,
    async request(number) {
      most = Math.max(most, ++open)
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
      if (number === 29) stop.abort()
      return number % 10 === 0 ? 'status 429' : undefined
    },
  })
  expect(most).toBe(3)
  expect(result.requests).toBeGreaterThanOrEqual(30)
  expect(result.failures['status 429']).toBeGreaterThanOrEqual(3)
})
