// Limits of connections that count in all threads together, over real sockets: two listeners share the counts as two
// threads do.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import * as fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { zoneOf, queryOf } from './asking.cases.ts'
import { ConnectionCounts, connectionCountsMemory } from './connection-counts.ts'
import { createZoneTable, DEFAULT_LIMITS, type NameserverLimits } from './index.ts'
import { noMetrics } from './metrics.ts'
import { createResponder } from './responder.ts'
import { silentLog } from './silent-log.cases.ts'
import { listenTcp } from './tcp.ts'
import { shareConnections } from './thread-connections.ts'

const HOST = '127.0.0.1'
const open: { close(): unknown }[] = []
let channels = 0

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

/** Two listeners at ports of their own, whose connections count together. */
async function startTwo(limits: Partial<NameserverLimits>) {
  const table = createZoneTable()
  table.load(zoneOf('example.com', 'www 300 A 192.0.2.1'))
  const memory = connectionCountsMemory(2)
  const channel = `test-${(channels += 1)}`
  const dropped: string[] = []
  const metrics = {
    ...noMetrics,
    countDropped: (transport: string, reason: string) => void dropped.push(`${transport} ${reason}`),
  }
  const deps = { table, log: silentLog, limits: { ...DEFAULT_LIMITS, ...limits }, metrics }
  const ports: number[] = []
  for (const row of [0, 1]) {
    const connections = shareConnections({ memory, seed: 7, channel }, row)
    const respond = createResponder(deps)
    const listener = await listenTcp({ host: HOST, port: 0 }, { ...deps, respond, connections })
    open.push(listener)
    ports.push(listener.port)
  }
  return { ports, dropped, counts: new ConnectionCounts(memory, 0, 7) }
}

async function dial(port = 0): Promise<Socket> {
  const socket = connect(port, HOST)
  open.push({ close: () => socket.destroy() })
  await once(socket, 'connect')
  return socket
}

/** Whether the connection answers; false if the server closes it. */
async function answers(socket: Socket): Promise<boolean> {
  const query = queryOf('www.example.com A')
  socket.write(Buffer.from([0, query.length, ...query]))
  return new Promise((resolve) => {
    socket.once('data', () => resolve(true))
    socket.once('close', () => resolve(false))
    socket.once('error', () => resolve(false))
  })
}

test('an address is limited across threads, and a closed connection frees its place in the other thread', async () => {
  const { ports, dropped, counts } = await startTwo({ tcpConnectionsPerAddress: 2 })
  const first = await dial(ports[0])
  expect([await answers(first), await answers(await dial(ports[1]))]).toEqual([true, true])
  expect(await answers(await dial(ports[1]))).toBe(false)
  expect(dropped).toEqual(['tcp connections'])
  first.destroy()
  while (counts.total('tcp') > 1) await new Promise((resolve) => setImmediate(resolve))
  expect(await answers(await dial(ports[1]))).toBe(true)
})

test('a connection above the limit replaces an idle one of the thread that has most', async () => {
  const { ports, dropped } = await startTwo({ tcpConnections: 3 })
  const idle = [await dial(ports[0]), await dial(ports[0]), await dial(ports[0])]
  for (const socket of idle) expect(await answers(socket)).toBe(true)
  const [longest] = idle
  const closed = longest && once(longest, 'close')
  const socket = await dial(ports[1])
  expect(await answers(socket)).toBe(true)
  await closed
  expect(dropped).toEqual(['tcp evicted'])
  expect(await answers(socket)).toBe(true)
})

test('counts equal those of a table by address, after any history, and those of a thread can be removed', () => {
  const transport = fc.constantFrom('tcp', 'tls', 'https')
  const step = fc.record({ row: fc.nat(2), transport, address: fc.constantFrom('192.0.2.1', '::1', '') })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(2), (steps, dead) => {
      const memory = connectionCountsMemory(3)
      const rows = [0, 1, 2].map((row) => new ConnectionCounts(memory, row, 1))
      const opened: typeof steps = []
      for (const [i, one] of steps.entries()) {
        const again = opened.findIndex((known) => JSON.stringify(known) === JSON.stringify(one))
        const isClosing = i % 3 === 2 && again !== -1
        if (isClosing) opened.splice(again, 1)
        else opened.push(one)
        rows[one.row]?.add(one.transport, one.address, isClosing ? -1 : 1)
      }
      const check = (left: typeof steps): void => {
        for (const { transport: of, address } of steps) {
          const ofTransport = left.filter((one) => one.transport === of)
          expect(rows[0]?.total(of)).toBe(ofTransport.length)
          expect(rows[0]?.ofAddress(of, address)).toBe(
            ofTransport.filter((one) => one.address === address).length,
          )
        }
      }
      check(opened)
      rows[0]?.clear(dead)
      check(opened.filter(({ row }) => row !== dead))
    }),
  )
})
