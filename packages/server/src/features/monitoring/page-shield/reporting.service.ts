// Provides reporting URLs, and the zone settings that the collector needs.
import { monitorScript } from '@zonereeve/browser-reports'
import { MONITOR_PATH, type AlsoReported, type MonitoringHeader } from '@zonereeve/csp'
import type { Clock } from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import { findZone, requireZone, type Zone } from '../../zones/index.ts'
import type { ReportTraffic } from './report-traffic.ts'
import { cookieReportAddress, expirySeconds, reportingAddress } from './reporting.rules.ts'
import { wholeSeconds } from './life-cycle.rules.ts'
import { oneInFor, steppedOneIn } from './sampling.rules.ts'
import { retentionOf, samplingOf, settingsOf } from './settings.store.ts'

export interface MonitoredZone {
  /** As A-labels. */
  readonly name: string
  readonly isEnabled: boolean
  /** Connections are stored with path and query. */
  readonly withConnectionPaths: boolean
  /** Page views that make a resource active. */
  readonly activePageViews: number
  /** What monitoring's header makes browsers report beyond scripts and connections. */
  readonly alsoReport: readonly AlsoReported[]
  /** Whether its pages may report cookies by the monitoring script; false while monitoring is off. */
  readonly hasBeacon: boolean
}

/** How a page loads the monitoring script. */
export interface ShownBeacon {
  readonly isEnabled: boolean
  /** Without scheme and host, if it is on the host of the page; the same holds for `reportUrl`. */
  readonly scriptUrl: string
  readonly integrity: string
  readonly reportUrl: string
  readonly expiresAt: string
  readonly oneIn: number
}

export type Reporting = ReturnType<typeof createReporting>

/**
 * The signed URL for a page; `policyId` null = monitoring's policy, whose header goes with one of `oneIn`
 * documents.
 */
export type ReportingUrl = (page: URL, policyId: string | null, oneIn?: number) => string

export interface ReportingParts {
  readonly collector: string | undefined
  readonly addressOf: (policyId: string | null, oneIn: number) => string
}

export interface SamplingNow extends MonitoringHeader {
  readonly wholePaths: readonly string[]
}

/** Addresses are valid for a month: those of edges are renewed every week. */
const RENEWAL_MILLIS = 7 * 86_400_000

export interface ReportingDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly reportingKey: Uint8Array
  /** Scheme and host of the collector; undefined = the host of each page. */
  readonly collectorUrl: string | undefined
  readonly traffic: Pick<ReportTraffic, 'perDay'>
}

export function createReporting({ storage, clock, reportingKey, collectorUrl, traffic }: ReportingDeps) {
  return { reportingUrls, monitoredZone, monitoringHeader, samplingNow, edgeMark, reportingFor, beacon }

  /**
   * Monitoring's header goes with one of this many documents at this page; undefined = none, monitoring is
   * off.
   */
  async function monitoringHeader(db: Reader, zone: Zone, page: URL): Promise<MonitoringHeader | undefined> {
    if (!(await settingsOf(db, zone)).enabled) return undefined
    const sampling = await samplingOf(db, zone.id)
    const oneIn = oneInFor(sampling, page.pathname, traffic.perDay(zone.id))
    return { oneIn, alsoReport: sampling.alsoReport }
  }

  async function reportingUrls(db: Reader, zone: Zone): Promise<ReportingUrl> {
    const { collector, addressOf } = await reportingFor(db, zone)
    return (page, policyId, oneIn = 1) => (collector ?? page.origin) + addressOf(policyId, oneIn)
  }

  /** The parts of reporting URLs: `collector` undefined = the host of the page; addresses are path and query. */
  async function reportingFor(db: Reader, zone: Zone): Promise<ReportingParts> {
    const { useServiceReportingEndpoint } = await settingsOf(db, zone)
    return {
      collector: useServiceReportingEndpoint ? collectorUrl : undefined,
      addressOf: (policyId, oneIn) =>
        reportingAddress(reportingKey, { zoneId: zone.id, policyId, oneIn }, clock.now()),
    }
  }

  /** The sampling of pages for those that add the headers themselves; undefined while monitoring is off. */
  async function samplingNow(db: Reader, zone: Zone): Promise<SamplingNow | undefined> {
    if (!(await settingsOf(db, zone)).enabled) return undefined
    const sampling = await samplingOf(db, zone.id)
    return {
      oneIn: sampling.mode === 'fixed' ? sampling.oneIn : steppedOneIn(traffic.perDay(zone.id)),
      wholePaths: sampling.wholePaths,
      alsoReport: sampling.alsoReport,
    }
  }

  /** Changes when an edge should ask again although no setting has changed: addresses expire, and traffic grows. */
  function edgeMark(zoneId: string): string {
    return `${Math.floor(clock.now() / RENEWAL_MILLIS)}.${steppedOneIn(traffic.perDay(zoneId))}`
  }

  /**
   * What a page of this path needs to report cookies; `isEnabled` false = the server does not serve the script.
   * @throws DomainError: zone.unknown.
   */
  async function beacon(zoneId: string, path: string): Promise<ShownBeacon> {
    const zone = await requireZone(storage, zoneId)
    const sampling = await samplingOf(storage, zoneId)
    const { enabled } = await settingsOf(storage, zone)
    const { collector } = await reportingFor(storage, zone)
    const base = collector ?? '' // the host of the page
    const { integrity, version } = monitorScript()
    const oneIn = oneInFor(sampling, path, traffic.perDay(zoneId))
    const now = clock.now()
    return {
      isEnabled: enabled && sampling.beacon,
      scriptUrl: `${base}${MONITOR_PATH}/${zoneId}/${version}/monitor.js`,
      integrity,
      reportUrl: base + cookieReportAddress(reportingKey, { zoneId, oneIn }, now),
      expiresAt: wholeSeconds(expirySeconds(now) * 1000),
      oneIn,
    }
  }

  /** Resolves to undefined if the zone does not exist. */
  async function monitoredZone(zoneId: string): Promise<MonitoredZone | undefined> {
    const zone = await findZone(storage, zoneId)
    if (zone === undefined) return undefined
    const { enabled, useConnectionUrlPath } = await settingsOf(storage, zone)
    const { activePageViews } = await retentionOf(storage, zone.id)
    const { alsoReport, beacon } = await samplingOf(storage, zone.id)
    const withConnectionPaths = useConnectionUrlPath
    return {
      name: zone.name,
      isEnabled: enabled,
      withConnectionPaths,
      activePageViews,
      alsoReport,
      hasBeacon: enabled && beacon,
    }
  }
}
