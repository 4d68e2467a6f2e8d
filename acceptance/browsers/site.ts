// A web server for tests: on loopback, under any number of names below localhost.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Certificate } from './certificate.ts'

/** Rules of Chromium's resolver: sites listen on 127.0.0.1 alone, and at ::1 the same port can be another server's. */
export const NAMES_OF_SITES = 'MAP localhost 127.0.0.1, MAP *.localhost 127.0.0.1'

export interface SiteRequest {
  readonly method: string
  /** Includes the port. */
  readonly host: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface SiteReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
}

export interface Site {
  readonly port: number
  /** `https://NAME.localhost:PORT`, or http without a certificate. */
  readonly origin: (name: string) => string
  /** Requests received, in order. */
  readonly requests: readonly SiteRequest[]
  readonly close: () => Promise<void>
}

/** @param answer returns undefined for 404. @param certificate enables TLS. */
export async function startSite(
  answer: (request: SiteRequest) => SiteReply | undefined | Promise<SiteReply | undefined>,
  certificate?: Certificate,
): Promise<Site> {
  const requests: SiteRequest[] = []
  const listener = (request: IncomingMessage, response: ServerResponse) => void handle(request, response)
  const server =
    certificate === undefined ? createServer(listener) : createSecureServer(certificate, listener)
  const scheme = certificate === undefined ? 'http' : 'https'
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    port,
    origin: (name) => `${scheme}://${name}.localhost:${port}`,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const received: SiteRequest = {
      method: request.method ?? '',
      host: request.headers.host ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    }
    requests.push(received)
    const { status = 200, headers = {}, body = '' } = (await answer(received)) ?? { status: 404 }
    response.statusCode = status
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.end(body)
  }
}

/** Polls until `isDone` returns true. @throws after `seconds`, with the text that `reported` returns. */
export async function until(
  isDone: () => boolean | Promise<boolean>,
  reported: () => string | Promise<string>,
  seconds = 60,
): Promise<void> {
  const deadline = Date.now() + seconds * 1000
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`not within ${seconds} s: ${await reported()}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
