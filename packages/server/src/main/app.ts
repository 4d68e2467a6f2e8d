// The composition root: builds every room of the program and joins them. Read it top to bottom: what is below needs
// what is above.
import { openApiDocument, OPERATIONS } from '@zonereeve/contract'
import { addCollector, collectorRoutes } from '../collector/index.ts'
import { databasePath, type Config, type Endpoint } from '../config/index.ts'
import { openReportingKey } from '../features/page-shield/index.ts'
import { createClientAddress, createHttpServer, PROFILES } from '../http/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Ids } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { IN_MEMORY, openSqliteStorage } from '../storage/index.ts'
import { createAnswering } from './answering.ts'
import { startBackground } from './background.ts'
import { createCollecting } from './collecting.ts'
import { createFeedFetch } from './feed-fetch.ts'
import { openKeys } from './dnssec-keys.ts'
import { createFeatures, type Features } from './features.ts'
import { ensureAdministrator } from './first-start.ts'
import { createMetrics } from './metrics.ts'
import { encryptedEndpoints } from './nameserver-guards.ts'
import { addPages } from './pages.ts'
import { rehearseChanges } from './rehearse-changes.ts'
import { createConfiguredFetch } from './script-scanning.ts'
import { startSurvey } from './system-resolver.ts'
import { VERSION } from './version.ts'
import { createWebhookPost } from './webhook-delivery.ts'

export interface AppOptions {
  readonly config: Config
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Keeps everything in memory. */
  readonly inMemory?: boolean
  /** How long requests under way are waited for at the end. */
  readonly drainMillis?: number
}

/** With what fills an empty program with examples. */
export interface App extends Pick<
  Features,
  | 'zones'
  | 'records'
  | 'dnssec'
  | 'pageShield'
  | 'wafPackages'
  | 'firewallRules'
  | 'pageRules'
  | 'threatFeeds'
  | 'imports'
> {
  readonly http: Endpoint
  readonly dns: Endpoint
  /** DNS over TLS and over HTTPS, where there is a certificate. */
  readonly tls: Endpoint | undefined
  readonly https: Endpoint | undefined
  /** The administrator's token where the first start had to invent one. */
  readonly newToken: string | undefined
  /** Stops taking requests, finishes those under way, and closes the database. */
  close(): Promise<void>
}

const LAST_USE_INTERVAL_MILLIS = 60_000
const DRAIN_MILLIS = 10_000
const NOT_ENCRYPTED = { tls: undefined, https: undefined }

export async function startApp({
  config,
  clock,
  ids,
  log,
  inMemory = false,
  drainMillis = DRAIN_MILLIS,
}: AppOptions): Promise<App> {
  const encrypted = encryptedEndpoints(config)
  const storage = await openSqliteStorage(inMemory ? IN_MEMORY : databasePath(config), log)
  const { keys, ...signing } = await openKeys(storage, config)
  const deps = { storage, clock, ids }
  const newToken = await ensureAdministrator(deps, administratorOf(config))

  const metrics = createMetrics({ maxZones: config.dnsMetricZones })
  const answering = await createAnswering({
    ...deps,
    config,
    log,
    metrics,
    keys,
    stepZone: (zoneId) => features.zones.step(zoneId),
    secondaryDns: () => features.secondaryDns,
    updating: () => features,
  })

  const profile = PROFILES[config.profile]
  const reportingKey = await openReportingKey(storage)
  const features = createFeatures({
    ...deps,
    profile,
    reportingKey,
    collectorUrl: config.collectorUrl,
    monitoringChanged: (zoneId) => collector.forgetZone(zoneId),
    noteDisplaced: (...displaced) => collector.noteDisplaced(...displaced),
    nameServers: config.nameServers,
    ...answering.told,
    ...signing,
    edgeAddresses: config.edgeAddresses,
    maxPolicies: config.maxPolicies,
    eventRetention: { days: config.securityEventDays, maxEvents: config.maxSecurityEvents },
    log,
    survey: startSurvey(config, answering.resolver),
    ...outgoingRequests(config),
  })
  const { tokens, pageShield, scans, known, routes } = features
  const collector = createCollecting({
    storage,
    clock,
    log,
    reportingKey,
    findZone: pageShield.reporting.monitoredZone,
    rate: config.reportRate,
    observe: metrics.countReports,
    noteRecorded: pageShield.traffic.note,
    observeDisplaced: metrics.countDisplaced,
  })
  const server = await createHttpServer({
    routes: [...routes, ...collectorRoutes(collector)],
    profile,
    rateLimit: config.rateLimit,
    trustProxy: config.trustProxy,
    authenticator: tokens,
    known,
    clock,
    ids,
    log,
    observe: metrics.observeRequest,
    rehearse: rehearseChanges,
    maxFileBytes: config.maxZoneFile,
  })
  addCollector(server, collector, createClientAddress(config.trustProxy))
  let ready = false
  addPages(server, {
    document: (servers) => openApiDocument(OPERATIONS, { version: VERSION, servers }),
    isReady: async () => ready && (await storage.healthy()),
    metrics,
  })

  await features.secondaryDns.announceAll(storage)
  await features.updateKeys.load()
  const { dns, tls, https } = await listenDns()
  const http = await listenHttp()
  ready = true
  await scans.resume()
  const background = startBackground({ config, storage, clock, log, features })
  const lastUse = setInterval(() => void saveLastUse(), LAST_USE_INTERVAL_MILLIS)
  return { ...features, http, dns, tls, https, newToken, close }

  async function listenDns() {
    try {
      const { address: host, port } = await answering.nameserver.listen(config.dns)
      const { tls, https } =
        encrypted === undefined ? NOT_ENCRYPTED : await answering.nameserver.listenEncrypted(encrypted)
      return { dns: { host, port }, tls, https }
    } catch (error) {
      await closeRooms()
      throw error
    }
  }

  async function listenHttp(): Promise<Endpoint> {
    try {
      await server.listen({ host: config.http.host, port: config.http.port })
    } catch (error) {
      await closeRooms()
      throw error
    }
    const address = server.server.address()
    if (address === null || typeof address === 'string') throw new Error('the HTTP server has no port')
    return { host: address.address, port: address.port }
  }

  /** Those that are open before anything listens. */
  async function closeRooms(): Promise<void> {
    await answering.close()
    await storage.close()
  }

  function saveLastUse(): Promise<void> {
    return tokens
      .saveLastUse()
      .catch((error: unknown) => log.warn({ err: error }, 'last use of tokens not saved'))
  }

  /** Requests under way are finished, but not waited for for ever: some never end. */
  async function drain(): Promise<void> {
    const deadline = setTimeout(() => server.server.closeAllConnections(), drainMillis)
    await server.close()
    clearTimeout(deadline)
  }

  async function close(): Promise<void> {
    ready = false
    clearInterval(lastUse)
    await drain()
    // Reports that were answered are stored before the database closes.
    await collector.close()
    await background.stop()
    await scans.close()
    await answering.close()
    await saveLastUse()
    await storage.close()
  }
}

function administratorOf({ adminToken, adminEmail, adminKey }: Config) {
  return { token: adminToken, email: adminEmail, key: adminKey }
}

/** What features send to URLs of others. */
const outgoingRequests = (config: Config) => ({
  fetchFeed: createFeedFetch(createConfiguredFetch(config, 'threat feeds')),
  postWebhook: createWebhookPost(createConfiguredFetch(config, 'webhooks')),
})
