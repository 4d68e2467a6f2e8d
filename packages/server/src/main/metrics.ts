// Prometheus metrics: counters that only rise, named by operation, and by zone for so many zones as the operator wants.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { CountedZone } from '../nameserver/index.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** Where the queries of all other zones are counted; no zone has this name, because it has no dot. */
const OTHER_ZONES = 'other'

export function createMetrics({ maxZones }: { readonly maxZones: number }) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
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
    help: 'Answered DNS queries for names in a zone; those of zones past the configured number together, as "other".',
    labelNames: ['zone', 'rcode'],
    registers,
    collect: () => zoneTallies.settle((zone, rcode, count) => zoneQueries.inc({ zone, rcode }, count)),
  })
  /** Zones that are counted by name: the first that were asked for. */
  const countedZones = new Set<string>()
  let lastCounted = ''
  const zoneTallies = createTallies()
  const queryTallies = createTallies()
  const dropped = new Counter({
    name: 'zonereeve_dns_dropped_total',
    help: 'DNS messages that were not answered.',
    labelNames: ['transport', 'reason'],
    registers,
  })
  const reports = new Counter({
    name: 'zonereeve_browser_reports_total',
    help: 'Browser reports, by what became of them.',
    labelNames: ['outcome'],
    registers,
    collect: () => reportTallies.settle((outcome, _, count) => reports.inc({ outcome }, count)),
  })
  const displaced = new Counter({
    name: 'zonereeve_monitoring_displaced_total',
    help: 'Infrequent scripts and connections that made room for new ones in a full inventory.',
    registers,
  })
  const reportTallies = createTallies()
  const zones = new Gauge({ name: 'zonereeve_zones', help: 'Zones that are served.', registers })
  return {
    observeRequest(operation: string, status: number, duration: number): void {
      requests.inc({ operation, status })
      seconds.observe({ operation }, duration)
    },
    countQuery,
    countDropped: (transport: string, reason: string) => dropped.inc({ transport, reason }),
    countDisplaced: (by: number) => displaced.inc(by),
    countReports: (outcome: string, by: number) => reportTallies.count(outcome, '', by),
    setZones: (count: number) => zones.set(count),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }

  // Runs for each query: the library's own counting would cost more than the answer, so it is told when it is asked.
  function countQuery(transport: string, rcode: string, zone: CountedZone | undefined): void {
    queryTallies.count(transport, rcode)
    if (zone !== undefined) countZoneQuery(zone.name, rcode)
  }

  function countZoneQuery(name: string, rcode: string): void {
    if (name !== lastCounted) {
      if (countedZones.size < maxZones) countedZones.add(name)
      lastCounted = countedZones.has(name) ? name : ''
    }
    zoneTallies.count(lastCounted === '' ? OTHER_ZONES : lastCounted, rcode)
  }
}

interface Tally {
  readonly first: string
  readonly second: string
  count: number
}

/** Counts by two labels, in a fraction of the time that a metric takes. */
function createTallies() {
  const tallies = new Map<string, Map<string, Tally>>()
  /** Most of what is counted is what was counted before, and comparing two texts that are one is nothing. */
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

  /** Hands over what was counted since the last time. */
  function settle(add: (first: string, second: string, count: number) => void): void {
    for (const [first, seconds] of tallies) {
      for (const [second, tally] of seconds) {
        if (tally.count > 0) add(first, second, tally.count)
        tally.count = 0
      }
    }
  }
}
