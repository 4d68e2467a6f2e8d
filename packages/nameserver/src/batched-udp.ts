// UDP with many packets in one system call. The socket is a normal dgram socket: dgram reports that data is ready and
// reads the first packet. The packets behind it are read as a batch, and all are answered and sent together. A single
// query costs no more than with dgram; a query in a flood costs a fraction.
import { createSocket } from 'node:dgram'
import type { RemoteInfo, Socket } from 'node:dgram'
import { NOT_KEPT } from './answer-cache.ts'
import { dispatchSlow } from './dispatch-slow.ts'
import type { Endpoint, Listener, ListenerDeps } from './listener.ts'
import { AddressBuffers, MessageBuffers } from './message-buffers.ts'
import type { DropReason } from './metrics.ts'
import type { Peer } from './peer.ts'
import {
  addressAt,
  createAddressStrings,
  createSocketAddresses,
  hasInterface,
  portAt,
  toSocketAddress,
} from './socket-address.ts'
import type { SystemCalls } from './system-calls.ts'
import { bound, createUdpAnswer, socketOptions } from './udp.ts'

/** Messages of one system call. With more, the first answer waits longer and throughput does not improve. */
const BATCH_MESSAGES = 64
/** Messages until the event loop runs other work: about two milliseconds. */
const TURN_MESSAGES = 512
/**
 * Milliseconds after which other work runs too, at the end of a batch: signing and refusing take longer per message.
 */
const TURN_MILLIS = 4
/** Maximum size of a UDP datagram. Memory that is never written to costs nothing. */
const MESSAGE_OCTETS = 65_535
const STRIDE_OCTETS = 65_536 + 192
/** Slot of the packet that dgram has read, before the slots of the batch. */
const FIRST = 0
const OF_BATCH = 1
/** After VAIN_LOOKS reads in a row that found nothing, only every LOOK_EVERY-th packet triggers a read. */
const VAIN_LOOKS = 8
const LOOK_EVERY = 16

/**
 * Listens on an address; port 0 picks a free one. `elapsed` is a monotonic time in milliseconds.
 *
 * @throws the system's error, for example if the port is taken
 */
export async function listenBatchedUdp(
  { host, port }: Endpoint,
  deps: ListenerDeps,
  calls: SystemCalls,
  elapsed: () => number = () => performance.now(),
): Promise<Listener> {
  const address = toSocketAddress(host, port)
  return listenOnDescriptor(calls.openUdp(address), host, deps, calls, elapsed)
}

