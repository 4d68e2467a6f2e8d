// Tells a zone's peers that its serial has moved, until they say that they have heard it (RFC 1996).
//
// One conversation with a peer about a zone at a time, each peer on its own: what moves meanwhile is told in the next packet
// of it, so that a hundred changes in a second do not become a hundred packets.
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
  /** The zone has moved on. */
  renew(): void
  end(): void
}

/** What a peer is to answer. */
interface Told {
  readonly id: number
  readonly serial: number
  readonly packet: Uint8Array
  readonly verifier: TsigVerifier | undefined
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
  /** Peers that have let a whole conversation pass: what is new waits for the next retry, and hurries nobody. */
  const silent = new Set<string>()
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
    const { address } = peer
    if (address === undefined || table.zone(zoneId) === undefined) return
    const id = `${zoneId} ${peer.id}`
    const running = conversations.get(id)
    if (running !== undefined) return running.renew()
    const conversation = converse({ zoneId, peer, address }, ({ heard, serial, isStale }) => {
      conversations.delete(id)
      const about = { zoneId, serial, peer: peer.id, address }
      const isGone = isClosed || table.zone(zoneId) === undefined
      if (heard) silent.delete(peer.id)
      else if (!isGone) silent.add(peer.id)
      if (heard) log.debug(about, 'notify answered')
      else if (!isGone) log.warn(about, 'notify not answered')
      // Who has heard the newest serial has heard all.
      const isBehind = heard ? serial !== table.serial(zoneId) : isStale
      // By now it may be another peer, or none.
      const next = policies.zone(zoneId)?.peers.find((each) => each.id === peer.id)
      if (isBehind && !isClosed && next !== undefined) tell(zoneId, next)
    })
    conversations.set(id, conversation)
  }

  /** Sends the newest serial until there is an answer or no retry is left, then calls `done` once. */
  function converse(
    { zoneId, peer, address }: { zoneId: string; peer: TransferPeer; address: string },
    done: (end: { heard: boolean; serial: number | undefined; isStale: boolean }) => void,
  ): Conversation {
    const socket = createSocket({
      type: isIPv6(address) ? 'udp6' : 'udp4',
      lookup: (host, _, found) => found(null, host, isIPv6(host) ? 6 : 4),
    })
    let told: Told | undefined
    let attempt = 0
    let isStale = false
    let timer: NodeJS.Timeout | undefined

    socket.on('message', (reply) => {
      if (told !== undefined && isAnswer(reply, told)) end(true)
    })
    // The peer may be down, and come back before the last retry.
    socket.on('error', (error) => log.debug({ error }, 'notify not sent'))
    send()
    return { renew, end: () => end(false) }

    function renew(): void {
      const [soonest] = retryMillis
      // A packet may have been lost: its peer need not wait as long for the next one as somebody who is not there.
      if (!isStale && attempt > 1 && timer !== undefined && !silent.has(peer.id)) {
        clearTimeout(timer)
        timer = setTimeout(send, soonest)
      }
      isStale = true
    }

    function send(): void {
      const wait = retryMillis[attempt]
      attempt += 1
      const zone = table.zone(zoneId)
      if (wait === undefined || zone === undefined) return end(false)
      if (told?.serial !== zone.serial) told = newlyTold(zone, peer)
      isStale = false
      timer = setTimeout(send, wait)
      socket.send(told.packet, peer.port, address)
    }

    function end(heard: boolean): void {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      socket.close()
      done({ heard, serial: told?.serial, isStale })
    }
  }

  function newlyTold(zone: Zone, { key }: TransferPeer): Told {
    const id = randomInt(0x1_0000)
    const { serial } = zone
    const message = encodeMessage(notifyMessage(zone, id))
    if (key === undefined) return { id, serial, packet: message, verifier: undefined }
    const signer = createTsigSigner(key, { hmac })
    const packet = signer.sign(message, nowSeconds())
    return { id, serial, packet, verifier: createTsigVerifier(key, { hmac, requestMac: signer.mac }) }
  }

  function isAnswer(reply: Uint8Array, { id, verifier }: Told): boolean {
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
