// DNS from threads: what HTTP has acknowledged is answered at once, over all transports also while the main thread does
// not yield, and a thread that dies is replaced.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decode, encode, type DecodedPacket, type RecordType } from 'dns-packet'
import { loadConfig } from '@zonereeve/config'
import { FIRST } from '@zonereeve/nameserver/certificate.cases.ts'
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
const folder = mkdtempSync(join(tmpdir(), 'zonereeve-test-'))

beforeAll(async () => {
  process.on('worker', (worker) => void workers.push(worker))
  app = await start({})
  socket = createSocket('udp4')
  zoneId = (await mustOf(app, 'POST', '/zones', { name: ZONE })).id
}, 60_000)

function start(flags: Readonly<Record<string, string>>): Promise<App> {
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(certificate, FIRST.cert)
  writeFileSync(key, FIRST.key)
  return startApp({
    config: loadConfig({
      flags: {
        http: '127.0.0.1:0',
        dns: '127.0.0.1:0',
        'dns-tls': '127.0.0.1:0',
        'dns-https': '127.0.0.1:0',
        'tls-certificate': certificate,
        'tls-key': key,
        resolver: 'off',
        'dns-threads': String(THREADS),
        ...flags,
      },
      environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
    }),
    clock: systemClock(),
    ids: randomIds(),
    log: { ...silentLog, error: (_, event) => void errors.push(event) },
    inMemory: true,
  })
}

afterAll(async () => {
  socket.close()
  await app.close()
  rmSync(folder, { recursive: true })
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
  expect(await countOf('udp')).toBeGreaterThan(50)
})

/** Answers without an error, as the metrics have them. */
async function countOf(transport: string): Promise<number> {
  const response = await fetch(`http://${app.http.host}:${app.http.port}/metrics`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  })
  const series = `zonereeve_dns_queries_total{transport="${transport}",rcode="NOERROR"} `
  const line = (await response.text()).split('\n').find((each) => each.startsWith(series))
  return Number(line?.slice(series.length) ?? 0) // not counted yet
}

/** Asks again and again on new connections, in a thread of its own: data is [ports, certificate, query, counters]. */
const CLIENT = `
const { workerData: { tcp, tls, https, ca, query, counters } } = require('node:worker_threads')
const framed = Buffer.from([0, query.length, ...query])
const isAnswer = (octets, at) => octets[at + 7] === 1
function stream(open, counter) {
  const socket = open()
  socket.on('error', () => {})
  socket.write(framed)
  let octets = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    octets = Buffer.concat([octets, chunk])
    if (octets.length < 2 || octets.length < 2 + octets.readUInt16BE()) return
    if (isAnswer(octets, 2)) Atomics.add(counters, counter, 1)
    octets = Buffer.alloc(0)
    socket.destroy()
  })
  socket.on('close', () => stream(open, counter))
}
stream(() => require('node:net').connect(tcp, '127.0.0.1'), 0)
stream(() => require('node:tls').connect({ port: tls, host: '127.0.0.1', ca, servername: 'localhost' }), 1)
function ask() {
  const path = '/dns-query?dns=' + Buffer.from(query).toString('base64url')
  const request = require('node:https').get({ port: https, host: '127.0.0.1', path, ca, servername: 'localhost', agent: false }, async (response) => {
    const chunks = []
    for await (const chunk of response) chunks.push(chunk)
    if (isAnswer(Buffer.concat(chunks), 0)) Atomics.add(counters, 2, 1)
    ask()
  })
  request.on('error', ask)
}
ask()
`

test('TCP, TLS and HTTPS are answered on new connections while the main thread does not yield', async () => {
  const ENOUGH = 20
  await create(`busy.${ZONE}`)
  const counters = new Int32Array(new SharedArrayBuffer(12))
  const query = encode({ type: 'query', id: 1, questions: [{ type: 'A', name: `busy.${ZONE}` }] })
  const ports = { tcp: app.dns.port, tls: app.tls?.port, https: app.https?.port }
  const before = await Promise.all(['tcp', 'tls', 'https'].map(countOf))
  const client = new Worker(CLIENT, {
    eval: true,
    workerData: { ...ports, ca: FIRST.cert, query: Uint8Array.from(query), counters },
  })
  await once(client, 'online')
  workers.splice(workers.indexOf(client), 1)
  counters.fill(0)
  const start = performance.now()
  // The limit only ends a test that hangs.
  while (counters.some((count) => count < ENOUGH) && performance.now() - start < 120_000) {
    // The main thread does nothing else here.
  }
  const answered = [...counters]
  await client.terminate()
  expect(answered.every((count) => count >= ENOUGH)).toBe(true)
  const after = await Promise.all(['tcp', 'tls', 'https'].map(countOf))
  for (const [i, count] of after.entries())
    expect(count - (before[i] ?? 0)).toBeGreaterThanOrEqual(answered[i] ?? 0) // one of each for each transport
})

