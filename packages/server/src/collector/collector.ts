// Browser reports in: who may report, what is noise, what is counted already; the rest is gathered and flushed in
// batches. A report is answered before it is stored: what is lost with the process is one batch at most.
import { createHmac } from 'node:crypto'
import {
  isOfZone,
  readConnection,
  readReportingQuery,
  readScript,
  type MonitoredZone,
  type Page,
  type ReportingTicket,
  type Sighting,
} from '../features/page-shield/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { createAddressRate, type Rate } from './address-rate.ts'
import { createCounters, type Counts, type Drop, type Outcome } from './counters.ts'
import { createDigester, type Digest } from './digest.ts'
import { createGathering, inParts, type Batch } from './gathering.ts'
import { isForeignScheme, isInjectedHost } from './noise.ts'
import { createPages } from './pages.ts'
import { createRecentKeys } from './recent.ts'
import { readReports, type HashReport, type Report, type ViolationReport } from './report.ts'
import { createSettled } from './settled.ts'

const FLUSH_MILLIS = 200
/** Reports of one visitor, page and resource within this time are one page view. */
const PAGE_VIEW_MILLIS = 60_000
const PAGE_VIEWS_KNOWN = 65_536
/** How long what is known of a zone is taken for true without asking again. */
const ZONE_MILLIS = 5_000
const ZONES_KNOWN = 10_000
const TICKETS_KNOWN = 4_096
const PAGES_KNOWN = 2_048
/** In each of two generations; a quarter of a kilobyte each. */
const RESOURCES_KNOWN = 131_072

export interface ReportedCause {
  /** As the report tells it; null = monitoring's own, whatever the report tells. */
  readonly originalPolicy: string | null
  readonly documentUri: string
  readonly blockedUri: string
  readonly effectiveDirective: string
}

export interface CollectorDeps {
  readonly clock: Clock
  readonly log: Log
  readonly reportingKey: Uint8Array
  /** undefined = there is no such zone. */
  readonly findZone: (zoneId: string) => Promise<MonitoredZone | undefined>
  /** Stores a batch in one transaction. @returns what of each zone was not stored. */
  readonly store: (batch: Batch) => Promise<ReadonlyMap<string, NotStored>>
  /** Whether a policy can have caused a report. */
  readonly isPossible: (cause: ReportedCause) => boolean
  /** Requests of one address; undefined = any number. */
  readonly rate: Rate | undefined
  readonly observe: (outcome: Outcome, by: number) => void
  readonly observeDisplaced: (by: number) => void
  /** Told of each report that the inventory takes. */
  readonly noteRecorded: (ticket: ReportingTicket) => void
  /** Between the first report of a batch and its flush. */
  readonly flushMillis?: number
}

export interface NotStored {
  /** Resources that had no room. */
  readonly refused: number
  /** Hashes of resources that the zone does not have. */
  readonly unmatched: number
}

/** A request with reports. */
export interface ReportRequest {
  /** Without the question mark. */
  readonly query: string
  readonly body: string
  readonly address: string
  readonly userAgent: string
}

export type Collector = ReturnType<typeof createCollector>

