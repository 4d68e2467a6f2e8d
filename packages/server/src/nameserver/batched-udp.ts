// UDP, many packets in one system call. The socket is an ordinary one of dgram's, which tells when there is something to
// read and takes the first packet; what waits behind it is read by the batch, and all are answered and sent together.
// So a single question costs no more than with dgram, and one of a flood a fraction.
import { createSocket } from 'node:dgram'
import type { RemoteInfo, Socket } from 'node:dgram'
import { NOT_KEPT } from './answer-cache.ts'
import { answerAside } from './aside.ts'
import type { Endpoint, Listener, ListenerDeps } from './listener.ts'
import { AddressSlots, MessageSlots } from './message-slots.ts'
import type { DropReason } from './metrics.ts'
import type { Peer } from './peer.ts'
import {
  addressAt,
  createAddressTexts,
  createSocketAddresses,
  hasInterface,
  portAt,
  toSocketAddress,
} from './socket-address.ts'
import type { SystemCalls } from './system-calls.ts'
import { bound, createUdpAnswer, socketOptions } from './udp.ts'

/** Messages of one system call: with more of them, the first answer waits longer and nothing is gained. */
const BATCH_MESSAGES = 64
/** Messages until the event loop has others do their work: some two milliseconds of what lies ready. */
const TURN_MESSAGES = 512
/** Milliseconds after which it has, too, at the end of a batch: what is signed or refused first takes longer. */
const TURN_MILLIS = 4
/** What UDP can carry; memory that is never written to costs nothing. */
const MESSAGE_OCTETS = 65_535
const STRIDE_OCTETS = 65_536 + 192
/** Of addresses and of messages to send: that of the packet that dgram has read, before those of the batch. */
const FIRST = 0
const OF_BATCH = 1
/** Looks for more behind a packet that found nothing, one after the other, until only every so manieth looks. */
const VAIN_LOOKS = 8
const LOOK_EVERY = 16

/**
 * Listens on an address; port 0 picks a free one. `elapsed` is a time in milliseconds that only rises.
 *
 * @throws the system's error, as when the port is taken
 */
export async function listenBatchedUdp(
  { host, port }: Endpoint,
  deps: ListenerDeps,
  calls: SystemCalls,
  elapsed: () => number = () => performance.now(),
): Promise<Listener> {
  const address = toSocketAddress(host, port)
  const descriptor = calls.openUdp(address)
  const socket = createSocket(socketOptions(host))
  try {
    await bound(socket, { fd: descriptor })
  } catch (error) {
    // What dgram has opened it closes itself; closed twice, it might be another one's by then.
    if (isOpen(socket)) socket.close()
    else calls.close(descriptor)
    throw error
  }
  calls.keepAddress(descriptor)
  const batches = createBatches({ descriptor, socket, calls, addressOctets: address.length, deps, elapsed })
  socket.on('message', batches.take)
  return {
    port: socket.address().port,
    close: () => {
      batches.end()
      return new Promise((resolve) => socket.close(() => resolve()))
    },
  }
}

function isOpen(socket: Socket): boolean {
  try {
    socket.address()
    return true
  } catch {
    return false // which is how dgram says it
  }
}

interface BatchesOptions {
  readonly descriptor: number
  readonly socket: Socket
  readonly calls: SystemCalls
  readonly addressOctets: number
  readonly deps: ListenerDeps
  readonly elapsed: () => number
}

