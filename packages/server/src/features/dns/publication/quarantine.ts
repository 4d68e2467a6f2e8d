// Zones that cannot be served because stored data cannot be read. They are answered with SERVFAIL until
// repaired: incomplete answers would be believed.
import type { Name } from '@zonereeve/dns'
import { isTemporary } from '../../changes/index.ts'
import { eachServedRow, type ReadState, type ServedRow, servedTtlSeconds } from '../dns-records/index.ts'
import { DEFAULT_PUBLICATION_SETTINGS, type PublicationSettings, type Zone } from '../../zones/index.ts'
import { unservableRecords, type ZoneTable } from '@zonereeve/nameserver'
import type { Log } from '@zonereeve/platform'
import type { ServedZone } from './live-zone.ts'
import type { Publication, ZoneToServe } from './publication.ts'
import type { StoredRecord } from './stored-record.ts'
import type { Reader, ServedRecord } from '@zonereeve/storage'

export interface QuarantinedZone {
  readonly zoneId: string
  readonly name: string
  readonly problems: readonly string[]
}

export interface ZoneRules {
  readonly zone: Zone
  readonly settings: PublicationSettings
}

export interface ReadZone extends ZoneToServe {
  /** Of the zone when its records were read; undefined if it has none. */
  readonly state: ReadState | undefined
  readonly type: Zone['type']
}

export interface QuarantineDeps {
  readonly publication: Pick<Publication, 'load'>
  readonly table: Pick<ZoneTable, 'has'>
  readonly log: Log
  readonly toServed: (zone: Zone, settings: PublicationSettings) => ServedZone
  readonly toStored: (record: ServedRecord) => StoredRecord
}

/** Shown of one zone. */
const MAX_PROBLEMS = 10

export function createQuarantine({ publication, table, log, toServed, toStored }: QuarantineDeps) {
  const zones = new Map<string, QuarantinedZone>()
  return {
    read,
    readSome,
    load,
    isolate,
    holdBack,
    has: (zoneId: string) => zones.has(zoneId),
    release: (zoneId: string) => void zones.delete(zoneId),
    list: (): readonly QuarantinedZone[] => [...zones.values()],
    problemsOf: (zoneId: string): readonly string[] => zones.get(zoneId)?.problems ?? [], // none: it is not isolated
  }

  /**
   * What a zone is served with.
   *
   * @param readZone called once the records are read: the zone as it is to be served; undefined if it has been deleted.
   * @returns undefined if it has been deleted, or cannot be read: then it is isolated.
   * @throws DomainError: the database does not answer
   */
  async function read(
    db: Reader,
    zone: Zone,
    readZone: () => ZoneRules | Promise<ZoneRules | undefined>,
  ): Promise<ReadZone | undefined> {
    try {
      const records: StoredRecord[] = []
      const states = await eachServedRow(db, [zone.id], (_, row) => records.push(toRecord(zone, row)))
      const rules = await readZone()
      return rules && toRead(rules, records, states.get(zone.id))
    } catch (failure) {
      if (isTemporary(failure)) throw failure
      isolate(zone, [messageOf(failure)])
      return undefined
    }
  }

  /** As {@link read}, of zones that have few records: one that cannot be read is found by reading each alone. */
  async function readSome(
    db: Reader,
    some: readonly Zone[],
    settingsOf: (zone: Zone) => PublicationSettings,
  ): Promise<readonly ReadZone[]> {
    const rulesOf = (zone: Zone): ZoneRules => ({ zone, settings: settingsOf(zone) })
    if (some.length === 0) return []
    try {
      const all = some.map((zone) => ({ rules: rulesOf(zone), records: new Array<StoredRecord>() }))
      const byZone = new Map(all.map((one) => [one.rules.zone.id, one]))
      const states = await eachServedRow(db, [...byZone.keys()], (zoneId, row) => {
        const one = byZone.get(zoneId)
        one?.records.push(toRecord(one.rules.zone, row))
      })
      return all.map(({ rules, records }) => toRead(rules, records, states.get(rules.zone.id)))
    } catch (failure) {
      if (isTemporary(failure)) throw failure
      const each: (ReadZone | undefined)[] = []
      for (const zone of some) each.push(await read(db, zone, () => rulesOf(zone)))
      return each.filter((zone) => zone !== undefined)
    }
  }

  /** A primary's TTL of one second is that. */
  function toRecord({ type }: Zone, { ttl, ...row }: ServedRow): StoredRecord {
    return toStored({ ...row, ttlSeconds: type === 'secondary' ? ttl : servedTtlSeconds(ttl) })
  }

  function toRead(
    { zone, settings }: ZoneRules,
    records: readonly StoredRecord[],
    state: ReadState | undefined,
  ): ReadZone {
    const served = { ...zone, serial: state?.serial ?? zone.serial } // without records, that of its row
    return { zone: toServed(served, settings), records, state, type: zone.type }
  }

  /** Serves zones; those that cannot be served are isolated. */
  function load(
    db: Reader,
    all: readonly ZoneToServe[],
    loads: Pick<Publication, 'load'> = publication,
  ): void {
    const refused: { readonly zone: ServedZone; readonly problems: readonly string[] }[] = []
    loads.load(all, ({ zone, records }, failure) => {
      const problems = unservable(db, zone, records)
      refused.push({ zone, problems: problems.length > 0 ? problems : [messageOf(failure)] })
    })
    for (const { zone } of all) zones.delete(zone.zoneId)
    for (const { zone, problems } of refused) isolate({ id: zone.zoneId, name: zone.apex }, problems)
  }

  function unservable(
    db: Reader,
    { zoneId, apex }: ServedZone,
    records: Iterable<StoredRecord>,
  ): readonly string[] {
    try {
      return unservableRecords(apex, records, zoneId).map(({ record, failure }) => {
        const { id, name } = record
        db.unreadable.note('dns_records', { id }, { id, zone_id: zoneId, name }, failure)
        return `dns_records ${id}: ${failure.reason}`
      })
    } catch (failure) {
      return [messageOf(failure)]
    }
  }

  /** Answers a zone with SERVFAIL. */
  function isolate({ id, name }: { readonly id: string; readonly name: Name }, all: readonly string[]): void {
    const problems = all.slice(0, MAX_PROBLEMS)
    zones.set(id, { zoneId: id, name, problems })
    log.error({ zoneId: id, zone: name, problems }, 'zone quarantined')
    holdBack({ id, name })
  }

  /** Until the zone is loaded. */
  function holdBack({ id, name }: { readonly id: string; readonly name: Name }): void {
    const zone = { zoneId: id, apex: name, authority: { ...NO_AUTHORITY, isExpired: true } }
    publication.load(
      [{ zone: { ...zone, settings: DEFAULT_PUBLICATION_SETTINGS }, records: [] }],
      (_, failure) =>
        // Its name is what cannot be read, so that there is nothing to answer for.
        log.error({ zoneId: id, zone: name, err: failure, isServed: table.has(id) }, 'zone cannot be served'),
    )
  }
}

/** Never answered. */
const NO_AUTHORITY = {
  soa: {
    mname: 'invalid' as Name, // one label of letters (RFC 6761 §6.4)
    rname: 'invalid' as Name, // as above
    serial: 0,
    refresh: 0,
    retry: 0,
    expire: 0,
    minimum: 0,
    ttl: 0,
  },
  nameServers: [],
  nsTtl: 0,
  multiProvider: false,
}

const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure))
