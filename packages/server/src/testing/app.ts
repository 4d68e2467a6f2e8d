// The program for tests: every room but the nameserver, in memory, on a port of its own, with a clock that stands still,
// counted ids, and a recorder in the place of those who are told of changes.
import { addCollector, collectorRoutes } from '../collector/index.ts'
import type { DnsRecordsDeps, RecordsChanged } from '../features/dns-records/index.ts'
import { openReportingKey } from '../features/page-shield/index.ts'
import { createKeyVault, type DnssecDeps } from '../features/dnssec/index.ts'
import type { QueryDeps } from '../features/query/index.ts'
import type { RecordScansDeps } from '../features/record-scans/index.ts'
import type { PostWebhook } from '../features/page-shield-webhooks/index.ts'
import type { FetchFeed } from '../features/threat-feeds/index.ts'
import type { TransferEvent } from '../features/secondary-dns/index.ts'
import type { ZoneEvent } from '../features/zones/index.ts'
import { createClientAddress, createHttpServer, PROFILES, type Route } from '../http/index.ts'
import { createCollecting } from '../main/collecting.ts'
import { createFeatures, type FeaturesDeps } from '../main/features.ts'
import { ensureAdministrator } from '../main/first-start.ts'
import { workOnFeeds } from '../main/threat-feeds.ts'
import { rehearseChanges } from '../main/rehearse-changes.ts'
import { manualClock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { IN_MEMORY, openSqliteStorage, query } from '../storage/index.ts'
import { countChanges, readChangeLog } from './change-log.ts'
import { countedIds } from './counted-ids.ts'
import { createHttpClient, type Received } from './http-client.ts'

export const BASE = '/client/v4'
/** Where the clock stands until a test moves it. */
export const START = Date.parse('2026-01-05T10:20:30.123Z')
export const ADMIN_TOKEN = 'administrator_of_the_tests_0123456789_ab'
export const ADMIN_EMAIL = 'admin@example.com'
export const ADMIN_KEY = '0123456789abcdef0123456789abcdef01234'
const MAX_POLICIES = 5
const EVENT_RETENTION = { days: 30, maxEvents: 100_000 }
export const NAME_SERVERS = ['ns1.zonereeve.internal', 'ns2.zonereeve.internal']

/** Of files without a limit of their own. */
export const MAX_FILE_BYTES = 1_048_576

export interface TestAppOptions {
  readonly profile?: keyof typeof PROFILES
  readonly rateLimit?: { readonly requests: number; readonly windowSeconds: number }
  readonly trustProxy?: readonly string[]
  /** What proxied names are answered with; empty where it is not said. */
  readonly edgeAddresses?: readonly string[]
  /** Whether the CNAME of a name leads to an address; all do where it is not said. */
  readonly hasAddress?: DnsRecordsDeps['hasAddress']
  /** Scheme and host of the collector; the hosts of the pages where it is not said. */
  readonly collectorUrl?: string
  /** Requests with reports of one address; any number where it is not said. */
  readonly reportRate?: { readonly requests: number; readonly windowSeconds: number }
  /** Content-security policies of a zone; the usual number where it is not said. */
  readonly maxPolicies?: number
  /** What is kept of security events; the usual where it is not said. */
  readonly eventRetention?: FeaturesDeps['eventRetention']
  /** Asks a zone's present nameservers; nobody can where it is not said. */
  readonly survey?: RecordScansDeps['survey']
  /** Fetches threat feeds; each fails where it is not said. */
  readonly fetchFeed?: FetchFeed
  /** Posts to webhooks; nobody takes anything where it is not said. */
  readonly postWebhook?: PostWebhook
  /** What the nameserver answers; there is none where it is not said. */
  readonly explainAnswer?: QueryDeps['explainAnswer']
  /** What parents publish; nobody knows where it is not said. */
  readonly askParent?: DnssecDeps['askParent']
  /** Whether signatures elsewhere are old; none are where it is not said. */
  readonly isRenewalDue?: DnssecDeps['isRenewalDue']
  /** File of the database; in memory without it. */
  readonly database?: string
  /** More routes, or other handlers for operations that there are. */
  readonly alterRoutes?: (routes: readonly Route[]) => readonly Route[]
}

export interface Envelope<Result = unknown> {
  readonly result: Result
  readonly success: boolean
  readonly errors: readonly WireIssue[]
  readonly messages: readonly { readonly code: number; readonly message: string }[]
  readonly result_info?: Readonly<
    Record<'page' | 'per_page' | 'count' | 'total_count' | 'total_pages', number>
  >
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
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown
  /** null leaves out a header that would be sent. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** The administrator's where it is not said; null for none. */
  readonly token?: string | null
  /** The usual base path where it is not said. */
  readonly base?: string
}

export interface Answer<Result = unknown> extends Received {
  readonly json: Envelope<Result>
}

/** Who was told of what, in order. */
export type TestEvent =
  | { readonly of: 'zone'; readonly event: ZoneEvent }
  | { readonly of: 'records'; readonly event: RecordsChanged }

export interface LoggedEvent {
  readonly level: keyof Log
  readonly event: string
  readonly fields: object
}

export type TestApp = Awaited<ReturnType<typeof startTestApp>>

export async function startTestApp(options: TestAppOptions = {}) {
  const clock = manualClock(START)
  const ids = countedIds()
  const events: TestEvent[] = []
  const transfers: TransferEvent[] = []
  const logged: LoggedEvent[] = []
  const log = recordingLog(logged)
  const storage = await openSqliteStorage(options.database ?? IN_MEMORY, log)
  const deps = { storage, clock, ids }
  await ensureAdministrator(deps, { token: ADMIN_TOKEN, email: ADMIN_EMAIL, key: ADMIN_KEY })

  const profile = PROFILES[options.profile ?? 'documented']
  const reportingKey = await openReportingKey(storage)
  const features = createFeatures({
    ...deps,
    profile,
    reportingKey,
    collectorUrl: options.collectorUrl,
    monitoringChanged: (zoneId) => collector.forgetZone(zoneId),
    noteDisplaced: (zoneId, count) => collector.noteDisplaced(zoneId, count),
    nameServers: NAME_SERVERS,
    publishZone: (event) => void events.push({ of: 'zone', event }),
    publishRecords: (event) => void events.push({ of: 'records', event }),
    publishTransfers: (event) => void transfers.push(event),
    lastSeen: () => ({ checkedOn: null, transferredOn: null }),
    edgeAddresses: options.edgeAddresses ?? [],
    hasAddress: options.hasAddress ?? (() => Promise.resolve(true)),
    maxPolicies: options.maxPolicies ?? MAX_POLICIES,
    eventRetention: options.eventRetention ?? EVENT_RETENTION,
    log,
    survey: options.survey,
    fetchFeed: options.fetchFeed ?? (() => Promise.resolve({ kind: 'failed', problem: 'nobody fetches' })),
    postWebhook: options.postWebhook ?? (() => Promise.resolve('nobody takes it')),
    explainAnswer: options.explainAnswer ?? noNameserver,
    vault: createKeyVault(undefined),
    algorithm: 'ECDSAP256SHA256',
    askParent: options.askParent ?? (() => Promise.resolve({ kind: 'unknown' })),
    isRenewalDue: options.isRenewalDue ?? (() => false),
    publishSigning: () => {},
  })
  const { tokens, accounts, zones, pageShield, threatFeeds, imports, deliveries, scans } = features
  const { previousFirewall, routes } = features
  const collector = createCollecting({
    storage,
    clock,
    log,
    reportingKey,
    findZone: pageShield.reporting.monitoredZone,
    rate: options.reportRate,
    observe: () => {},
    noteRecorded: pageShield.traffic.note,
    observeDisplaced: () => {},
  })
  const allRoutes = [...routes, ...collectorRoutes(collector)]
  const server = await createHttpServer({
    routes: options.alterRoutes?.(allRoutes) ?? allRoutes,
    profile,
    rateLimit: options.rateLimit,
    trustProxy: options.trustProxy ?? [],
    authenticator: tokens,
    known: features.known,
    clock,
    ids,
    log,
    observe: () => {},
    rehearse: rehearseChanges,
    maxFileBytes: MAX_FILE_BYTES,
  })
  addCollector(server, collector, createClientAddress(options.trustProxy ?? []))
  await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the test app has no port')
  const { port } = address
  const client = createHttpClient()
  const userId = (await storage.first(query.selectFrom('users').select('id')))?.id ?? ''
  const accountId = (await storage.first(query.selectFrom('accounts').select('id')))?.id ?? ''

  return {
    port,
    server,
    storage,
    clock,
    ids,
    /** What was published, in the order of commits. */
    events,
    /** What the nameserver would be told of transfers, in the order of commits. */
    transfers,
    logged,
    /** Of the administrator, and of the first account. */
    userId,
    accountId,
    routes: allRoutes,
    tokens,
    accounts,
    zones,
    records: features.records,
    dnssec: features.dnssec,
    pageShield,
    threatFeeds,
    imports,
    collector,
    /** Tells webhooks what is due now. */
    async tellWebhooks(signal = new AbortController().signal) {
      await deliveries.deliverDue(signal)
      await deliveries.settled()
    },
    /** Does once what is due with threat feeds. */
    workOnFeeds: (signal = new AbortController().signal) =>
      workOnFeeds({ storage, imports, pageShield }, signal),
    scans,
    securityEvents: features.securityEvents,
    previousFirewall,
    updateKeys: features.updateKeys,
    updates: features.updates,
    wafPackages: features.wafPackages,
    firewallRules: features.firewallRules,
    pageRules: features.pageRules,
    call,
    must,
    changeLog: (scopeId?: string) => readChangeLog(storage, scopeId),
    /** How many change sets there are, over all scopes. */
    changeCount: () => countChanges(storage),
    close,
  }

  async function call<Result = unknown>(wanted: Call): Promise<Answer<Result>> {
    const { method, path, body, headers = {}, token = ADMIN_TOKEN, base = BASE } = wanted
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
    // Files and empty replies have no envelope.
    const isJson = String(received.headers['content-type']).startsWith('application/json')
    return { ...received, json: isJson ? parse<Result>(received.text) : NO_ENVELOPE }
  }

  /** The result of a call that must succeed. */
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
    await server.close()
    await scans.close()
    await storage.close()
  }
}

function noNameserver(): never {
  throw new Error('the test app has no nameserver')
}

const NO_ENVELOPE = { result: null as never, success: true, errors: [], messages: [] } // says nothing of a result

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