/** Listens on a bound socket; its descriptor belongs to this listener. @throws the system's error */
export async function listenOnDescriptor(
  descriptor: number,
  host: string,
  deps: ListenerDeps,
  calls: SystemCalls,
  elapsed: () => number = () => performance.now(),
): Promise<Listener> {
  const socket = createSocket(socketOptions(host))
  try {
    await bound(socket, { fd: descriptor })
  } catch (error) {
    // dgram closes a descriptor that it has opened. Closed twice, the descriptor might already belong to another
    // socket.
    if (isOpen(socket)) socket.close()
    else calls.close(descriptor)
    throw error
  }
  calls.keepAddress(descriptor)
  const batches = createBatches({
    descriptor,
    socket,
    calls,
    addressOctets: toSocketAddress(host, 0).length,
    deps,
    elapsed,
  })
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
    return false // dgram reports a bad descriptor this way
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
  const { respond, fastPath, answers, log, limits, metrics } = deps
  const addresses = new AddressBuffers(OF_BATCH + BATCH_MESSAGES)
  const buffers = { addresses, addressOctets, addressOf: calls.addressOf }
  const packetOctets = { messageOctets: MESSAGE_OCTETS, strideOctets: STRIDE_OCTETS }
  const received = new MessageBuffers({
    ...buffers,
    ...packetOctets,
    count: BATCH_MESSAGES,
    firstAddress: OF_BATCH,
  })
  const sent = new MessageBuffers({
    ...buffers,
    messageOctets: limits.udpPayloadOctets,
    strideOctets: limits.udpPayloadOctets,
    count: OF_BATCH + BATCH_MESSAGES,
    firstAddress: FIRST,
  })
  const oneAddress = new AddressBuffers(1)
  const one = new MessageBuffers({
    ...buffers,
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

  /**
   * Answers a packet that dgram has read, and the packets behind it within the limits of this turn of the event loop.
   */
  function take(packet: Buffer, { port, address }: RemoteInfo): void {
    if (isOver) return
    let waiting = hasBacklog() ? countDrop('backlog') : answerFirst(packet, port, address)
    const looks = vain < VAIN_LOOKS || (passed = (passed + 1) % LOOK_EVERY) === 0
    // Reads until there is no packet left: packets read by dgram cost several times as much.
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

  /** Returns how many answers wait to be sent: 0 or 1. */
  function answerFirst(packet: Buffer, port: number, address: string): number {
    if (port === 0) return countDrop('garbage')
    const to = socketAddress(address, port)
    if (to === undefined) {
      answerByDgram(packet, port, { transport: 'udp', address })
      return 0
    }
    addresses.set(FIRST, to)
    return answerTo(FIRST, packet, packet.length, FIRST)
  }

  /**
   * Answers the packets of a batch.
   *
   * @param waiting answers that are sent together with these
   * @returns 0: no answer waits any more
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
      if (portAt(addresses.octets, addresses.at(from)) === 0) countDrop('garbage')
      else answered += answerTo(from, packet, received.received(i), answered)
    }
    if (answered > 0) sendBatch(answered)
    if (elapsed() >= turnEndsAt) left = 0
    return 0
  }

  function countDrop(reason: DropReason): 0 {
    metrics.countDropped('udp', reason)
    return 0
  }

  function nextTurn(): void {
    isTurnKnown = false
    left = TURN_MESSAGES
  }

  /**
   * Writes the answer to the packet from the address in slot `from` as the message in slot `to`. Returns 0 if there
   * is none, or 1.
   */
  function answerTo(from: number, packet: Buffer, length: number, to: number): 0 | 1 {
    const octets = writeAnswer(from, packet, length, sent.messages[to] ?? NO_MEMORY)
    if (octets === 0) return 0
    sent.setLength(to, octets)
    if (to !== from) addresses.move(from, to)
    return 1
  }

  function writeAnswer(from: number, packet: Buffer, length: number, out: Uint8Array): number {
    client.at = addresses.at(from)
    const known = fastPath?.(packet, length, client, out) ?? NOT_KEPT
    if (known !== NOT_KEPT) return known
    const remaining = answers?.find(packet, length, client, out) ?? NOT_KEPT
    if (remaining !== NOT_KEPT) return remaining
    return answerUnknown(from, packet, length, out)
  }

  function answerUnknown(from: number, packet: Buffer, length: number, out: Uint8Array): number {
    // A new object, because its address is read again after this batch has ended.
    const peer: Peer = { transport: 'udp', address: client.address }
    const isTaken = dispatchSlow(deps, packet.subarray(0, length), peer, () => {
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
      const problem = calls.errorCode()
      if (problem === 'EAGAIN') return queue(done, count)
      // For example an unreachable client: the answer is lost, as any packet may be, and the client retries.
      log.debug({ problem }, 'dns udp error')
      done += 1
    }
  }

  /** The socket's buffer is full: dgram sends these when there is space. */
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

  /**
   * For a link-local address, dgram needs the name of the interface, which is not known here. Sent at once or
   * dropped.
   */
  function sendToInterface(answer: Uint8Array, address: Uint8Array): void {
    one.messages[0]?.set(answer)
    one.setLength(0, answer.length)
    oneAddress.set(0, address)
    if (calls.send(descriptor, one.headers, 1) === 1) return
    const problem = calls.errorCode()
    if (problem === 'EAGAIN') metrics.countDropped('udp', 'backlog')
    else log.debug({ problem }, 'dns udp error')
  }

  function hasBacklog(): boolean {
    return socket.getSendQueueSize() > limits.udpUnsentOctets
  }
}

/** The client of the packet that is being answered. Its address is formatted only when it is read. */
class Client implements Peer {
  readonly transport = 'udp'
  /** Offset of the address in the octets. */
  at = 0
  readonly #octets: Uint8Array
  readonly #textAt = createAddressStrings()

  constructor(octets: Uint8Array) {
    this.#octets = octets
  }

  get address(): string {
    return this.#textAt(this.#octets, this.at)
  }
}

const NO_MEMORY = Buffer.alloc(0)
