// Prometheus metrics: counters by operation, and by zone up to the configured number of zones.
import { statSync } from 'node:fs'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { CountedZone, CounterReading } from '@zonereeve/nameserver'
import type { WrongAt } from '@zonereeve/nodes'
import type { ChangeEvent } from '@zonereeve/storage'

export type Metrics = ReturnType<typeof createMetrics>

/** The label for the queries of all other zones; no zone has this name, because it has no dot. */
const OTHER_ZONES = 'other'

export interface MetricsDeps {
  readonly maxZones: number
  /** Number of lost log lines. */
  readonly droppedLogLines: () => number
  /** Whether to collect process metrics; collection continues until the process ends. */
  readonly ofProcess: boolean
}

/** Sets one value per gauge, in order. */
const setEach = (gauges: readonly Gauge[], values: readonly number[]): void =>
  values.forEach((value, index) => gauges[index]?.set(value))

export function createMetrics({ maxZones, droppedLogLines, ofProcess }: MetricsDeps) {
  const registry = new Registry()
  const registers = [registry]
  if (ofProcess) collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'zonereeve_http_requests_total',
    help: 'Finished API requests.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'zonereeve_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its reply.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  })
  const queries = new Counter({
    name: 'zonereeve_dns_queries_total',
    help: 'Answered DNS queries.',
    labelNames: ['transport', 'rcode'],
    registers,
    collect: () => queryTallies.settle((transport, rcode, count) => queries.inc({ transport, rcode }, count)),
  })
  const zoneQueries = new Counter({
    name: 'zonereeve_dns_zone_queries_total',
    help: 'Answered DNS queries by zone; zones beyond the configured number are counted as "other".',
    labelNames: ['zone', 'rcode'],
    registers,
    collect: () => zoneTallies.settle((zone, rcode, count) => zoneQueries.inc({ zone, rcode }, count)),
  })
  /** Zones counted by name: the first ones that were queried. */
  const countedZones = new Set<string>()
  let lastCounted = ''
  const zoneTallies = createTallies()
  const queryTallies = createTallies()
  const dropped = new Counter({
    name: 'zonereeve_dns_dropped_total',
    help: 'DNS messages without an answer, and rejected or evicted DNS connections.',
    labelNames: ['transport', 'reason'],
    registers,
  })
  const connections = new Gauge({
    name: 'zonereeve_http_connections',
    help: 'Open HTTP connections.',
    registers,
  })
  const closedConnections = new Counter({
    name: 'zonereeve_http_connections_closed_total',
    help: 'HTTP connections closed at the limit: idle ones replaced by new ones (evicted), or new ones (refused).',
    labelNames: ['how'],
    registers,
  })
  const reports = new Counter({
    name: 'zonereeve_browser_reports_total',
    help: 'Browser reports by outcome.',
    labelNames: ['outcome'],
    registers,
    collect: () => reportTallies.settle((outcome, _, count) => reports.inc({ outcome }, count)),
  })
  const evicted = new Counter({
    name: 'zonereeve_monitoring_evicted_total',
    help: 'Infrequent scripts and connections evicted from full inventories.',
    registers,
  })
  const reportTallies = createTallies()
  let settleCounts = (): Promise<void> => Promise.resolve()
  countLogLines(registers, droppedLogLines)
  const zones = new Gauge({ name: 'zonereeve_zones', help: 'Zones served.', registers })
  return {
    /** Sets the source of the gauges of secondaries. */
    watchPeers: createPeerGauges(registry),
    observeRequest(operation: string, status: number, duration: number): void {
      requests.inc({ operation, status })
      seconds.observe({ operation }, duration)
    },
    countQuery,
    countDropped: (transport: string, reason: string, count = 1) => dropped.inc({ transport, reason }, count),
    countEvicted: (by: number) => evicted.inc(by),
    countReports: (outcome: string, by: number) => reportTallies.count(outcome, '', by),
    connections: {
      setOpen: (count: number) => connections.set(count),
      countClosed: (how: string) => closedConnections.inc({ how }),
    },
    ...createDamageMetrics(registers),
    observeJob: createJobMetrics(registers),
    ...createFileGauges(registry),
    countChange: createChangeCounter(registers),
    setZones: (count: number) => zones.set(count),
    contentType: registry.contentType,
    /** Sets what is waited for before the metrics are read. */
    settleBefore(settle: () => Promise<void>): void {
      settleCounts = settle
    },
    async text(): Promise<string> {
      await settleCounts()
      return registry.metrics()
    },
    zoneAnswers: () => settleCounts().then(() => readByZone(zoneQueries)),
    close: () => registry.clear(), // process metrics are collected for ever, and would keep all of it in memory
  }

  // Runs for each query: prom-client's counters would cost more than the answer, so they are updated only when
  // scraped.
  function countQuery(transport: string, rcode: string, zone: CountedZone | undefined, count = 1): void {
    queryTallies.count(transport, rcode, count)
    if (zone !== undefined) countZoneQuery(zone.name, rcode, count)
  }

  function countZoneQuery(name: string, rcode: string, count: number): void {
    if (name !== lastCounted) {
      if (countedZones.size < maxZones) countedZones.add(name)
      lastCounted = countedZones.has(name) ? name : ''
    }
    zoneTallies.count(lastCounted === '' ? OTHER_ZONES : lastCounted, rcode, count)
  }
}

