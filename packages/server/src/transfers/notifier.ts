// Tells a zone's peers that its serial has moved, until they say that they have heard it (RFC 1996).
//
// One conversation with a peer about a zone at a time: what moves meanwhile is told in the next one, so that a hundred
// changes in a second do not become a hundred packets.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import {
  createTsigSigner,
  createTsigVerifier,
  decodeMessage,
  encodeMessage,
  nameFromWire,
  OPCODE,
  plainMessage,
  type Message,
  type Name,
  type TsigVerifier,
} from '@zonereeve/dns'
import { RDATA_OFFSET, TYPE, type Zone, type ZoneTable } from '../nameserver/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { hmac } from './hmac.ts'
import type { TransferPeer, TransferPolicies } from './policy.ts'

/** Changes that come within this time are told together. */
const GATHER_MILLIS = 20
/** Time until a notification is sent again; the last entry is how long the last one is waited for (RFC 1996 §3.6). */
const RETRY_MILLIS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 15_000]

export interface NotifierDeps {
  readonly table: ZoneTable
  readonly policies: Pick<TransferPolicies, 'zone'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly retryMillis?: readonly number[]
}

export interface Notifier {
  /** Tells the peers of a zone of its serial, soon. */
  notify(zoneId: string): void
  close(): void
}

interface Conversation {
  isStale: boolean
  end: () => void
}

export function createNotifier({
  table,
  policies,
  clock,
  log,
  retryMillis = RETRY_MILLIS,
}: NotifierDeps): Notifier {
  const gathering = new Map<string, NodeJS.Timeout>()
  const conversations = new Map<string, Conversation>()
  let isClosed = false

  return { notify, close }

  function notify(zoneId: string): void {
    if (isClosed || gathering.has(zoneId) || policies.zone(zoneId) === undefined) return
    gathering.set(
      zoneId,
      setTimeout(() => {
        gathering.delete(zoneId)
        for (const peer of policies.zone(zoneId)?.peers ?? []) tell(zoneId, peer)
      }, GATHER_MILLIS),
    )
  }

  function close(): void {
    isClosed = true
    for (const timer of gathering.values()) clearTimeout(timer)
    for (const { end } of conversations.values()) end()
  }

  function tell(zoneId: string, peer: TransferPeer): void {
    const zone = table.zone(zoneId)
    if (peer.address === undefined || zone === undefined) return
    const id = `${zoneId} ${peer.id}`
    const running = conversations.get(id)
    if (running !== undefined) {
      running.isStale = true
      return
    }
    const conversation: Conversation = { isStale: false, end: () => {} }
    conversations.set(id, conversation)
    conversation.end = converse({ zone, peer, address: peer.address }, (heard) => {
      conversations.delete(id)
      const about = { zoneId, serial: zone.serial, peer: peer.id, address: peer.address }
      if (heard) log.debug(about, 'notify answered')
      else if (!isClosed) log.warn(about, 'notify not answered')
      if (conversation.isStale && !isClosed) tell(zoneId, peer)
    })
  }

  /** Sends until there is an answer or no retry is left, then calls `done` once. Returns what ends it before. */
  function converse(
    { zone, peer, address }: { zone: Zone; peer: TransferPeer; address: string },
    done: (heard: boolean) => void,
  ): () => void {
    const socket = createSocket({
      type: isIPv6(address) ? 'udp6' : 'udp4',
      lookup: (host, _, found) => found(null, host, isIPv6(host) ? 6 : 4),
    })
    const id = randomInt(0x1_0000)
    const { packet, verifier } = signedNotify(zone, peer, id)
    let attempt = 0
    let timer: NodeJS.Timeout | undefined

    const end = (heard: boolean): void => {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      socket.close()
      done(heard)
    }
    socket.on('message', (reply) => {
      if (isAnswer(reply, id, verifier)) end(true)
    })
    // The peer may be down, and come back before the last retry.
    socket.on('error', (error) => log.debug({ error }, 'notify not sent'))
    send()
    return () => end(false)

    function send(): void {
      const wait = retryMillis[attempt]
      attempt += 1
      if (wait === undefined) return end(false)
      timer = setTimeout(send, wait)
      socket.send(packet, peer.port, address)
    }
  }

  function signedNotify(zone: Zone, { key }: TransferPeer, id: number) {
    const message = encodeMessage(notifyMessage(zone, id))
    if (key === undefined) return { packet: message, verifier: undefined }
    const signer = createTsigSigner(key, { hmac })
    const packet = signer.sign(message, nowSeconds())
    return { packet, verifier: createTsigVerifier(key, { hmac, requestMac: signer.mac }) }
  }

  function isAnswer(reply: Uint8Array, id: number, verifier: TsigVerifier | undefined): boolean {
    try {
      const message = decodeMessage(reply)
      if (!message.qr || message.id !== id || message.opcode !== OPCODE.NOTIFY) return false
      return verifier === undefined || verifier.take(reply, nowSeconds()) === undefined
    } catch (error) {
      // Whatever came, it is not the answer: that may still come, or be asked for again.
      log.debug({ error }, 'notify answer unreadable')
      return false
    }
  }

  function nowSeconds(): number {
    return Math.floor(clock.now() / 1000)
  }
}

/** With the SOA, as a hint (RFC 1996 §3.7). */
function notifyMessage(zone: Zone, id: number): Message {
  const name = apexOf(zone)
  const { wire, ttl } = zone.soa
  const soa = { name, type: TYPE.SOA, class: 1, ttl, rdata: wire.subarray(RDATA_OFFSET) }
  return plainMessage({
    id,
    opcode: OPCODE.NOTIFY,
    aa: true,
    questions: [{ name, type: TYPE.SOA, class: 1 }],
    answers: [soa],
  })
}

function apexOf({ apex }: Zone): Name {
  return nameFromWire(apex.octets.subarray(0, (apex.labelAt[apex.labels] ?? 0) + 1))
}
