// Over real sockets.
import { createSocket } from 'node:dgram'
import type { Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeMessage, type Message, rcodeText } from '@zonereeve/dns'
import * as dnsPacket from 'dns-packet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from './silent-log.cases.ts'
import { opt, queryOf, seen, zoneOf } from './asking.cases.ts'
import {
  createNameserver,
  createZoneTable,
  findSystemCalls,
  type Nameserver,
  type NameserverOptions,
  type SystemCalls,
} from './index.ts'

const HOST = '127.0.0.1'
const ZONE = zoneOf(
  'example.com',
  `
  www   300 A   192.0.2.1
  long  300 TXT ${[1, 2, 3, 4, 5, 6].map(() => `"${'x'.repeat(250)}"`).join(' ')}
  ${Array.from({ length: 500 }, (_, i) => `host-${i} 300 A 10.0.${i >> 8}.${i & 255}`).join('\n')}
  `,
)

const { calls } = await findSystemCalls()
/** Where batched reads are not available, only dgram is tested. */
const UDP_WAYS: [name: string, systemCalls: SystemCalls | undefined][] = [['dgram', undefined]]
if (calls !== undefined) UDP_WAYS.push(['batched', calls])

/** Runs with a new server, and closes it. */
async function withServer(
  options: Partial<NameserverOptions>,
  run: (port: number, server: Nameserver) => Promise<void>,
): Promise<void> {
  const table = createZoneTable()
  table.load(ZONE)
  const server = createNameserver({ table, log: silentLog, ...options })
  const { port } = await server.listen({ host: HOST, port: 0 })
  try {
    await run(port, server)
  } finally {
    await server.close()
  }
}

