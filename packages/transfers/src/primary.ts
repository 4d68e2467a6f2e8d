// One conversation with a primary over TCP or TLS: its serial first, then the transfer. Every part of it is bounded: in
// octets, in time, and in content.
import { randomInt } from 'node:crypto'
import type { Socket } from 'node:net'
import {
  CLASS,
  createTsigSigner,
  createTsigVerifier,
  decodeMessage,
  encodeMessage,
  encodeRdata,
  META_TYPE,
  plainMessage,
  RCODE,
  ROOT,
  type Message,
  type Name,
  type TsigFault,
  type TsigVerifier,
  type ResourceRecord,
} from '@zonereeve/dns'
import {
  createAnswerReader,
  readSerial,
  TransferFault,
  TYPE,
  type AnswerLimits,
  type ReceivedTransfer,
  type TransferPeer,
} from '@zonereeve/nameserver'
import type { Clock } from '@zonereeve/platform'
import { hmac } from './hmac.ts'
import { connectToPrimary, type PrimaryTls } from './primary-connection.ts'

export interface PrimaryLimits extends AnswerLimits {
  /** Silence after which a conversation ends. */
  readonly idleMillis: number
  /** The same within a difference that has begun, which the whole zone can replace. */
  readonly differenceIdleMillis: number
  /** Longest duration of a conversation. */
  readonly totalMillis: number
}

export const PRIMARY_LIMITS: PrimaryLimits = {
  records: 2_000_000,
  octets: 268_435_456,
  idleMillis: 10_000,
  differenceIdleMillis: 2_000,
  totalMillis: 300_000,
}

/** A conversation for several consecutive queries. */
export interface Conversation {
  /** @throws TransferFault */
  serial(): Promise<number>
  /** The zone, or with `fromSerial` the difference since then. @throws TransferFault */
  transfer(fromSerial: number | undefined): Promise<ReceivedTransfer>
  close(): void
}

export interface ConversationDeps {
  readonly peer: TransferPeer & { readonly tls?: PrimaryTls | undefined }
  /** Certificates in PEM that are trusted instead of those of Node. */
  readonly authorities?: string
  readonly apex: Name
  readonly clock: Pick<Clock, 'now'>
  readonly limits: PrimaryLimits
  readonly signal: AbortSignal
}

const FAULTS: Readonly<Record<TsigFault, string>> = {
  unsigned: 'the answer is not signed',
  other_key: 'the answer is signed with another key',
  bad_mac: 'the signature of the answer is wrong',
  bad_time: 'the answer was signed at another time: the clocks differ',
  refused: 'the primary refuses the signature',
}

export function converse({ peer, authorities, apex, clock, limits, signal }: ConversationDeps): Conversation {
  const { socket, verified } = connectToPrimary(peer, limits.idleMillis, authorities)
  const messages = readMessages(socket, limits)
  const deadline = setTimeout(
    () => socket.destroy(new TransferFault('the transfer took too long')),
    limits.totalMillis,
  )
  const abort = (): void => void socket.destroy(new TransferFault('the transfer was aborted'))
  signal.addEventListener('abort', abort)
  // Each error also reaches the reader, but the socket can fail while nothing reads from it.
  socket.on('error', () => {})
  socket.on('close', () => {
    clearTimeout(deadline)
    signal.removeEventListener('abort', abort)
  })

  return {
    async serial() {
      await verified
      const id = randomInt(0x1_0000)
      const verifier = ask(id, TYPE.SOA, undefined)
      const { message } = await next(verifier)
      return readSerial(message, { id, apex })
    },
    async transfer(fromSerial) {
      await verified
      const id = randomInt(0x1_0000)
      const verifier = ask(id, fromSerial === undefined ? META_TYPE.AXFR : META_TYPE.IXFR, fromSerial)
      const reader = createAnswerReader({ id, apex, fromSerial }, limits)
      for (;;) {
        const { message, octets } = await next(verifier)
        const received = reader.take(message, octets)
        if (received === undefined) {
          if (fromSerial !== undefined) socket.setTimeout(limits.differenceIdleMillis)
          continue
        }
        if (verifier?.isSettled === false) throw new TransferFault('the end of the answer is not signed')
        return received
      }
    },
    close: () => void socket.destroy(),
  }

  function ask(id: number, type: number, fromSerial: number | undefined): TsigVerifier | undefined {
    const plain = encodeMessage(requestFor({ id, apex, type, fromSerial }))
    if (peer.key === undefined) {
      socket.write(frameMessage(plain))
      return undefined
    }
    const signer = createTsigSigner(peer.key, { hmac })
    socket.write(frameMessage(signer.sign(plain, nowSeconds())))
    return createTsigVerifier(peer.key, { hmac, requestMac: signer.mac })
  }

  async function next(
    verifier: TsigVerifier | undefined,
  ): Promise<{ readonly message: Message; readonly octets: number }> {
    const read = await messages.next()
    if (read.done === true)
      throw new TransferFault('the primary ended the connection in the middle of the answer')
    const message = decodeMessage(read.value)
    const fault = verifier?.take(read.value, nowSeconds())
    // A refusal may be unsigned: its code is reported, and nothing else is used.
    if (fault !== undefined && message.rcode === RCODE.NOERROR) throw new TransferFault(FAULTS[fault])
    return { message, octets: read.value.length }
  }

  function nowSeconds(): number {
    return Math.floor(clock.now() / 1000)
  }
}

/** Yields messages as they arrive. Reads from the network only on demand. */
async function* readMessages(
  socket: Socket,
  { idleMillis }: PrimaryLimits,
): AsyncGenerator<Uint8Array, undefined, undefined> {
  socket.setTimeout(idleMillis, () => socket.destroy(new TransferFault('the primary is silent')))
  let rest: Buffer = Buffer.alloc(0)
  const chunks = socket as AsyncIterable<Buffer> // no encoding is set
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const end = 2 + rest.readUInt16BE(0)
      yield new Uint8Array(rest.subarray(2, end))
      rest = rest.subarray(end)
    }
  }
  return undefined
}

function frameMessage(message: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message])
}

/** An IXFR has the client's SOA in its authority section (RFC 1995 §3); only the serial of the SOA counts. */
function requestFor({
  id,
  apex,
  type,
  fromSerial,
}: {
  readonly id: number
  readonly apex: Name
  readonly type: number
  readonly fromSerial: number | undefined
}): Message {
  return plainMessage({
    id,
    questions: [{ name: apex, type, class: CLASS.IN }],
    authorities: fromSerial === undefined ? [] : [soaOf(apex, fromSerial)],
  })
}

function soaOf(apex: Name, serial: number): ResourceRecord {
  const soa = { mname: ROOT, rname: ROOT, serial, refresh: 0, retry: 0, expire: 0, minimum: 0 }
  return { name: apex, type: TYPE.SOA, class: CLASS.IN, ttl: 0, rdata: encodeRdata('SOA', soa) }
}
