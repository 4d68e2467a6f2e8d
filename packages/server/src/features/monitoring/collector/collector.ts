// Ingests browser reports: checks the sender, drops noise and duplicates, batches the rest and flushes it. A
// report is answered before it is stored; a crash loses at most one batch. With a log of reports, it is answered when
// the log has it.
import {
  createAddressRate,
  type Rate,
  createDigester,
  type Digest,
  type Digester,
  isAbout,
  pageOfFrame,
  readCookieReport,
  readReports,
  type CookieReportProblem,
  type HashReport,
  type Report,
  type ViolationReport,
} from '@zonereeve/browser-reports'
import { createKnownZones } from '../../zones/index.ts'
import { BoundedMap } from '@zonereeve/cooperate'
import { createHmac } from 'node:crypto'
import {
  isOfZone,
  readCode,
  readConnection,
  readReportingQuery,
  readScript,
  type Code,
  type MonitoredZone,
  type Page,
  type ReportingTicket,
  type Detection,
} from '../page-shield/index.ts'
import { type Clock, createFailureNotes, type Log, siteNetworkOf } from '@zonereeve/platform'
import { createCounters, type Drop, type Outcome } from './counters.ts'
import { codeKey, createBatchBuffer, inChunks, sizeOf, type Batch } from './batch-buffer.ts'
import { createCookieNames } from './cookie-names.ts'
import { createFlushes } from './flushes.ts'
import { createPages } from './pages.ts'
import { createPageViews } from './page-views.ts'
import { isWantedCode, kindOf } from './reported-kinds.ts'
import { readBody, type ReportRequest } from './report-request.ts'
import { noiseOf } from './report-noise.ts'
import { createRecentlyStored } from './recently-stored.ts'
import { secondsOf } from './seconds.ts'

const FLUSH_MILLIS = 200
const TICKETS_KNOWN = 4_096
const PAGES_KNOWN = 2_048
/** Per generation (there are two); about 256 bytes each. */
const RESOURCES_KNOWN = 131_072

export interface ReportedCause {
  /** The policy as reported; null for monitoring's own policy, whatever the report says. */
  readonly originalPolicy: string | null
  readonly documentUri: string
  readonly blockedUri: string
  readonly effectiveDirective: string
}

export interface CollectorDeps {
  readonly clock: Clock
  readonly log: Log
  readonly reportingKey: Uint8Array
  /** Resolves to undefined if the zone does not exist. */
  readonly findZone: (zoneId: string) => Promise<MonitoredZone | undefined>
  /**
   * Stores a batch in one transaction.
   * @returns per zone, what was not stored.
   */
  readonly store: (batch: Batch) => Promise<ReadonlyMap<string, NotStored>>
  /** Whether this policy can have caused the report. */
  readonly isPossible: (cause: ReportedCause) => boolean
  /** Rate limit per address; undefined = unlimited. */
  readonly rate: Rate | undefined
  readonly observe: (outcome: Outcome, by: number) => void
  /** Called for each report that the inventory records. */
  readonly countRecorded: (ticket: ReportingTicket) => void
  /** Reports are answered when their batch is stored. */
  readonly isAnsweredWhenStored?: boolean
  /** Delay between the first report of a batch and its flush. */
  readonly flushMillis?: number
}

export interface NotStored {
  /** New resources rejected because the inventory is full. */
  readonly refused: number
  /** Reported hashes that match no resource of the zone. */
  readonly unmatched: number
  /** New resources and code beyond the budgets of the networks that reported them. */
  readonly overBudget: number
}

/** undefined = nothing is wrong, or the sender must not learn it. */
type Rejected = CookieReportProblem | undefined

/** Senders that are answered when their reports are stored are to send them again. */
export const NOT_KEPT = 'not_kept'
type Taken = Rejected | typeof NOT_KEPT

export type Collector = ReturnType<typeof createCollector>

/** How long a zone's settings are remembered before they are read again. */
const ZONE_MILLIS = 5_000

interface KnownTicket {
  readonly ticket: ReportingTicket
  readonly expiresMillis: number
}

