// A nameserver on loopback that plays the one a zone is delegated to before it moves here. It uses a third-party codec.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import packet, { type Answer } from 'dns-packet'

export interface PresentNameserver {
  /** HOST:PORT. */
  readonly address: string
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const PORT_ATTEMPTS = 20
const AUTHORITATIVE = packet.AUTHORITATIVE_ANSWER
const TRUNCATED = packet.TRUNCATED_RESPONSE
const NXDOMAIN = 3

/** Truncates UDP replies to TXT queries, so that clients repeat them over TCP. */
export async function startPresentNameserver(records: readonly Answer[]): Promise<PresentNameserver> {
  const tcp = createServer((socket) => {
    socket.on('error', () => {}) // the client may disconnect at any time
    socket.on('data', (frame: Buffer) => {
      const reply = respond(frame.subarray(2), false)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(reply.length)
      socket.end(Buffer.concat([length, reply]))
    })
  })
  const udp = createSocket('udp4')
  udp.on('message', (query, { address, port: from }) => udp.send(respond(query, true), from, address))
  const port = await bindBoth()
  return { address: `${HOST}:${port}`, close }

  function respond(query: Buffer, isUdp: boolean): Buffer {
    const { id, questions } = packet.decode(query)
    const [question] = questions ?? []
    const name = question?.name.toLowerCase()
    const own = records.filter((record) => record.name === name)
    const answers = own.filter(({ type }) => type === question?.type || type === 'CNAME')
    const isCut = isUdp && question?.type === 'TXT' && answers.length > 0
    return packet.encode({
      type: 'response',
      id,
      flags: AUTHORITATIVE | (isCut ? TRUNCATED : 0) | (own.length === 0 ? NXDOMAIN : 0),
      questions,
      answers: isCut ? [] : answers,
    })
  }

  async function bindBoth(): Promise<number> {
    for (let attempt = 1; ; attempt += 1) {
      await new Promise<void>((done) => tcp.listen(0, HOST, () => done()))
      const address = tcp.address()
      const free = address === null || typeof address === 'string' ? 0 : address.port
      try {
        await new Promise<void>((done, fail) => udp.once('error', fail).bind(free, HOST, () => done()))
        return free
      } catch (error) {
        // The port is free only for TCP: the next try uses another port.
        await new Promise<void>((done) => tcp.close(() => done()))
        if (attempt === PORT_ATTEMPTS) throw error
      }
    }
  }

  async function close(): Promise<void> {
    await Promise.all([
      new Promise<void>((done) => tcp.close(() => done())),
      new Promise<void>((done) => udp.close(() => done())),
    ])
  }
}
