// A connection of TCP or TLS: messages behind two octets of length, many on one connection (RFC 1035 §4.2.2, RFC 7766, RFC 9210).
import type { Socket } from 'node:net'
import { isExchange, rcodeOf } from './exchange.ts'
import type { Client, Exchange } from './exchange.ts'
import type { ListenerDeps } from './listener.ts'
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
    const { remoteAddress: address = '', remotePort: port = 0 } = socket
    serve(socket, { transport, address, port }, deps, frame, refreshIdle)
  }
}

/**
 * Answers the messages of one connection, each as soon as it can be (RFC 7766 §6.2.1.1): in their order, but for those that
 * need more than memory.
 */
function serve(
  socket: Socket,
  client: Client,
  { respond, exchange, limits, log, metrics }: ListenerDeps,
  frame: Buffer,
  refreshIdle: () => void,
): void {
  const out = frame.subarray(LENGTH_OCTETS)
  /** Octets not answered yet: less than a message and what one read brings, because reading stops when writing does. */
  let unread: Buffer = Buffer.alloc(0)
  let ended = false
  /** Messages whose answers are still to come. */
  let pending = 0
  /** The messages of an answer that takes more than one; the next query waits for its end (RFC 7766 §6.2.1.1 allows it). */
  let stream: Iterator<Uint8Array> | undefined

  socket.on('data', (chunk: Buffer) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
    answerAll()
  })
  socket.on('drain', () => {
    if (stream !== undefined) return sendStream()
    socket.resume()
    answerAll()
  })
  socket.on('close', () => stream?.return?.())
  // The client may say that it has no more queries and still want its answers (RFC 7766 §6.2.4).
  socket.on('end', () => {
    ended = true
    answerAll()
  })
  // Resets and the like end this connection and concern nobody else.
  socket.on('error', (error) => log.debug({ error }, 'dns tcp connection error'))

  /** Answers until no whole message is left, or until the client leaves too many answers unread. */
  function answerAll(): void {
    while (!socket.destroyed && stream === undefined && messageEnd(0) !== -1 && !isBlocked()) answerSome()
    if (socket.destroyed) return
    if (stream !== undefined || isBlocked()) socket.pause()
    else if (ended && pending === 0) socket.end()
  }

  /** Answers as many messages as the limit allows, in one write; the system may take it all at once and so make room. */
  function answerSome(): void {
    let at = 0
    socket.cork()
    for (let end = messageEnd(at); end !== -1 && !isBlocked(); end = messageEnd(at)) {
      const message = unread.subarray(at + LENGTH_OCTETS, end)
      if (exchange !== undefined && isExchange(message, message.length)) {
        if (!answerExchange(exchange, new Uint8Array(message))) return
      } else {
        const octets = respond(message, message.length, client, out)
        // Whoever sends no queries has no business here.
        if (octets === 0) return void socket.destroy()
        frame.writeUInt16BE(octets)
        socket.write(Buffer.from(frame.subarray(0, LENGTH_OCTETS + octets)))
      }
      refreshIdle()
      at = end
      if (stream !== undefined) break
    }
    unread = unread.subarray(at)
    socket.uncork()
    if (stream !== undefined) sendStream()
  }

  /** Returns false where the connection has been ended instead. */
  function answerExchange(by: Exchange, message: Uint8Array): boolean {
    const answered = by.answer(message, client)
    if (answered instanceof Uint8Array) send(answered)
    else if (answered instanceof Promise) void sendLate(answered)
    else if (answered === undefined) socket.destroy()
    else stream = answered
    return answered !== undefined
  }

  function send(message: Uint8Array): void {
    metrics.countQuery(client.transport, rcodeOf(message), undefined)
    const framed = Buffer.allocUnsafe(LENGTH_OCTETS + message.length)
    framed.writeUInt16BE(message.length)
    framed.set(message, LENGTH_OCTETS)
    socket.write(framed)
  }

  /** Sends one message of the stream, and the next when others have had their turn and the client has taken enough. */
  function sendStream(): void {
    if (stream === undefined || socket.destroyed) return
    const next = stream.next()
    if (next.done === true) {
      stream = undefined
      socket.resume()
      return answerAll()
    }
    send(next.value)
    refreshIdle()
    if (!isBlocked()) setImmediate(sendStream)
  }

  async function sendLate(answered: Promise<Uint8Array>): Promise<void> {
    pending += 1
    const answer = await answered
    pending -= 1
    if (socket.destroyed) return
    // Between two messages of a stream there is room for another answer (RFC 7766 §6.2.1.1).
    send(answer)
    refreshIdle()
    if (stream !== undefined) return
    if (!isBlocked()) socket.resume()
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
