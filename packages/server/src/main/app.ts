// The composition root: assembles storage, modules, HTTP, listeners and jobs. In order: later parts depend on
// earlier ones.
import type { Server } from 'node:http'
import { dirname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openApiDocument, OPERATIONS } from '@zonereeve/contract'
import { findDashboard } from '@zonereeve/dashboard'
import { createEventHub, TOPICS, type EventHub } from '../features/changes/index.ts'
import { databasePath, postgresOf, type Config, type Endpoint } from '@zonereeve/config'
import { DEFAULT_SNAPSHOT_THRESHOLDS, type SnapshotThresholds } from '../features/dns/publication/index.ts'
import { startJobs } from '../jobs/jobs.ts'
import { type Clock, type Ids, isLoopback, type Log } from '@zonereeve/platform'
import { VERSION } from '../version.ts'
import {
  findOpenPaths,
  IN_MEMORY,
  isUnwritable,
  MIGRATIONS,
  openPostgresStorage,
  openSqliteStorage,
  type Storage,
  type StorageOptions,
} from '@zonereeve/storage'
import { createApi } from './api.ts'
import type { Features } from './features.ts'
import { createFirstLink, ensureAdministrator, isFirstStartOf } from './first-start.ts'
import { encryptedEndpoints } from './nameserver-guards.ts'
import { listNodeJobs, listWriterJobs, saveLastUse } from './jobs.ts'
import { openListeners } from './listeners.ts'
import { warnOfPlaceholders } from './placeholder-names.ts'
import { createMetrics } from './metrics/metrics.ts'
import { createModules } from './modules.ts'
import { addPages } from './pages/pages.ts'
import { createNodes, type Nodes } from './nodes.ts'
import { prepareCertificate } from './own-certificate.ts'
import { reportUnreadable } from './unreadable.ts'

export interface AppOptions {
  readonly config: Config
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Keeps everything in memory. */
  readonly inMemory?: boolean | undefined
  /** Time limit for requests in progress at shutdown. */
  readonly drainMillis?: number
  /** Adds example data before anything listens. */
  readonly seed?: ((features: SeededFeatures) => Promise<void>) | undefined
  /** Number of lost log lines. */
  readonly droppedLogLines?: () => number
  /** When a snapshot of the zones in memory is written. */
  readonly snapshotThresholds?: SnapshotThresholds
  /** Called with the HTTP server, which listens. */
  readonly watchRequests?: ((server: Server) => void) | undefined
}

export type SeededFeatures = Pick<
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
>

export interface App extends SeededFeatures {
  readonly http: Endpoint
  readonly dns: Endpoint
  /** The API over TLS, if it is configured. */
  readonly secure: Endpoint | undefined
  /** DNS over TLS and DNS over HTTPS, if there is a certificate. */
  readonly tls: Endpoint | undefined
  readonly https: Endpoint | undefined
  /** Metrics without authentication, if they have their own listener. */
  readonly metrics: Endpoint | undefined
  /** The administrator's token if the first start generated one. */
  readonly newToken: string | undefined
  /** The token of a link by which the first user signs in, if this was the first start. */
  readonly newLink: string | undefined
  /** Resolves when another node has taken the place of this one: start again to follow it. */
  readonly lost: Promise<void> | undefined
  /** Looks now whether the certificate has changed. */
  reloadCertificate(): Promise<void>
  /** Stops accepting requests, finishes those in progress, and closes the database. */
  close(): Promise<void>
}

const DRAIN_MILLIS = 10_000
/** What snapshots of zones depend on besides the database. */
const PROGRAM = `${VERSION} ${MIGRATIONS.length}`

export async function startApp(options: AppOptions): Promise<App> {
  const opened: Closing[] = []
  try {
    return await assemble(options, opened)
  } catch (failure) {
    // What stays open would hold the ports, and the lease of the database.
    for (const close of opened.toReversed())
      await close().catch((error: unknown) =>
        options.log.warn({ err: error }, 'not closed after a failed start'),
      )
    throw failure
  }
}

