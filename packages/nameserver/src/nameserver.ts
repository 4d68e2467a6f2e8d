// The complete nameserver: the responder behind UDP and TCP on one port (RFC 7766 §5: both are required), and behind
// TLS and HTTPS on others.
import { lookup } from 'node:dns/promises'
import { rcodeText } from '@zonereeve/dns'
import type { Log } from './log.ts'
import { CERTIFICATE_LOOK_MS, readCertificate, watchCertificate } from './certificate.ts'
import type { CertificateWatch } from './certificate.ts'
import type { Certificate, CertificateFiles } from './certificate.ts'
import type { Cookies } from './cookies.ts'
import { listenHttps } from './https.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { NameserverLimits } from './limits.ts'
import { noMetrics } from './metrics.ts'
import type { NameserverMetrics } from './metrics.ts'
import { type Answered, type MessageHandler, needsMessageHandler } from './message-handler.ts'
import { openOnOnePort } from './one-port.ts'
import { createAnsweringThreads, type ThreadsOptions } from './answering-threads.ts'
import { createAnswerCache } from './answer-cache.ts'
import { listenBatchedUdp, listenOnDescriptor } from './batched-udp.ts'
import type { SystemCalls } from './system-calls.ts'
import { createFastPath } from './fast-path.ts'
import { logQueries, type QueryLogSettings } from './query-log.ts'
import { createResponder, MAX_REPLY_OCTETS } from './responder.ts'
import type { Respond } from './responder.ts'
import { listenTcp } from './tcp.ts'
import { listenUdp } from './udp.ts'
import type {
  Endpoint,
  Listener,
  ListenerDeps,
  ListenEndpoint,
  PlainEndpoint,
  RespondLater,
} from './listener.ts'
import type { Peer } from './peer.ts'
import { rcodeOf } from './query.ts'
import type { RateLimits } from './rate-limits.ts'
import { createRefusalLimits } from './refusal-limits.ts'
import { listenTls } from './tls.ts'
import type { EncryptedListener } from './tls.ts'
import { type IsProxy, unwrapProxied } from './trusted-proxies.ts'
import type { ZoneTable } from './zone-table.ts'

export interface NameserverOptions {
  readonly table: ZoneTable
  readonly log: Log
  /** Missing limits are taken from DEFAULT_LIMITS. */
  readonly limits?: Partial<NameserverLimits>
  readonly metrics?: NameserverMetrics
  /** Undefined: no cookies are sent. */
  readonly cookies?: Cookies | undefined
  /** Undefined: there is no rate limit. */
  readonly rateLimits?: RateLimits | undefined
  readonly nsid?: Uint8Array | undefined
  /** Whether messages from an address must have a header of the PROXY protocol. */
  readonly isProxy?: IsProxy | undefined
  /** If given, answers to queries are logged. Messages with a signature, updates and transfers are not. */
  readonly queryLog?: QueryLogSettings | undefined
  /** The time in milliseconds. If given, UDP answers are cached. */
  readonly now?: (() => number) | undefined
  /** If given, UDP messages are read and sent in batches. */
  readonly systemCalls?: SystemCalls | undefined
  readonly respondLater?: RespondLater | undefined
  /** Answers messages that are more than a question for data; undefined: they are refused. */
  readonly messageHandler?: (respond: Respond) => MessageHandler
  /** If given, threads answer over all transports; otherwise this thread does. */
  readonly threads?: ThreadsOptions | undefined
}

export interface EncryptedEndpoints {
  readonly files: CertificateFiles
  /** DNS over TLS. */
  readonly tls?: Endpoint | undefined
  /** DNS over HTTPS. */
  readonly https?: Endpoint | undefined
  /** How often the files are checked, in milliseconds. */
  readonly lookMs?: number
}

/** The actual addresses. */
export interface EncryptedListening {
  readonly tls: Endpoint | undefined
  readonly https: Endpoint | undefined
}

export interface Nameserver {
  /** Listens on UDP and TCP at an address; port 0 picks one that is free for both. @throws if it cannot */
  listen(endpoint: PlainEndpoint): Promise<{ readonly address: string; readonly port: number }>
  /** Listens for DNS over TLS and over HTTPS, with the latest version of the certificate. @throws if it cannot */
  listenEncrypted(endpoints: EncryptedEndpoints): Promise<EncryptedListening>
  /** Looks now whether the certificate has changed; otherwise this happens every few seconds. */
  reloadCertificate(): Promise<void>
  /** Resolves when everything that was counted is in the metrics. */
  settleCounts(): Promise<void>
  /** Stops listening, sends the pending answers, frees the ports. */
  close(): Promise<void>
}

