// Notifies a zone's peers that its serial has moved, until they acknowledge it (RFC 1996).
//
// There is one conversation per peer and zone at a time, independent of other peers. Changes during it are sent with
// its next packet, so that a hundred changes in a second do not become a hundred packets.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import {
  createTsigSigner,
  createTsigVerifier,
  decodeMessage,
  encodeMessage,
  nameFromWire,
  OPCODE,
  plainMessage,
  RCODE,
  rcodeText,
  type Message,
  type Name,
  type TsigVerifier,
} from '@zonereeve/dns'
import {
  RDATA_OFFSET,
  TYPE,
  type TransferPeer,
  type TransferPolicies,
  type Zone,
  type ZoneTable,
} from '@zonereeve/nameserver'
import type { Clock, Log } from '@zonereeve/platform'
import { hmac } from './hmac.ts'

/** Changes within this time cause one notification. */
const BATCH_MILLIS = 20
/** Time until a notification is sent again; the last entry is the wait after the last one (RFC 1996 §3.6). */
const RETRY_MILLIS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 15_000]

export interface NotifierDeps {
  readonly table: ZoneTable
  readonly policies: Pick<TransferPolicies, 'zone'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly retryMillis?: readonly number[]
  /** Called when a peer has acknowledged a serial. */
  readonly acknowledged?: (zoneId: string, peerId: string, serial: number) => void
}

export interface Notifier {
  /** Notifies the peers of a zone of its serial, soon. */
  notify(zoneId: string): void
  close(): void
}

interface Conversation {
  /** Called when the zone has changed. */
  renew(): void
  end(): void
}

/** A notification that a peer is to answer. */
interface PendingNotify {
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
  acknowledged,
}: NotifierDeps): Notifier {
  const pendingNotifies = new Map<string, NodeJS.Timeout>()
  const conversations = new Map<string, Conversation>()
  /** Peers that did not answer a whole conversation: new changes wait for the next retry. */
  const silent = new Set<string>()
  let isClosed = false

  return { notify, close }

  function notify(zoneId: string): void {
    if (isClosed || pendingNotifies.has(zoneId) || policies.zone(zoneId) === undefined) return
    pendingNotifies.set(
      zoneId,
      setTimeout(() => {
        pendingNotifies.delete(zoneId)
        const policy = policies.zone(zoneId)
        if (policy === undefined) return // removed meanwhile
        for (const peer of policy.peers) notifyPeer(zoneId, peer)
      }, BATCH_MILLIS),
    )
  }

  function close(): void {
    isClosed = true
    for (const timer of pendingNotifies.values()) clearTimeout(timer)
    for (const { end } of conversations.values()) end()
  }

  function notifyPeer(zoneId: string, peer: TransferPeer): void {
    const { address } = peer
    if (address === undefined || table.zone(zoneId) === undefined) return
    const id = `${zoneId} ${peer.id}`
    const running = conversations.get(id)
    if (running !== undefined) return running.renew()
    const conversation = converse({ zoneId, peer, address }, ({ rcode, serial, isStale }) => {
      const heard = rcode !== undefined
      conversations.delete(id)
      const about = { zoneId, serial, peer: peer.id, address }
      const isGone = isClosed || table.zone(zoneId) === undefined
      if (heard) silent.delete(peer.id)
      else if (!isGone) silent.add(peer.id)
      if (rcode === RCODE.NOERROR && serial !== undefined) acknowledged?.(zoneId, peer.id, serial)
      if (heard && rcode !== RCODE.NOERROR) log.warn({ ...about, rcode: rcodeText(rcode) }, 'notify refused')
      else if (heard) log.debug(about, 'notify answered')
      else if (!isGone) log.warn(about, 'notify not answered')
      // A peer that has acknowledged the newest serial is up to date. It is notified later of a serial that is not announced yet.
      const isBehind = isStale && !(heard && serial === table.serial(zoneId))
      // By now the peer may have been changed or removed.
      const next = policies.zone(zoneId)?.peers.find((each) => each.id === peer.id)
      // It was not notified at its new address, or with its new key.
      const isChanged = !isDeepStrictEqual(next, peer)
      if ((isBehind || isChanged) && !isClosed && next !== undefined) notifyPeer(zoneId, next)
    })
    conversations.set(id, conversation)
  }

  /** Sends the newest serial until there is an answer or no retry is left, then calls `done` once. */
  function converse(
    { zoneId, peer, address }: { zoneId: string; peer: TransferPeer; address: string },
    done: (end: { rcode: number | undefined; serial: number | undefined; isStale: boolean }) => void,
  ): Conversation {
    const socket = createSocket({
      type: isIPv6(address) ? 'udp6' : 'udp4',
      lookup: (host, _, found) => found(null, host, isIPv6(host) ? 6 : 4),
    })
    let pendingNotify: PendingNotify | undefined
    let attempt = 0
    let isStale = false
    let timer: NodeJS.Timeout | undefined

    socket.on('message', (reply) => {
      const rcode = pendingNotify && answerCode(reply, pendingNotify)
      if (rcode !== undefined) end(rcode)
    })
    // The peer may be down, and come back before the last retry.
    const notSent = (error: Error): void => log.debug({ err: error }, 'notify not sent')
    socket.on('error', notSent)
    send()
    return { renew, end: () => end(undefined) }

    function renew(): void {
      const [soonest] = retryMillis
      // A packet may have been lost: a peer that answered before gets the next one sooner than a silent one.
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
      if (wait === undefined || zone === undefined) return end(undefined)
      if (pendingNotify?.serial !== zone.serial) pendingNotify = newlyReported(zone, peer)
      isStale = false
      timer = setTimeout(send, wait)
      socket.send(pendingNotify.packet, peer.port, address, (error) => error !== null && notSent(error))
    }

    function end(rcode: number | undefined): void {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      socket.close()
      done({ rcode, serial: pendingNotify?.serial, isStale })
    }
  }

  function newlyReported(zone: Zone, { key }: TransferPeer): PendingNotify {
    const id = randomInt(0x1_0000)
    const { serial } = zone
    const message = encodeMessage(notifyMessage(zone, id))
    if (key === undefined) return { id, serial, packet: message, verifier: undefined }
    const signer = createTsigSigner(key, { hmac })
    const packet = signer.sign(message, nowSeconds())
    return { id, serial, packet, verifier: createTsigVerifier(key, { hmac, requestMac: signer.mac }) }
  }

  /** The answer's code; undefined if it is no answer to this notification. */
  function answerCode(reply: Uint8Array, { id, verifier }: PendingNotify): number | undefined {
    try {
      const message = decodeMessage(reply)
      if (!message.qr || message.id !== id || message.opcode !== OPCODE.NOTIFY) return undefined
      return verifier?.take(reply, nowSeconds()) === undefined ? message.rcode : undefined
    } catch (error) {
      // Not the answer: that may still come, or come after a retry.
      log.debug({ err: error }, 'notify answer unreadable')
      return undefined
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
  return nameFromWire(apex.wire())
}
