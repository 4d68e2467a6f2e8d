// The query log over real sockets: what a line says, which answers have one, sampling, and its limit.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type Name, parseName } from '@zonereeve/dns'
import * as dnsPacket from 'dns-packet'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { zoneOf } from './asking.cases.ts'
import { createNameserver, createZoneTable, findSystemCalls, type Nameserver } from './index.ts'
import { MAX_LINES_PER_SECOND, type QueryLogSettings } from './query-log.ts'
import { silentLog } from './silent-log.cases.ts'

const ZONE = zoneOf(
  'example.com',
  `
  www  300 A     192.0.2.1
  new  300 CNAME www
  `,
)
const { calls } = await findSystemCalls()

let server: Nameserver | undefined
let lines: Record<string, unknown>[]
/** Stands still unless a test moves it. */
let time = 0
beforeEach(() => void (lines = []))
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function start(queryLog: QueryLogSettings | undefined, systemCalls?: typeof calls): Promise<number> {
  const table = createZoneTable()
  table.load(ZONE)
  const info = (fields: object, event: string): void => {
    if (event === 'dns query') lines.push(fields as Record<string, unknown>)
  }
  const log = { ...silentLog, info }
  server = createNameserver({ table, log, queryLog, now: () => time, systemCalls })
  return (await server.listen({ host: '127.0.0.1', port: 0 })).port
}

const settings = (given: Partial<QueryLogSettings> = {}): QueryLogSettings => ({
  every: 1,
  names: [],
  rcodes: [],
  ...given,
})
const question = (name: string, type = 'A', id = 7): Buffer =>
  dnsPacket.encode({ type: 'query', id, questions: [{ type: type as 'A', name }] })

/** Sends questions over UDP, one after the other, and waits for each answer. */
async function ask(port: number, ...packets: readonly Buffer[]): Promise<void> {
  const socket = createSocket('udp4')
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  for (const packet of packets) {
    socket.send(packet)
    await once(socket, 'message')
  }
  socket.close()
}

test('is off by default', async () => {
  const port = await start(undefined)
  await ask(port, question('www.example.com'))
  expect(lines).toEqual([])
})

describe.each([['dgram', undefined] as const, ...(calls ? [['batched', calls] as const] : [])])(
  'over %s',
  (_, systemCalls) => {
    test('has one line for each answer, from the fast path, the full path and the cache', async () => {
      const port = await start(settings(), systemCalls)
      const alias = question('NEW.example.com')
      await ask(port, question('www.example.com'), alias, alias, alias, question('x.example.com', 'TXT'))
      await ask(port, question('example.org'), Buffer.alloc(12))
      const common = { client: '127.0.0.1', transport: 'udp' }
      expect(lines).toMatchObject([
        { ...common, name: 'www.example.com', type: 'A', rcode: 'NOERROR', octets: 49 },
        ...[1, 2, 3].map(() => ({ ...common, name: 'new.example.com', type: 'A', rcode: 'NOERROR' })),
        { ...common, name: 'x.example.com', type: 'TXT', rcode: 'NXDOMAIN' },
        { ...common, name: 'example.org', rcode: 'REFUSED' },
        { ...common, rcode: 'FORMERR', octets: 12 },
      ])
      expect(lines.at(-1)).not.toHaveProperty('name')
    })
  },
)

test('has answers over TCP', async () => {
  const port = await start(settings())
  const socket = connect(port, '127.0.0.1')
  const packet = question('www.example.com')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(packet.length)
  socket.write(Buffer.concat([length, packet]))
  await once(socket, 'data')
  socket.destroy()
  expect(lines).toMatchObject([{ transport: 'tcp', name: 'www.example.com' }])
})

test.each<[string, Partial<QueryLogSettings>, string[]]>([
  ['every second answer', { every: 2 }, ['x.example.com', 'example.org']],
  ['names', { names: [parseName('www.example.com')] }, ['www.example.com', 'a.www.example.com']],
  [
    'the root',
    { names: ['.' as Name] },
    ['www.example.com', 'x.example.com', 'a.www.example.com', 'example.org'],
  ],
  ['response codes', { rcodes: ['REFUSED'] }, ['example.org']],
  ['both', { rcodes: ['NXDOMAIN'], names: [parseName('www.example.com')] }, ['a.www.example.com']],
  [
    'every second of those that pass',
    { every: 2, names: [parseName('www.example.com')] },
    ['a.www.example.com'],
  ],
  ['no name that only ends alike', { names: [parseName('ww.example.com')] }, []],
])('%s', async (_, given, expected) => {
  const port = await start(settings(given))
  const names = ['www.example.com', 'x.example.com', 'a.www.example.com', 'example.org']
  await ask(port, ...names.map((name) => question(name)))
  expect(lines.map(({ name }) => name)).toEqual(expected)
})

test('names cannot break a line or a terminal', async () => {
  const port = await start(settings())
  const packet = question('a.b.example.com')
  packet[13] = 0x0a // the first character of the name
  packet[15] = 0x1b
  await ask(port, packet)
  expect(lines[0]?.['name']).toBe('\\010.\\027.example.com')
})

test('stops at its limit, and says how much it left out', async () => {
  const port = await start(settings())
  const packet = question('www.example.com')
  const count = MAX_LINES_PER_SECOND + 10
  await ask(port, ...Array.from({ length: count }, () => packet))
  expect(lines).toHaveLength(MAX_LINES_PER_SECOND)
  expect(lines.some((line) => 'omitted' in line)).toBe(false)
  time += 1_000
  await ask(port, packet, packet)
  expect(lines.slice(MAX_LINES_PER_SECOND).map((line) => line['omitted'])).toEqual([10, undefined])
})
