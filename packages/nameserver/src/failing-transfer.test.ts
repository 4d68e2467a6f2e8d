// Transfers whose next message cannot be made, over real connections, from this thread and from another one.
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { queryOf } from './asking.cases.ts'
import { createForwarded, type Forwarded } from './forwarded.ts'
import { createForwarding, type Forwarding } from './forwarding.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { AnyMessageHandler, Messages } from './message-handler.ts'
import { noMetrics } from './metrics.ts'
import { silentLog } from './silent-log.cases.ts'
import { listenTcp } from './tcp.ts'

const FRAMED = Buffer.from([0, 3, 1, 2, 3])
const MESSAGE = FRAMED.subarray(2)

/** In the order of the queries. */
const transfers = (...each: Messages[]): AnyMessageHandler => ({ answer: () => each.shift() })

function* failing(messages: number): Generator<Uint8Array> {
  for (let sent = 0; sent < messages; sent++) yield MESSAGE
  throw new RangeError('a record fits no message')
}

function* whole(): Generator<Uint8Array> {
  yield MESSAGE
}

/** Not stopped when the client leaves. */
const unstoppable = (): Messages => ({
  next: () => ({ done: false, value: MESSAGE }),
  return() {
    throw new Error('still in use')
  },
})

/** The same handler, as it is called from another thread. */
function elsewhere({ answer }: AnyMessageHandler, log: typeof silentLog): AnyMessageHandler {
  const forwarded: Forwarded = createForwarded(
    async (packet, peer) => answer(packet, peer) as Messages, // of this thread
    (message) => setImmediate(() => message.kind === 'answer' && forwarding.take(structuredClone(message))),
    log,
  )
  const forwarding: Forwarding = createForwarding((message) => {
    if (message.kind === 'message' || message.kind === 'next' || message.kind === 'stop')
      setImmediate(() => forwarded.take(structuredClone(message)))
  }, noMetrics)
  return forwarding.messageHandler
}

const PLACES = [
  ['this thread', (handler: AnyMessageHandler) => handler],
  ['another thread', elsewhere],
] as const

test.each(
  PLACES.flatMap(([place, inPlace]) =>
    (
      [
        ['at its first message', 0],
        ['at its third message', 2],
      ] as const
    ).map(([when, messages]) => [`${when}, from ${place}`, inPlace, messages] as const),
  ),
)('a transfer that fails %s closes its connection, and no other', async (_, inPlace, messages) => {
  const { port, logged } = await listen(transfers(failing(messages), whole()), inPlace)
  const [octets, query] = [await transfer(port), await transfer(port, FRAMED.length)]
  expect(octets).toEqual(Buffer.concat(Array.from({ length: messages }, () => FRAMED)))
  expect(query).toEqual(FRAMED)
  expect(logged).toEqual([['dns transfer failed', expect.stringContaining('a record fits no message')]])
})

test.each(PLACES)('a transfer that cannot be stopped ends no other, from %s', async (_, inPlace) => {
  const { port, logged } = await listen(transfers(unstoppable(), whole()), inPlace)
  await transfer(port, FRAMED.length)
  await expect.poll(() => logged).toEqual([['dns transfer not stopped', 'still in use']])
  expect(await transfer(port, FRAMED.length)).toEqual(FRAMED)
})

async function listen(
  handler: AnyMessageHandler,
  inPlace: (handler: AnyMessageHandler, log: typeof silentLog) => AnyMessageHandler,
) {
  const logged: (readonly [event: string, problem: string])[] = []
  const log = {
    ...silentLog,
    error: (fields: object, event: string) =>
      void logged.push([event, (fields as { readonly err: Error }).err.message]), // of a transfer
  }
  const messageHandler = inPlace(handler, log)
  const { port, close } = await listenTcp(
    { host: '127.0.0.1', port: 0 },
    { respond: () => 0, messageHandler, log, limits: DEFAULT_LIMITS, metrics: noMetrics },
  )
  onTestFinished(close)
  return { port, logged }
}

/** Requests a transfer, and reads until the server closes the connection, or until so many octets have come. */
async function transfer(port: number, enough = Infinity): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1')
  const query = queryOf('example.com AXFR')
  socket.write(Buffer.concat([Buffer.from([query.length >> 8, query.length & 255]), query]))
  const closed = once(socket, 'close')
  let octets = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    octets = Buffer.concat([octets, chunk])
    if (octets.length >= enough) socket.destroy()
  })
  await closed
  return enough === Infinity ? octets : octets.subarray(0, enough)
}
