// Where browsers report to, and what the collector must know of the zones that they report about.
import type { Clock } from '../../platform/clock.ts'
import type { Reader, Storage } from '../../storage/index.ts'
import { findZone, type Zone } from '../zones/index.ts'
import { reportingAddress } from './reporting.rules.ts'
import { retentionOf, settingsOf } from './settings.store.ts'

export interface MonitoredZone {
  /** In A-labels. */
  readonly name: string
  readonly isEnabled: boolean
  /** Connections are kept with path and query. */
  readonly withConnectionPaths: boolean
  /** Page views that make a resource active. */
  readonly activePageViews: number
}

/** The signed address for a page; `policyId` null = that of monitoring. */
export type ReportingUrl = (page: URL, policyId: string | null) => string

export interface ReportingDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly reportingKey: Uint8Array
  /** Scheme and host of the collector; undefined = the hosts of the pages themselves. */
  readonly collectorUrl: string | undefined
}

export function createReporting({ storage, clock, reportingKey, collectorUrl }: ReportingDeps) {
  return { reportingUrls, monitoredZone }

  async function reportingUrls(db: Reader, zone: Zone): Promise<ReportingUrl> {
    const { useServiceReportingEndpoint } = await settingsOf(db, zone)
    const own = useServiceReportingEndpoint ? collectorUrl : undefined
    return (page, policyId) =>
      (own ?? page.origin) + reportingAddress(reportingKey, { zoneId: zone.id, policyId }, clock.now())
  }

  /** undefined = there is no such zone. */
  async function monitoredZone(zoneId: string): Promise<MonitoredZone | undefined> {
    const zone = await findZone(storage, zoneId)
    if (zone === undefined) return undefined
    const { enabled, useConnectionUrlPath } = await settingsOf(storage, zone)
    const { activePageViews } = await retentionOf(storage, zone.id)
    return { name: zone.name, isEnabled: enabled, withConnectionPaths: useConnectionUrlPath, activePageViews }
  }
}
