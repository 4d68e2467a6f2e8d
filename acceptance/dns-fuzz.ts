// Sends a million malformed DNS packets: the server still answers queries between them, and its memory stays flat.
import { equal, ok } from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import packet from 'dns-packet'
import { ask } from './dns-client.ts'
import type { Target } from './program.ts'
import type { Report } from './report.ts'

const PACKETS = 1_000_000
/** Packets between two queries that must be answered: their answers fit in the receive buffer of a socket that waits. */
const BURST = 50
/** Bursts until heap and buffers reach a stable size. */
const WARM_UP_BURSTS = 4_000
/** Each thread has a heap of its own, with garbage until its next full collection. A leak of 200 octets a packet is more. */
const MAX_GROWTH_OCTETS = 144 * 1_048_576
const MAX_PACKET_OCTETS = 1_500
const ANSWER_TIMEOUT_MS = 2_000
const ATTEMPTS = 5
const SEED = 20_260_105
const MARKER = 'fuzz.invalid'

/** TYPEs, opcodes and options that reach every part of the server. */
const SEEDS: readonly Buffer[] = [
  query('A', {}),
  query('ANY', {}),
  query('SOA', { additionals: [edns([{ code: 'COOKIE', data: Buffer.alloc(24, 7) }])] }),
  query('TXT', { additionals: [edns([{ code: 'NSID', data: Buffer.alloc(0) }])] }),
  query('DNSKEY', { additionals: [edns([{ code: 'PADDING', length: 8 }])] }),
  query('AXFR', {}),
  query('IXFR', { additionals: [signature()] }),
  query('SOA', { flags: 4 << 11 }),
  query('SOA', { flags: 5 << 11, additionals: [signature()] }),
  query('A', { flags: packet.RECURSION_DESIRED | packet.CHECKING_DISABLED, additionals: [edns([])] }),
]

export async function runFuzz(target: Target, report: Report): Promise<void> {
  await report.check(
    `${PACKETS} mutated packets: queries between them are answered, memory stays flat`,
    async () => {
      const socket = createSocket(target.dns.host.includes(':') ? 'udp6' : 'udp4')
      socket.connect(target.dns.port, target.dns.host)
      await once(socket, 'connect')
      socket.on('error', () => {}) // a refused packet shows up as a query without an answer
      try {
        const random = createRandom(SEED)
        let begun = 0
        for (let burst = 0; burst < PACKETS / BURST; burst += 1) {
          if (burst === WARM_UP_BURSTS) begun = await residentOctets(target)
          for (let i = 0; i < BURST; i += 1) socket.send(mutated(random))
          await answered(socket, burst & 0xffff)
        }
        const grown = (await residentOctets(target)) - begun
        ok(grown < MAX_GROWTH_OCTETS, `${grown} octets more than after ${WARM_UP_BURSTS * BURST} packets`)
      } finally {
        socket.close()
      }
      equal((await ask(target.dns, MARKER, 'A')).rcode, 'REFUSED')
    },
  )
}

/** Queries a name that is in no zone, and repeats the query if packets are lost. @throws if there is no answer */
async function answered(socket: Socket, id: number): Promise<void> {
  const question = packet.encode({ type: 'query', id, questions: [{ type: 'A', name: MARKER }] })
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const isAnswered = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => done(false), ANSWER_TIMEOUT_MS)
      const done = (result: boolean): void => {
        clearTimeout(timer)
        socket.off('message', look)
        resolve(result)
      }
      // Answers to mutated packets have other names, or no question.
      const look = (message: Buffer): void => {
        if (message.readUInt16BE() === id && message.subarray(12).equals(question.subarray(12))) done(true)
      }
      socket.on('message', look)
      socket.send(question)
    })
    if (isAnswered) return
  }
  throw new Error(`no answer to question ${id}`)
}

/** A seed with octets changed, cut, duplicated or added. */
function mutated(random: (below: number) => number): Buffer {
  let octets = Buffer.from(SEEDS[random(SEEDS.length)] ?? Buffer.alloc(12))
  for (let times = 1 + random(4); times > 0; times -= 1) {
    const at = random(octets.length + 1)
    switch (random(6)) {
      case 0:
        octets = octets.subarray(0, at)
        break
      case 1:
        octets = Buffer.concat([octets, octets.subarray(at)])
        break
      case 2:
        octets = Buffer.concat([octets.subarray(0, at), Buffer.from([0xc0, random(64)]), octets.subarray(at)])
        break
      case 3:
        octets = Buffer.concat([octets, Buffer.alloc(random(64), random(256))])
        break
      default:
        if (at < octets.length) octets[at] = random(256)
    }
  }
  return octets.subarray(0, MAX_PACKET_OCTETS)
}

async function residentOctets(target: Target): Promise<number> {
  const headers = { authorization: `Bearer ${target.token}` }
  const text = await (await fetch(`${target.http}/metrics`, { headers })).text()
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1])
}

/** 32-bit xorshift: the same packets in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

function query(type: string, more: object): Buffer {
  const question = { name: 'www.example.com', type, class: 'IN' }
  // The codec can write these types and records, but its TypeScript types do not list all of them.
  return packet.encode({ type: 'query', id: 1, questions: [question], ...more } as unknown as packet.Packet)
}

function edns(options: readonly object[]): object {
  return { type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0, options }
}

/** A TSIG record that is well-formed but not valid. */
function signature(): object {
  return { type: 'UNKNOWN_250', name: 'acme.update', class: 'ANY', ttl: 0, data: Buffer.alloc(64, 3) }
}
