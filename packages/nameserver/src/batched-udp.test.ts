// Batches over real sockets: packets that arrive together are read together, and no client gets the answer of another
// one when something fails.
import { createSocket } from 'node:dgram'
import type { Socket } from 'node:dgram'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { decodeMessage } from '@zonereeve/dns'
import { afterEach, describe, expect, test } from 'vitest'
import { silentLog } from './silent-log.cases.ts'
import { queryOf, seen, zoneOf } from './asking.cases.ts'
import { listenBatchedUdp } from './batched-udp.ts'
import {
  createNameserver,
  createZoneTable,
  DEFAULT_LIMITS,
  findSystemCalls,
  type Nameserver,
  type NameserverOptions,
  type SystemCalls,
} from './index.ts'
import { noMetrics } from './metrics.ts'
import { createResponder } from './responder.ts'

const found = await findSystemCalls()
const HOST = '127.0.0.1'
const COUNT = 300
const QUERIES = Array.from({ length: COUNT }, (_, id) => queryOf(`h${id}.example.com`, { id }))

test('the system calls are found on known machines', () => {
  const isKnown = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
  expect(found.calls !== undefined).toBe(isKnown)
})

test('on other machines they are not looked for', async () => {
  expect(await findSystemCalls('plan9 mips')).toEqual({ calls: undefined, reason: 'not known on plan9 mips' })
})

test.each([
  [
    'a C library that is not GNU’s',
    {
      load: () => ({
        func: () => {
          throw new Error('Cannot find function')
        },
      }),
    },
    'not known with this C library',
  ],
  [
    'a library that cannot be opened',
    {
      load: () => {
        throw new Error('no libc\nmore')
      },
    },
    'no libc',
  ],
])('with %s, the server runs without them', async (_, koffi, reason) => {
  const load = () => Promise.resolve({ default: koffi as never }) // the part of koffi that is used
  expect(await findSystemCalls('linux x64', load)).toEqual({ calls: undefined, reason })
})

test('without koffi, the server runs without them', async () => {
  const load = () => Promise.reject(new Error('Cannot find package'))
  expect(await findSystemCalls('linux arm64', load)).toEqual({
    calls: undefined,
    reason: 'Cannot find package',
  })
})

