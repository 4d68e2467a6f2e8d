// Tells the serving layer of the stored zones, and the nameserver of their keys: all of them at start, then change by change.
import { createHash } from 'node:crypto'
import { typeCode } from '@zonereeve/dns'
import {
  eachServedRow,
  servedTtlSeconds,
  type RecordsChanged,
  type ServedRecord,
} from '../features/dns-records/index.ts'
import { readServingSettings } from '../features/dns-settings/index.ts'
import type { SigningChanged, ZoneKeys } from '../features/dnssec/index.ts'
import { allZones, apexOf, type ServingSettings, type Zone, type ZoneEvent } from '../features/zones/index.ts'
import type { ZoneAuthority, ZoneSigning, ZoneTable } from '../nameserver/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { ServedZone, Serving, StoredRecord, ZoneToServe } from '../serving/index.ts'
import type { Reader } from '../storage/index.ts'

/** Records that are changed in one go: some ten milliseconds. */
const MAX_RECORDS_AT_ONCE = 2_000

export interface DnsFeedDeps {
  readonly serving: Serving
  readonly table: Pick<ZoneTable, 'sign'>
  readonly clock: Pick<Clock, 'now'>
}

/** As long as a zone has not been transferred, or not been heard of for too long, nothing is answered of it. */
export function createDnsFeed({ serving, table, clock }: DnsFeedDeps) {
  let latest: readonly string[] = []
  // Most of many zones have the same name servers: they need not keep them in memory one by one.
  const share = (names: readonly string[]): readonly string[] => {
    if (names.join() !== latest.join()) latest = names
    return latest
  }
  return {
    /** @param keys of the zones that are signed. */
    async loadAll(db: Reader, keys: ReadonlyMap<string, ZoneKeys>): Promise<number> {
      const zones: ZoneToServe[] = []
      const settingsOf = await readServingSettings(db)
      for (const zone of await allZones(db)) {
        const records: StoredRecord[] = []
        await eachServedRow(db, zone.id, ({ ttl, ...row }) =>
          // A primary's TTL of one second is that.
          records.push(
            toStored({ ...row, ttlSeconds: zone.type === 'secondary' ? ttl : servedTtlSeconds(ttl) }),
          ),
        )
        zones.push({ zone: toServed(zone, settingsOf(zone), share, clock.now()), records })
      }
      // All at once: a chain may lead from one zone to another.
      serving.load(zones)
      for (const [zoneId, own] of keys) table.sign(zoneId, signingWith(own, clock))
      return zones.length
    },
    zoneChanged(event: ZoneEvent): void {
      if (event.kind === 'deleted') serving.remove(event.zoneId)
      if (event.kind === 'stepped') serving.step(event.zone.id, event.zone.serial)
      if (event.kind !== 'created' && event.kind !== 'settings') return
      const { zone, settings } = event
      const served = toServed(zone, settings, share, clock.now())
      if (event.kind === 'settings') serving.configure(served)
      else serving.load([{ zone: served, records: [] }])
    },
    signingChanged({ zoneId, keys }: SigningChanged): void {
      table.sign(zoneId, keys && signingWith(keys, clock))
    },
    /** What is more than a few records is served in the end of what it returns, and nothing of it before. */
    recordsChanged({ zoneId, serial, removed, added }: RecordsChanged): void | Promise<void> {
      const delta = { zoneId, serial, removed: toStoredEach(removed), added: toStoredEach(added) }
      if (removed.length + added.length <= MAX_RECORDS_AT_ONCE) serving.apply(delta)
      else return serving.applyInSlices(delta)
    },
  }
}

function* toStoredEach(records: readonly ServedRecord[]): Generator<StoredRecord> {
  for (const record of records) yield toStored(record)
}

const signingWith = (keys: ZoneKeys, clock: Pick<Clock, 'now'>): ZoneSigning => ({
  ...keys,
  sha1: (octets) => createHash('sha1').update(octets).digest(),
  now: () => clock.now(),
  random: Math.random,
})

function toServed(
  zone: Zone,
  settings: ServingSettings,
  share: (names: readonly string[]) => readonly string[],
  nowMillis: number,
): ServedZone {
  const authority = authorityOf(zone, settings, share, nowMillis)
  return { zoneId: zone.id, apex: zone.name, authority, settings }
}

function authorityOf(
  zone: Zone,
  settings: ServingSettings,
  share: (names: readonly string[]) => readonly string[],
  nowMillis: number,
): ZoneAuthority {
  const { soa, soaTtlSeconds, nameServers, nsTtlSeconds } = apexOf(zone, settings)
  return {
    soa: { ...soa, ttl: soaTtlSeconds },
    nameServers: share(nameServers),
    nsTtl: nsTtlSeconds,
    multiProvider: settings.multiProvider || zone.type === 'secondary',
    isExpired: zone.type === 'secondary' && nowMillis >= (settings.followed?.expiresAtMillis ?? 0),
  }
}

function toStored({ id, name, type, ttlSeconds, rdata, proxied, settings }: ServedRecord): StoredRecord {
  const record = { id, name, type: typeCode(type) ?? 0, ttl: ttlSeconds, rdata }
  const flattenCname = settings['flatten_cname'] === true
  if (!proxied && !flattenCname) return record
  const families = settings['ipv4_only'] === true ? 'ipv4' : settings['ipv6_only'] === true ? 'ipv6' : 'both'
  return { ...record, options: { proxied, flattenCname, families } }
}
