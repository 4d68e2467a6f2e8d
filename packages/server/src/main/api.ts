// The API over HTTP: the routes of the modules, and the collector beside them. Nothing listens yet.
import type { Config } from '@zonereeve/config'
import type { NumberedChange } from '../features/changes/index.ts'
import { toChangeText } from '../features/dns/history/index.ts'
import { addCollector, collectorRoutes } from '../features/monitoring/collector/index.ts'
import {
  createAuthenticate,
  createClientErrorHandler,
  createClientAddress,
  createHttpServer,
  limitConnections,
  PROFILES,
  type NodeAccess,
  type Route,
} from '../http/index.ts'
import type { Clock, Ids, Log } from '@zonereeve/platform'
import { rehearse } from '@zonereeve/storage'
import type { Modules } from './modules.ts'
import { zoneAnswerRoutes } from './zone-answers.routes.ts'
import { serverHealthRoutes } from './server-health/server-health.routes.ts'

export interface ApiDeps {
  readonly config: Config
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly modules: Pick<Modules, 'features' | 'collector' | 'metrics' | 'serverHealth' | 'answerHistory'>
  readonly nodes?: NodeAccess | undefined
  /** More routes, or other handlers for operations that there are. */
  readonly alterRoutes?: ((routes: readonly Route[]) => readonly Route[]) | undefined
}

export async function createApi({ config, clock, ids, log, modules, nodes, alterRoutes }: ApiDeps) {
  const { features, collector, metrics, serverHealth, answerHistory } = modules
  const authenticate = createAuthenticate(
    { ...features.tokens, bySession: features.sessions.bySession },
    clock,
    nodes,
  )
  const all = [
    ...features.routes,
    ...collectorRoutes(collector, features.pageShield.evictions.ofZone),
    ...serverHealthRoutes(serverHealth, config),
    ...zoneAnswerRoutes({
      nameOf: async (id) => (await features.zones.get(id)).name,
      clock,
      history: answerHistory,
    }),
  ]
  const routes = alterRoutes?.(all) ?? all
  const clientErrors = createClientErrorHandler()
  const server = await createHttpServer({
    routes,
    profile: PROFILES[config.profile],
    rateLimit: config.rateLimit,
    trustProxy: config.trustProxy,
    allowedHosts: config.allowedHosts,
    publicUrl: config.publicUrl,
    authenticate,
    known: features.known,
    ids,
    log,
    clientErrors,
    recordRequest: features.requestLog.record,
    observe: metrics.observeRequest,
    rehearse: rehearseChanges,
    nodes,
    now: clock.now,
    maxFileBytes: config.maxZoneFile,
  })
  const connections = limitConnections({ max: config.httpConnections, log, ...metrics.connections })
  connections.watch(server.server)
  addCollector(server, collector, createClientAddress(config.trustProxy))
  return { server, routes, authenticate, connections, clientErrors }
}

/** Runs `work` without its writes. @returns its result, and the change sets that it would make, as the history shows them. */
export async function rehearseChanges<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<{ readonly result: Result; readonly changes: readonly string[] }> {
  const { result, collected } = await rehearse<Result, NumberedChange>(work, signal)
  return { result, changes: collected.map((change) => [...toChangeText(change)].join('')) }
}
