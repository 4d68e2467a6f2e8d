// The program for tests: all modules, in memory, on its own port, with a stopped clock and counted IDs.
// Delivered events are recorded; a test replaces what it needs of the outside world.
import type { ResultInfo } from '@zonereeve/contract'
import { loadConfig, type Config } from '@zonereeve/config'
import { createEventHub, TOPICS } from '../features/changes/index.ts'
import { fetchFeeds, holdAgainstFeeds } from '../features/monitoring/threat-feeds/index.ts'
import type { NodeAccess, Route } from '../http/index.ts'
import { createApi } from '../main/api.ts'
import { ensureAdministrator } from '../main/first-start.ts'
import { createMetrics } from '../main/metrics/metrics.ts'
import { createModules, type Outside } from '../main/modules.ts'
import { type Log, manualClock } from '@zonereeve/platform'
import { type ChangeEvent, IN_MEMORY, openSqliteStorage, query } from '@zonereeve/storage'
import { countChanges, readChangeLog } from './change-log.ts'
import { countedIds } from './counted-ids.ts'
import { createHttpClient, type Received } from './http-client.ts'

export const BASE = '/client/v4'
/** The time at which the clock stands until a test advances it. */
export const START = Date.parse('2026-01-05T10:20:30.123Z')
export const ADMIN_TOKEN = 'administrator_of_the_tests_0123456789_ab'
export const ADMIN_EMAIL = 'admin@example.com'
export const ADMIN_KEY = '0123456789abcdef0123456789abcdef01234'
export const NAME_SERVERS = ['ns1.zonereeve.internal', 'ns2.zonereeve.internal']

/** Size limit of uploaded files without their own limit. */
export const MAX_FILE_BYTES = 1_048_576

export interface TestAppOptions
  extends
    Omit<Outside, 'peers'>,
    Partial<
      Pick<
        Config,
        | 'profile'
        | 'nameServers'
        | 'rateLimit'
        | 'trustProxy'
        | 'allowedHosts'
        | 'publicUrl'
        | 'oidcIssuer'
        | 'oidcClientId'
        | 'oidcClientSecret'
        | 'oidcRoles'
        | 'oidcDomains'
        | 'oidcNewUsers'
        | 'edgeAddresses'
        | 'collectorUrl'
        | 'reportLog'
        | 'reportRate'
        | 'reportBudget'
        | 'maxPolicies'
        | 'zskDays'
        | 'kskDays'
      >
    > {
  /** Path of the database; in memory if undefined. */
  readonly database?: string
  /** Makes it one of several nodes. */
  readonly nodes?: NodeAccess
  /** Adds routes, or replaces handlers of existing operations. */
  readonly alterRoutes?: (routes: readonly Route[]) => readonly Route[]
}

/** No limits on reports, and no resolver. */
const CONFIG: Config = {
  ...loadConfig({ flags: { resolver: 'off', 'dns-batching': 'off', 'dns-threads': '0' }, environment: {} }),
  reportRate: undefined,
  reportBudget: undefined,
  maxZoneFile: MAX_FILE_BYTES,
}

export interface Envelope<Result = unknown> {
  readonly result: Result
  readonly success: boolean
  readonly errors: readonly WireIssue[]
  readonly messages: readonly { readonly code: number; readonly message: string }[]
  readonly result_info?: Readonly<ResultInfo>
}

export interface WireIssue {
  readonly code: number
  readonly message: string
  readonly source?: { readonly pointer: string }
  readonly error_chain?: readonly { readonly code: number; readonly message: string }[]
}

export interface Call {
  readonly method: string
  /** Below the base path. */
  readonly path: string
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  /** null removes a default header. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Default: the administrator's token; null = none. */
  readonly token?: string | null
  /** Default: the default base path. */
  readonly base?: string
}

export interface Answer<Result = unknown> extends Received {
  readonly json: Envelope<Result>
}

export interface LoggedEvent {
  readonly level: keyof Log
  readonly event: string
  readonly fields: object
}

export type TestApp = Awaited<ReturnType<typeof startTestApp>>

