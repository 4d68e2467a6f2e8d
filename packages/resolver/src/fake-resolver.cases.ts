// A recursive nameserver on loopback with scripted answers, over UDP and TCP on one port.
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { createServer, type Server as TcpServer, type Socket } from 'node:net'
import {
  decodeMessage,
  encodeMessage,
  encodeRdata,
  isTypeName,
  parseName,
  rdataFromText,
  typeCode,
  typeText,
  type Message,
  type Name,
  type ResourceRecord,
} from '@zonereeve/dns'

export interface FakeQuery {
  readonly message: Message
  readonly packet: Uint8Array
  /** "NAME TYPE", with the name in lower case. */
  readonly text: string
  readonly transport: 'udp' | 'tcp'
}

/** The packets to send back, in order; an empty list = no answer. */
export type FakeAnswers = (query: FakeQuery) => readonly Uint8Array[]

export interface FakeResolver {
  readonly host: string
  readonly port: number
  /** "udp NAME TYPE" of each query, in order. */
  readonly asked: string[]
  /** UDP source ports of the queries. */
  readonly ports: Set<number>
  answer: FakeAnswers
  close(): Promise<void>
}

const HOST = '127.0.0.1'

export async function startFakeResolver(answer: FakeAnswers): Promise<FakeResolver> {
  const connections = new Set<Socket>()
  const tcp = createServer((socket) => serveTcp(socket))
  const udp = createSocket('udp4')
  const port = await bindBoth(tcp, udp)
  const fake: FakeResolver = { host: HOST, port, asked: [], ports: new Set(), answer, close }
  udp.on('message', (packet, { address, port: from }) => {
    fake.ports.add(from)
    for (const reply of respond(packet, 'udp')) udp.send(reply, from, address)
  })
  return fake

  function respond(packet: Uint8Array, transport: 'udp' | 'tcp'): readonly Uint8Array[] {
    const message = decodeMessage(packet)
    const [question] = message.questions
    const text = `${question?.name} ${typeText(question?.type ?? 0)}`
    fake.asked.push(`${transport} ${text}`)
    return fake.answer({ message, packet, text, transport })
  }

  function serveTcp(socket: Socket): void {
    connections.add(socket)
    socket.on('error', () => {}) // the client may disconnect at any time
    socket.on('data', (frame: Buffer) => {
      for (const reply of respond(frame.subarray(2), 'tcp')) {
        const length = Buffer.alloc(2)
        length.writeUInt16BE(reply.length)
        socket.write(Buffer.concat([length, reply]))
      }
    })
  }

  async function close(): Promise<void> {
    for (const socket of connections) socket.destroy()
    await Promise.all([
      new Promise<void>((done) => tcp.close(() => done())),
      new Promise<void>((done) => udp.close(() => done())),
    ])
  }
}

async function bindBoth(tcp: TcpServer, udp: UdpSocket): Promise<number> {
  await new Promise<void>((done) => tcp.listen(0, HOST, () => done()))
  const address = tcp.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  await new Promise<void>((done, fail) => udp.once('error', fail).bind(port, HOST, () => done()))
  return port
}

/**
 * Builds the response to a query from "NAME TTL TYPE VALUE" lines; `soa` seconds make it a cacheable negative
 * answer.
 */
export function replyTo(
  { packet, message }: FakeQuery,
  lines: readonly string[],
  { rcode = 0, soa, ...flags }: Partial<Message> & { readonly soa?: number } = {},
): Uint8Array {
  const { edns: _, ...plain } = message
  const reply = encodeMessage({
    ...plain,
    qr: true,
    ra: true,
    rcode,
    answers: lines.map(recordOf),
    authorities: soa === undefined ? [] : [soaRecord(soa)],
    additionals: [],
    ...flags,
  })
  reply.set(packet.subarray(12, 12 + questionOctets(packet)), 12) // the question in its original case
  return reply
}

export function questionOctets(packet: Uint8Array): number {
  let at = 12
  while ((packet[at] ?? 0) !== 0) at += 1 + (packet[at] ?? 0)
  return at + 5 - 12
}

/**
 * Answers "NAME TYPE" from a table; names that are not in it do not exist.
 * Values: record lines, or a response code.
 */
export function fromTable(table: Readonly<Record<string, readonly string[] | number>>): FakeAnswers {
  return (query) => {
    const found = table[query.text]
    if (typeof found === 'number') return [replyTo(query, [], { rcode: found })]
    if (found !== undefined) return [replyTo(query, found, found.length === 0 ? { soa: 60 } : {})]
    const [name] = query.text.split(' ')
    const exists = Object.keys(table).some((key) => key.startsWith(`${name} `))
    return [replyTo(query, [], { rcode: exists ? 0 : 3, soa: 60 })]
  }
}

export const silence: FakeAnswers = () => []

function recordOf(line: string): ResourceRecord {
  const [, name = '', ttl, type = '', value = ''] = /^(\S+) (\S+) (\S+) (.*)$/.exec(line) ?? []
  const known = isTypeName(type) ? type : undefined
  if (known === undefined) throw new Error(`no such type: ${line}`)
  const rdata = encodeRdata(known, rdataFromText(known, value))
  return { name: parseName(name), type: typeCode(type) ?? 0, class: 1, ttl: Number(ttl), rdata }
}

function soaRecord(seconds: number): ResourceRecord {
  const name = parseName('test')
  const times = { serial: 1, refresh: 1, retry: 1, expire: 1, minimum: seconds }
  const rdata = encodeRdata('SOA', { mname: name as Name, rname: name, ...times })
  return { name, type: 6, class: 1, ttl: seconds, rdata }
}