export function createCollector(deps: CollectorDeps) {
  const { clock, log, reportingKey, findZone, store, isPossible } = deps
  const counters = createCounters(deps.observe)
  const isWithinRate = createAddressRate(deps.rate)
  const pageViews = createRecentKeys(PAGE_VIEW_MILLIS, PAGE_VIEWS_KNOWN)
  const readPage = createPages(PAGES_KNOWN)
  const gathering = createGathering()
  const digest = createDigester(seedOf(reportingKey))
  const settled = createSettled(RESOURCES_KNOWN, digest)
  const zones = new Map<string, { readonly zone: MonitoredZone | undefined; readonly until: number }>()
  const tickets = new Map<string, { readonly ticket: ReportingTicket; readonly expiresMillis: number }>()
  let forgotten = 0
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()

  return { admit, take, dropped, countsOf, forgetZone, noteDisplaced, flush, close }

  /** @returns false where this address has sent too much; its request is not looked at. */
  function admit(address: string): boolean {
    if (isWithinRate(address, clock.now())) return true
    counters.count('rate', undefined)
    return false
  }

  /**
   * Takes the reports of a request; they are gathered then, not stored. Waits only where the zone has to be asked for: most
   * requests come faster than a promise would be made.
   */
  function take(request: ReportRequest): Promise<void> | undefined {
    const now = clock.now()
    const ticket = readTicket(request.query, now)
    if (ticket === undefined) return undefined
    const known = zones.get(ticket.zoneId)
    if (known === undefined || known.until <= now) return takeLater(request, ticket)
    takeAll(request, ticket, known.zone)
    return undefined
  }

  async function takeLater(request: ReportRequest, ticket: ReportingTicket): Promise<void> {
    try {
      takeAll(request, ticket, await loadZone(ticket.zoneId))
    } catch (error) {
      // The sender can do nothing about it, and will send others.
      counters.count('failed', undefined)
      log.error({ err: error, zoneId: ticket.zoneId }, 'zone of reports not read')
    }
  }

  function takeAll(request: ReportRequest, ticket: ReportingTicket, zone: MonitoredZone | undefined): void {
    const { zoneId } = ticket
    if (zone === undefined) return counters.count('unknown_zone', undefined)
    const read = readReports(parse(request.body))
    if (read === undefined) return counters.count('malformed', zoneId)
    counters.count('strange', zoneId, read.strange)
    counters.count('surplus', zoneId, read.surplus)
    for (const report of read.reports) {
      const outcome = takeOne(report, ticket, zone, request)
      if (outcome === 'recorded') deps.noteRecorded(ticket)
      counters.count(outcome, zoneId)
    }
    if (gathering.size > 0) timer ??= setTimeout(() => void flush(), deps.flushMillis ?? FLUSH_MILLIS)
  }

  function readTicket(query: string, now: number): ReportingTicket | undefined {
    const known = tickets.get(query)
    if (known !== undefined && known.expiresMillis > now) return known.ticket
    const read = readReportingQuery(reportingKey, query, now)
    if ('problem' in read) {
      counters.count(read.problem, undefined)
      return undefined
    }
    if (tickets.size >= TICKETS_KNOWN) tickets.clear()
    tickets.set(query, read)
    return read.ticket
  }

  async function loadZone(zoneId: string): Promise<MonitoredZone | undefined> {
    const forgottenBefore = forgotten
    const zone = await findZone(zoneId)
    // What was read before a zone was told to be another may not be kept behind that.
    if (forgotten !== forgottenBefore) return zone
    if (zones.size >= ZONES_KNOWN) zones.clear()
    zones.set(zoneId, { zone, until: clock.now() + ZONE_MILLIS })
    return zone
  }

  function takeOne(
    report: Report,
    ticket: ReportingTicket,
    zone: MonitoredZone,
    request: ReportRequest,
  ): Outcome {
    const page = readPage(report.documentUri)
    if (page === undefined || !isOfZone(page.host, zone.name)) return 'foreign_page'
    const noise = noiseOf(report, page)
    if (noise !== undefined) return noise
    if (report.kind === 'hash') return takeHash(report, ticket, zone, page, request)
    if (isImpossible(report, ticket)) return 'impossible'
    const counted = ticket.policyId === null ? undefined : takeViolation(report, ticket, page, request)
    const met = takeSighting(report, ticket, zone, page, request)
    // What a policy counts need not be anything that the inventory has; monitoring's has nothing else.
    return met === 'recorded' ? met : (counted ?? met ?? 'impossible')
  }

  /** Monitoring's policy is known, and what a report says of it is not asked. */
  function isImpossible(report: ViolationReport, { policyId }: ReportingTicket): boolean {
    const { documentUri, blockedUri, directive } = report
    const originalPolicy = policyId === null ? null : report.originalPolicy
    if (originalPolicy === '') return false
    return !isPossible({ originalPolicy, documentUri, blockedUri, effectiveDirective: directive })
  }

  /** The same of one visitor alone. */
  function ofVisitor({ address, userAgent }: ReportRequest, what: Digest): Digest {
    return digest(userAgent, digest(address, what))
  }

  function takeViolation(
    { documentUri, blockedUri, directive, ageMillis }: ViolationReport,
    { zoneId, policyId }: ReportingTicket,
    page: Page,
    request: ReportRequest,
  ): Outcome {
    const key = ofVisitor(request, digest(`${policyId} ${directive} ${blockedUri} ${page.pageUrl}`))
    if (!pageViews.add(key, clock.now())) return 'duplicate'
    const isGathered = gathering.addViolation({
      zoneId,
      policyId: policyId ?? '',
      at: new Date(clock.now() - ageMillis).toISOString(),
      count: 1,
      documentUri,
      blockedUri,
      effectiveDirective: directive,
    })
    return isGathered ? 'violation' : 'overload'
  }

  /** @returns undefined for what is neither script nor connection. */
  function takeSighting(
    report: ViolationReport,
    { zoneId }: ReportingTicket,
    zone: MonitoredZone,
    page: Page,
    request: ReportRequest,
  ): Outcome | undefined {
    if (!zone.isEnabled) return 'disabled'
    const kind = kindOf(report)
    if (kind === undefined) return undefined
    const { blockedUri } = report
    const resource =
      kind === 'script' ? readScript(blockedUri) : readConnection(blockedUri, zone.withConnectionPaths)
    if (resource === undefined) return 'not_fetched'
    const now = clock.now()
    // Member by member: to spread objects into one takes longer than everything else that is done for a report.
    const sighting = {
      zoneId,
      kind,
      host: page.host,
      url: resource.url,
      urlHost: resource.urlHost,
      hasCdnCgi: resource.hasCdnCgi,
      pageUrl: page.pageUrl,
      seenAt: secondsOf(now - report.ageMillis),
      pageViews: 1,
      browserHash: '',
    }
    const key = settled.keyOf(sighting)
    if (!pageViews.add(ofVisitor(request, digest(page.pageUrl, key)), now)) return 'duplicate'
    if (settled.covers(key, sighting, zone.activePageViews)) return 'recorded'
    return gathering.addSighting(sighting) ? 'recorded' : 'overload'
  }

  /**
   * What a script was made of, beside the violation that its load is reported as: it tells nothing of who loaded it, so it
   * is no page view, and adds nothing to the inventory.
   */
  function takeHash(
    report: HashReport,
    { zoneId }: ReportingTicket,
    zone: MonitoredZone,
    page: Page,
    request: ReportRequest,
  ): Outcome {
    if (!zone.isEnabled) return 'disabled'
    const script = readScript(report.url)
    if (script === undefined) return 'not_fetched'
    if (report.hash === '') return 'no_hash'
    const key = ofVisitor(request, digest(`${zoneId} ${report.hash} ${page.pageUrl} ${script.url}`))
    if (!pageViews.add(key, clock.now())) return 'duplicate'
    const isGathered = gathering.addSighting({
      zoneId,
      kind: 'script',
      host: page.host,
      url: script.url,
      urlHost: script.urlHost,
      hasCdnCgi: script.hasCdnCgi,
      pageUrl: '',
      seenAt: secondsOf(clock.now() - report.ageMillis),
      pageViews: 0,
      browserHash: report.hash,
    })
    return isGathered ? 'hash' : 'overload'
  }

  /** Counts what does not even come to be read. */
  function dropped(drop: Extract<Drop, 'too_large' | 'malformed'>): void {
    counters.count(drop, undefined)
  }

  function countsOf(zoneId: string): Counts {
    return counters.ofZone(zoneId)
  }

  /** Something about the zone is another from now on. */
  function forgetZone(zoneId: string): void {
    forgotten += 1
    zones.delete(zoneId)
  }

  /** Resources of a zone made room for new ones. */
  function noteDisplaced(zoneId: string, count: number): void {
    counters.noteDisplaced(zoneId, count)
    deps.observeDisplaced(count)
  }

  /**
   * Stores what was gathered. Flushes run one after another, and each takes its batch when its turn comes: what waits for a
   * slow database is bounded as one batch is.
   */
  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    flushing = flushing.then(() => storeAll(gathering.take()))
    return flushing
  }

  /** In parts, so that other writers wait for none of them for long. */
  async function storeAll(batch: Batch): Promise<void> {
    for (const part of inParts(batch)) await storePart(part)
  }

  async function storePart(batch: Batch): Promise<void> {
    try {
      const zones = await store(batch)
      for (const [zoneId, { refused, unmatched }] of zones) {
        counters.count('no_room', zoneId, refused)
        counters.count('unknown_script', zoneId, unmatched)
      }
      // Which of them were not stored is not told, so all of their zone that may be among them are asked for again: of those
      // that were not matched, each is a hash alone, which anybody can invent.
      const isStored = ({ zoneId, pageUrls }: Sighting): boolean => {
        const zone = zones.get(zoneId)
        return zone !== undefined && zone.refused === 0 && (zone.unmatched === 0 || pageUrls.length > 0)
      }
      settled.note(batch.sightings.filter(isStored))
    } catch (error) {
      const size = batch.sightings.length + batch.violations.length
      // Reports are a sample anyway; keeping them for a database that does not answer would fill the memory.
      counters.count('failed', undefined, size)
      log.error({ err: error, size }, 'reports not stored')
    }
  }

  /** Stores what is gathered; reports that come later are lost. */
  async function close(): Promise<void> {
    await flush()
  }
}