describe.each(UDP_WAYS)('one server, %s', (_, systemCalls) => {
  let server: Nameserver
  let port = 0
  let udp: UdpSocket
  const counted = new Map<string, number>()
  const count = (key: string): void => void counted.set(key, (counted.get(key) ?? 0) + 1)

  beforeAll(async () => {
    const table = createZoneTable()
    table.load(ZONE)
    const metrics = {
      countQuery: (transport: string, rcode: string) => count(`${transport} ${rcode}`),
      countDropped: (transport: string, reason: string) => count(`${transport} dropped ${reason}`),
    }
    server = createNameserver({ table, log: silentLog, metrics, systemCalls, now: Date.now })
    const endpoint = await server.listen({ host: HOST, port: 0 })
    expect(endpoint.address).toBe(HOST)
    port = endpoint.port
    // Large enough for all answers at once: server and client share one thread here.
    udp = createSocket({ type: 'udp4', recvBufferSize: 4_194_304 })
    udp.connect(port, HOST)
    await once(udp, 'connect')
  })

  afterAll(async () => {
    udp.close()
    await server.close()
  })

  async function askUdp(query: Uint8Array): Promise<Message> {
    const reply = once(udp, 'message')
    udp.send(query)
    const [packet] = (await reply) as [Buffer] // dgram emits the packet with 'message'
    dnsPacket.decode(packet)
    return decodeMessage(packet)
  }

  test('UDP', async () => {
    const message = await askUdp(queryOf('WWW.example.com'))
    expect(seen(message)).toMatchObject({
      rcode: 'NOERROR',
      flags: 'aa',
      answer: ['www.example.com 300 A 192.0.2.1'],
    })
  })

  test('truncated over UDP, complete over TCP on the same port', async () => {
    const query = queryOf('long.example.com TXT', { tail: opt(4096) })
    expect(seen(await askUdp(query))).toMatchObject({ flags: 'aa tc', answer: [] })
    const [message] = await askTcp(port, [framed(query)], 1)
    expect(message && seen(message)).toMatchObject({ flags: 'aa', answer: [expect.stringContaining('xxx')] })
  })

  test('500 UDP queries at once: each gets its own answer', async () => {
    const answers = new Map<number, string>()
    const all = new Promise<void>((resolve) => {
      udp.on('message', (packet) => {
        const message = decodeMessage(packet)
        answers.set(message.id, seen(message).answer[0] ?? '')
        if (answers.size === 500) resolve()
      })
    })
    for (let id = 0; id < 500; id += 1) udp.send(queryOf(`host-${id}.example.com`, { id }))
    await all
    udp.removeAllListeners('message')
    for (let id = 0; id < 500; id += 1) {
      expect(answers.get(id)).toBe(`host-${id}.example.com 300 A 10.0.${id >> 8}.${id & 255}`)
    }
  })

  test('garbage gets no answer and does no harm', async () => {
    udp.send(Buffer.from('GET / HTTP/1.1\r\n'.slice(0, 11)))
    udp.send(Buffer.alloc(0))
    udp.send(queryOf('www.example.com', { flags: 0x8000 }))
    expect((await askUdp(queryOf('www.example.com', { id: 77 }))).id).toBe(77)
    expect(counted.get('udp dropped garbage')).toBeGreaterThanOrEqual(2)
  })

  test('TCP: many queries on one connection, in one write, answered in order', async () => {
    const queries = Array.from({ length: 200 }, (_, id) => framed(queryOf(`host-${id}.example.com`, { id })))
    const messages = await askTcp(port, [Buffer.concat(queries)], 200)
    expect(messages.map((message) => message.id)).toEqual(queries.map((_, id) => id))
    expect(messages.every((message) => message.answers.length === 1)).toBe(true)
  })

  test('TCP: a query octet by octet', async () => {
    const chunks = [...framed(queryOf('www.example.com'))].map((octet) => Buffer.from([octet]))
    const [message] = await askTcp(port, chunks, 1, { pauseMs: 1 })
    expect(message?.answers).toHaveLength(1)
  })

  test('TCP: a client that has closed its side still gets its answers (RFC 7766 §6.2.4)', async () => {
    const queries = [1, 2, 3].map((id) => framed(queryOf('www.example.com', { id })))
    const messages = await askTcp(port, [Buffer.concat(queries)], 3, { half: true })
    expect(messages.map((message) => message.id)).toEqual([1, 2, 3])
  })

  test('TCP: half a query, then the end', async () => {
    const messages = await askTcp(port, [framed(queryOf('www.example.com')).subarray(0, 10)], 1, {
      half: true,
    })
    expect(messages).toEqual([])
  })

  const garbage: [name: string, octets: Buffer, rcodes: string[]][] = [
    ['an empty message', Buffer.from([0, 0]), []],
    ['less than a header', framed(Buffer.alloc(11)), []],
    ['a response', framed(queryOf('www.example.com', { flags: 0x8000 })), []],
    ['a malformed question', framed(queryOf('www.example.com').subarray(0, 20)), ['FORMERR']],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'), []],
  ]
  test('has garbage', () => expect(garbage.length).toBeGreaterThan(0))
  test.each(garbage)('TCP: %s', async (_, octets, rcodes) => {
    const messages = await askTcp(port, [octets], 1, { half: true })
    expect(messages.map((message) => rcodeText(message.rcode))).toEqual(rcodes)
    expect(await askTcp(port, [framed(queryOf('www.example.com'))], 1)).toHaveLength(1)
  })

  test('answers are counted', () => {
    expect(counted.get('udp NOERROR')).toBeGreaterThan(500)
    expect(counted.get('tcp NOERROR')).toBeGreaterThan(200)
    expect(counted.get('tcp FORMERR')).toBe(1)
    expect(counted.get('tcp dropped garbage')).toBeGreaterThanOrEqual(3)
  })
})