/** Sends messages on one connection over TCP. Returns the answers, until the server closes. */
async function askOverTcp(
  queries: readonly Buffer[],
  socket = connect({ port: app.dns.port, host: app.dns.host, allowHalfOpen: true }),
): Promise<Buffer[]> {
  socket.end(
    Buffer.concat(queries.map((query) => Buffer.from([query.length >> 8, query.length & 255, ...query]))),
  )
  const octets = Buffer.concat((await socket.toArray()) as Buffer[]) // a stream without an encoding
  const answers: Buffer[] = []
  for (let at = 0; at < octets.length; at += 2 + octets.readUInt16BE(at))
    answers.push(octets.subarray(at + 2, at + 2 + octets.readUInt16BE(at)))
  return answers
}

const queryFor = (id: number, name: string, type: RecordType): Buffer =>
  encode({ type: 'query', id, questions: [{ type, name }] })

test('transfers pass the threads in many messages, and the next query on the connection waits for their end', async () => {
  const SENT = 'sent.example'
  const [account] = await mustOf<{ id: string }[]>(app, 'GET', '/accounts')
  const root = `/accounts/${account?.id ?? ''}/secondary_dns`
  const { id: peer } = await mustOf(app, 'POST', `${root}/peers`, { name: 'peer', ip: '127.0.0.1', port: 9 })
  const { id } = await mustOf(app, 'POST', '/zones', { name: SENT })
  const content = Array.from({ length: 8 }, () => `"${'x'.repeat(250)}"`).join(' ')
  const posts = Array.from({ length: 100 }, (_, i) => ({ type: 'TXT', name: `t${i}.${SENT}`, content }))
  await mustOf(app, 'POST', `/zones/${id}/dns_records/batch`, { posts })
  const transfer = queryFor(1, SENT, 'AXFR')
  const [refused] = await askOverTcp([transfer])
  expect(refused && decode(refused)).toMatchObject({ rcode: 'REFUSED', answers: [] })
  await mustOf(app, 'POST', `/zones/${id}/secondary_dns/outgoing`, { name: SENT, peers: [peer] })
  await mustOf(app, 'POST', `/zones/${id}/secondary_dns/outgoing/enable`)
  // Clients that leave in the middle do no harm.
  for (let i = 0; i < 20; i += 1) {
    const socket = connect(app.dns.port, app.dns.host)
    socket.write(Buffer.from([0, transfer.length, ...transfer]))
    await once(socket, i % 2 === 0 ? 'connect' : 'data')
    socket.destroy()
  }
  const answers = await askOverTcp([transfer, queryFor(2, SENT, 'SOA'), queryFor(3, SENT, 'NS')])
  const records = answers.flatMap((answer) =>
    answer.readUInt16BE(0) === 1 ? (decode(answer).answers ?? []) : [],
  )
  expect(records.filter(({ type }) => type === 'TXT')).toHaveLength(100)
  expect([records[0]?.type, records.at(-1)?.type]).toEqual(['SOA', 'SOA'])
  expect(answers.length).toBeGreaterThan(10)
  const ids = answers.map((answer) => answer.readUInt16BE(0))
  expect(ids.slice(-3)).toEqual([1, 2, 3])
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
  // Connections wait for the new threads.
  const [overTcp] = await askOverTcp([queryFor(1, `h2.${ZONE}`, 'A')])
  expect(overTcp && decode(overTcp).answers).toHaveLength(1)
  expect((await ask(`h2.${ZONE}`)).answers).toHaveLength(1)
  await create(`after.${ZONE}`)
  expect((await ask(`after.${ZONE}`)).answers).toHaveLength(1)
  expect(workers.length).toBeGreaterThan(before)
  expect(errors).toContain('dns thread ended and is replaced')
}, 60_000)

test('without system calls one thread answers over all transports, and its successor at the same ports', async () => {
  const other = await start({ 'dns-batching': 'off' })
  try {
    await mustOf(other, 'POST', '/zones', { name: ZONE })
    const { dns, tls } = other
    const options = { host: '127.0.0.1', ca: FIRST.cert, servername: 'localhost', allowHalfOpen: true }
    const query = queryFor(1, ZONE, 'SOA')
    const rcodes = async () => {
      const overTcp = await askOverTcp([query], connect({ ...dns, allowHalfOpen: true }))
      const overTls = await askOverTcp([query], connectTls({ ...options, port: tls?.port ?? 0 }))
      return [...overTcp, ...overTls].map((answer) => decode(answer).answers?.length)
    }
    expect(await rcodes()).toEqual([1, 1])
    const before = workers.length
    await workers.at(-1)?.terminate()
    while (workers.length === before) await new Promise((resolve) => setTimeout(resolve, 20))
    // Not before it listens.
    await expect.poll(() => rcodes().catch(() => 'refused'), { timeout: 60_000 }).toEqual([1, 1])
  } finally {
    await other.close()
  }
})