function noiseOf(report: Report, { host }: Page): Drop | undefined {
  const uri = report.kind === 'hash' ? report.url : report.blockedUri
  const sourceFile = report.kind === 'hash' ? '' : report.sourceFile
  if (isForeignScheme(uri) || isForeignScheme(sourceFile)) return 'extension'
  return isInjected(uri, host) || isInjected(sourceFile, host) ? 'injected' : undefined
}

function isInjected(uri: string, pageHost: string): boolean {
  const host = uri.includes('//') ? hostOf(uri) : ''
  return host !== '' && isInjectedHost(host, pageHost)
}

/** `host` or `host:port` of a URL without asking the parser of URLs: most reports are about known hosts. */
function hostOf(uri: string): string {
  const host = /^[^/]*\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)/.exec(uri)?.[1]
  return (host ?? '').toLowerCase()
}

const SCRIPT_DIRECTIVES: ReadonlySet<string> = new Set(['script-src', 'script-src-elem', 'worker-src'])

function kindOf({ directive }: ViolationReport): 'script' | 'connection' | undefined {
  if (SCRIPT_DIRECTIVES.has(directive)) return 'script'
  return directive === 'connect-src' ? 'connection' : undefined
}

/** Whoever may not know it must not be able to foresee which reports are taken for each other. */
function seedOf(reportingKey: Uint8Array): [number, number] {
  const octets = createHmac('sha256', reportingKey).update('reports told apart').digest()
  return [octets.readUInt32LE(0), octets.readUInt32LE(4)]
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined // the caller counts it as malformed
  }
}

let lastSecond = 0
let lastText = ''

/** In whole seconds. Reports of one second are many, and making the text costs more than anything else of them. */
function secondsOf(millis: number): string {
  const second = Math.floor(millis / 1000)
  if (second !== lastSecond) {
    lastSecond = second
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`
  }
  return lastText
}