function createBatches({ descriptor, socket, calls, addressOctets, deps, elapsed }: BatchesOptions) {
  const { respond, quick, answers, log, limits, metrics } = deps
  const addresses = new AddressSlots(OF_BATCH + BATCH_MESSAGES)
  const slots = { addresses, addressOctets, addressOf: calls.addressOf }
  const packetOctets = { messageOctets: MESSAGE_OCTETS, strideOctets: STRIDE_OCTETS }
  const received = new MessageSlots({
    ...slots,
    ...packetOctets,
    count: BATCH_MESSAGES,
    firstAddress: OF_BATCH,
  })
  const sent = new MessageSlots({
    ...slots,
    messageOctets: limits.udpPayloadOctets,
    strideOctets: limits.udpPayloadOctets,
    count: OF_BATCH + BATCH_MESSAGES,
    firstAddress: FIRST,
  })
  const oneAddress = new AddressSlots(1)
  const one = new MessageSlots({
    ...slots,
    ...packetOctets,
    addresses: oneAddress,
    count: 1,
    firstAddress: 0,
  })
  const answerByDgram = createUdpAnswer(socket, deps)
  const socketAddress = createSocketAddresses()
  const client = new Client(addresses.octets)
  let isOver = false
  let isTurnKnown = false
  let left = TURN_MESSAGES
  let turnEndsAt = 0
  let vain = 0
  let passed = 0

  return { take, end: () => void (isOver = true) }

  /** Answers a packet that dgram has read, and what waits behind it as far as this turn of the event loop goes. */
  function take(packet: Buffer, { port, address }: RemoteInfo): void {
    if (isOver) return
    let waiting = hasBacklog() ? dropped('backlog') : answerFirst(packet, port, address)
    const looks = vain < VAIN_LOOKS || (passed = (passed + 1) % LOOK_EVERY) === 0
    // Until there is none: what comes meanwhile would cost dgram several times as much.
    while (looks && left > 0 && !hasBacklog()) {
      const count = calls.receive(descriptor, received.headers, BATCH_MESSAGES)
      if (count <= 0) {
        vain += 1
        break
      }
      vain = 0
      waiting = answerBatch(count, waiting)
    }
    if (waiting > 0) sendBatch(waiting)
  }

  /** Returns how many answers wait to be sent: one or none. */
  function answerFirst(packet: Buffer, port: number, address: string): number {
    if (port === 0) return dropped('garbage')
    const to = socketAddress(address, port)
    if (to === undefined) {
      answerByDgram(packet, port, { transport: 'udp', address })
      return 0
    }
    addresses.set(FIRST, to)
    return answerTo(FIRST, packet, packet.length, FIRST)
  }

  /**
   * Answers what was read.
   *
   * @param waiting answers that wait to be sent with these
   * @returns 0: none waits any more
   */
  function answerBatch(count: number, waiting: number): 0 {
    left -= count
    if (!isTurnKnown) {
      isTurnKnown = true
      turnEndsAt = elapsed() + TURN_MILLIS
      setImmediate(nextTurn)
    }
    let answered = waiting
    for (let i = 0; i < count; i += 1) {
      const from = OF_BATCH + i
      const packet = received.messages[i] ?? NO_MEMORY
      if (portAt(addresses.octets, addresses.at(from)) === 0) dropped('garbage')
      else answered += answerTo(from, packet, received.received(i), answered)
    }
    if (answered > 0) sendBatch(answered)
    if (elapsed() >= turnEndsAt) left = 0
    return 0
  }

  function dropped(reason: DropReason): 0 {
    metrics.countDropped('udp', reason)
    return 0
  }

  function nextTurn(): void {
    isTurnKnown = false
    left = TURN_MESSAGES
  }

  /** Makes the answer to the packet from the address in slot `from` the message in slot `to`. Returns 0 if there is none, or 1. */
  function answerTo(from: number, packet: Buffer, length: number, to: number): 0 | 1 {
    const octets = writeAnswer(from, packet, length, sent.messages[to] ?? NO_MEMORY)
    if (octets === 0) return 0
    sent.setLength(to, octets)
    if (to !== from) addresses.move(from, to)
    return 1
  }

  function writeAnswer(from: number, packet: Buffer, length: number, out: Uint8Array): number {
    client.at = addresses.at(from)
    const known = quick?.(packet, length, client, out) ?? NOT_KEPT
    if (known !== NOT_KEPT) return known
    const kept = answers?.find(packet, length, client, out) ?? NOT_KEPT
    if (kept !== NOT_KEPT) return kept
    return answerUnknown(from, packet, length, out)
  }

  function answerUnknown(from: number, packet: Buffer, length: number, out: Uint8Array): number {
    // Whose address is read again when this batch is long over.
    const peer: Peer = { transport: 'udp', address: client.address }
    const isTaken = answerAside(deps, packet.subarray(0, length), peer, () => {
      const address = addresses.get(from)
      return (answer) => {
        if (!isOver) sendOne(answer, address)
      }
    })
    if (isTaken) return 0
    return respond(packet, length, peer, out)
  }

  function sendBatch(count: number): void {
    for (let done = 0; done < count;) {
      const headers = done === 0 ? sent.headers : sent.headersFrom(done)
      const passedOn = calls.send(descriptor, headers, count - done)
      if (passedOn > 0) {
        done += passedOn
        continue
      }
      const error = calls.errorCode()
      if (error === 'EAGAIN') return queue(done, count)
      // Unreachable clients and the like: this answer is lost, as any packet may be, and the client asks again.
      log.debug({ error }, 'dns udp error')
      done += 1
    }
  }

  /** The socket's buffer is full: dgram sends these as soon as there is room. */
  function queue(start: number, end: number): void {
    for (let i = start; i < end; i += 1) {
      if (hasBacklog()) metrics.countDropped('udp', 'backlog')
      else sendOne(Uint8Array.from(sent.message(i)), addresses.get(i))
    }
  }

  function sendOne(answer: Uint8Array, address: Uint8Array): void {
    if (hasInterface(address, 0)) sendToInterface(answer, address)
    else socket.send(answer, portAt(address, 0), addressAt(address, 0))
  }

  /** To a link-local address, which dgram would want the name of the interface with. Now or never. */
  function sendToInterface(answer: Uint8Array, address: Uint8Array): void {
    one.messages[0]?.set(answer)
    one.setLength(0, answer.length)
    oneAddress.set(0, address)
    if (calls.send(descriptor, one.headers, 1) === 1) return
    const error = calls.errorCode()
    if (error === 'EAGAIN') metrics.countDropped('udp', 'backlog')
    else log.debug({ error }, 'dns udp error')
  }

  function hasBacklog(): boolean {
    return socket.getSendQueueSize() > limits.udpUnsentOctets
  }
}

/** Whose packet is being answered. The text of an address is made for those who ask. */
class Client implements Peer {
  readonly transport = 'udp'
  /** Where the address begins in the octets. */
  at = 0
  readonly #octets: Uint8Array
  readonly #textAt = createAddressTexts()

  constructor(octets: Uint8Array) {
    this.#octets = octets
  }

  get address(): string {
    return this.#textAt(this.#octets, this.at)
  }
}

const NO_MEMORY = Buffer.alloc(0)
