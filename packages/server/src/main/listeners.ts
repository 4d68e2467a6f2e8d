// Opens the listeners: DNS plain and encrypted, metrics, the API. The API comes last: clients that reach it
// may rely on the others.
import type { FastifyInstance } from 'fastify'
import type { Config, Endpoint } from '../config/index.ts'
import { isLoopback } from '../http/index.ts'
import type { Nameserver } from '@zonereeve/nameserver'
import type { Log } from '@zonereeve/platform'
import { listenMetrics, type MetricsListener } from './metrics/metrics-listener.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { encryptedEndpoints } from './nameserver-guards.ts'

export interface ListenersDeps {
  readonly config: Config
  readonly encrypted: ReturnType<typeof encryptedEndpoints>
  readonly nameserver: Nameserver
  readonly server: FastifyInstance
  readonly metrics: Metrics
  readonly log: Log
}

export interface Listeners {
  readonly dns: Endpoint
  readonly tls: Endpoint | undefined
  readonly https: Endpoint | undefined
  readonly metrics: MetricsListener | undefined
  readonly http: Endpoint
}

const NOT_ENCRYPTED = { tls: undefined, https: undefined }

/** @throws the system's error; then the nameserver is the caller's to close. */
export async function openListeners(deps: ListenersDeps): Promise<Listeners> {
  const { config, encrypted, nameserver, server, log } = deps
  const { address: host, port } = await nameserver.listen(config.dns)
  const { tls, https } = encrypted === undefined ? NOT_ENCRYPTED : await nameserver.listenEncrypted(encrypted)
  const { metrics: endpoint, allowedHosts } = config
  const metrics = endpoint && (await listenMetrics(endpoint, { metrics: deps.metrics, allowedHosts, log }))
  try {
    const http = await listenHttp(server, config.http)
    warnOfPlainHttp(log, { http, metrics })
    return { dns: { host, port }, tls, https, metrics, http }
  } catch (error) {
    await metrics?.close()
    throw error
  }
}

async function listenHttp(server: FastifyInstance, { host, port }: Endpoint): Promise<Endpoint> {
  await server.listen({ host, port })
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the HTTP server has no port')
  return { host: address.address, port: address.port }
}

/** Anybody on the network path can read tokens and zone names. */
function warnOfPlainHttp(log: Log, listeners: Readonly<Record<string, Endpoint | undefined>>): void {
  for (const [setting, endpoint] of Object.entries(listeners)) {
    if (endpoint === undefined || isLoopback(endpoint.host)) continue
    const { host, port } = endpoint
    log.warn({ setting, host, port }, 'plain http listens beyond loopback: put TLS in front of it')
  }
}