/** Answers of the zones that are counted by name, by response code, since the start. */
async function readByZone(counter: Counter): Promise<readonly CounterReading[]> {
  const { values } = await counter.get()
  return values.map(({ labels: { zone, rcode }, value }) => ({
    zone: String(zone),
    rcode: String(rcode),
    count: value,
  }))
}

/** @returns a function that returns nothing: a subscriber to changes may return only a promise */
function createChangeCounter(registers: Registry[]): (event: ChangeEvent) => void {
  const changes = new Counter({
    name: 'zonereeve_changes_total',
    help: 'Committed changes by what they concern.',
    labelNames: ['topic'],
    registers,
  })
  return (event) => {
    const joined = event.topic === 'records' ? event.changeSets : undefined
    changes.inc({ topic: event.topic }, joined ?? 1) // most stand for one
  }
}

/** Jobs have fixed names. @returns a function to call after each run */
function createJobMetrics(registers: Registry[]) {
  const runs = new Counter({
    name: 'zonereeve_job_runs_total',
    help: 'Runs of background jobs: key rollovers, fetches, deliveries, sweeps.',
    labelNames: ['job', 'outcome'],
    registers,
  })
  const seconds = new Counter({
    name: 'zonereeve_job_seconds_total',
    help: 'Time that background jobs took, including waiting.',
    labelNames: ['job'],
    registers,
  })
  return (job: string, outcome: 'done' | 'failed', duration: number): void => {
    runs.inc({ job, outcome })
    seconds.inc({ job }, duration)
  }
}

/** @returns a function that sets the path of the database; without one, its size is 0 */
function createDatabaseGauge(registry: Registry): (path: string | undefined) => void {
  let path: string | undefined
  const bytes = new Gauge({
    name: 'zonereeve_database_bytes',
    help: 'Size of the database file, and of its write-ahead log.',
    labelNames: ['file'],
    registers: [],
    collect() {
      this.set({ file: 'database' }, sizeOf(path))
      this.set({ file: 'log' }, sizeOf(path === undefined ? undefined : `${path}-wal`))
    },
  })
  registry.registerMetric(bytes)
  return (given) => {
    path = given
  }
}

const createFileGauges = (registry: Registry) => ({
  /** Sets the path of the database file, whose size is measured. */
  watchDatabase: createDatabaseGauge(registry),
  /** Sets the source of the gauges of certificates. */
  watchCertificates: createCertificateGauges(registry),
})

interface WatchedCertificate {
  readonly names: readonly string[]
  readonly endsMillis: number | undefined
  readonly failures: number
}

/** @returns a function that sets the source of their values */
function createCertificateGauges(registry: Registry): (read: () => readonly WatchedCertificate[]) => void {
  let states = (): readonly WatchedCertificate[] => []
  const labelNames = ['name']
  const eachState = (gauge: Gauge<'name'>, valueOf: (state: WatchedCertificate) => number): void => {
    gauge.reset()
    for (const state of states()) gauge.set({ name: state.names[0] ?? '' }, valueOf(state)) // it has at least one
  }
  const ends = new Gauge({
    name: 'zonereeve_certificate_end_timestamp_seconds',
    help: 'When the certificate ends that the server gets by ACME; 0 = there is none yet. By its first name.',
    labelNames,
    registers: [],
    collect() {
      eachState(this, ({ endsMillis }) => (endsMillis ?? 0) / 1_000) // none yet
    },
  })
  const failures = new Gauge({
    name: 'zonereeve_certificate_order_failures',
    help: 'Orders of this certificate that failed since the last one that succeeded.',
    labelNames,
    registers: [],
    collect() {
      eachState(this, (state) => state.failures)
    },
  })
  for (const gauge of [ends, failures]) registry.registerMetric(gauge)
  return (read) => {
    states = read
  }
}

