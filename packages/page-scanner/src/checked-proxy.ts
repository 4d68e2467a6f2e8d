// A proxy on the loopback interface, for one scan: the browser reaches the network through it alone. A host is
// resolved here, all of its addresses are checked, and the connection goes to one of them, so that neither DNS nor a
// redirect leads to a private network.
import { createServer, request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import {
  createCheckedAddresses,
  FetchFailed,
  onlyThese,
  type CheckedAddressesDeps,
} from '@zonereeve/safe-fetch'

export interface CheckedProxyDeps extends CheckedAddressesDeps {
  /** Ports that may be connected to; `any` is for networks that the user trusts. */
  readonly ports: readonly number[] | 'any'
  readonly maxConnections: number
  /** Received, of all connections together. */
  readonly maxBytes: number
}

/** `name`: it does not resolve. */
export type Refusal = 'port' | 'address' | 'name' | 'limit'

export interface CheckedProxy {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** Hosts with ports that were not connected to, each once, with the reason. */
  readonly refused: ReadonlyMap<string, Refusal>
  /** Ends all connections. */
  close(): Promise<void>
}

const RESOLVE_MILLIS = 5_000
/** A page that names more hosts is shown the first. */
const MAX_REFUSED = 100
/** Headers between a client and its proxy (RFC 9110 §7.6.1). */
const OF_THE_CONNECTION = ['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive']

/** Starts the proxy. It must be closed. */
export async function startCheckedProxy({
  ports,
  maxConnections,
  maxBytes,
  ...addresses
}: CheckedProxyDeps): Promise<CheckedProxy> {
  const resolve = createCheckedAddresses(addresses)
  const refused = new Map<string, Refusal>()
  const sockets = new Set<Duplex>()
  let connections = 0
  let bytes = 0
  let isClosed = false

  const server = createServer((request, response) => {
    forward(request, response).catch(() => fail(response))
  })
  server.on('connect', (request, socket, head) => {
    tunnel(request, socket, head).catch(() => socket.destroy())
  })
  server.on('connection', follow)
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(0, '127.0.0.1', listening)
  })
  const { port } = server.address() as AddressInfo // it listens on a TCP port
  return { url: `http://127.0.0.1:${port}`, refused, close }

  async function tunnel({ url = '' }: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => client.destroy())
    const target = await targetOf(url, `http://${url}`)
    if (isClosed || client.destroyed) return void client.destroy()
    if (target === undefined) return void client.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
    const upstream = connect({ ...target, lookup: onlyThese(target.addresses) }, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      upstream.write(head)
      client.pipe(upstream).pipe(client)
      count(upstream)
    })
    follow(upstream)
    // Its error is handled by following it; the client must not wait.
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => response.destroy())
    const target = await targetOf(undefined, request.url ?? '') // an incoming request has one
    if (isClosed || response.destroyed) return void response.destroy()
    if (target === undefined) return void response.writeHead(403, { 'content-length': '0' }).end()
    const { pathname, search } = target.url
    const headers = { ...request.headers }
    for (const name of OF_THE_CONNECTION) delete headers[name]
    const sent = requestHttp({
      host: target.host,
      port: target.port,
      lookup: onlyThese(target.addresses),
      method: request.method,
      path: pathname + search,
      headers,
      agent: false,
    })
    sent.on('socket', follow)
    sent.on('error', () => fail(response))
    response.on('close', () => sent.destroy())
    // A page cannot ask for another protocol here; without a listener, there would be neither response nor error.
    sent.on('upgrade', (_received, socket) => {
      socket.destroy()
      fail(response)
    })
    sent.on('response', (received) => {
      received.on('error', () => response.destroy())
      try {
        response.writeHead(received.statusCode ?? BAD_GATEWAY, received.headers) // always there in a response
      } catch {
        // The parser accepts more than may be sent, such as status 099.
        sent.destroy()
        return fail(response)
      }
      received.pipe(response)
      count(received)
    })
    request.pipe(sent)
  }

  /** @returns undefined if it must not be connected to. */
  async function targetOf(authority: string | undefined, text: string) {
    if (!URL.canParse(text)) return undefined
    const url = new URL(text)
    if (url.protocol !== 'http:') return undefined
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // A URL leaves out 80, which `authority` has.
    const port = url.port === '' ? HTTP_PORT : Number(url.port)
    const named = authority ?? `${url.hostname}:${port}`
    connections += 1
    if (connections > maxConnections || bytes > maxBytes) return rejectHost(named, 'limit')
    if (ports !== 'any' && !ports.includes(port)) return rejectHost(named, 'port')
    try {
      return { url, host, port, addresses: await resolve(host, AbortSignal.timeout(RESOLVE_MILLIS)) }
    } catch (error) {
      return rejectHost(named, error instanceof FetchFailed && error.problem === 'name' ? 'name' : 'address')
    }
  }

  function rejectHost(named: string, reason: Refusal): undefined {
    if (refused.size < MAX_REFUSED && !refused.has(named)) refused.set(named, reason)
    return undefined
  }

  /** Remembers a connection until it is closed. */
  function follow(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }

  /** Counts what a stream brings, beside the pipe that reads it. */
  function count(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) stream.destroy()
    })
  }

  async function close(): Promise<void> {
    isClosed = true // hosts that are being resolved are not connected to
    const closed = new Promise<void>((done) => server.close(() => done()))
    server.closeAllConnections()
    for (const socket of sockets) socket.destroy()
    await closed
  }
}

const HTTP_PORT = 80
const BAD_GATEWAY = 502

function fail(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(BAD_GATEWAY, { 'content-length': '0' }).end()
}
