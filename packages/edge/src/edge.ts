// An edge: follows its server, decides, and offers its decisions to proxies.
import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Server as SocketServer } from 'node:net'
import type { KeptCertificate } from '@zonereeve/certificates'
import { createRateCounters, warmUpDecisions } from '@zonereeve/firewall'
import { createActivity } from './activity.ts'
import { answerAppSec } from './adapters/app-sec.ts'
import { answerForwardAuth } from './adapters/forward-auth.ts'
import type { OriginOptions } from './adapters/origins.ts'
import { createProxy } from './adapters/proxy.ts'
import { createSpopAgent } from './adapters/spop.ts'
import { createCertificates } from './certificate-folder.ts'
import { createChallenges } from './challenge.ts'
import { createDocumentStore } from './document-store.ts'
import type { EdgeLog } from './edge-log.ts'
import { keepEdgeCertificates, type EdgeCertificatesOptions } from './edge-certificates.ts'
import { createEdgeServer, type EdgeServerOptions } from './edge-server.ts'
import { createEngine, type FailureModes } from './engine.ts'
import { createSeenCookies } from './seen-cookies.ts'
import { createSeenPages } from './seen-pages.ts'
import { createSharedCounts } from './shared-counts.ts'
import { startFollower } from './follower.ts'
import { closeServer, listen, listenAnywhere, type EdgeEndpoint, type EdgeSocket } from './listening.ts'
import { createZoneTable, type EdgeZone } from './zone-table.ts'

export type { EdgeEndpoint, EdgeSocket } from './listening.ts'

export interface EdgeOptions {
  readonly server: EdgeServerOptions
  /** Folder for the last good configuration; undefined: nothing is stored. */
  readonly folder: string | undefined
  /** What happens to requests about which nothing could decide. */
  readonly undecided: FailureModes
  /** Where proxies ask: forward authentication, and AppSec if it has a key. */
  readonly decisions: EdgeEndpoint | EdgeSocket | undefined
  readonly appSecKey: string | undefined
  /** Signs the clearances of challenges; edges with the same key accept each other's. */
  readonly challengeKey?: Uint8Array | undefined
  /** Where the embedded proxy listens. */
  readonly proxy: EdgeEndpoint | undefined
  /** Where it listens with TLS, and the folder with its certificates. */
  readonly proxyTls?: (EdgeEndpoint & { readonly certificates: string }) | undefined
  /** Certificates that it gets itself, and stores in that folder. */
  readonly ownCertificates?: EdgeCertificatesOptions | undefined
  /** Where HAProxy asks; it gets the pages of refused requests where other proxies ask. */
  readonly spop?: EdgeEndpoint | EdgeSocket | undefined
  readonly origins: OriginOptions
  readonly log: EdgeLog
  readonly now?: () => number
}

export interface Edge {
  /** undefined if they are off. */
  readonly decisions: EdgeEndpoint | EdgeSocket | undefined
  readonly proxy: EdgeEndpoint | undefined
  readonly spop: EdgeEndpoint | EdgeSocket | undefined
  readonly proxyTls: EdgeEndpoint | undefined
  /** Resolves when the server has answered for the first time. */
  readonly synced: Promise<void>
  /** Delivers the events that still wait, and exchanges counts. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** nginx and Caddy keep connections for a minute or two. */
const KEEP_ALIVE_MILLIS = 180_000

/** @throws the system's error if it cannot listen; Error if a certificate cannot be used. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { folder, undecided, log, now = Date.now } = options
  const { proxyTls: tlsOptions, ownCertificates } = options
  if (tlsOptions && ownCertificates) mkdirSync(tlsOptions.certificates, { recursive: true, mode: 0o700 })
  const certificates =
    tlsOptions &&
    createCertificates(tlsOptions.certificates, log, { mayBeEmpty: ownCertificates !== undefined })
  const server = createEdgeServer(options.server)
  const zones = createZoneTable()
  const activity = createActivity({ server, log, now })
  const follower = await startFollower({ server, store: createDocumentStore(folder), zones, log })
  const counters = createRateCounters()
  const sharedCounts = createSharedCounts({
    server,
    log,
    isNeeded: () => [...zones.byId.values()].some(hasRateLimits),
    add: ({ key, periodMillis, amount }) => counters.add(key, { periodMillis }, amount, now()),
  })
  const engine = createEngine({
    zones,
    isReady: follower.isReady,
    undecided,
    record: activity.record,
    recordOnceAnswered: activity.recordOnceAnswered,
    countScore: activity.countScore,
    challenges: createChallenges(options.challengeKey),
    counters,
    noteCount: sharedCounts.note,
    cookies: createSeenCookies(activity.noteCookie),
    seenPages: createSeenPages(activity.notePage),
    log,
    now,
  })
  const { origins } = options
  const proxy = createProxy({ engine, origins, certificates, forwardReport: server.forwardReport, log })
  const agent = createSpopAgent({ engine, log })
  const keeper =
    tlsOptions &&
    certificates &&
    ownCertificates &&
    keepEdgeCertificates({
      ...ownCertificates,
      folder: tlsOptions.certificates,
      server,
      zones,
      log,
      onIssued: certificates.look,
    })
  const status = () => ({
    ready: follower.isReady(),
    zones: zones.byId.size,
    requests: engine.counts,
    ...(keeper && { certificates: keeper.states().map(toShown) }),
  })
  const answering = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.warn({ problem: String(error) }, 'request to the edge failed')
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    })
  })
  // Proxies end connections that they do not need; a request must not meet one that the edge is ending.
  answering.keepAliveTimeout = KEEP_ALIVE_MILLIS
  const opened: SocketServer[] = []
  try {
    await warmUpDecisions()
    const decisions = options.decisions && (await listenAnywhere(answering, options.decisions, opened))
    const proxied = options.proxy && (await listen(proxy.server, options.proxy, opened))
    const proxyTls = options.proxyTls && (await listen(proxy.tlsServer, options.proxyTls, opened))
    const spop = options.spop && (await listenAnywhere(agent.server, options.spop, opened))
    // Before that, it may not know its zones.
    if (keeper !== undefined) void follower.synced.then(keeper.start)
    return { decisions, proxy: proxied, proxyTls, spop, synced: follower.synced, flush, close }
  } catch (error) {
    await close()
    throw error
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url } = request
    if (answerForwardAuth(engine, request, response)) return
    if (agent.answerStopped(request, response)) return
    if (url === '/appsec' && options.appSecKey !== undefined)
      return answerAppSec({ engine, key: options.appSecKey }, request, response)
    request.resume()
    if (url !== '/status') {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(status())}\n`)
  }

  async function flush(): Promise<void> {
    await activity.flush()
    await sharedCounts.exchange()
  }

  async function close(): Promise<void> {
    const closed = opened.map(closeServer)
    certificates?.close()
    await keeper?.close()
    agent.close()
    await Promise.all([...closed, proxy.close()])
    await follower.close()
    await sharedCounts.close()
    await activity.close()
    await server.close()
  }
}

const toShown = ({ names, endsMillis, failures, problem }: KeptCertificate) => ({
  names,
  ends: endsMillis === undefined ? null : new Date(endsMillis).toISOString(),
  failures,
  problem: problem ?? null, // the last order did not fail
})

const hasRateLimits = ({ deciding: { firewall } }: EdgeZone): boolean =>
  Object.values(firewall.entryPoints).some(
    (byPhase) => byPhase.has('http_ratelimit') || byPhase.has('ddos_l7'),
  )
