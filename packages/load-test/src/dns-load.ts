// DNS queries over UDP at a rate, from one socket. Each answer is compared with its query: its name, NOERROR, and
// an authoritative answer or the referral of a delegated name.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import {
  CLASS,
  decodeMessage,
  encodeMessage,
  isAtOrBelow,
  type Name,
  parseName,
  plainMessage,
  RCODE,
  requireTypeCode,
  uint16At,
} from '@zonereeve/dns'
import { type Latencies, latenciesOf } from './latencies.ts'

const NS = requireTypeCode('NS')

export interface DnsQuestion {
  readonly name: string
  readonly type: string
}

export interface DnsLoad {
  readonly host: string
  readonly port: number
  /** Whose names are asked: a referral counts as an answer if it is to names below it. */
  readonly zone: string
  /** Asked in turn; at least one. */
  readonly questions: readonly DnsQuestion[]
  /** Queries a second. */
  readonly rate: number
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
}

export interface DnsLoadResult {
  readonly sent: number
  readonly answered: number
  /** Without an answer up to five seconds after the last query, or before the number of the query was used again, after 65,536 others. */
  readonly lost: number
  /**
   * Answers that were not NOERROR, by response code; `not authoritative` for those that are no referral of a delegated name of
   * the zone either; `other` for those of another question.
   */
  readonly wrong: Readonly<Record<string, number>>
  readonly perSecond: number
  readonly latencies: Latencies
}

const TICK_MILLIS = 5
/**
 * Queries that are late, because this process had to wait, are sent with at most so many times the rate: all at once, they would be
 * lost in the buffers of both sockets, which says nothing about the nameserver.
 */
const MAX_CATCHING_UP = 4
/** After so many times its seconds, a run that cannot keep its rate ends. */
const MAX_LATE = 2
const RECEIVE_BUFFER_OCTETS = 4_194_304
const LAST_ANSWERS_MILLIS = 5_000
const MILLIS = 1_000
const IDS = 65_536
const UDP_PAYLOAD_OCTETS = 1232

interface Pending {
  readonly sentAt: number
  readonly name: Name
}

/** @throws Error: a name or type is none, or the system's error if nothing can be sent. */
export async function loadDns({
  host,
  port,
  zone,
  questions,
  rate,
  seconds,
  signal,
}: DnsLoad): Promise<DnsLoadResult> {
  const packets = questions.map(packetOf)
  const apex = parseName(zone)
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  let failure: Error | undefined
  socket.on('error', (error) => (failure ??= error))
  socket.connect(port, host)
  try {
    await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  } catch (error) {
    socket.close() // an unknown host, for example
    throw error
  }
  enlargeBuffer(socket)
  const pending = new Map<number, Pending>()
  const millis: number[] = []
  const wrong: Record<string, number> = {}
  let [sent, answered] = [0, 0]
  socket.on('message', (message) => {
    const asked = pending.get(uint16At(message, 0))
    if (asked === undefined) return
    pending.delete(uint16At(message, 0))
    answered += 1
    millis.push(performance.now() - asked.sentAt)
    const fault = faultOf(message, asked.name, apex)
    if (fault !== undefined) wrong[fault] = (wrong[fault] ?? 0) + 1 // none yet
  })
  const began = performance.now()
  const elapsedMillis = (): number => performance.now() - began
  const total = Math.ceil(rate * seconds)
  const isEnded = (): boolean => failure !== undefined || signal?.aborted === true
  const maxPerTick = Math.ceil((rate / MILLIS) * TICK_MILLIS * MAX_CATCHING_UP)
  for (;;) {
    const due = Math.min(total, Math.floor((elapsedMillis() / MILLIS) * rate))
    for (const end = Math.min(due, sent + maxPerTick); sent < end; sent += 1) send(socket, sent)
    if (sent === total || isEnded() || elapsedMillis() > MAX_LATE * seconds * MILLIS) break
    await new Promise((resolve) => setTimeout(resolve, TICK_MILLIS))
  }
  const took = elapsedMillis() / MILLIS
  const until = performance.now() + LAST_ANSWERS_MILLIS
  while (pending.size > 0 && performance.now() < until && !isEnded())
    await new Promise((resolve) => setTimeout(resolve, TICK_MILLIS))
  socket.close()
  if (failure !== undefined) throw failure
  return {
    sent,
    answered,
    lost: sent - answered,
    wrong,
    perSecond: Math.round(answered / took),
    latencies: latenciesOf(millis),
  }

  function send(from: Socket, number: number): void {
    const packet = packets[number % packets.length]
    if (packet === undefined) throw new Error('there are no questions')
    const id = number % IDS
    const message = Buffer.from(packet.octets)
    message.writeUInt16BE(id)
    // An old query with this number was lost.
    pending.set(id, { sentAt: performance.now(), name: packet.name })
    from.send(message, (error) => (failure ??= error ?? undefined))
  }
}

function packetOf({ name, type }: DnsQuestion) {
  const parsed = parseName(name)
  const octets = encodeMessage(
    plainMessage({
      id: 0,
      questions: [{ name: parsed, type: requireTypeCode(type), class: CLASS.IN }],
      edns: { udpPayloadSize: UDP_PAYLOAD_OCTETS, version: 0, dnssecOk: false, options: [] },
    }),
  )
  return { octets, name: parsed }
}

/** Answers that arrive while this process waits would be lost in a small one. Some systems refuse as much. */
function enlargeBuffer(socket: Socket): void {
  try {
    socket.setRecvBufferSize(RECEIVE_BUFFER_OCTETS)
  } catch {
    // It stays as it is.
  }
}

/** What is wrong with an answer; undefined: nothing. */
function faultOf(message: Uint8Array, name: Name, apex: Name): string | undefined {
  try {
    const { rcode, aa, questions, answers, authorities } = decodeMessage(message)
    if (questions[0]?.name !== name) return 'other'
    if (rcode !== RCODE.NOERROR) return `rcode ${rcode}`
    const isCut = (owner: Name): boolean =>
      isAtOrBelow(name, owner) && isAtOrBelow(owner, apex) && owner !== apex
    const isReferral =
      answers.length === 0 && authorities.some((record) => record.type === NS && isCut(record.name))
    return aa || isReferral ? undefined : 'not authoritative'
  } catch {
    return 'other' // not a DNS message
  }
}