function sizeOf(path: string | undefined): number {
  const found = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })
  return found === undefined ? 0 : found.size
}

/** Counts zones in memory that differed between nodes. */
function createDifferenceCounter(registers: Registry[]): (wrongAt: WrongAt) => void {
  const differences = new Counter({
    name: 'zonereeve_zone_differences_total',
    help: 'Zones in memory that differed between nodes, by where they were wrong: self, writer or unknown. They are read again.',
    labelNames: ['wrong_at'],
    registers,
  })
  return (wrongAt) => differences.inc({ wrong_at: wrongAt })
}

/** Counts lost log lines whenever the metrics are read. */
function countLogLines(registers: Registry[], droppedLogLines: () => number): void {
  let countedLogLines = 0
  const droppedLines = new Counter({
    name: 'zonereeve_log_dropped_lines_total',
    help: 'Log lines dropped because stderr was full or too slow.',
    registers,
    collect() {
      droppedLines.inc(droppedLogLines() - countedLogLines)
      countedLogLines = droppedLogLines()
    },
  })
}

/** Stored data that cannot be read, and zones in memory that differed between nodes. */
const createDamageMetrics = (registers: Registry[]) => ({
  setUnreadable: createUnreadableGauges(registers),
  countDifference: createDifferenceCounter(registers),
})

/** Gauges of stored data that cannot be read. @returns a function that sets them */
function createUnreadableGauges(registers: Registry[]) {
  const quarantinedZones = new Gauge({
    name: 'zonereeve_quarantined_zones',
    help: 'Zones that answer SERVFAIL because their stored data is unreadable.',
    registers,
  })
  const unreadableRows = new Gauge({
    name: 'zonereeve_unreadable_rows',
    help: 'Unreadable stored rows.',
    registers,
  })
  const damage = new Gauge({
    name: 'zonereeve_database_problems',
    help: 'Problems found in the database file.',
    registers,
  })
  return (...counts: readonly [zones: number, rows: number, problems: number]): void =>
    setEach([quarantinedZones, unreadableRows, damage], counts)
}

/**
 * Gauges of peers that are behind.
 * @returns a function that sets the source of their values
 */
function createPeerGauges(registry: Registry): (read: () => PeersBehind) => void {
  let peersBehind = (): PeersBehind => ({ count: 0, seconds: 0 })
  // Without labels: the API reports the peers of each zone.
  const secondaries = new Gauge({
    name: 'zonereeve_secondaries_behind',
    help: 'Peers without the newest serial of a zone, over all zones.',
    registers: [],
    collect() {
      this.set(peersBehind().count)
    },
  })
  const behindSeconds = new Gauge({
    name: 'zonereeve_secondary_behind_seconds',
    help: 'Seconds since the slowest of these peers fell behind; 0 if none is behind.',
    registers: [],
    collect() {
      this.set(peersBehind().seconds)
    },
  })
  for (const gauge of [secondaries, behindSeconds]) registry.registerMetric(gauge)
  return (read) => {
    peersBehind = read
  }
}

interface PeersBehind {
  readonly count: number
  readonly seconds: number
}

interface Tally {
  readonly first: string
  readonly second: string
  count: number
}

/** Counts by two labels, at a fraction of the cost of a prom-client metric. */
function createTallies() {
  const tallies = new Map<string, Map<string, Tally>>()
  /** Most counts have the same labels as the previous one; comparing identical strings is cheap. */
  let last: Tally | undefined

  return { count, settle }

  function count(first: string, second: string, by = 1): void {
    if (last === undefined || last.first !== first || last.second !== second)
      last = tallies.get(first)?.get(second) ?? begin(first, second)
    last.count += by
  }

  function begin(first: string, second: string): Tally {
    const seconds = tallies.get(first) ?? new Map<string, Tally>()
    const tally = { first, second, count: 0 }
    tallies.set(first, seconds)
    seconds.set(second, tally)
    return tally
  }

  /** Reports the counts since the last call. */
  function settle(add: (first: string, second: string, count: number) => void): void {
    for (const [first, seconds] of tallies) {
      for (const [second, tally] of seconds) {
        if (tally.count > 0) add(first, second, tally.count)
        tally.count = 0
      }
    }
  }
}
