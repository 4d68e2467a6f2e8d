// For tests: a nameserver with transfers over real sockets, and a client that reads complete answers.
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import {
  CLASS,
  createTsigSigner,
  createTsigVerifier,
  decodeMessage,
  encodeMessage,
  encodeRdata,
  octetsFromLatin1,
  OPCODE,
  parseName,
  plainMessage,
  rdataTextByCode,
  typeCode,
  typeText,
  type Edns,
  type Message,
  type TsigKey,
} from '@zonereeve/dns'
import {
  createNameserver,
  createOutgoing,
  createTransferPolicies,
  createZoneTable,
  type NameserverMetrics,
  type ZoneTable,
} from '@zonereeve/nameserver'
import { type Log, manualClock } from '@zonereeve/platform'
import { createMessageHandler } from './message-handler.ts'
import { hmac } from './hmac.ts'
import { createPeersProgress } from './peer-progress.ts'

export const HOST = '127.0.0.1'
export const NOW = Date.parse('2026-01-05T10:20:30Z')
export const KEY: TsigKey = {
  name: parseName('xfr-key'),
  algorithm: 'hmac-sha256',
  secret: octetsFromLatin1('0123456789abcdef0123456789abcdef'),
}

export interface Asked {
  readonly name: string
  readonly type: string
  /** The serial that an IXFR starts from. */
  readonly serial?: number
  readonly key?: TsigKey
  readonly edns?: Edns
  readonly opcode?: number
  /** Seconds by which the client's clock is ahead. */
  readonly aheadSeconds?: number
}

export function requestOf(asked: Asked): Message {
  const name = parseName(asked.name)
  const soa = {
    mname: name,
    rname: name,
    serial: asked.serial ?? 0,
    refresh: 1,
    retry: 1,
    expire: 1,
    minimum: 1,
  }
  const record = { name, type: 6, class: CLASS.IN, ttl: 0, rdata: encodeRdata('SOA', soa) }
  const opcode = asked.opcode ?? OPCODE.QUERY
  return plainMessage({
    id: 4711,
    opcode,
    questions: [{ name, type: typeCode(asked.type) ?? 0, class: CLASS.IN }],
    authorities: asked.serial === undefined ? [] : [record],
    ...(asked.edns === undefined ? {} : { edns: asked.edns }),
  })
}

function signedRequest(asked: Asked): { readonly octets: Uint8Array; readonly mac: Uint8Array } {
  const message = encodeMessage(requestOf(asked))
  if (asked.key === undefined) return { octets: message, mac: new Uint8Array(0) }
  const signer = createTsigSigner(asked.key, { hmac })
  const octets = signer.sign(message, NOW / 1000 + (asked.aheadSeconds ?? 0))
  return { octets, mac: signer.mac }
}

export interface Answer {
  readonly messages: readonly Message[]
  /** `name ttl type rdata` of all answers, in order. */
  readonly records: readonly string[]
  readonly rcode: number
  /** Whether every message had a valid signature with the key of the request. */
  readonly isSigned: boolean
}

function answerOf(asked: Asked, mac: Uint8Array, octets: readonly Uint8Array[]): Answer {
  const messages = octets.map(decodeMessage)
  const verifier = createTsigVerifier(asked.key ?? KEY, { hmac, requestMac: mac })
  const faults = octets.map((message) => verifier.take(message, NOW / 1000))
  return {
    messages,
    records: messages.flatMap(({ answers }) =>
      answers.map(
        ({ name, ttl, type, rdata }) => `${name} ${ttl} ${typeText(type)} ${rdataTextByCode(type, rdata)}`,
      ),
    ),
    rcode: messages[0]?.rcode ?? -1,
    isSigned: verifier.isSettled && faults.every((fault) => fault === undefined),
  }
}

export async function askUdp(port: number, asked: Asked): Promise<Answer> {
  const { octets, mac } = signedRequest(asked)
  const socket = createSocket('udp4')
  try {
    const reply = await new Promise<Uint8Array>((resolve, reject) => {
      socket.on('error', reject)
      socket.on('message', resolve)
      socket.send(octets, port, HOST)
    })
    return answerOf(asked, mac, [reply])
  } finally {
    socket.close()
  }
}

/** Reads until the server closes: the client half-closes the connection after its query. */
export async function askTcp(port: number, asked: Asked): Promise<Answer> {
  const { octets, mac } = signedRequest(asked)
  const chunks: Buffer[] = []
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host: HOST, port, allowHalfOpen: true }, () => {
      socket.end(Buffer.concat([Buffer.of(octets.length >> 8, octets.length & 0xff), octets]))
    })
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('end', () => resolve())
    socket.on('error', reject)
  })
  return answerOf(asked, mac, framed(Buffer.concat(chunks)))
}

function framed(all: Buffer): Uint8Array[] {
  const messages: Uint8Array[] = []
  for (let at = 0; at < all.length;) {
    const end = at + 2 + all.readUInt16BE(at)
    messages.push(new Uint8Array(all.subarray(at + 2, end)))
    at = end
  }
  return messages
}

export interface Logged {
  readonly level: keyof Log
  readonly event: string
  readonly fields: object
}

export function logInto(logged: Logged[]): Log {
  const noteAt =
    (level: keyof Log) =>
    (fields: object, event: string): void =>
      void logged.push({ level, event, fields })
  return { debug: noteAt('debug'), info: noteAt('info'), warn: noteAt('warn'), error: noteAt('error') }
}

export async function startTransfers(fill: (table: ZoneTable) => void) {
  const logged: Logged[] = []
  const log = logInto(logged)
  /** "TRANSPORT RCODE ZONE" of each answer, as counted in the metrics. */
  const counted: string[] = []
  const metrics: NameserverMetrics = {
    countQuery: (transport, rcode, zone) => void counted.push(`${transport} ${rcode} ${zone?.name ?? '-'}`),
    countDropped() {},
  }
  const table = createZoneTable()
  const policies = createTransferPolicies()
  const stepped: string[] = []
  const outgoing = createOutgoing({
    table,
    stepped: (zoneId) => void stepped.push(zoneId),
    announced() {},
    log,
  })
  fill(table)
  policies.setKeys({ accountId: 'account', keys: [KEY] })
  const clock = manualClock(NOW)
  const progress = createPeersProgress({ table, policies, clock })
  const { recordRequest: requested } = progress
  /** When secondary zones expire, in milliseconds since 1970. */
  const expiries = new Map<string, number>()
  const expiresAtMillis = (zoneId: string): number | undefined => expiries.get(zoneId)
  const nameserver = createNameserver({
    table,
    log,
    metrics,
    messageHandler: (respond) =>
      createMessageHandler(
        { table, policies, outgoing, clock, log, metrics, expiresAtMillis, requested },
        respond,
      ),
  })
  const { port } = await nameserver.listen({ host: HOST, port: 0 })
  const close = (): Promise<void> => nameserver.close()
  return { table, policies, progress, outgoing, stepped, logged, counted, clock, expiries, port, close }
}

export type Transfers = Awaited<ReturnType<typeof startTransfers>>
