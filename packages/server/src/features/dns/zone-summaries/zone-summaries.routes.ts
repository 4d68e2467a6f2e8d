// HTTP route for summaries of zones.
import { zoneSummaries as operations, type WireZoneSummary } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { ZoneSummaries, ZoneSummary } from './zone-summaries.service.ts'

export function zoneSummaryRoutes(summaries: ZoneSummaries): Route[] {
  return [
    route(operations.list, async ({ caller, query }) => {
      const found = await summaries.list(caller, query.ids.split(','))
      return { result: found.map(toWire) }
    }),
  ]
}

const toWire = (zone: ZoneSummary): WireZoneSummary => ({
  id: zone.id,
  serial: zone.serial,
  records: zone.records,
  dnssec: zone.dnssec === undefined ? 'disabled' : (zone.dnssec as WireZoneSummary['dnssec']), // as stored
  changed_on: orNull(zone.changedOn),
  answers:
    zone.answers === undefined ? null : { per_second: zone.answers.perSecond, day: [...zone.answers.day] },
  secondaries: orNull(zone.secondaries),
  monitoring: zone.monitoring === undefined ? null : toWireMonitoring(zone.monitoring),
  firewall: orNull(zone.firewall),
  rules: orNull(zone.rules),
})

const toWireMonitoring = (monitoring: NonNullable<ZoneSummary['monitoring']>) => ({
  enabled: monitoring.enabled,
  malicious: monitoring.malicious,
  malicious_scripts: monitoring.maliciousScripts,
})

const orNull = <Value>(value: Value | undefined): Value | null => (value === undefined ? null : value)