describe('limits', () => {
  test('an idle connection is closed; incomplete queries do not count as activity', async () => {
    await withServer({ limits: { tcpIdleMs: 150 } }, async (port) => {
      const socket = connect(port, HOST)
      const closed = closing(socket)
      const dribble = setInterval(() => socket.write(Buffer.from([1])), 20)
      const started = Date.now()
      await closed
      clearInterval(dribble)
      expect(Date.now() - started).toBeGreaterThanOrEqual(100)
    })
  })

  test('queries keep a connection open', async () => {
    await withServer({ limits: { tcpIdleMs: 1000 } }, async (port) => {
      const socket = connect(port, HOST)
      let answers = 0
      socket.on('data', () => (answers += 1))
      for (let i = 0; i < 6; i += 1) {
        socket.write(framed(queryOf('www.example.com')))
        await sleep(250)
      }
      expect([answers, socket.destroyed]).toEqual([6, false])
      socket.destroy()
    })
  })

  const countingDrops = () => {
    const dropped: string[] = []
    const countDropped = (transport: string, reason: string) => void dropped.push(`${transport} ${reason}`)
    return { dropped, metrics: { countQuery() {}, countDropped } }
  }

  test('connections per address are limited, and closing one frees its place', async () => {
    const { dropped, metrics } = countingDrops()
    await withServer({ limits: { tcpConnectionsPerAddress: 3 }, metrics }, async (port) => {
      const query = framed(queryOf('www.example.com'))
      const held = await Promise.all([1, 2, 3].map(() => opened(port)))
      expect(await askTcp(port, [query], 1)).toEqual([])
      expect(dropped).toEqual(['tcp connections'])
      held[0]?.destroy()
      held.push(await admitted(port)) // one place is free again, and only one
      expect(await askTcp(port, [query], 1)).toEqual([])
      for (const socket of held) socket.destroy()
      ;(await admitted(port)).destroy()
    })
  })

  test('a new connection above the limit replaces the one whose last query is the oldest', async () => {
    const { dropped, metrics } = countingDrops()
    const warned: object[] = []
    const log = {
      ...silentLog,
      warn: (fields: object, event: string) => void warned.push({ ...fields, event }),
    }
    await withServer({ limits: { tcpConnections: 3 }, metrics, log }, async (port) => {
      const [first, second, third] = [await admitted(port), await admitted(port), await admitted(port)]
      first.write(framed(queryOf('www.example.com')))
      await once(first, 'data')
      const ended = closing(second)
      expect(await askTcp(port, [framed(queryOf('www.example.com'))], 1)).toHaveLength(1)
      await ended
      expect([first.destroyed, third.destroyed, dropped]).toEqual([false, false, ['tcp evicted']])
      for (const socket of [first, third]) socket.destroy()
    })
    const event = 'dns connections at their limit'
    expect(warned).toEqual([{ transport: 'tcp', limit: 3, count: 1, event }])
  })

  test('idle connections from many addresses do not block other clients', async () => {
    const { dropped, metrics } = countingDrops()
    await withServer({ limits: { tcpConnections: 50 }, metrics }, async (port) => {
      const idle = Array.from({ length: 150 }, (_, index) =>
        connect({ port, host: HOST, localAddress: `127.0.1.${index + 1}` }).on('error', () => {}),
      )
      await Promise.all(idle.map((socket) => once(socket, 'connect')))
      for (let i = 0; i < 10; i += 1)
        expect(await askTcp(port, [framed(queryOf('www.example.com'))], 1)).toHaveLength(1)
      expect(dropped.length).toBeGreaterThanOrEqual(100)
      expect(new Set(dropped)).toEqual(new Set(['tcp evicted']))
      for (const socket of idle) socket.destroy()
    })
  })

  test('a connection with pending answers is not evicted: the new one is refused', async () => {
    const { dropped, metrics } = countingDrops()
    await withServer({ limits: { tcpConnections: 1 }, metrics }, async (port) => {
      const socket = await opened(port)
      socket.pause()
      socket.write(
        Buffer.concat(Array.from({ length: 20_000 }, () => framed(queryOf('long.example.com TXT')))),
      )
      await sleep(300)
      expect(await askTcp(port, [framed(queryOf('www.example.com'))], 1)).toEqual([])
      expect(dropped).toEqual(['tcp connections'])
      socket.destroy()
    })
  })

  // The system may accept a batch of answers at once: then no 'drain' comes, and the rest must still be sent.
  test.each([
    ['and waits', false],
    ['and closes its side', true],
  ])('a client whose answers exceed the unsent limit %s gets all of them', async (_, half) => {
    await withServer({ limits: { tcpUnsentOctets: 0 } }, async (port) => {
      const queries = Array.from({ length: 300 }, (_, id) => framed(queryOf('long.example.com TXT', { id })))
      const messages = await askTcp(port, [Buffer.concat(queries)], 300, { half })
      expect(messages.map((message) => message.id)).toEqual(queries.map((_, id) => id))
    })
  })

  test('a client that does not read its answers is not read from, and gets all of them later', async () => {
    await withServer({ limits: { tcpUnsentOctets: 20_000 } }, async (port) => {
      const count = 20_000
      const socket = await opened(port)
      socket.pause()
      const query = framed(queryOf('long.example.com TXT'))
      const written = new Promise<void>((resolve) => {
        socket.end(Buffer.concat(Array.from({ length: count }, () => query)), () => resolve())
      })
      await sleep(200)
      let octets = 0
      socket.on('data', (chunk: Buffer) => (octets += chunk.length))
      socket.resume()
      await written
      await once(socket, 'end')
      const answer = 2 + 12 + query.length - 14 + 12 + 6 * 251
      expect(octets).toBe(count * answer)
    })
  })
})

