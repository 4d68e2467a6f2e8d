// UDP, many packets in one system call. The socket is an ordinary one of dgram's, which tells when there is something to
// read, takes the first packet and answers it as udp.ts does; what waits behind it is read, answered and sent by the batch.
// So a single question costs what it costs with dgram, and a flood of them a fraction.
import { createSocket } from 'node:dgram'
import type { Socket } from 'node:dgram'
import { NOT_KEPT } from './answer-cache.ts'
import { answerAside } from './aside.ts'
import type { Endpoint, Listener, ListenerDeps } from './listener.ts'
import { AddressSlots, MessageSlots } from './message-slots.ts'
import type { Peer } from './peer.ts'
import { addressAt, createAddressTexts, hasInterface, portAt, toSocketAddress } from './socket-address.ts'
import type { SystemCalls } from './system-calls.ts'
import { bound, serveUdp, socketOptions } from './udp.ts'

/** Messages of one system call: with more of them, the first answer waits longer and nothing is gained. */
const BATCH_MESSAGES = 64
/** Messages until the event loop has others do their work: some two milliseconds of what lies ready. */
const TURN_MESSAGES = 512
/** Milliseconds after which it has, too, at the end of a batch: what is signed or refused first takes longer. */
const TURN_MILLIS = 4
/** What UDP can carry; memory that is never written to costs nothing. */
const MESSAGE_OCTETS = 65_535
const STRIDE_OCTETS = 65_536 + 192
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
  serveUdp(socket, deps, batches.drain)
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
  const addresses = new AddressSlots(BATCH_MESSAGES)
  const slots = { count: BATCH_MESSAGES, addresses, addressOctets, addressOf: calls.addressOf }
  const received = new MessageSlots({ ...slots, messageOctets: MESSAGE_OCTETS, strideOctets: STRIDE_OCTETS })
  const answerOctets = limits.udpPayloadOctets
  const sent = new MessageSlots({ ...slots, messageOctets: answerOctets, strideOctets: answerOctets })
  const oneAddress = new AddressSlots(1)
  const one = new MessageSlots({
    ...slots,
    count: 1,
    addresses: oneAddress,
    messageOctets: MESSAGE_OCTETS,
    strideOctets: STRIDE_OCTETS,
  })
  const textAt = createAddressTexts()
  const client = { transport: 'udp' as const, at: 0, address: '' }
  Object.defineProperty(client, 'address', { get: () => textAt(addresses.octets, client.at) })
  let isOver = false
  let isTurnKnown = false
  let left = TURN_MESSAGES
  let turnEndsAt = 0
  let vain = 0
  let passed = 0

  return { drain, end: () => void (isOver = true) }

  /** Answers what waits behind a packet, as far as this turn of the event loop goes. */
  function drain(): void {
    if (vain >= VAIN_LOOKS && (passed = (passed + 1) % LOOK_EVERY) !== 0) return
    let count = 0
    do {
      if (isOver || left <= 0 || hasBacklog()) return
      count = calls.receive(descriptor, received.headers, BATCH_MESSAGES)
      vain = count > 0 ? 0 : vain + 1
      if (count > 0) answerBatch(count)
    } while (count === BATCH_MESSAGES)
  }

  function answerBatch(count: number): void {
    left -= count
    if (!isTurnKnown) {
      isTurnKnown = true
      turnEndsAt = elapsed() + TURN_MILLIS
      setImmediate(nextTurn)
    }
    let answered = 0
    for (let i = 0; i < count; i += 1) {
      const octets = answerSlot(i, sent.messages[answered])
      if (octets === 0) continue
      sent.setLength(answered, octets)
      if (answered !== i) addresses.move(i, answered)
      answered += 1
    }
    if (answered > 0) sendBatch(answered)
    if (elapsed() >= turnEndsAt) left = 0
  }

  function nextTurn(): void {
    isTurnKnown = false
    left = TURN_MESSAGES
  }

  function answerSlot(i: number, out: Uint8Array = NO_MEMORY): number {
    const packet = received.messages[i] ?? NO_MEMORY
    const length = received.received(i)
    client.at = addresses.at(i)
    if (portAt(addresses.octets, client.at) === 0) {
      metrics.countDropped('udp', 'garbage')
      return 0
    }
    const known = quick?.(packet, length, client, out) ?? NOT_KEPT
    if (known !== NOT_KEPT) return known
    const kept = answers?.find(packet, length, client, out) ?? NOT_KEPT
    if (kept !== NOT_KEPT) return kept
    return answerUnknown(i, packet, length, out)
  }

  function answerUnknown(i: number, packet: Buffer, length: number, out: Uint8Array): number {
    // Whose address is read again when this batch is long over.
    const peer: Peer = { transport: 'udp', address: client.address }
    const isTaken = answerAside(deps, packet.subarray(0, length), peer, () => {
      const address = addresses.get(i)
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

const NO_MEMORY = Buffer.alloc(0)
