// DNS over UDP from threads: what HTTP has acknowledged is answered at once, also while the main thread does not yield,
// and a thread that dies is replaced.
import { createSocket, type Socket } from 'node:dgram'
import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decode, encode, type DecodedPacket, type RecordType } from 'dns-packet'
import { loadConfig } from '../config/index.ts'
import { randomIds, silentLog, systemClock } from '@zonereeve/platform'
import { ADMIN_TOKEN } from '../testing/app.ts'
import { mustOf } from '../testing/program-calls.ts'
import { startApp, type App } from './app.ts'

const THREADS = 2
const ZONE = 'threads.example'
const workers: Worker[] = []
const errors: string[] = []
let app: App
let socket: Socket
let zoneId = ''

beforeAll(async () => {
  process.on('worker', (worker) => void workers.push(worker))
  app = await startApp({
    config: loadConfig({
      flags: { http: '127.0.0.1:0', dns: '127.0.0.1:0', resolver: 'off', 'dns-threads': String(THREADS) },
      environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
    }),
    clock: systemClock(),
    ids: randomIds(),
    log: { ...silentLog, error: (_, event) => void errors.push(event) },
    inMemory: true,
  })
  socket = createSocket('udp4')
  zoneId = (await mustOf(app, 'POST', '/zones', { name: ZONE })).id
}, 60_000)

afterAll(async () => {
  socket.close()
  await app.close()
})

/** Retried, because a thread that dies takes the packets with it that it has read. */
async function ask(name: string, type: RecordType = 'A', dnssec = false): Promise<DecodedPacket> {
  const id = Math.floor(Math.random() * 65_536)
  const additionals = dnssec ? [{ type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0x8000 } as const] : []
  const question = encode({ type: 'query', id, questions: [{ type, name }], additionals } as never)
  return new Promise((resolve) => {
    const send = (): void => socket.send(question, app.dns.port, app.dns.host)
    const again = setInterval(send, 300)
    socket.on('message', function take(message) {
      if (message.readUInt16BE(0) !== id) return
      clearInterval(again)
      socket.off('message', take)
      resolve(decode(message))
    })
    send()
  })
}

const create = (name: string): Promise<unknown> =>
  mustOf(app, 'POST', `/zones/${zoneId}/dns_records`, { type: 'A', name, content: '192.0.2.1', ttl: 300 })

test('records are answered as soon as their creation is acknowledged, and gone as soon as they are removed', async () => {
  expect(workers.length).toBeGreaterThanOrEqual(1)
  for (let i = 0; i < 50; i += 1) {
    const name = `h${i}.${ZONE}`
    expect((await ask(name)).answers).toEqual([])
    await create(name)
    expect((await ask(name)).answers).toMatchObject([{ name, data: '192.0.2.1' }])
  }
  const { id } = await mustOf(app, 'POST', '/zones', { name: 'gone.example' })
  expect((await ask('gone.example', 'SOA')).answers).toHaveLength(1)
  await mustOf(app, 'DELETE', `/zones/${id}`)
  expect(await ask('gone.example', 'SOA')).toMatchObject({ rcode: 'REFUSED', answers: [] })
})

test('a signed zone is signed in the threads, and unsigned again at once', async () => {
  await create(`signed.${ZONE}`)
  await mustOf(app, 'PATCH', `/zones/${zoneId}/dnssec`, { status: 'active' })
  const types = async (name: string, type: RecordType) => {
    const { answers = [], authorities = [] } = await ask(name, type, true)
    return [...answers, ...authorities].map((record) => record.type).toSorted()
  }
  expect(await types(`signed.${ZONE}`, 'A')).toEqual(['A', 'RRSIG'])
  expect(await types(`none.${ZONE}`, 'A')).toEqual(['NSEC', 'RRSIG', 'RRSIG', 'SOA'])
  expect((await types(ZONE, 'DNSKEY')).filter((type) => type === 'RRSIG').length).toBeGreaterThan(0)
})

test('counts of the threads are in the metrics', async () => {
  await ask(`h1.${ZONE}`)
  const response = await fetch(`http://${app.http.host}:${app.http.port}/metrics`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  })
  const [, count] =
    /zonereeve_dns_queries_total\{transport="udp",rcode="NOERROR"\} (\d+)/.exec(await response.text()) ?? []
  expect(Number(count)).toBeGreaterThan(50)
})

test('messages that are more than a question are answered by the main thread', async () => {
  const notify = encode({ type: 'query', id: 1, questions: [{ type: 'SOA', name: ZONE }] })
  notify[2] = 4 << 3
  const answered = new Promise<Buffer>((resolve) => socket.once('message', resolve))
  socket.send(notify, app.dns.port, app.dns.host)
  expect((await answered).readUInt16BE(2) >> 11).toBe(0b1_0100)
})

test('threads that die are replaced and reported, and the others go on', async () => {
  const before = workers.length
  await Promise.all(workers.slice(-THREADS).map((worker) => worker.terminate()))
  expect((await ask(`h2.${ZONE}`)).answers).toHaveLength(1)
  await create(`after.${ZONE}`)
  expect((await ask(`after.${ZONE}`)).answers).toHaveLength(1)
  expect(workers.length).toBeGreaterThan(before)
  expect(errors).toContain('dns thread ended and is replaced')
}, 60_000)
