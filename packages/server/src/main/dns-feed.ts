// Tells the serving layer of the stored zones: all of them at start, then change by change.
import { typeCode, type Name } from '@zonereeve/dns'
import {
  eachServedRow,
  servedTtlSeconds,
  type RecordsChanged,
  type ServedRecord,
} from '../features/dns-records/index.ts'
import {
  allZones,
  USUAL_SERVING_SETTINGS,
  type ServingSettings,
  type Zone,
  type ZoneEvent,
} from '../features/zones/index.ts'
import type { ZoneHead } from '../nameserver/index.ts'
import type { ServedZone, Serving, StoredRecord, ZoneToServe } from '../serving/index.ts'
import type { Reader } from '../storage/index.ts'

const UNKNOWN_PRIMARY = 'ns1.zonereeve.internal'

export function createDnsFeed(serving: Serving) {
  return {
    /** @returns how many zones there are. */
    async loadAll(db: Reader): Promise<number> {
      const zones: ZoneToServe[] = []
      for (const zone of await allZones(db)) {
        const records: StoredRecord[] = []
        await eachServedRow(db, zone.id, ({ ttl, ...row }) =>
          records.push(toStored({ ...row, ttlSeconds: servedTtlSeconds(ttl) })),
        )
        zones.push({ zone: toServed(zone), records })
      }
      serving.load(zones)
      return zones.length
    },
    zoneChanged(event: ZoneEvent): void {
      if (event.kind === 'created') serving.load([{ zone: toServed(event.zone), records: [] }])
      if (event.kind === 'deleted') serving.remove(event.zoneId)
    },
    recordsChanged({ zoneId, serial, removed, added }: RecordsChanged): void {
      serving.apply({ zoneId, serial, removed: removed.map(toStored), added: added.map(toStored) })
    },
  }
}

function toServed(zone: Zone, settings: ServingSettings = USUAL_SERVING_SETTINGS): ServedZone {
  return { zoneId: zone.id, apex: zone.name, head: headOf(zone, settings), settings }
}

function headOf(zone: Zone, { soa, nsTtlSeconds, ...settings }: ServingSettings): ZoneHead {
  const nameServers = settings.nameServers ?? zone.nameServers
  return {
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
    nsTtl: nsTtlSeconds,
  }
}

function toStored({ id, name, type, ttlSeconds, rdata, proxied, settings }: ServedRecord): StoredRecord {
  const record = { id, name, type: typeCode(type) ?? 0, ttl: ttlSeconds, rdata }
  const flattenCname = settings['flatten_cname'] === true
  if (!proxied && !flattenCname) return record
  const families = settings['ipv4_only'] === true ? 'ipv4' : settings['ipv6_only'] === true ? 'ipv6' : 'both'
  return { ...record, options: { proxied, flattenCname, families } }
}
