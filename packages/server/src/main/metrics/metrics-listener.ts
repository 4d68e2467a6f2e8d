// Metrics on a separate listener, without authentication, for scrapers on a network that the operator trusts.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Endpoint } from '@zonereeve/config'
import { HTTP_TIMEOUTS } from '../../http/index.ts'
import { type AllowedHosts, createHostCheck, DomainError, type Log, queueRequests } from '@zonereeve/platform'
import type { Metrics } from './metrics.ts'

export interface MetricsListener extends Endpoint {
  close(): Promise<void>
}

export interface MetricsListenerDeps {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  readonly allowedHosts: AllowedHosts
  readonly log: Log
}

/**
 * Port 0 picks a free port.
 * @throws the system's error.
 */
export async function listenMetrics(
  { host, port }: Endpoint,
  { metrics, allowedHosts, log }: MetricsListenerDeps,
): Promise<MetricsListener> {
  const server = createServer({ ...HTTP_TIMEOUTS }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'metrics not sent')
      response.destroy()
    })
  })
  const requireHost = createHostCheck(server, allowedHosts)
  queueRequests(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  server.on('error', (error) => log.warn({ err: error }, 'metrics listener error'))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the listener of metrics has no port')
  return { host: address.address, port: address.port, close }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.setHeader('Content-Type', 'text/plain; charset=utf-8')
    try {
      requireHost(request)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      return reject(response, error.issues[0].reason === 'request.host' ? 421 : 400)
    }
    if (request.url?.split('?', 1)[0] !== '/metrics') return reject(response, 404)
    if (request.method !== 'GET' && request.method !== 'HEAD') return reject(response, 405)
    response.setHeader('Content-Type', metrics.contentType)
    response.end(await metrics.text())
  }

  function close(): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }
}

/** The body of the request is not read. */
function reject(response: ServerResponse, status: number): void {
  response.setHeader('Connection', 'close')
  response.writeHead(status).end(`${status}\n`)
}
