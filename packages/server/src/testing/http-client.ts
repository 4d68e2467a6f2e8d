// One HTTP exchange over a real socket, with no headers added.
import { Agent, request } from 'node:http'
import { connect } from 'node:net'

export interface HttpRequest {
  readonly method: string
  /** Including the base path. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

export interface HttpClient {
  send(port: number, sent: HttpRequest): Promise<Received>
  close(): void
}

export function createHttpClient(): HttpClient {
  const agent = new Agent({ keepAlive: true })
  return {
    send: (port, { method, path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
        const outgoing = request(
          { host: '127.0.0.1', port, method, path, agent, headers: { ...length, ...headers } },
          (incoming) => {
            const chunks: Buffer[] = []
            incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
            incoming.on('error', reject)
            incoming.on('end', () => {
              const text = Buffer.concat(chunks).toString('utf8')
              resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text })
            })
          },
        )
        outgoing.on('error', reject)
        outgoing.end(body)
      }),
    close: () => agent.destroy(),
  }
}

/** Writes `octets` to a new connection and returns everything received until the server closes it. */
export const exchangeOctets = (port: number, ...octets: readonly (string | Buffer)[]): Promise<string> =>
  exchange(port, octets, false)

/** The same, but closes our side after the last byte. */
export const exchangeHalfClosed = (port: number, ...octets: readonly (string | Buffer)[]): Promise<string> =>
  exchange(port, octets, true)

function exchange(port: number, octets: readonly (string | Buffer)[], isClosed: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      for (const part of octets) socket.write(part)
      if (isClosed) socket.end()
    })
    socket.on('end', () => socket.end())
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (error: Error & { code?: string }) => {
      // A server that rejects a request may close before it has read everything; its response still counts.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
}