describe.skipIf(found.calls === undefined)('batches [needs koffi for this machine]', () => {
  const open: (() => Promise<unknown> | void)[] = []
  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close()
  })

  /** How many messages the server reads and sends at a time. */
  const batches = { received: [] as number[], sent: [] as number[] }

  function watched(given: Partial<SystemCalls> = {}): SystemCalls {
    if (found.calls === undefined) throw new Error(found.reason)
    const calls = { ...found.calls, ...given }
    batches.received = []
    batches.sent = []
    return {
      ...calls,
      receive: (...args) => notes(batches.received, calls.receive(...args)),
      send: (...args) => notes(batches.sent, calls.send(...args)),
    }
  }

  async function server(options: Partial<NameserverOptions>, host = HOST): Promise<[Nameserver, number]> {
    const table = createZoneTable()
    const lines = QUERIES.map((_, id) => `h${id} 300 A 10.0.${id >> 8}.${id & 255}`)
    table.load(zoneOf('example.com', lines.join('\n')))
    const nameserver = createNameserver({ table, log: silentLog, now: Date.now, ...options })
    open.push(() => nameserver.close())
    const { port } = await nameserver.listen({ host, port: 0 })
    return [nameserver, port]
  }

  /** Sends all queries at once, and waits for `count` answers. */
  async function askAll(port: number, queries: readonly Uint8Array[], count = queries.length, host = HOST) {
    const client = await connected(port, host)
    const answers = new Map<number, string>()
    const all = new Promise<void>((resolve) => {
      client.on('message', (packet) => {
        const message = decodeMessage(packet)
        answers.set(message.id, seen(message).answer[0] ?? message.rcode.toString())
        if (answers.size === count) resolve()
      })
    })
    for (const query of queries) client.send(query)
    await all
    return answers
  }

  async function connected(port: number, host: string): Promise<Socket> {
    const client = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', recvBufferSize: 4_194_304 })
    client.connect(port, host)
    open.push(() => void client.close())
    await once(client, 'connect')
    return client
  }

  const answerOf = (id: number): string => `h${id}.example.com 300 A 10.0.${id >> 8}.${id & 255}`
  const ALL = new Map(QUERIES.map((_, id) => [id, answerOf(id)]))

  test.each([
    ['once', 1],
    ['again, with cached answers', 2],
  ])('packets that arrive together are read and sent together, %s', async (_, times) => {
    const [, port] = await server({ systemCalls: watched() })
    for (let i = 0; i < times; i += 1) expect(await askAll(port, QUERIES)).toEqual(ALL)
    expect(Math.max(...batches.received)).toBe(64)
    expect(Math.max(...batches.sent)).toBe(65)
  })

  test('a single query is answered by one message', async () => {
    const [, port] = await server({ systemCalls: watched() })
    expect(await askAll(port, QUERIES.slice(0, 1))).toEqual(new Map([[0, answerOf(0)]]))
    expect(batches.sent).toEqual([1])
  })

  test('over IPv6', async () => {
    const [, port] = await server({ systemCalls: watched() }, '::1')
    expect(await askAll(port, QUERIES, COUNT, '::1')).toEqual(ALL)
    expect(Math.max(...batches.sent)).toBe(65)
  })

  test('packets without an answer leave no gap', async () => {
    const [, port] = await server({ systemCalls: watched() })
    const response = queryOf('h1.example.com', { id: 9999, flags: 0x8000 })
    const mixed = QUERIES.flatMap((query, id) => (id % 3 === 0 ? [response, query] : [query]))
    expect(await askAll(port, mixed, COUNT)).toEqual(ALL)
  })

  test.each([
    ['the system takes a part of each batch', { count: 7, code: undefined }, COUNT],
    ['the buffer is full: dgram sends the rest', { count: -1, code: 'EAGAIN' }, COUNT],
  ])('%s', async (_, { count, code }, answered) => {
    const calls = watched()
    const [, port] = await server({
      systemCalls: {
        ...calls,
        send: (descriptor, headers, all) =>
          count < 0 ? count : calls.send(descriptor, headers, Math.min(all, count)),
        errorCode: () => code ?? calls.errorCode(),
      },
    })
    expect(await askAll(port, QUERIES, answered)).toEqual(ALL)
  })

  test('a link-local client is answered through the interface of its query, even when the buffer was full', async () => {
    const memories: Uint8Array[] = []
    const single: number[] = []
    const calls = watched()
    const systemCalls: SystemCalls = {
      ...calls,
      addressOf(memory) {
        memories.push(memory)
        return calls.addressOf(memory)
      },
      // For loopback, the kernel reports no interface with the address, but accepts one.
      receive(...args) {
        const count = calls.receive(...args)
        const addresses = memories.find(({ length }) => length === 65 * 28)
        for (let i = 1; i <= count; i += 1) addresses?.fill(1, i * 28 + 24, i * 28 + 25)
        return count
      },
      send(descriptor, headers, count) {
        if (count > 1) return -1
        single.push(1)
        return calls.send(descriptor, headers, 1)
      },
      errorCode: () => 'EAGAIN',
    }
    const [, port] = await server({ systemCalls }, '::1')
    expect(await askAll(port, QUERIES, COUNT, '::1')).toEqual(ALL)
    expect(single.length).toBeGreaterThan(64)
  })

  test.each([
    ['IPv4', HOST],
    ['IPv6', '::1'],
  ])('garbage and maximum-size datagrams do not disturb queries, over %s', async (_, host) => {
    const [, port] = await server({ systemCalls: watched() }, host)
    const large = Buffer.alloc(65_507, 0xc0)
    const largeQuery = Buffer.concat([queryOf('h1.example.com', { id: 777 }), large]).subarray(0, 65_507)
    const mixed = QUERIES.flatMap((query, id) => [
      query,
      Buffer.from(query.subarray(0, id % query.length)).fill(0x80, 2),
      Buffer.alloc(id, id | 0x80),
      ...(id % 50 === 0 ? [large, largeQuery] : []),
    ])
    const answers = await askAll(port, mixed, COUNT + 1, host)
    for (const [id, answer] of ALL) expect(answers.get(id)).toBe(answer)
  })

  test('a server that is closed in the middle of a flood stops reading', async () => {
    for (let round = 0; round < 10; round += 1) {
      const systemCalls = watched()
      const [nameserver, port] = await server({ systemCalls })
      const client = await connected(port, HOST)
      client.on('error', () => undefined) // the receiver is closed
      const answered = once(client, 'message')
      for (const query of [...QUERIES, ...QUERIES]) client.send(query)
      await answered
      const closing = nameserver.close()
      const { length } = batches.received
      await closing
      await new Promise(setImmediate)
      expect(batches.received).toHaveLength(length)
    }
  })

  test.each([
    ['each slow: one', 4, 1, 1],
    ['each half as slow: two', 2, 2, 2],
    ['each instant: more', 0, 3, 8],
  ])('before other work, this many batches may run: %s', async (_, batchMillis, least, most) => {
    const calls = watched()
    const inRounds: number[] = []
    let isNewTurn = true
    let elapsed = 0
    const systemCalls: SystemCalls = {
      ...calls,
      receive(...args) {
        const count = calls.receive(...args)
        if (count <= 0) return count
        if (isNewTurn) {
          inRounds.push(0)
          isNewTurn = false
          setImmediate(() => (isNewTurn = true))
        }
        inRounds.push((inRounds.pop() ?? 0) + 1)
        return count
      },
      send(...args) {
        elapsed += batchMillis
        return calls.send(...args)
      },
    }
    const table = createZoneTable()
    table.load(zoneOf('example.com', ''))
    const [log, limits, metrics] = [silentLog, DEFAULT_LIMITS, noMetrics]
    const respond = createResponder({ table, log, limits, metrics })
    const deps = { respond, log, limits, metrics }
    const listener = await listenBatchedUdp({ host: HOST, port: 0 }, deps, systemCalls, () => elapsed)
    open.push(() => listener.close())
    expect((await askAll(listener.port, QUERIES)).size).toBe(COUNT)
    expect(Math.max(...inRounds)).toBeGreaterThanOrEqual(least)
    expect(Math.max(...inRounds)).toBeLessThanOrEqual(most)
  })

  test('a descriptor that dgram rejects is closed once', async () => {
    const closed: number[] = []
    const file = openSync('/dev/null', 'r')
    const calls = watched()
    const systemCalls: SystemCalls = {
      ...calls,
      openUdp: () => file,
      close(descriptor) {
        closed.push(descriptor)
        calls.close(descriptor)
      },
    }
    await expect(server({ systemCalls })).rejects.toThrow('FILE')
    expect(closed).toEqual([file])
  })

  test('if an answer cannot be sent, only that answer is lost', async () => {
    const calls = watched()
    let isFirst = true
    const [, port] = await server({
      systemCalls: {
        ...calls,
        send: (descriptor, headers, count) => {
          if (!isFirst) return calls.send(descriptor, headers, count)
          isFirst = false
          return -1
        },
        errorCode: () => 'EPERM',
      },
    })
    const answers = await askAll(port, QUERIES, COUNT - 1)
    for (const [id, answer] of answers) expect(answer).toBe(answerOf(id))
  })

  test('the asynchronous handler gets each packet as a copy, and each client gets its own answer', async () => {
    const big = Buffer.concat([queryOf('h1.example.com', { id: 5, flags: 0x2800 }), Buffer.alloc(30_000, 1)])
    const lengths: number[] = []
    const [, port] = await server({
      systemCalls: watched(),
      respondLater: (packet) => {
        if (((packet[2] ?? 0) & 0x78) !== 0x28) return undefined
        lengths.push(packet.length)
        const answer = Uint8Array.from(packet.subarray(0, 12))
        answer[2] = 0xa8
        answer.fill(0, 4, 12)
        return new Promise((resolve) => setImmediate(() => resolve(answer)))
      },
    })
    const updates = [1000, 1001, 1002].map((id) => queryOf('example.com SOA', { id, flags: 0x2800 }))
    const answers = await Promise.all([
      askAll(port, [...QUERIES, ...updates]),
      askAll(port, [...QUERIES.slice(0, 20), big], 20),
    ])
    expect(answers[0].size).toBe(COUNT + 3)
    expect(answers[0].get(1001)).toBe('0')
    expect(lengths).toContain(big.length)
  })

  test('messages that are more than a question go to the exchange as copies', async () => {
    const remaining: Uint8Array[] = []
    const [, port] = await server({
      systemCalls: watched(),
      messageHandler: () => ({
        answer(message) {
          remaining.push(message)
          const answer = Uint8Array.from(message)
          answer[2] = 0xa0
          return answer
        },
      }),
    })
    const notifies = QUERIES.map((_, id) =>
      queryOf(`h${id}.example.com SOA`, { id: id + 2000, flags: 0x2000 }),
    )
    const answers = await askAll(port, [...QUERIES, ...notifies])
    expect(answers.size).toBe(2 * COUNT)
    expect(new Set(remaining.map((message) => decodeMessage(message).id)).size).toBe(COUNT)
  })

  test('no other socket can bind the port, and the port is free after closing', async () => {
    const [nameserver, port] = await server({ systemCalls: watched() })
    const other = createSocket({ type: 'udp4', reuseAddr: true })
    other.bind(port, HOST)
    const [error] = (await once(other, 'error')) as [NodeJS.ErrnoException] // dgram emits one error with 'error'
    expect(error.code).toBe('EADDRINUSE')
    other.close()
    await nameserver.close()
    const next = createSocket('udp4').bind(port, HOST)
    open.push(() => void next.close())
    await once(next, 'listening')
    expect(next.address().port).toBe(port)
  })
})

function notes(list: number[], count: number): number {
  list.push(count)
  return count
}
