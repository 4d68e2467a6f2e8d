// A connection of TCP or TLS: messages behind two octets of length, many on one connection (RFC 1035 §4.2.2, RFC 7766, RFC 9210).
import type { Socket } from 'node:net'
import { isExchange, type Messages } from './exchange.ts'
import type { ListenerDeps } from './listener.ts'
import type { Peer } from './peer.ts'
import { MAX_REPLY_OCTETS } from './responder.ts'

/** Octets of the length before each message. */
const LENGTH_OCTETS = 2

/** Serves connections of one listener. `refreshIdle` is told of each whole message. */
export function createStreamService(
  transport: 'tcp' | 'tls',
  deps: ListenerDeps,
): (socket: Socket, refreshIdle: () => void) => void {
  // One for all connections: what is written here is copied before anything else runs.
  const frame = Buffer.allocUnsafeSlow(LENGTH_OCTETS + MAX_REPLY_OCTETS)
  return (socket, refreshIdle) => {
    const peer = { transport, address: socket.remoteAddress ?? '' }
    serve(socket, peer, deps, frame, refreshIdle)
  }
}

/**
 * Answers the messages of one connection, each as soon as it can be (RFC 7766 §6.2.1.1): in their order, but for those that
 * need more than memory.
 */
function serve(
  socket: Socket,
  peer: Peer,
  { respond, respondLater, exchange, limits, log }: ListenerDeps,
  frame: Buffer,
  refreshIdle: () => void,
): void {
  const out = frame.subarray(LENGTH_OCTETS)
  /** Octets not answered yet: less than a message and what one read brings, because reading stops when writing does. */
  let unread: Buffer = Buffer.alloc(0)
  let ended = false
  /** Messages whose answers are still to come. */
  let pending = 0
  /** The messages of an answer that takes more than one; the next query waits for its end. */
  let sequence: Messages | undefined

  socket.on('data', (chunk: Buffer) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
    answerAll()
  })
  socket.on('drain', () => {
    if (sequence !== undefined) return sendSequence()
    socket.resume()
    answerAll()
  })
  socket.on('close', () => sequence?.return?.())
  // The client may say that it has no more queries and still want its answers (RFC 7766 §6.2.4).
  socket.on('end', () => {
    ended = true
    answerAll()
  })
  // Resets and the like end this connection and concern nobody else.
  socket.on('error', (error) => log.debug({ error }, 'dns tcp connection error'))

  /** Answers until no whole message is left, or until the client leaves too many answers unread. */
  function answerAll(): void {
    while (!socket.destroyed && sequence === undefined && messageEnd(0) !== -1 && !isBlocked()) answerSome()
    if (socket.destroyed) return
    if (sequence !== undefined || isBlocked()) socket.pause()
    else if (ended && pending === 0) socket.end()
  }

  /** Answers as many messages as the limit allows, in one write; the system may take it all at once and so make room. */
  function answerSome(): void {
    let at = 0
    socket.cork()
    for (
      let end = messageEnd(at);
      end !== -1 && sequence === undefined && !isBlocked();
      end = messageEnd(at)
    ) {
      const message = unread.subarray(at + LENGTH_OCTETS, end)
      const later = respondLater?.(message, peer)
      if (later !== undefined) void answerLater(later)
      else if (exchange !== undefined && isExchange(message, message.length)) {
        const answered = exchange.answer(new Uint8Array(message), peer)
        if (answered === undefined) return void socket.destroy()
        if (answered instanceof Uint8Array) send(answered)
        else sequence = answered
      } else {
        const octets = respond(message, message.length, peer, out)
        // Whoever sends no queries has no business here.
        if (octets === 0) return void socket.destroy()
        frame.writeUInt16BE(octets)
        socket.write(Buffer.from(frame.subarray(0, LENGTH_OCTETS + octets)))
      }
      refreshIdle()
      at = end
    }
    unread = unread.subarray(at)
    socket.uncork()
    if (sequence !== undefined) sendSequence()
  }

  /** Sends one message, and the next when others have had their turn and the client has taken enough. */
  function sendSequence(): void {
    if (sequence === undefined || socket.destroyed) return
    const next = sequence.next()
    if (next.done === true) {
      sequence = undefined
      if (!isBlocked()) socket.resume()
      return answerAll()
    }
    if (next.value === undefined) refreshIdle()
    else send(next.value)
    if (!isBlocked()) setImmediate(sendSequence)
  }

  function send(message: Uint8Array): void {
    const head = Buffer.alloc(LENGTH_OCTETS)
    head.writeUInt16BE(message.length)
    socket.write(Buffer.concat([head, message]))
    refreshIdle()
  }

  async function answerLater(later: Promise<Uint8Array | undefined>): Promise<void> {
    pending += 1
    const answer = await later
    pending -= 1
    if (socket.destroyed) return
    if (answer !== undefined) send(answer)
    if (sequence === undefined && !isBlocked()) socket.resume()
    answerAll()
  }

  /** End of the message at `at`, its length included; -1 while it is not there as a whole. */
  function messageEnd(at: number): number {
    if (unread.length < at + LENGTH_OCTETS) return -1
    const end = at + LENGTH_OCTETS + unread.readUInt16BE(at)
    return end <= unread.length ? end : -1
  }

  /** Octets never below the socket's own mark, because 'drain' comes only after that has been passed. */
  function isBlocked(): boolean {
    if (pending >= limits.tcpPendingAnswers) return true
    return socket.writableLength > Math.max(limits.tcpUnsentOctets, socket.writableHighWaterMark)
  }
}
