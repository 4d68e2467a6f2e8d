// One query over UDP or TCP to one server; packets that do not answer it are skipped.
import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import type { Message } from '@zonereeve/dns'
import type { Question } from './question.ts'

export interface Server {
  /** An address, not a name. */
  readonly host: string
  readonly port: number
}

export interface Patience {
  readonly timeoutMs: number
  /** Number of wrong packets to skip. */
  readonly wrongReplies: number
  readonly signal: AbortSignal
}

/** No usable answer arrived. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** The server replied, if only with an error. */
  readonly heard: boolean

  constructor(problem: string, heard = false) {
    super(problem)
    this.heard = heard
  }
}

/**
 * Sends a query over UDP from a random port chosen by the system; the kernel drops packets from elsewhere.
 *
 * @returns `tcp` if the query must be repeated over TCP: the answer was truncated, or might be forged.
 * @throws NoAnswer
 */
export function queryUdp(
  { host, port }: Server,
  question: Question,
  patience: Patience,
): Promise<Message | 'tcp'> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  return settle(
    patience,
    () => {
      // The event may already be queued, and a closed socket cannot send.
      socket.removeAllListeners('connect')
      socket.close()
    },
    (resolve, reject) => {
      let wrong = 0
      socket.on('error', reject)
      socket.on('message', (packet) => {
        const reply = question.read(packet)
        if (reply !== undefined) resolve(reply.exact && !reply.message.tc ? reply.message : 'tcp')
        else if ((wrong += 1) > patience.wrongReplies) resolve('tcp')
      })
      // Without a callback, a connect that fails is an 'error' event.
      socket.on('connect', () => socket.send(question.wire, (error) => error !== null && reject(error)))
      socket.connect(port, host)
    },
  )
}

/** Sends a query over TCP. @throws NoAnswer */
export function queryTcp({ host, port }: Server, question: Question, patience: Patience): Promise<Message> {
  const socket = connect({ host, port, noDelay: true })
  return settle(
    patience,
    () => socket.destroy(),
    (resolve, reject) => {
      let received: Buffer = Buffer.alloc(0)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(question.wire.length)
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('closed without an answer')))
      socket.on('connect', () => socket.write(Buffer.concat([length, question.wire])))
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk])
        if (received.length < 2 || received.length < 2 + received.readUInt16BE()) return
        const reply = question.read(received.subarray(2, 2 + received.readUInt16BE()))
        if (reply === undefined || reply.message.tc) reject(new Error('not the answer'))
        else resolve(reply.message) // only the server can write here, so any spelling of the name is accepted
      })
    },
  )
}

/** A promise that settles once: with the result of `start`, at the timeout, or on abort. */
function settle<Result>(
  { timeoutMs, signal }: Patience,
  free: () => void,
  start: (resolve: (result: Result) => void, reject: (error: Error) => void) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let isDone = false
    const end = (finish: () => void) => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      free()
      finish()
    }
    const fail = (error: Error) => end(() => reject(new NoAnswer(error.message)))
    const abort = () => fail(new Error('stopped'))
    const timer = setTimeout(() => fail(new Error('timeout')), timeoutMs)
    signal.addEventListener('abort', abort)
    if (signal.aborted) return abort()
    try {
      start((result) => end(() => resolve(result)), fail)
    } catch (error) {
      // For example, a port that no packet can be sent to.
      fail(error instanceof Error ? error : new Error(String(error)))
    }
  })
}