describe.each(UDP_WAYS)('lifecycle, %s', (_, systemCalls) => {
  test('20 starts and stops on one port', async () => {
    let port = 0
    for (let i = 0; i < 20; i += 1) {
      const server = createNameserver({ table: createZoneTable(), log: silentLog, systemCalls })
      const endpoint = await server.listen({ host: HOST, port })
      if (port !== 0) expect(endpoint.port).toBe(port)
      port = endpoint.port
      await server.close()
    }
    expect(port).toBeGreaterThan(0)
  })

  test('closing ends open connections', async () => {
    await withServer({ systemCalls }, async (port, server) => {
      const socket = await opened(port)
      const closed = closing(socket)
      socket.resume()
      await server.close()
      await closed
      expect(socket.destroyed).toBe(true)
    })
  })

  test('a taken port is an error, and no socket stays open', async () => {
    // An address that no other process uses, so that only this test takes its ports.
    const host = `127.1.${(process.pid >> 8) & 255}.${1 + (process.pid % 250)}`
    for (const [occupy, free] of [
      [occupyTcp, 'udp'],
      [occupyUdp, 'tcp'],
    ] as const) {
      const { port, release } = await occupy(host)
      const server = createNameserver({ table: createZoneTable(), log: silentLog, systemCalls })
      await expect(server.listen({ host, port })).rejects.toThrow('EADDRINUSE')
      const other = free === 'udp' ? await occupyUdp(host, port) : await occupyTcp(host, port)
      await other.release()
      await release()
      await server.listen({ host, port })
      await server.close()
    }
  })

  test('listens on a host name and on IPv6', async () => {
    const server = createNameserver({ table: createZoneTable(), log: silentLog, systemCalls })
    const { address } = await server.listen({ host: 'localhost', port: 0 })
    expect(address).toMatch(/^(127\.0\.0\.1|::1)$/)
    await server.close()
  })
})

function framed(message: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message])
}

/** Returns a connection that has had an answer. Retries while the server has not yet noticed that a place is free. */
async function admitted(port: number): Promise<Socket> {
  for (let attempt = 1; attempt <= 100; attempt += 1) {
    const socket = await opened(port)
    const answered = new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true))
      socket.once('close', () => resolve(false))
    })
    socket.write(framed(queryOf('www.example.com')))
    if (await answered) return socket
    await sleep(20)
  }
  throw new Error('no place became free')
}

/** Resolves when the connection is closed, also by a reset. */
function closing(socket: Socket): Promise<void> {
  socket.on('error', () => undefined)
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, HOST)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/**
 * Sends chunks and collects answers until there are `count` or the server closes. `half` closes the client's side
 * first.
 */
async function askTcp(
  port: number,
  chunks: Uint8Array[],
  count: number,
  { pauseMs = 0, half = false } = {},
): Promise<Message[]> {
  const socket = connect({ port, host: HOST, noDelay: true })
  const messages: Message[] = []
  let unread: Buffer = Buffer.alloc(0)
  const done = new Promise<void>((resolve) => {
    socket.on('error', () => resolve())
    socket.on('close', () => resolve())
    socket.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk])
      while (unread.length >= 2 && unread.length >= 2 + unread.readUInt16BE()) {
        const end = 2 + unread.readUInt16BE()
        messages.push(decodeMessage(unread.subarray(2, end)))
        unread = unread.subarray(end)
      }
      if (messages.length === count && !half) resolve()
    })
  })
  for (const chunk of chunks) {
    socket.write(chunk)
    if (pauseMs > 0) await sleep(pauseMs)
  }
  if (half) socket.end()
  await done
  socket.destroy()
  return messages
}

interface Occupied {
  readonly port: number
  release(): Promise<unknown>
}

async function occupyTcp(host: string, port = 0): Promise<Occupied> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    release: () => new Promise((resolve) => server.close(resolve)),
  }
}

async function occupyUdp(host: string, port = 0): Promise<Occupied> {
  const socket = createSocket('udp4').bind(port, host)
  await once(socket, 'listening')
  return {
    port: socket.address().port,
    release: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}