export function createCollector(deps: CollectorDeps) {
  const { clock, log, reportingKey, findZone, store, isPossible } = deps
  const counters = createCounters(deps.observe)
  const isWithinRate = createAddressRate(deps.rate)
  const pageViews = createPageViews()
  const readPage = createPages(PAGES_KNOWN)
  const batchBuffer = createBatchBuffer()
  const digest = createDigester(seedOf(reportingKey))
  const cookieNames = createCookieNames({
    digest,
    keepOnce: (request: ReportRequest, key, now, keep) =>
      pageViews.keepOnce(ofVisitor(digest, request, key), now, keep),
    add: batchBuffer.addCookie,
  })
  const recentlyStored = createRecentlyStored(RESOURCES_KNOWN, digest)
  const failures = createStoringNotes(log)
  const zones = createKnownZones({ clock, findZone, rememberMillis: ZONE_MILLIS })
  const tickets = new BoundedMap<string, KnownTicket>(TICKETS_KNOWN)
  let timer: NodeJS.Timeout | undefined
  const storeNext = () => storeAll(batchBuffer.take())
  const flushes = createFlushes({ hasNext: () => batchBuffer.size > 0, storeNext })
  const notKept = deps.isAnsweredWhenStored === true ? NOT_KEPT : undefined
  return {
    admit,
    take,
    awaitStored,
    hasBeacon: async (zoneId: string) => (await zones.find(zoneId))?.hasBeacon === true,
    /** Counts requests that are rejected before parsing. */
    dropped: (drop: Extract<Drop, 'too_large' | 'malformed'>): void => counters.count(drop, undefined),
    countsOf: counters.ofZone,
    forgetZone: zones.forget,
    flush,
    close,
  }

  /** @returns false if this address exceeded its rate; its request is then not parsed. */
  function admit(address: string): boolean {
    if (isWithinRate(address, clock.now())) return true
    counters.count('rate', undefined)
    return false
  }

  // A promise only if the zone has to be loaded: for most requests, it would cost more than the work itself.
  /** @returns the problem of what the monitoring script cannot have sent; for reports of browsers always undefined. */
  function take(request: ReportRequest): Promise<Taken> | Taken {
    const now = clock.now()
    const ticket = readTicket(request.query, now)
    if (ticket === undefined) return undefined
    const known = zones.findKnown(ticket.zoneId)
    if (known === undefined) return takeLater(request, ticket)
    return takeAll(request, ticket, known.zone)
  }

  /** Whether what was taken so far is stored, once that is known; undefined if senders are answered before. */
  function awaitStored(): Promise<boolean> | undefined {
    return deps.isAnsweredWhenStored === true ? flushes.awaitStored() : undefined
  }

  async function takeLater(request: ReportRequest, ticket: ReportingTicket): Promise<Taken> {
    try {
      return takeAll(request, ticket, await zones.load(ticket.zoneId))
    } catch (error) {
      counters.count('failed', undefined)
      log.error({ err: error, zoneId: ticket.zoneId }, 'zone of reports not read')
      return notKept
    }
  }

  function takeAll(request: ReportRequest, ticket: ReportingTicket, zone: MonitoredZone | undefined): Taken {
    if (zone === undefined) return void counters.count('unknown_zone', undefined)
    const { overloads } = pageViews
    const rejected =
      ticket.carries === 'cookies' ? takeCookies(request, ticket, zone) : takeReports(request, ticket, zone)
    if (batchBuffer.size > 0) timer ??= setTimeout(() => void flush(), deps.flushMillis ?? FLUSH_MILLIS)
    return rejected ?? (pageViews.overloads > overloads ? notKept : undefined)
  }

  function takeReports(request: ReportRequest, ticket: ReportingTicket, zone: MonitoredZone): undefined {
    const { zoneId } = ticket
    const read = readReports(readBody(request))
    if (read === undefined) return void counters.count('malformed', zoneId)
    counters.count('unrecognized', zoneId, read.unrecognized)
    counters.count('over_limit', zoneId, read.overLimit)
    for (const report of read.reports) {
      const outcome = takeOne(report, ticket, zone, request)
      if (outcome === 'recorded') deps.countRecorded(ticket)
      counters.count(outcome, zoneId)
    }
    return undefined
  }

  function takeCookies(request: ReportRequest, ticket: ReportingTicket, zone: MonitoredZone): Rejected {
    const { zoneId } = ticket
    // Pages keep the script for as long as they are open or cached.
    if (!zone.hasBeacon) return void counters.count('disabled', zoneId)
    const read = readCookieReport(readBody(request))
    if ('problem' in read) return rejectReport('malformed', read)
    const page = readPage(read.pageUrl)
    if (page === undefined || !isOfZone(page.host, zone.name))
      return rejectReport('foreign_page', { pointer: '/page_url', problem: 'a page of the site is needed' })
    const now = clock.now()
    const seen = { zoneId, page, seenAt: secondsOf(now), reporter: siteNetworkOf(request.address) }
    const take = (name: string, isChanged: boolean): void => {
      const outcome = cookieNames.take({ ...seen, name, isChanged }, request, now)
      if (outcome === 'recorded') deps.countRecorded(ticket)
      counters.count(outcome, zoneId)
    }
    for (const name of read.visible) take(name, false)
    for (const name of read.changed) take(name, true)
    return undefined

    function rejectReport(drop: Drop, problem: CookieReportProblem): Rejected {
      counters.count(drop, zoneId)
      return problem
    }
  }

  function readTicket(query: string, now: number): ReportingTicket | undefined {
    const known = tickets.get(query)
    if (known !== undefined && known.expiresMillis > now) return known.ticket
    const read = readReportingQuery(reportingKey, query, now)
    if ('problem' in read) {
      counters.count(read.problem, undefined)
      return undefined
    }
    tickets.set(query, read)
    return read.ticket
  }

  function takeOne(
    report: Report,
    ticket: ReportingTicket,
    zone: MonitoredZone,
    request: ReportRequest,
  ): Outcome {
    if (report.kind === 'violation' && isAbout(report.documentUri))
      return takeFramed(report, ticket, zone, request)
    const page = readPage(report.documentUri)
    if (page === undefined || !isOfZone(page.host, zone.name)) return 'foreign_page'
    const noise = noiseOf(report, page)
    if (noise !== undefined) return noise
    if (report.kind === 'hash') return takeHash(report, ticket, zone, page, request)
    if (isImpossible(report, ticket, isPossible)) return 'policy_mismatch'
    const counted =
      ticket.policyId === null
        ? undefined
        : takeViolation(report, ticket.zoneId, ticket.policyId, page, request)
    const detection = takeDetection(report, ticket, zone, page, request)
    // A policy may count violations of resources that are not in the inventory; monitoring's policy may not.
    return detection === 'recorded' ? detection : (counted ?? detection ?? 'policy_mismatch')
  }

  function takeFramed(
    report: ViolationReport,
    ticket: ReportingTicket,
    zone: MonitoredZone,
    request: ReportRequest,
  ): Outcome {
    // It counts for the page that it is part of.
    const { referrer, sourceFile } = report
    const { referer, origin, host } = request
    const documentUri = pageOfFrame({ referrer, referer, origin, host }, (url) => {
      const page = readPage(url)
      return page !== undefined && isOfZone(page.host, zone.name)
    })
    if (documentUri === undefined) return 'foreign_page'
    // Its code names the frame as its source, which is no extension.
    const own = { ...report, documentUri, sourceFile: isAbout(sourceFile) ? '' : sourceFile }
    return takeOne(own, ticket, zone, request)
  }

  function takeViolation(
    { documentUri, blockedUri, directive, ageMillis }: ViolationReport,
    zoneId: string,
    policyId: string,
    page: Page,
    request: ReportRequest,
  ): Outcome {
    const key = ofVisitor(digest, request, digest(`${policyId} ${directive} ${blockedUri} ${page.pageUrl}`))
    const keep = (): boolean =>
      batchBuffer.addViolation({
        zoneId,
        policyId,
        at: new Date(clock.now() - ageMillis).toISOString(),
        count: 1,
        documentUri,
        blockedUri,
        effectiveDirective: directive,
      })
    return pageViews.keepOnce(key, clock.now(), keep) ?? 'violation'
  }

  /** @returns undefined if the report is neither about a script nor a connection. */
  function takeDetection(
    report: ViolationReport,
    { zoneId }: ReportingTicket,
    zone: MonitoredZone,
    page: Page,
    request: ReportRequest,
  ): Outcome | undefined {
    if (!zone.isEnabled) return 'disabled'
    const kind = kindOf(report, zone)
    if (kind === undefined) return undefined
    const code = kind === 'script' ? readCode(report) : undefined
    if (code !== undefined) return takeCode(code, report, zoneId, zone, page, request)
    const { blockedUri } = report
    const resource =
      kind === 'script'
        ? readScript(blockedUri)
        : readConnection(blockedUri, zone.withConnectionPaths && kind !== 'image')
    if (resource === undefined) return 'not_fetched'
    const now = clock.now()
    // Written member by member: object spread takes longer than all other work per report.
    const detection = {
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
      reporter: siteNetworkOf(request.address),
    }
    const key = recentlyStored.keyOf(detection)
    const view = ofVisitor(digest, request, digest(page.pageUrl, key))
    const keep = (): boolean =>
      recentlyStored.covers(key, detection, zone.activePageViews) || batchBuffer.addDetection(detection)
    return pageViews.keepOnce(view, now, keep) ?? 'recorded'
  }

  function takeCode(
    code: Code,
    { line, ageMillis }: ViolationReport,
    zoneId: string,
    zone: MonitoredZone,
    page: Page,
    request: ReportRequest,
  ): Outcome {
    if (!isWantedCode(code, zone)) return 'policy_mismatch'
    const now = clock.now()
    const { host, pageUrl } = page
    const detection = {
      ...code,
      zoneId,
      host,
      line,
      pageUrl,
      seenAt: secondsOf(now - ageMillis),
      pageViews: 1,
      reporter: siteNetworkOf(request.address),
    }
    const key = ofVisitor(digest, request, digest(`${zoneId} ${pageUrl} ${codeKey(detection)}`))
    return pageViews.keepOnce(key, now, () => batchBuffer.addCode(detection)) ?? 'recorded'
  }

  // The load itself is also reported as a violation. A hash report does not say who loaded the script, so it is no page
  // view and adds no resource to the inventory.
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
    const key = ofVisitor(digest, request, digest(`${zoneId} ${report.hash} ${page.pageUrl} ${script.url}`))
    const keep = (): boolean =>
      batchBuffer.addDetection({
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
        reporter: siteNetworkOf(request.address),
      })
    return pageViews.keepOnce(key, clock.now(), keep) ?? 'hash'
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    return flushes.flush()
  }

  /** Stores in chunks, so that no chunk blocks other writers for long. */
  async function storeAll(batch: Batch): Promise<boolean> {
    let isStored = true
    for (const part of inChunks(batch)) isStored = (await storeChunk(part)) && isStored
    // Senders that get 503 send their reports again, which are no duplicates then.
    if (!isStored && deps.isAnsweredWhenStored === true) pageViews.forgetAll()
    return isStored
  }

  async function storeChunk(batch: Batch): Promise<boolean> {
    try {
      const zones = await store(batch)
      for (const [zoneId, { refused, unmatched, overBudget }] of zones) {
        counters.count('budget', zoneId, overBudget)
        counters.count('capacity', zoneId, refused)
        counters.count('unknown_resource', zoneId, unmatched)
      }
      // The store does not say which resources were not stored, so all candidates of that zone are kept out
      // of the cache. Unmatched ones carry only a hash, which anybody can invent.
      const isStored = ({ zoneId, pageUrls }: Pick<Detection, 'zoneId' | 'pageUrls'>): boolean => {
        const zone = zones.get(zoneId)
        if (zone === undefined || zone.refused + zone.overBudget > 0) return false
        return zone.unmatched === 0 || pageUrls.length > 0
      }
      recentlyStored.remember(batch.detections.filter(isStored))
      cookieNames.remember(
        batch.cookies.filter(({ zoneId, page }) => isStored({ zoneId, pageUrls: [page.pageUrl] })),
        clock.now(),
      )
      failures.worked()
      return true
    } catch (error) {
      const size = sizeOf(batch)
      // Reports are only a sample; keeping them while the database fails would exhaust memory.
      counters.count('failed', undefined, size)
      failures.failed({ err: error, size })
      return false
    }
  }

  /** Stores the current batch; later reports are lost. */
  async function close(): Promise<void> {
    await flush()
  }
}

const createStoringNotes = (log: CollectorDeps['log']) =>
  createFailureNotes({
    failed: (fields: object) => log.error(fields, 'reports not stored'),
    worked: () => log.info({}, 'reports are stored again'),
  })

/** The digest for one visitor. */
function ofVisitor(digest: Digester, { address, userAgent }: ReportRequest, what: Digest): Digest {
  return digest(userAgent, digest(address, what))
}

/** Monitoring's policy is known, so the report's own copy of it is ignored. */
function isImpossible(
  { documentUri, blockedUri, directive, originalPolicy: sent }: ViolationReport,
  { policyId }: ReportingTicket,
  isPossible: CollectorDeps['isPossible'],
): boolean {
  const originalPolicy = policyId === null ? null : sent
  if (originalPolicy === '') return false
  return !isPossible({ originalPolicy, documentUri, blockedUri, effectiveDirective: directive })
}

/** Derived from a secret, so that outsiders cannot craft reports with colliding digests. */
function seedOf(reportingKey: Uint8Array): [number, number] {
  const octets = createHmac('sha256', reportingKey).update('reports told apart').digest()
  return [octets.readUInt32LE(0), octets.readUInt32LE(4)]
}
