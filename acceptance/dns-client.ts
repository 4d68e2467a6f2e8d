// Queries a nameserver over UDP with a third-party codec, and returns answers as strings to compare.
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import packet, { type Answer, type DecodedPacket, type Packet, type RecordType } from 'dns-packet'

export interface DnsAddress {
  readonly host: string
  readonly port: number
}

export interface DnsReply {
  readonly rcode: string
  readonly authoritative: boolean
  /** "TYPE ttl data" of the answer section, sorted. */
  readonly answers: readonly string[]
  /** The same for the authority section, which has a delegation's NS records. */
  readonly authorities: readonly string[]
}

const REPLY_TIMEOUT_MS = 1000
const ATTEMPTS = 3
/** Keeps below 200 queries per second, where NSD's rate limit truncates or drops answers. */
const BETWEEN_QUESTIONS_MS = 6
/** Generous, because the machine may be busy; the time it took is reported, not checked. */
const PATIENCE_MS = 20_000

export function parseDnsAddress(text: string): DnsAddress {
  const colon = text.lastIndexOf(':')
  return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) }
}

/** One query, repeated if no reply arrives (UDP may lose it), and repeated over TCP if the reply is truncated. */
export async function ask(server: DnsAddress, name: string, type: RecordType): Promise<DnsReply> {
  for (let attempt = 1; ; attempt++) {
    try {
      const reply = await exchange(server, name, type)
      return readReply(reply.flag_tc ? await exchangeByTcp(server, name, type) : reply)
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
  }
}

/** Queries until `accept` returns true; returns the time taken in milliseconds. @throws if the time limit expires. */
export async function askUntil(
  server: DnsAddress,
  name: string,
  type: RecordType,
  accept: (reply: DnsReply) => boolean,
  limitMs = PATIENCE_MS,
): Promise<number> {
  const began = performance.now()
  for (;;) {
    const reply = await ask(server, name, type)
    const waited = performance.now() - began
    if (accept(reply)) return waited
    if (waited > limitMs)
      throw new Error(`${name} ${type} still answers ${JSON.stringify(reply)} after ${limitMs} ms`)
    await sleep(BETWEEN_QUESTIONS_MS)
  }
}

function question(id: number, name: string, type: RecordType): Packet {
  return { type: 'query', id, flags: 0, questions: [{ name, type, class: 'IN' }] }
}

async function exchange(server: DnsAddress, name: string, type: RecordType): Promise<DecodedPacket> {
  const id = Math.floor(Math.random() * 0x10000)
  const query = packet.encode(question(id, name, type))
  const socket = createSocket(server.host.includes(':') ? 'udp6' : 'udp4')
  const timer = new AbortController()
  try {
    return await Promise.race([
      new Promise<DecodedPacket>((resolve, reject) => {
        socket.on('error', reject)
        socket.on('message', (message) => {
          const reply = packet.decode(message)
          if (reply.id === id) resolve(reply)
        })
        socket.send(query, server.port, server.host)
      }),
      sleep(REPLY_TIMEOUT_MS, undefined, { signal: timer.signal }).then(() => {
        throw new Error(`no reply to ${name} ${type} within ${REPLY_TIMEOUT_MS} ms`)
      }),
    ])
  } finally {
    timer.abort()
    socket.close()
  }
}

async function exchangeByTcp(server: DnsAddress, name: string, type: RecordType): Promise<DecodedPacket> {
  const socket = connect(server.port, server.host)
  const timer = setTimeout(() => socket.destroy(new Error('no reply over TCP')), REPLY_TIMEOUT_MS)
  try {
    socket.end(packet.streamEncode(question(1, name, type)))
    const parts: Buffer[] = []
    for await (const part of socket) parts.push(part as Buffer)
    return packet.decode(Buffer.concat(parts).subarray(2))
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

function readReply(reply: DecodedPacket): DnsReply {
  const asText = (records: readonly Answer[] | undefined): string[] =>
    (records ?? [])
      .filter((record) => record.type !== 'OPT')
      .map(recordText)
      .toSorted()
  return {
    // The codec decodes `rcode`, but its types do not have it.
    rcode: (reply as DecodedPacket & { rcode: string }).rcode,
    authoritative: reply.flag_aa,
    answers: asText(reply.answers),
    authorities: asText(reply.authorities),
  }
}

function recordText(record: Answer): string {
  if (record.type === 'OPT') return 'OPT'
  const ttl = 'ttl' in record ? record.ttl : 0
  return `${record.type} ${ttl} ${dataText(record)}`
}

function dataText(record: Answer): string {
  switch (record.type) {
    case 'MX':
      return `${record.data.preference} ${record.data.exchange}`
    case 'SRV':
      return `${record.data.priority} ${record.data.weight} ${record.data.port} ${record.data.target}`
    case 'CAA':
      return `${record.data.flags} ${record.data.tag} "${record.data.value}"`
    case 'TXT':
      return [record.data].flat().map(String).join('')
    case 'SOA':
      return `${record.data.mname} ${record.data.rname} ${record.data.serial}`
    default:
      return 'data' in record ? String(record.data) : ''
  }
}
