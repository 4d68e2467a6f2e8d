// One connection of HAProxy to the agent: handshake, requests, and the end. An invalid frame ends it, with its reason.
import type { Socket } from 'node:net'
import type { Bytes } from '@zonereeve/expr'
import {
  decodeFrame,
  decodeMessages,
  decodePairs,
  encodeVariables,
  FRAME,
  LENGTH_BYTES,
  MIN_FRAME_BYTES,
  type SpopFrame,
  type SpopMessage,
  writeFrame,
} from './frames.ts'
import { encodePairs, OctetWriter, SPOP_STATUS, SpopError, type SpopPair, type SpopValue } from './values.ts'

/**
 * What the agent answers to the messages of one frame: variables of the transaction.
 *
 * @param frame its size, and the most that a frame can have.
 */
export type AnswerMessages = (
  messages: readonly SpopMessage[],
  frame: { readonly bytes: number; readonly maxBytes: number },
) => readonly SpopPair[]

/** Enough for the part of a body that rules see, and headers. HAProxy's default is 16,380. */
export const MAX_FRAME_BYTES = 262_144
const HELLO_MILLIS = 10_000
const SLOW_MILLIS = 1
const VERSION = '2.0'
const SUPPORTED = /(?:^|,)\s*2\.\d+\s*(?:,|$)/
const PIPELINING = 'pipelining'

export interface ConnectionProblems {
  /** Before the connection is ended for it. */
  readonly onEnd: (error: unknown) => void
  /** The answer has more octets than the peer takes: it gets no variables. */
  readonly onLongAnswer: (bytes: number, maxBytes: number) => void
}

/** Answers the frames of a connection until it ends. */
export function serveConnection(
  socket: Socket,
  answer: AnswerMessages,
  { onEnd, onLongAnswer }: ConnectionProblems,
  nowMillis: () => number = () => performance.now(),
): void {
  let received: Buffer = Buffer.alloc(0)
  /** undefined before the handshake. */
  let maxBytes: number | undefined
  let isEnded = false
  /** Answers to frames that came together are one write, because HAProxy pipelines and each write is a system call. */
  const waiting = new OctetWriter()
  socket.setTimeout(HELLO_MILLIS, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.on('drain', () => socket.resume())
  socket.on('data', (chunk: Buffer) => {
    if (isEnded) return
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    try {
      readFrames()
    } catch (error) {
      onEnd(error)
      const status = error instanceof SpopError ? error.status : SPOP_STATUS.unknown
      disconnect(status, error instanceof SpopError ? error.message : 'internal error')
    }
    flush()
  })

  function readFrames(): void {
    let position = 0
    while (!isEnded && received.length - position >= LENGTH_BYTES) {
      const size = received.readUInt32BE(position)
      const most = maxBytes ?? MAX_FRAME_BYTES
      if (size > most)
        throw new SpopError(SPOP_STATUS.frameTooBig, `frames can have ${most} bytes; got ${size}`)
      const [start, end] = [position + LENGTH_BYTES, position + LENGTH_BYTES + size]
      if (received.length < end) break
      read(decodeFrame(received.subarray(start, end)), size)
      position = end
    }
    received = received.subarray(position)
  }

  function read(frame: SpopFrame, bytes: number): void {
    const { type, streamId, frameId, payload } = frame
    if (type === FRAME.haproxyDisconnect) return disconnect(SPOP_STATUS.normal, 'normal')
    if (maxBytes === undefined) {
      if (type !== FRAME.haproxyHello)
        throw new SpopError(SPOP_STATUS.invalidFrame, 'the first frame must be HELLO')
      return greet(decodePairs(payload))
    }
    // Frames of other types may be skipped, and one that is aborted needs no answer.
    if (type !== FRAME.notify || frame.isAborted) return
    const began = nowMillis()
    const variables = answer(decodeMessages(payload), { bytes, maxBytes })
    send({ type: FRAME.ack, streamId, frameId, payload: encodeVariables(variables) })
    // HAProxy gives up soon: an answer waits for one slow decision at most.
    if (nowMillis() - began > SLOW_MILLIS) flush()
  }

  function greet(hello: ReadonlyMap<Bytes, SpopValue>): void {
    const versions = hello.get('supported-versions')
    const size = hello.get('max-frame-size')
    const capabilities = hello.get('capabilities')
    if (versions?.type !== 'string')
      throw new SpopError(SPOP_STATUS.versionMissing, 'supported-versions is missing')
    if (!SUPPORTED.test(versions.value))
      throw new SpopError(SPOP_STATUS.unsupportedVersion, `version ${VERSION} is required`)
    if (size?.type !== 'uint32')
      throw new SpopError(SPOP_STATUS.frameSizeMissing, 'max-frame-size is missing')
    if (size.value < MIN_FRAME_BYTES)
      throw new SpopError(SPOP_STATUS.badFrameSize, `max-frame-size must be at least ${MIN_FRAME_BYTES}`)
    if (capabilities?.type !== 'string')
      throw new SpopError(SPOP_STATUS.capabilitiesMissing, 'capabilities is missing')
    maxBytes = Math.min(Number(size.value), MAX_FRAME_BYTES)
    const isPipelined = capabilities.value.split(',').some((name) => name.trim() === PIPELINING)
    const payload = encodePairs([
      ['version', { type: 'string', value: VERSION }],
      ['max-frame-size', { type: 'uint32', value: BigInt(maxBytes) }],
      ['capabilities', { type: 'string', value: isPipelined ? PIPELINING : '' }],
    ])
    socket.setTimeout(0) // HAProxy ends idle connections
    send({ type: FRAME.agentHello, streamId: 0n, frameId: 0n, payload })
    const check = hello.get('healthcheck')
    if (check?.type === 'boolean' && check.value) end()
  }

  function disconnect(status: number, message: string): void {
    const payload = encodePairs([
      ['status-code', { type: 'uint32', value: BigInt(status) }],
      ['message', { type: 'string', value: message }],
    ])
    send({ type: FRAME.agentDisconnect, streamId: 0n, frameId: 0n, payload })
    end()
  }

  function end(): void {
    isEnded = true
    flush()
    socket.end(() => socket.destroy())
  }

  /** A peer that gets a frame over its limit ends the connection, and with it the answers to other requests that it waits for. */
  function send(frame: Omit<SpopFrame, 'isAborted'>): void {
    const { type, streamId, frameId, payload } = frame
    const start = waiting.length
    const bytes = writeFrame(waiting, { type, isAborted: false, streamId, frameId, payload })
    if (maxBytes === undefined || bytes <= maxBytes) return
    onLongAnswer(bytes, maxBytes)
    waiting.truncate(start)
    send({ ...frame, payload: Buffer.alloc(0) })
  }

  /** A peer that does not read is not read from. */
  function flush(): void {
    if (waiting.length > 0 && !socket.write(waiting.finish())) socket.pause()
  }
}
