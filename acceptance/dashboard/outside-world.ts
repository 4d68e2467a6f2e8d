// What the program of the dashboard reaches outside: names that lead to this machine, an SMTP server, and a site whose
// scripts and pages change.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

const HEADER_BYTES = 12
/** A response with recursion, one question and one answer. */
const ANSWERED = Buffer.from('81800001000100000000', 'hex')
/** The same without an answer: the name does not exist. */
const UNKNOWN = Buffer.from('81830001000000000000', 'hex')
/** The name of the question, type A, class IN, 60 seconds, 127.0.0.1. */
const LOOPBACK = Buffer.from('c00c000100010000003c00047f000001', 'hex')
const QUESTION_END_BYTES = 4
const TYPE_A = 1

/** A resolver for which this suffix, and all names below it, are this machine. Ends with the process. @returns its port. */
export async function serveNames(suffix: string): Promise<number> {
  const socket = createSocket('udp4')
  socket.unref()
  socket.on('message', (message, { port, address }) => {
    const { name, end } = readName(message)
    const question = message.subarray(HEADER_BYTES, end + QUESTION_END_BYTES)
    const isOurs = message.readUInt16BE(end) === TYPE_A && `.${name}`.endsWith(`.${suffix}`)
    const id = message.subarray(0, 2)
    socket.send(
      Buffer.concat(isOurs ? [id, ANSWERED, question, LOOPBACK] : [id, UNKNOWN, question]),
      port,
      address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket.address().port
}

/** The name of the question, and where it ends. */
function readName(message: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = message[at]; length !== undefined && length > 0; length = message[at]) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}

/** Takes every e-mail. Ends with the process. @returns its port, and the texts that it got. */
export async function serveMail(): Promise<{ readonly port: number; readonly received: readonly string[] }> {
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    hideSTARTTLS: true,
    onData(stream, _session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString('utf8'))
        callback()
      })
    },
  })
  server.server.unref()
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return { port: (server.server.address() as AddressInfo).port, received } // it listens on a port
}

export interface ServedFile {
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A site whose files may be replaced while it runs. Ends with the process. @returns its port. */
export async function serveFiles(files: ReadonlyMap<string, ServedFile>): Promise<number> {
  const server = createHttpServer(({ url = '' }, reply) => {
    const file = files.get(url)
    reply
      .writeHead(file === undefined ? 404 : 200, {
        'content-type': file?.type ?? 'text/plain',
        ...file?.headers,
      })
      .end(file?.body)
  })
  server.unref()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port // it listens on a port
}