const snapshotsIn = (path: string, thresholds: SnapshotThresholds) => ({
  folder: dirname(path),
  program: PROGRAM,
  ...thresholds,
})

type Closing = () => Promise<unknown>

const documentFor = (servers: Parameters<typeof openApiDocument>[1]['servers']) =>
  openApiDocument(OPERATIONS, { version: VERSION, servers })

/** Delivers events to the hub, and reports their position once they are delivered. */
const deliverTo =
  (hub: EventHub, reach: (position: number) => void): NonNullable<StorageOptions['deliver']> =>
  (events, position) => {
    const rest = hub.deliver(events)
    const note = (): void => {
      if (position !== undefined) reach(position)
    }
    return rest === undefined ? note() : rest.then(note)
  }

/** @param opened what is to be closed, the last first, if the start fails. */
async function assemble(
  {
    config,
    clock,
    ids,
    log,
    inMemory = false,
    drainMillis = DRAIN_MILLIS,
    seed,
    droppedLogLines = () => 0,
    snapshotThresholds: thresholds = DEFAULT_SNAPSHOT_THRESHOLDS,
    watchRequests,
  }: AppOptions,
  opened: Closing[],
): Promise<App> {
  const encrypted = encryptedEndpoints(config)
  const ownCertificate = await prepareCertificate(config)
  const hub = createEventHub(log)
  let nodes: Nodes | undefined
  const deliver = deliverTo(hub, (position) => nodes?.reach(position))
  const path = inMemory || postgresOf(config) !== undefined ? undefined : databasePath(config)
  const storage = await openServerStorage(config, { path, inMemory }, log, { clock, deliver })
  opened.push(() => storage.close())
  nodes = await createNodes({ config, storage, hub, log })
  opened.push(async () => nodes?.stop())
  const isFollower = nodes !== undefined && !nodes.isWriter()
  const deps = { storage, clock, ids }
  const isFirstStart = !isFollower && (await isFirstStartOf(storage))
  const ensureAccess = () => ensureAdministrator(deps, administratorOf(config)).catch(ifUnwritable)
  const newToken = isFollower ? undefined : await ensureAccess()
  const newLink = await createFirstLink(deps, isFirstStart).catch(ifUnwritable)
  const metrics = createMetrics({ maxZones: config.dnsMetricZones, droppedLogLines, ofProcess: true })
  opened.push(async () => metrics.close())
  metrics.watchDatabase(path)
  hub.subscribe(TOPICS, metrics.countChange)
  const snapshots = path === undefined ? undefined : snapshotsIn(path, thresholds)
  const modules = await createModules({ ...deps, config, log, hub, metrics, snapshots, nodes, isFollower })
  const { zonePublication, features, collector, answering } = modules
  const comparison = nodes?.compareZones({ storage, ...zonePublication }, metrics.countDifference)
  opened.push(answering.close, modules.closeReportLog, collector.close)
  const { scans } = features
  const { server, authenticate, connections, clientErrors } = await createApi({
    config,
    clock,
    ids,
    log,
    modules,
    nodes: comparison?.access,
  })
  opened.push(() => drain(server, 0))
  let ready = false
  const { quarantine } = zonePublication.zones
  const reported = reportUnreadable({ storage, path, quarantine, metrics, log })
  const isReady = async (): Promise<boolean> => ready && (await storage.healthy())
  modules.serverHealth.watch({ path, isReady, problems: reported.problems })
  const [dashboard, { publicUrl }] = [findDashboard(import.meta.url), config]
  addPages(server, { document: documentFor, isReady, ...reported, authenticate, publicUrl, dashboard })
  await seed?.(features)
  const listeners = await listen()
  opened.push(() => Promise.all([listeners.secure?.close(0), listeners.metrics?.close()]))
  watchRequests?.(server.server)
  ready = true
  const certificate = ownCertificate.start({
    challenges: features.acmeChallenges,
    ids,
    log,
    metrics,
    listeners,
  })
  opened.push(certificate.close)
  if (!isLoopback(listeners.dns.host)) await warnOfPlaceholders(storage, log)
  const jobDeps = { config, storage, clock, log, modules }
  const running = [startJobs(listNodeJobs({ ...jobDeps, nodes, comparison }), log, modules.observeJob)]
  opened.push(async () => {
    await nodes?.end()
    await Promise.all([...running.map((jobs) => jobs.stop()), scans.close()])
  })
  if (!isFollower) await startWriting()
  await nodes?.start(listeners.http, async () => {
    await ensureAccess()
    await modules.lead()
    await startWriting()
  })
  reported.startCheck()
  const { reload: reloadCertificate } = certificate
  return { ...features, ...listeners, newToken, newLink, lost: nodes?.lost, reloadCertificate, close }

  async function startWriting(): Promise<void> {
    await scans.resume()
    running.push(startJobs(listWriterJobs(jobDeps), log, modules.observeJob))
  }

  function listen() {
    return openListeners({
      config,
      encrypted,
      nameserver: answering.nameserver,
      server,
      connections,
      clientErrors,
      metrics: reported.metrics,
      log,
    })
  }

  async function close(): Promise<void> {
    ready = false
    await certificate.close()
    // Nothing is taken over or begun any more.
    const ending = nodes?.end()
    // Edges and streams wait for changes: their requests would hold up the end.
    features.edgeConfigurations.close()
    features.eventStreams.close()
    await Promise.all([listeners.secure?.close(drainMillis), drain(server, drainMillis)])
    await listeners.metrics?.close()
    await features.requestLog.waitUntilIdle()
    // Accepted reports are stored before the database closes.
    await collector.close()
    await reported.stopCheck()
    await ending
    await nodes?.stop()
    await Promise.all(running.map((jobs) => jobs.stop()))
    await modules.closeReportLog()
    await scans.close()
    await zonePublication.snapshots?.writeAtEnd()
    await answering.close()
    await saveLastUse(features, log)
    await features.anomalyScores
      .save()
      .catch((error: unknown) => log.warn({ err: error }, 'anomaly scores not saved'))
    await storage.close()
    metrics.close()
  }
}

