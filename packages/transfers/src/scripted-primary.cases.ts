// A primary on a real socket for tests; its script can make it misbehave.
import { createServer, type Socket } from 'node:net'
import {
  CLASS,
  createTsigSigner,
  decodeMessage,
  encodeMessage,
  encodeRdata,
  META_TYPE,
  parseName,
  rdataFromTextByCode,
  readTsig,
  typeCode,
  type Hmac,
  type Message,
  type ResourceRecord,
  type TsigKey,
} from '@zonereeve/dns'

export const SOA_TIMES = { refresh: 3_600, retry: 600, expire: 86_400, minimum: 60 }

/** Behavior of the primary. */
export interface Script {
  /** Serial in the answer to SOA queries. */
  readonly serial: number
  /** Records of each message of the AXFR response; a string is `name ttl type rdata`, the SOA is `SOA serial`. */
  readonly axfr: readonly (readonly string[])[]
  /** The same for IXFR; undefined = as for AXFR. */
  readonly ixfr?: readonly (readonly string[])[]
  readonly key?: TsigKey
  /** Signs only this many messages. */
  readonly signs?: number
  /** Signs the first message, every Nth message after it, and the last (RFC 8945 §5.3.1). */
  readonly signsEvery?: number
  /** Replaces the messages of a transfer, including their signatures. */
  readonly mangle?: (messages: readonly Uint8Array[]) => readonly Uint8Array[]
  /** Closes the connection after the messages instead of waiting. */
  readonly cuts?: boolean
  /** Sends the last message again and again. */
  readonly isEndless?: boolean
  readonly rcode?: number
  readonly id?: (id: number) => number
  readonly times?: Partial<typeof SOA_TIMES>
  readonly class?: number
}

export interface ScriptedPrimary {
  readonly port: number
  script: Script
  /** Types of the requests so far: `SOA`, `AXFR`, `IXFR`. */
  readonly asked: string[]
  close(): Promise<void>
}

const TYPES: Readonly<Record<number, string>> = {
  6: 'SOA',
  [META_TYPE.AXFR]: 'AXFR',
  [META_TYPE.IXFR]: 'IXFR',
}

export async function startScriptedPrimary(
  {
    apex,
    hmac,
    nowSeconds,
  }: { readonly apex: string; readonly hmac: Hmac; readonly nowSeconds: () => number },
  script: Script,
): Promise<ScriptedPrimary> {
  const sockets = new Set<Socket>()
  const asked: string[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy()) // the client may disconnect at any time
    let rest = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
        const end = 2 + rest.readUInt16BE(0)
        answer(socket, new Uint8Array(rest.subarray(2, end)))
        rest = rest.subarray(end)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const primary: ScriptedPrimary = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    script,
    asked,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
  return primary

  function answer(socket: Socket, octets: Uint8Array): void {
    const request = decodeMessage(octets)
    const type = TYPES[request.questions[0]?.type ?? 0] ?? 'other'
    asked.push(type)
    const { serial, axfr, ixfr = axfr } = primary.script
    const messages = type === 'SOA' ? [[`SOA ${serial}`]] : type === 'IXFR' ? ixfr : axfr
    send(socket, { octets, request, messages, isTransfer: type !== 'SOA' })
  }

  function send(
    socket: Socket,
    {
      octets,
      request,
      messages,
      isTransfer,
    }: { octets: Uint8Array; request: Message; messages: Script['axfr']; isTransfer: boolean },
  ): void {
    const { key, signs = Infinity, signsEvery = 1, cuts, isEndless, mangle } = primary.script
    const requestMac = readTsig(octets)?.tsig.mac ?? new Uint8Array(0)
    const waiting: Uint8Array[] = []
    // A signature also covers the unsigned messages before it: they precede the message itself and its timers.
    const recordingHmac: Hmac = (algorithm, secret, parts) =>
      hmac(algorithm, secret, [...parts.slice(0, -2), ...waiting.splice(0), ...parts.slice(-2)])
    const signer = key && createTsigSigner(key, { hmac: recordingHmac, requestMac })
    const plains = messages.map((lines) => encodeMessage(replyTo(request, lines)))
    const sent = plains.map((plain, index) => {
      const isTurn = index % signsEvery === 0 || index === plains.length - 1
      if (signer !== undefined && index < signs && isTurn) return signer.sign(plain, nowSeconds())
      waiting.push(plain)
      return plain
    })
    const framed = (isTransfer && mangle !== undefined ? mangle(sent) : sent).map((message) =>
      Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message]),
    )
    socket.write(Buffer.concat(framed))
    if (cuts === true && isTransfer) socket.end()
    const last = framed.at(-1)
    if (isEndless !== true || !isTransfer || last === undefined) return
    const more = (): void => void (socket.destroyed || socket.write(last, () => setImmediate(more)))
    more()
  }

  function replyTo(request: Message, lines: readonly string[]): Message {
    const { rcode = 0, id = (same: number) => same } = primary.script
    return {
      ...request,
      id: id(request.id),
      qr: true,
      aa: true,
      rcode,
      answers: rcode === 0 ? lines.map(toRecord) : [],
      authorities: [],
      additionals: [],
    }
  }

  function toRecord(line: string): ResourceRecord {
    const recordClass = primary.script.class ?? CLASS.IN
    const [name = '', ttl = '', type = '', ...rest] = line.split(' ')
    if (name === 'SOA') {
      const host = parseName(apex)
      const times = { ...SOA_TIMES, ...primary.script.times }
      const soa = encodeRdata('SOA', { mname: host, rname: host, serial: Number(ttl), ...times })
      return { name: host, type: 6, class: recordClass, ttl: 3_600, rdata: soa }
    }
    const code = typeCode(type) ?? 0
    const [generic, , hex = ''] = rest
    const rdata =
      generic === '\\#' ? new Uint8Array(Buffer.from(hex, 'hex')) : rdataFromTextByCode(code, rest.join(' '))
    return { name: parseName(name), type: code, class: recordClass, ttl: Number(ttl), rdata }
  }
}
