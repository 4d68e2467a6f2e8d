// Keeps the nameserver's zone table in step with the stored zones: loaded at start, then change by change.
import { typeCode, type Name } from '@zonereeve/dns'
import {
  eachServedRow,
  servedTtlSeconds,
  type RecordsChanged,
  type ServedRecord,
} from '../features/dns-records/index.ts'
import { allZones, USUAL_SERVING_SETTINGS, type Zone, type ZoneEvent } from '../features/zones/index.ts'
import type { ZoneContents, ZoneRecord, ZoneTable } from '../nameserver/index.ts'
import type { Reader } from '../storage/index.ts'

const UNKNOWN_PRIMARY = 'ns1.zonereeve.internal'

export function createDnsFeed(table: ZoneTable) {
  return {
    async loadAll(db: Reader): Promise<number> {
      const zones = await allZones(db)
      for (const zone of zones) {
        const records: ZoneRecord[] = []
        await eachServedRow(db, zone.id, ({ ttl, ...row }) =>
          records.push(toZoneRecord({ ...row, ttlSeconds: servedTtlSeconds(ttl) })),
        )
        table.load(contentsOf(zone, records))
      }
      return zones.length
    },
    zoneChanged(event: ZoneEvent): void {
      if (event.kind === 'created') table.load(contentsOf(event.zone, []))
      if (event.kind === 'deleted') table.remove(event.zoneId)
    },
    recordsChanged({ zoneId, serial, removed, added }: RecordsChanged): void {
      table.apply({ zoneId, serial, removed: removed.map(toZoneRecord), added: added.map(toZoneRecord) })
    },
  }
}

function contentsOf(zone: Zone, records: Iterable<ZoneRecord>): ZoneContents {
  const settings = USUAL_SERVING_SETTINGS
  const { soa } = settings
  const nameServers = settings.nameServers ?? zone.nameServers
  return {
    zoneId: zone.id,
    apex: zone.name,
    soa: {
      mname: (soa.mname ?? nameServers[0] ?? UNKNOWN_PRIMARY) as Name, // configured names are checked and in lower case
      rname: (soa.rname ?? `hostmaster.${zone.name}`) as Name, // the usual mailbox of a zone (RFC 2142 §7)
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
    records,
  }
}

function toZoneRecord({ id, name, type, ttlSeconds, rdata }: ServedRecord): ZoneRecord {
  return { id, name, type: typeCode(type) ?? 0, ttl: ttlSeconds, rdata }
}
