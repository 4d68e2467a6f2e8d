// Opens the listeners: DNS plain and encrypted, metrics, the API. The API comes last: clients that reach it
// may rely on the others.
import type { FastifyInstance } from 'fastify'
import type { Config, Endpoint } from '@zonereeve/config'
import {
  listenSecurely,
  type ClientErrorHandler,
  type LimitedConnections,
  type SecureListener,
} from '../http/index.ts'
import {
  CERTIFICATE_LOOK_MS,
  readCertificate,
  watchCertificate,
  type CertificateWatch,
  type Nameserver,
} from '@zonereeve/nameserver'
import { isLoopback, type Log } from '@zonereeve/platform'
import { listenMetrics, type MetricsListener } from './metrics/metrics-listener.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { encryptedEndpoints } from './nameserver-guards.ts'

export interface ListenersDeps {
  readonly config: Config
  readonly encrypted: ReturnType<typeof encryptedEndpoints>
  readonly nameserver: Nameserver
  readonly server: FastifyInstance
  readonly connections: LimitedConnections
  readonly clientErrors: ClientErrorHandler
  readonly metrics: Metrics
  readonly log: Log
}

export interface Listeners {
  readonly dns: Endpoint
  readonly tls: Endpoint | undefined
  readonly https: Endpoint | undefined
  readonly metrics: MetricsListener | undefined
  readonly http: Endpoint
  /** The API over TLS, if it is configured. */
  readonly secure: SecureApi | undefined
  /** Looks now whether the certificate has changed. */
  loadCertificate(): Promise<void>
}

export interface SecureApi extends SecureListener {
  /** Looks now whether the certificate has changed. */
  reloadCertificate(): Promise<void>
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
    const secure = await listenApi(deps)
    warnOfPlainHttp(log, { http, metrics })
    const loadCertificate = async (): Promise<void> => {
      await Promise.all([nameserver.reloadCertificate(), secure?.reloadCertificate()])
    }
    return { dns: { host, port }, tls, https, metrics, http, secure, loadCertificate }
  } catch (error) {
    await metrics?.close()
    throw error
  }
}

async function listenHttp(server: FastifyInstance, { host, port, passed }: Endpoint): Promise<Endpoint> {
  // Fastify passes its options on to Node, whose types do not have the descriptor.
  await server.listen(passed === undefined ? { host, port } : ({ fd: passed.stream } as object))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the HTTP server has no port')
  return { host: address.address, port: address.port }
}

/** The API over TLS; the plain one is ready. */
async function listenApi(deps: ListenersDeps): Promise<SecureApi | undefined> {
  const { config, encrypted, server, connections, clientErrors, log } = deps
  if (config.https === undefined || encrypted === undefined) return undefined
  const { files } = encrypted
  const listener = await listenSecurely(config.https, await readCertificate(files), {
    plain: server.server,
    connections,
    clientError: clientErrors.handle,
    hstsDays: config.hstsDays,
    log,
  })
  const watch: CertificateWatch = watchCertificate(files, {
    everyMs: CERTIFICATE_LOOK_MS,
    log,
    use: listener.useCertificate,
  })
  return {
    ...listener,
    reloadCertificate: watch.look,
    close: (drainMillis) => {
      watch.stop()
      return listener.close(drainMillis)
    },
  }
}

/** Anybody on the network path can read tokens and zone names. */
function warnOfPlainHttp(log: Log, listeners: Readonly<Record<string, Endpoint | undefined>>): void {
  for (const [setting, endpoint] of Object.entries(listeners)) {
    if (endpoint === undefined || isLoopback(endpoint.host)) continue
    const { host, port } = endpoint
    log.warn({ setting, host, port }, 'plain http listens beyond loopback: put TLS in front of it')
  }
}
