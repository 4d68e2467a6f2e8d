// Keeps the nameserver's zone table in step with the stored zones: loaded at start, then change by change.
import { typeCode, type Name } from '@zonereeve/dns'
import {
  eachServedRow,
  servedTtlSeconds,
  type RecordsChanged,
  type ServedRecord,
} from '../features/dns-records/index.ts'
import { readServingSettings } from '../features/dns-settings/index.ts'
import {
  allZones,
  usualMailbox,
  type ServingSettings,
  type Zone,
  type ZoneEvent,
} from '../features/zones/index.ts'
import type { ZoneAuthority, ZoneRecord, ZoneTable } from '../nameserver/index.ts'
import type { Reader } from '../storage/index.ts'

const UNKNOWN_PRIMARY = 'ns1.zonereeve.internal'

export function createDnsFeed(table: ZoneTable) {
  let latest: readonly string[] = []
  // Most of many zones have the same name servers: they need not keep them in memory one by one.
  const share = (names: readonly string[]): readonly string[] => {
    if (names.join() !== latest.join()) latest = names
    return latest
  }
  return {
    async loadAll(db: Reader): Promise<number> {
      const zones = await allZones(db)
      const settingsOf = await readServingSettings(db)
      for (const zone of zones) {
        const records: ZoneRecord[] = []
        await eachServedRow(db, zone.id, ({ ttl, ...row }) =>
          records.push(toZoneRecord({ ...row, ttlSeconds: servedTtlSeconds(ttl) })),
        )
        table.load({
          zoneId: zone.id,
          apex: zone.name,
          records,
          ...authorityOf(zone, settingsOf(zone), share),
        })
      }
      return zones.length
    },
    zoneChanged(event: ZoneEvent): void {
      if (event.kind === 'deleted') table.remove(event.zoneId)
      if (event.kind !== 'created' && event.kind !== 'settings') return
      const { zone, settings } = event
      const authority = authorityOf(zone, settings, share)
      if (event.kind === 'settings') table.reconfigure(zone.id, authority)
      else table.load({ zoneId: zone.id, apex: zone.name, records: [], ...authority })
    },
    recordsChanged({ zoneId, serial, removed, added }: RecordsChanged): void {
      table.apply({ zoneId, serial, removed: removed.map(toZoneRecord), added: added.map(toZoneRecord) })
    },
  }
}

function authorityOf(
  zone: Zone,
  settings: ServingSettings,
  share: (names: readonly string[]) => readonly string[],
): ZoneAuthority {
  const { soa } = settings
  const nameServers = share(settings.nameServers ?? zone.nameServers)
  return {
    soa: {
      mname: (soa.mname ?? nameServers[0] ?? UNKNOWN_PRIMARY) as Name, // configured names are checked and in lower case
      rname: (soa.rname ?? usualMailbox(zone)) as Name, // only canonical names are stored
      serial: zone.serial,
      refresh: soa.refreshSeconds,
      retry: soa.retrySeconds,
      expire: soa.expireSeconds,
      minimum: soa.minimumTtlSeconds,
      ttl: soa.ttlSeconds,
    },
    nameServers,
    nsTtl: settings.nsTtlSeconds,
    multiProvider: settings.multiProvider,
  }
}

function toZoneRecord({ id, name, type, ttlSeconds, rdata }: ServedRecord): ZoneRecord {
  return { id, name, type: typeCode(type) ?? 0, ttl: ttlSeconds, rdata }
}