export async function startTestApp(options: TestAppOptions = {}) {
  const { database, alterRoutes, nodes, profile = CONFIG.profile, ...others } = options
  const clock = manualClock(START)
  const ids = countedIds()
  const events: ChangeEvent[] = []
  const logged: LoggedEvent[] = []
  const evicted: number[] = []
  const log = recordingLog(logged)
  const hub = createEventHub(log)
  hub.subscribe(TOPICS, (event) => void events.push(event))
  const opened = { clock, deliver: hub.deliver }
  const storage = await openSqliteStorage(database ?? IN_MEMORY, log, opened)
  const deps = { storage, clock, ids }
  await ensureAdministrator(deps, { token: ADMIN_TOKEN, email: ADMIN_EMAIL, key: ADMIN_KEY })

  const config: Config = { ...CONFIG, ...others, profile }
  const modules = await createModules({
    ...deps,
    config,
    log,
    hub,
    metrics: createMetrics({ maxZones: 0, droppedLogLines: () => 0, ofProcess: false }),
    outside: {
      hasAddress: () => Promise.resolve(true),
      fetchFeed: () => Promise.resolve({ kind: 'failed', problem: 'fetching is disabled in tests' }),
      postWebhook: () => Promise.resolve('webhooks are disabled in tests'),
      sendMail: undefined,
      ...others,
      observeEvicted: (count) => void evicted.push(count),
      peers: 'left alone',
    },
  })
  const { features, collector, answering } = modules
  const { pageShield, imports, deliveries, accountDeliveries, emails, scans } = features
  const { server, routes } = await createApi({ config, clock, ids, log, modules, nodes, alterRoutes })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the test app has no port')
  const { port } = address
  const client = createHttpClient()
  const userId = (await storage.first(query.selectFrom('users').select('id')))?.id ?? ''
  const accountId = (await storage.first(query.selectFrom('accounts').select('id')))?.id ?? ''

  return {
    ...features,
    followCoreRules: modules.followCoreRules,
    zonePublication: modules.zonePublication,
    port,
    server,
    storage,
    clock,
    ids,
    /** Delivered events in commit order. */
    events,
    logged,
    /** Evictions from full inventories, as reported to the metrics. */
    evicted,
    /** IDs of the administrator and of the first account. */
    userId,
    accountId,
    routes,
    collector,
    /** Sends the webhook notifications that are due. */
    async notifyWebhooks(signal = new AbortController().signal) {
      for (const each of [deliveries, accountDeliveries]) {
        await each.deliverDue(signal)
        await each.waitUntilIdle()
      }
    },
    /** Sends the e-mail alerts that are due. */
    async sendEmails(signal = new AbortController().signal) {
      await emails.deliverDue(signal)
      await emails.waitUntilIdle()
    },
    /** Runs the due work on threat feeds once. */
    async workOnFeeds(signal = new AbortController().signal) {
      await fetchFeeds({ imports }, signal)
      await holdAgainstFeeds({ storage, imports, contents: pageShield.contents }, signal)
    },
    call,
    must,
    changeLog: (scopeId?: string) => readChangeLog(storage, scopeId),
    /** Number of change sets in all scopes. */
    changeCount: () => countChanges(storage),
    close,
  }

  async function call<Result = unknown>(expected: Call): Promise<Answer<Result>> {
    const { method, path, body, headers = {}, token = ADMIN_TOKEN, base = BASE } = expected
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const all = {
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    }
    const received = await client.send(port, {
      method,
      path: base + path,
      headers: Object.fromEntries(
        Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
      ),
      ...(text === undefined ? {} : { body: text }),
    })
    // Files and empty responses have no envelope.
    const isJson = String(received.headers['content-type']).startsWith('application/json')
    return { ...received, json: isJson ? parse<Result>(received.text) : NO_ENVELOPE }
  }

  /** Returns the result of a call that must succeed. */
  async function must<Result = { readonly id: string }>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Result> {
    const answer = await call<Result>({ method, path, body })
    if (answer.status !== 200 && answer.status !== 204)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.json.result
  }

  async function close(): Promise<void> {
    client.close()
    features.edgeConfigurations.close()
    features.eventStreams.close()
    await server.close()
    await features.requestLog.waitUntilIdle()
    await collector.close()
    await modules.closeReportLog()
    await scans.close()
    await answering.close()
    await storage.close()
  }
}

const NO_ENVELOPE = { result: null as never, success: true, errors: [], messages: [] } // has no result

function parse<Result>(text: string): Envelope<Result> {
  try {
    return JSON.parse(text) as Envelope<Result>
  } catch {
    throw new Error(`not JSON: ${text}`)
  }
}

function recordingLog(into: LoggedEvent[]): Log {
  const at = (level: LoggedEvent['level']) => (fields: object, event: string) =>
    void into.push({ level, event, fields })
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
