// Answers the requests of a connection one at a time, and those of all connections in short turns: pipelined requests
// delay their sender, not DNS, and at most one reply per connection waits to be written.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Time spent on requests before yielding to everything else (DNS, timers); a single request may take longer. */
const STRETCH_MILLIS = 4

interface QueuedExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Connection {
  /** The reply being written, or the last one. */
  current: ServerResponse
  /** Later requests. The socket is not read while there are any: one read can return about a thousand. */
  readonly waiting: QueuedExchange[]
}

/** Wraps the listener that answers requests: the one that was added last. */
export function queueRequests(server: Server): void {
  const answer = server.listeners('request').at(-1) as RequestListener // so the event is declared
  const begin = createStretches(({ request, response }: QueuedExchange) => {
    // Requests of a disconnected client are dropped.
    if (!request.socket.destroyed) answer(request, response)
  })
  const connections = new WeakMap<Socket, Connection>()
  server.off('request', answer)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (connection === undefined) connections.set(socket, { current: response, waiting: [] })
    else if (connection.waiting.length > 0 || !connection.current.writableFinished)
      return wait(socket, connection, { request, response })
    else connection.current = response
    begin({ request, response })
  })

  function wait(socket: Socket, connection: Connection, exchange: QueuedExchange): void {
    const { current, waiting } = connection
    if (waiting.push(exchange) > 1) return
    current.once('close', () => next(socket, connection))
    socket.pause()
    // At the end of a reply, Node resumes the socket.
    socket.on('resume', pauseAgain)
  }

  function next(socket: Socket, connection: Connection): void {
    const exchange = connection.waiting.shift()
    if (exchange === undefined || socket.destroyed) return void (connection.waiting.length = 0)
    connection.current = exchange.response
    if (connection.waiting.length > 0) exchange.response.once('close', () => next(socket, connection))
    else {
      socket.off('resume', pauseAgain)
      socket.resume()
    }
    begin(exchange)
  }
}

function pauseAgain(this: Socket): void {
  this.pause()
}

/** Starts work at once, or in the next turn if this one has used its time. */
function createStretches<Work>(work: (given: Work) => void): (given: Work) => void {
  const waiting: Work[] = []
  let endsAt: number | undefined
  return (given) => {
    if (endsAt === undefined) {
      endsAt = performance.now() + STRETCH_MILLIS
      setImmediate(beginStretch)
    }
    if (waiting.length === 0 && performance.now() < endsAt) work(given)
    else waiting.push(given)
  }

  function beginStretch(): void {
    endsAt = waiting.length === 0 ? undefined : performance.now() + STRETCH_MILLIS
    if (endsAt === undefined) return
    setImmediate(beginStretch)
    doSome(endsAt)
  }

  function doSome(until: number): void {
    const given = waiting.shift()
    if (given === undefined) return
    work(given)
    // The work continues in microtasks; a tick that one of them schedules runs after all of them, so their time
    // counts.
    queueMicrotask(() =>
      process.nextTick(() => {
        if (performance.now() < until) doSome(until)
      }),
    )
  }
}
