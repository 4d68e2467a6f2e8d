// One question over UDP or TCP, to one server; every answer that is not its own is passed over.
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
  /** Wrong packets that are passed over. */
  readonly wrongReplies: number
  readonly signal: AbortSignal
}

/** No answer came that could be used. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** A server did reply, if only to say that it cannot answer this. */
  readonly heard: boolean

  constructor(problem: string, heard = false) {
    super(problem)
    this.heard = heard
  }
}

/**
 * Asks over UDP, from a port of its own, which the system chooses at random; the kernel drops what comes from elsewhere.
 *
 * @returns `tcp` when the answer is to be had over TCP: it was truncated, or could not be told from a forged one.
 * @throws NoAnswer
 */
export function exchangeUdp(
  { host, port }: Server,
  question: Question,
  patience: Patience,
): Promise<Message | 'tcp'> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  return settle(
    patience,
    () => socket.close(),
    (resolve, reject) => {
      let wrong = 0
      socket.on('error', reject)
      socket.on('message', (packet) => {
        const reply = question.read(packet)
        if (reply !== undefined) resolve(reply.exact && !reply.message.tc ? reply.message : 'tcp')
        else if ((wrong += 1) > patience.wrongReplies) resolve('tcp')
      })
      socket.connect(port, host, () => socket.send(question.wire, (error) => error !== null && reject(error)))
    },
  )
}

/** Asks over TCP. @throws NoAnswer */
export function exchangeTcp(
  { host, port }: Server,
  question: Question,
  patience: Patience,
): Promise<Message> {
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
        else resolve(reply.message) // nobody but the server can write here, so its spelling may be what it likes
      })
    },
  )
}

/** A promise that ends once: with what `start` finds, at the timeout, or when nobody wants to know any more. */
function settle<Result>(
  { timeoutMs, signal }: Patience,
  free: () => void,
  start: (resolve: (result: Result) => void, reject: (error: Error) => void) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let settled = false
    const end = (finish: () => void) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      free()
      finish()
    }
    const fail = (error: Error) => end(() => reject(new NoAnswer(error.message)))
    const abort = () => fail(new Error('stopped'))
    const timer = setTimeout(() => fail(new Error('timeout')), timeoutMs)
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    else start((result) => end(() => resolve(result)), fail)
  })
}
