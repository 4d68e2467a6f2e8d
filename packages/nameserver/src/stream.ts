// A connection over TCP or TLS: messages with two octets of length before each, many on one connection (RFC 1035
// §4.2.2, RFC 7766, RFC 9210).
import type { Socket } from 'node:net'
import { needsMessageHandler, type Answered, type RemoteAnswered } from './message-handler.ts'
import type { ListenerDeps } from './listener.ts'
import { remoteAddress } from './peer.ts'
import type { Peer } from './peer.ts'
import { MAX_REPLY_OCTETS } from './responder.ts'
import { readProxiedConnection } from './trusted-proxies.ts'

/** Octets of the length before each message. */
const LENGTH_OCTETS = 2

/** Serves the connections of one listener. `refreshIdle` is called for each complete message. */
export function createStreamService(
  transport: 'tcp' | 'tls',
  deps: ListenerDeps,
): (socket: Socket, refreshIdle: () => void) => void {
  // Shared by all connections: its content is copied before any other code runs.
  const frame = Buffer.allocUnsafeSlow(LENGTH_OCTETS + MAX_REPLY_OCTETS)
  return (socket, refreshIdle) => {
    const address = remoteAddress(socket)
    const serveClient = (client: string): void =>
      serve(socket, { transport, address: client }, deps, frame, refreshIdle)
    if (transport !== 'tcp' || deps.isProxy?.(address) !== true) serveClient(address)
    else readProxiedConnection(socket, address, deps.metrics, serveClient)
  }
}

/**
 * Answers the messages of one connection, each as soon as possible (RFC 7766 §6.2.1.1): in order, except those that
 * need more than memory.
 */
function serve(
  socket: Socket,
  peer: Peer,
  { respond, respondLater, messageHandler, limits, log }: ListenerDeps,
  frame: Buffer,
  refreshIdle: () => void,
): void {
  const out = frame.subarray(LENGTH_OCTETS)
  /** Octets not answered yet: less than a message plus one read, because reading stops when writing is blocked. */
  let unread: Buffer = Buffer.alloc(0)
  let ended = false
  /** Messages with pending answers. */
  let pending = 0
  /** The messages of an answer with more than one; the next query waits for its end. */
  let sequence: Exclude<Answered | RemoteAnswered, Uint8Array>
  /** Whether another thread makes an answer, or the next message of `sequence`; the next query waits for it. */
  let isAwaited = false

  socket.on('data', (chunk: Buffer) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
    answerAll()
  })
  socket.on('drain', () => {
    if (sequence !== undefined) return sendSequence()
    if (isAwaited) return
    socket.resume()
    answerAll()
  })
  socket.on('close', stopSequence)
  // The client may close its side and still want its answers (RFC 7766 §6.2.4).
  socket.on('end', () => {
    ended = true
    answerAll()
  })
  // Resets and similar errors end only this connection.
  socket.on('error', (error) => log.debug({ err: error }, 'dns tcp connection error'))

  /** Answers until no complete message is left, or until the client leaves too many answers unread. */
  function answerAll(): void {
    while (!socket.destroyed && !isBusy() && messageEnd(0) !== -1 && !isBlocked()) answerSome()
    if (socket.destroyed) return
    if (isBusy() || isBlocked()) socket.pause()
    else if (ended && pending === 0) socket.end()
  }

  /** Answers as many messages as the limit allows, in one write; the system may accept all of it at once. */
  function answerSome(): void {
    let at = 0
    socket.cork()
    for (let end = messageEnd(at); end !== -1 && !isBusy() && !isBlocked(); end = messageEnd(at)) {
      const message = unread.subarray(at + LENGTH_OCTETS, end)
      const later = respondLater?.(message, peer)
      if (later !== undefined) void answerLater(later)
      else if (messageHandler !== undefined && needsMessageHandler(message, message.length)) {
        const answered = messageHandler.answer(new Uint8Array(message), peer)
        if (answered instanceof Promise) void awaitAnswer(answered)
        else if (!begin(answered)) return
      } else {
        const octets = respond(message, message.length, peer, out)
        // The client does not send DNS.
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

  /** Sends an answer, or makes it the sequence. Returns false if there is none: the client does not send DNS. */
  function begin(answered: Answered | RemoteAnswered): boolean {
    if (answered === undefined) socket.destroy()
    else if (answered instanceof Uint8Array) send(answered)
    else sequence = answered
    return answered !== undefined
  }

  async function awaitAnswer(answer: Promise<RemoteAnswered>): Promise<void> {
    isAwaited = true
    const answered = await answer
    isAwaited = false
    if (socket.destroyed && answered !== undefined && 'next' in answered) return void answered.return?.()
    if (socket.destroyed || !begin(answered)) return
    if (sequence !== undefined) return sendSequence()
    if (!isBlocked()) socket.resume()
    answerAll()
  }

  /** Sends one message. The next one follows after other work has run and the client has read enough. */
  function sendSequence(): void {
    if (sequence === undefined || isAwaited || socket.destroyed) return
    let next: ReturnType<typeof sequence.next>
    try {
      next = sequence.next()
    } catch (error) {
      return failSequence(error)
    }
    if (!(next instanceof Promise)) return sendNext(next)
    isAwaited = true
    void next.then((result) => {
      isAwaited = false
      sendNext(result)
    }, failSequence)
  }

  /** The end of the connection tells the client, which may have a part of the answer, that nothing follows. */
  function failSequence(error: unknown): void {
    sequence = undefined
    log.error({ err: error }, 'dns transfer failed')
    socket.destroy()
  }

  /** The client has left. */
  function stopSequence(): void {
    try {
      void sequence?.return?.()
    } catch (error) {
      log.error({ err: error }, 'dns transfer not stopped')
    }
  }

  function sendNext(next: IteratorResult<Uint8Array | undefined>): void {
    if (socket.destroyed) return
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
    if (!isBusy() && !isBlocked()) socket.resume()
    answerAll()
  }

  function isBusy(): boolean {
    return isAwaited || sequence !== undefined
  }

  /** End of the message at `at`, including its length; -1 if it is incomplete. */
  function messageEnd(at: number): number {
    if (unread.length < at + LENGTH_OCTETS) return -1
    const end = at + LENGTH_OCTETS + unread.readUInt16BE(at)
    return end <= unread.length ? end : -1
  }

  /** The limit is at least the socket's high-water mark, because 'drain' comes only after that was exceeded. */
  function isBlocked(): boolean {
    if (pending >= limits.tcpPendingAnswers) return true
    return socket.writableLength > Math.max(limits.tcpUnsentOctets, socket.writableHighWaterMark)
  }
}
