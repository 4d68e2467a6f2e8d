// Messages through proxies, over real sockets: which client is seen is what the query log says.
import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { parseIpv4 } from '@zonereeve/dns'
import { afterEach, describe, expect, test } from 'vitest'
import { describeWith } from '../../../scripts/test-requirements.ts'
import { queryOf, zoneOf } from './asking.cases.ts'
import { createNameserver, createZoneTable, findSystemCalls, type Peer, type SystemCalls } from './index.ts'
import { localHeader, proxyHeader } from './proxy-header.cases.ts'
import { silentLog } from './silent-log.cases.ts'

const HOST = '127.0.0.1'
const CLIENT = '192.0.2.7'
const { calls } = await findSystemCalls()
const WAYS: [name: string, systemCalls: SystemCalls | undefined][] = [['dgram', undefined]]
if (calls !== undefined) WAYS.push(['batched', calls])
const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close()
})

const headerOf = (transport: 'udp' | 'tcp', client = CLIENT): Buffer =>
  proxyHeader({
    client: parseIpv4(client) ?? new Uint8Array(4),
    server: Uint8Array.of(198, 51, 100, 1),
    ports: [1234, 53],
    transport,
  })

async function start(isProxy: ((address: string) => boolean) | undefined, systemCalls?: SystemCalls) {
  const table = createZoneTable()
  table.load(zoneOf('example.com', 'www 300 A 192.0.2.1'))
  const seen: string[] = []
  const dropped: string[] = []
  const handled: Peer[] = []
  const server = createNameserver({
    table,
    isProxy,
    systemCalls,
    now: Date.now,
    queryLog: { every: 1, names: [], rcodes: [] },
    log: {
      ...silentLog,
      info: (fields: { client?: string; transport?: string; name?: string }, event: string) =>
        event === 'dns query' && seen.push(`${fields.transport} ${fields.client} ${fields.name}`),
    } as never, // the fields of the query log
    metrics: {
      countQuery() {},
      countDropped: (transport, reason) => void dropped.push(`${transport} ${reason}`),
    },
    messageHandler: () => ({
      answer(message, { transport, address }) {
        handled.push({ transport, address })
        return Uint8Array.from(message)
      },
    }),
  })
  open.push(server)
  const { port } = await server.listen({ host: HOST, port: 0 })
  return { port, seen, dropped, handled }
}

/** Sends datagrams, the last of which is answered. Returns the IDs of all answers until then. */
async function askUdp(port: number, packets: readonly Uint8Array[], lastId: number): Promise<number[]> {
  const socket = createSocket('udp4')
  open.push({ close: () => socket.close() })
  const ids: number[] = []
  await new Promise<void>((resolve) => {
    socket.on('message', (packet) => {
      ids.push(packet.readUInt16BE(0))
      if (ids.at(-1) === lastId) resolve()
    })
    for (const packet of packets) socket.send(packet, port, HOST)
  })
  return ids
}

const query = (id: number): Buffer => Buffer.from(queryOf('www.example.com A', { id }))
const notify = (id: number): Buffer => Buffer.from(queryOf('example.com SOA', { id, flags: 4 << 11 }))
const framed = (message: Uint8Array): Buffer => Buffer.from([0, message.length, ...message])

describe.each(WAYS)('over UDP, %s', (_, systemCalls) => {
  test('a proxy must have a header, and the client is the one in it', async () => {
    const { port, seen, dropped } = await start((address) => address === HOST, systemCalls)
    const packets = [
      query(1),
      headerOf('udp').subarray(0, 20),
      Buffer.concat([headerOf('udp'), query(3)]),
      Buffer.concat([headerOf('udp', '192.0.2.8'), query(4)]),
      Buffer.concat([localHeader, query(5)]),
    ]
    expect(await askUdp(port, packets, 5)).toEqual([3, 4, 5])
    expect(seen).toEqual([CLIENT, '192.0.2.8', HOST].map((client) => `udp ${client} www.example.com`))
    expect(dropped).toEqual(['udp garbage', 'udp garbage'])
  })

  test('other addresses must not have one', async () => {
    const { port, seen } = await start((address) => address === '192.0.2.99', systemCalls)
    expect(await askUdp(port, [Buffer.concat([headerOf('udp'), query(1)]), query(2)], 2)).not.toContain(1)
    expect(seen.at(-1)).toBe(`udp ${HOST} www.example.com`)
    expect(seen.join()).not.toContain(CLIENT)
  })

  test('messages that are more than a question are from the client, too', async () => {
    const { port, handled, dropped } = await start((address) => address === HOST, systemCalls)
    expect(await askUdp(port, [notify(1), Buffer.concat([headerOf('udp'), notify(2)])], 2)).toEqual([2])
    expect(handled).toEqual([{ transport: 'udp', address: CLIENT }])
    expect(dropped).toEqual(['udp garbage'])
  })
})

/** Writes chunks on one connection. Returns the IDs of the answers until the server closes it. */
async function askTcp(port: number, chunks: readonly Uint8Array[], pauseMs = 0): Promise<number[]> {
  const socket = connect({ port, host: HOST, allowHalfOpen: true, noDelay: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => void received.push(chunk))
  for (const chunk of chunks) {
    socket.write(chunk)
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  socket.end()
  await closed
  const octets = Buffer.concat(received)
  const ids: number[] = []
  for (let at = 0; at + 2 < octets.length; at += 2 + octets.readUInt16BE(at))
    ids.push(octets.readUInt16BE(at + 2))
  return ids
}

describe('over TCP', () => {
  const queries = Buffer.concat([framed(query(1)), framed(query(2))])
  test.each<[string, Buffer[], number]>([
    ['in one write with the queries', [Buffer.concat([headerOf('tcp'), queries])], 0],
    ['before the queries', [headerOf('tcp'), queries], 5],
    ['octet by octet', [...headerOf('tcp'), ...queries].map((octet) => Buffer.of(octet)), 1],
  ])('the client is the one in the header %s', async (_, chunks, pauseMs) => {
    const { port, seen, dropped } = await start((address) => address === HOST)
    expect(await askTcp(port, chunks, pauseMs)).toEqual([1, 2])
    expect(seen).toEqual([1, 2].map(() => `tcp ${CLIENT} www.example.com`))
    expect(dropped).toEqual([])
  })

  test('without a header, a connection of a proxy is closed, and others need none', async () => {
    const strict = await start((address) => address === HOST)
    expect(await askTcp(strict.port, [queries])).toEqual([])
    expect([strict.dropped, strict.seen]).toEqual([['tcp garbage'], []])
    const other = await start((address) => address === '192.0.2.99')
    expect(await askTcp(other.port, [queries])).toEqual([1, 2])
    expect(other.seen.every((line) => line.includes(HOST))).toBe(true)
  })
})

describeWith('kdig', 'kdig as a proxy', () => {
  test.each([
    ['udp', [], CLIENT],
    ['tcp', ['+tcp'], CLIENT],
    ['udp', [], '2001:db8::7'],
  ])('over %s', async (transport, options, client) => {
    const { port, seen } = await start((address) => address === HOST)
    const server = client === CLIENT ? '198.51.100.1' : '2001:db8::1'
    const proxy = `+proxy=${client}#1234-${server}#53`
    const ask = ['@127.0.0.1', '-p', String(port), ...options, proxy, '+short', 'www.example.com', 'A']
    const { stdout } = await promisify(execFile)('kdig', ask)
    expect(stdout.trim()).toBe('192.0.2.1')
    expect(seen).toEqual([`${transport} ${client} www.example.com`])
  })
})
