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
import { type MessageHandler, needsMessageHandler } from './message-handler.ts'
import { createAnsweringThreads, type ThreadsOptions } from './answering-threads.ts'
import { createAnswerCache } from './answer-cache.ts'
import { listenBatchedUdp } from './batched-udp.ts'
import type { SystemCalls } from './system-calls.ts'
import { createFastPath } from './fast-path.ts'
import { logQueries, type QueryLogSettings } from './query-log.ts'
import { createResponder } from './responder.ts'
import type { Respond } from './responder.ts'
import { listenTcp } from './tcp.ts'
import { listenUdp } from './udp.ts'
import type { Endpoint, Listener, ListenerDeps, RespondLater } from './listener.ts'
import type { Peer } from './peer.ts'
import { rcodeOf } from './query.ts'
import type { RateLimits } from './rate-limits.ts'
import { createRefusalLimits } from './refusal-limits.ts'
import { listenTls } from './tls.ts'
import type { EncryptedListener } from './tls.ts'
import type { ZoneTable } from './zone-table.ts'

/** How often another port is tried when the free port turns out to be free for TCP only. */
const PORT_ATTEMPTS = 20

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
  /** If given, answers to queries are logged. Messages with a signature, updates and transfers are not. */
  readonly queryLog?: QueryLogSettings | undefined
  /** The time in milliseconds. If given, UDP answers are cached. */
  readonly now?: (() => number) | undefined
  /** If given, UDP messages are read and sent in batches. */
  readonly systemCalls?: SystemCalls | undefined
  readonly respondLater?: RespondLater | undefined
  /** Answers messages that are more than a question for data; undefined: they are refused. */
  readonly messageHandler?: (respond: Respond) => MessageHandler
  /** If given, threads answer UDP; otherwise this thread does. */
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
  listen(endpoint: Endpoint): Promise<{ readonly address: string; readonly port: number }>
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
  }
  const deps = queryLog === undefined ? unlogged : logQueries(unlogged, queryLog, log, now ?? Date.now)
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
    async listen({ host, port }) {
      const { address } = await lookup(host)
      const pair = await listenBoth({ host: address, port })
      listeners.push(...pair)
      log.info({ address, port: pair[0].port, threads: threads?.count }, 'dns listening')
      return { address, port: pair[0].port }
    },
    listenEncrypted,
    reloadCertificate,
    settleCounts: async () => threads?.settleCounts(),
    async close() {
      for (const { stop } of watches.splice(0)) stop()
      await Promise.all(listeners.splice(0).map((listener) => listener.close()))
    },
  }

  function answerLater(packet: Uint8Array, peer: Peer): ReturnType<RespondLater> {
    return respondLater?.(packet, peer)?.then((answer) => {
      if (answer !== undefined) metrics.countQuery(peer.transport, rcodeText(rcodeOf(answer)), undefined)
      return answer
    })
  }

  /** Answers a message over UDP that a thread has passed on. */
  function answerAny(packet: Uint8Array, address: string): Promise<Uint8Array | undefined> {
    const peer: Peer = { transport: 'udp', address }
    return new Promise((resolve) => {
      const later = answerLater(packet, peer)
      if (later !== undefined) return void later.then(resolve)
      if (messageHandler !== undefined && needsMessageHandler(packet, packet.length)) {
        const answered = messageHandler.answer(packet, peer)
        return resolve(answered instanceof Uint8Array ? answered : undefined)
      }
      const out = new Uint8Array(limits.udpPayloadOctets)
      const octets = respond(packet, packet.length, peer, out)
      return resolve(octets === 0 ? undefined : out.subarray(0, octets))
    })
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
    const encrypted: EncryptedListener[] = []
    const open = async (
      listenOn: typeof listenTls,
      desired: Endpoint | undefined,
    ): Promise<Endpoint | undefined> => {
      if (desired === undefined) return undefined
      const { address: host } = await lookup(desired.host)
      const listener = await listenOn({ host, port: desired.port }, certificate, deps)
      listeners.push(listener)
      encrypted.push(listener)
      log.info({ address: host, port: listener.port, encrypted: true }, 'dns listening')
      return { host, port: listener.port }
    }
    const listening = { tls: await open(listenTls, tls), https: await open(listenHttps, https) }
    const use = (next: Certificate): void => encrypted.forEach((listener) => listener.useCertificate(next))
    watches.push(watchCertificate(files, { everyMs: lookMs, log, use }))
    return listening
  }

  async function listenBoth({ host, port }: Endpoint): Promise<[Listener, Listener]> {
    for (let attempt = 1; ; attempt += 1) {
      const tcp = await listenTcp({ host, port }, deps)
      try {
        return [tcp, await listenDatagrams({ host, port: tcp.port })]
      } catch (error) {
        await tcp.close()
        if (port !== 0 || attempt === PORT_ATTEMPTS || !isPortTaken(error)) throw error
      }
    }
  }

  // A link-local address with an interface needs dgram, which resolves the interface.
  async function listenDatagrams(endpoint: Endpoint): Promise<Listener> {
    if (threads !== undefined) {
      await threads.listen(endpoint)
      return { port: endpoint.port, close: threads.close }
    }
    if (systemCalls === undefined || endpoint.host.includes('%')) return listenUdp(endpoint, deps)
    return listenBatchedUdp(endpoint, deps, systemCalls)
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}