/** Finishes requests in progress, up to a time limit: some never end. */
async function drain(server: FastifyInstance, drainMillis: number): Promise<void> {
  const deadline = setTimeout(() => server.server.closeAllConnections(), drainMillis)
  await server.close()
  clearTimeout(deadline)
}

async function openServerStorage(
  config: Config,
  { path, inMemory }: { readonly path: string | undefined; readonly inMemory: boolean },
  log: Log,
  more: Pick<StorageOptions, 'clock' | 'deliver'>,
): Promise<Storage> {
  const { acceptLoss, keyEncryptionSecret, zonesOf } = config
  const isNode = config.nodeUrl !== undefined
  const onlyFollows = zonesOf !== undefined
  if (onlyFollows && !isNode) throw new Error('--zones-of needs --node-url: other nodes write')
  const options = { isServer: true, isNode, onlyFollows, acceptLoss, keyEncryptionSecret, ...more }
  const postgres = inMemory ? undefined : postgresOf(config)
  if (isNode && postgres === undefined) throw new Error('--node-url needs --database postgres://…')
  if (postgres !== undefined) return openPostgresStorage(postgres, log, options)
  if (path === undefined) return openSqliteStorage(IN_MEMORY, log, { keyEncryptionSecret, ...more })
  const storage = await openSqliteStorage(path, log, options)
  // Files are made private; a directory may be shared on purpose and is left as it is.
  const paths = findOpenPaths(path, dirname(path))
  if (paths.length > 0) log.warn({ paths, remedy: 'chmod go= on each' }, 'data is open to other users')
  return storage
}

/**
 * Writes at start are skipped if the disk is full or read-only, and repeated at the next start: DNS is
 * answered regardless.
 */
function ifUnwritable(failure: unknown): undefined {
  if (!isUnwritable(failure)) throw failure
}

function administratorOf({ adminToken, adminEmail, adminKey, origins }: Config) {
  const isEmailConfigured = origins.adminEmail !== 'default'
  return { token: adminToken, email: adminEmail, isEmailConfigured, key: adminKey }
}