export function createNameserver({
  table,
  log,
  limits: given,
  metrics = noMetrics,
  cookies,
  rateLimits,
  nsid,
  isProxy,
  queryLog,
  now,
  systemCalls,
  respondLater: givenRespondLater,
  messageHandler: createMessageHandler,
  threads: threadsOptions,
}: NameserverOptions): Nameserver {
  const limits = { ...DEFAULT_LIMITS, ...given }
  const answers =
    now === undefined
      ? undefined
      : createAnswerCache({ version: () => table.version, metrics, rateLimits, now })
  const respond = createResponder({ table, log, limits, metrics, cookies, rateLimits, nsid, answers })
  const refusals = rateLimits && createRefusalLimits({ rateLimits, metrics })
  const messageHandler =
    createMessageHandler && refusals
      ? refusals.limitMessageHandler(createMessageHandler, respond)
      : createMessageHandler?.(respond)
  const respondLater =
    givenRespondLater && refusals ? refusals.limitLater(givenRespondLater) : givenRespondLater
  const fastPath =
    now === undefined ? undefined : createFastPath({ table, limits, metrics, rateLimits, answers })
  const unlogged: ListenerDeps = {
    respond,
    respondLater: answerLater,
    messageHandler,
    fastPath,
    answers,
    log,
    limits,
    metrics,
    isProxy,
  }
  const deps = unwrapProxied(
    queryLog === undefined ? unlogged : logQueries(unlogged, queryLog, log, now ?? Date.now),
  )
  const threads =
    threadsOptions &&
    createAnsweringThreads({
      ...threadsOptions,
      table,
      log,
      limits,
      metrics,
      systemCalls,
      queryLog,
      answer: answerAny,
    })
  const listeners: Listener[] = []
  const watches: CertificateWatch[] = []

  return {
    async listen({ host, port, passed }) {
      const { address } = await lookup(host)
      const used = threads
        ? await threads.listen('udp', { host: address, port, passed })
        : await listenHere({ host: address, port, passed })
      log.info({ address, port: used, threads: threads?.count }, 'dns listening')
      return { address, port: used }
    },
    listenEncrypted,
    reloadCertificate,
    settleCounts: async () => threads?.settleCounts(),
    async close() {
      for (const { stop } of watches.splice(0)) stop()
      await Promise.all([threads?.close(), ...listeners.splice(0).map((listener) => listener.close())])
    },
  }

  function answerLater(packet: Uint8Array, peer: Peer): ReturnType<RespondLater> {
    return respondLater?.(packet, peer)?.then((answer) => {
      if (answer !== undefined) metrics.countQuery(peer.transport, rcodeText(rcodeOf(answer)), undefined)
      return answer
    })
  }

  /** Answers a message that a thread has passed on. */
  async function answerAny(packet: Uint8Array, peer: Peer): Promise<Answered> {
    const later = answerLater(packet, peer)
    if (later !== undefined) return later
    if (messageHandler !== undefined && needsMessageHandler(packet, packet.length))
      return messageHandler.answer(packet, peer)
    const out = new Uint8Array(peer.transport === 'udp' ? limits.udpPayloadOctets : MAX_REPLY_OCTETS)
    const octets = respond(packet, packet.length, peer, out)
    return octets === 0 ? undefined : out.subarray(0, octets)
  }

  async function reloadCertificate(): Promise<void> {
    await Promise.all(watches.map(({ look }) => look()))
  }

  async function listenEncrypted({
    files,
    tls,
    https,
    lookMs = CERTIFICATE_LOOK_MS,
  }: EncryptedEndpoints): Promise<EncryptedListening> {
    const certificate = await readCertificate(files)
    await threads?.useCertificate(certificate)
    const encrypted: EncryptedListener[] = []
    const open = async (
      transport: 'tls' | 'https',
      desired: Endpoint | undefined,
    ): Promise<Endpoint | undefined> => {
      if (desired === undefined) return undefined
      const { address: host } = await lookup(desired.host)
      const endpoint = { host, port: desired.port }
      const port = threads
        ? await threads.listen(transport, endpoint)
        : await listenEncryptedHere(transport, endpoint)
      log.info({ address: host, port, encrypted: true }, 'dns listening')
      return { host, port }
    }
    const listening = { tls: await open('tls', tls), https: await open('https', https) }
    const use = async (next: Certificate): Promise<void> => {
      encrypted.forEach((listener) => listener.useCertificate(next))
      await threads?.useCertificate(next)
    }
    watches.push(watchCertificate(files, { everyMs: lookMs, log, use }))
    return listening

    async function listenEncryptedHere(transport: 'tls' | 'https', endpoint: Endpoint): Promise<number> {
      const listener = await (transport === 'tls' ? listenTls : listenHttps)(endpoint, certificate, deps)
      listeners.push(listener)
      encrypted.push(listener)
      return listener.port
    }
  }

  /** Listens on UDP and TCP in this thread. Returns the port. */
  async function listenHere({ host, port, passed }: PlainEndpoint): Promise<number> {
    const pair = await openOnOnePort(
      port,
      (used) => listenTcp({ host, port: used, descriptor: passed?.stream }, deps),
      (used) => listenDatagrams({ host, port: used, descriptor: passed?.datagram }),
    )
    listeners.push(...pair)
    return pair[0].port
  }

  // A link-local address with an interface needs dgram, which resolves the interface.
  async function listenDatagrams(endpoint: ListenEndpoint): Promise<Listener> {
    const { host, descriptor } = endpoint
    if (systemCalls === undefined || host.includes('%')) return listenUdp(endpoint, deps)
    if (descriptor !== undefined) return listenOnDescriptor(descriptor, host, deps, systemCalls)
    return listenBatchedUdp(endpoint, deps, systemCalls)
  }
}
