// The catalog zones of accounts (RFC 9432), served as zones of their own.
import { encodeRdata, joinName, parseName, type Name } from '@zonereeve/dns'
import type { ZoneContents, ZoneRecord, ZoneTable } from '@zonereeve/nameserver'
import type { Reader } from '@zonereeve/storage'
import {
  catalogZoneId,
  readCatalog,
  type CatalogContents,
  type CatalogMember,
  type MemberChange,
} from '../secondary-dns/index.ts'

/** RFC 9432 §4.1: no resolver asks, so what matters is how soon a peer looks again that missed a notification. */
const CATALOG_SOA = { refresh: 60, retry: 30, expire: 604_800, minimum: 0, ttl: 0 }
const INVALID = parseName('invalid')
const PTR = 12
const TXT = 16

export function createCatalogZones({
  table,
  storage,
}: {
  readonly table: Pick<ZoneTable, 'load' | 'remove' | 'apply'>
  readonly storage: Reader
}) {
  const apexes = new Map<string, Name>()
  return { load, change }

  /** @returns whether the account has a catalog zone. */
  async function load(accountId: string): Promise<boolean> {
    const zoneId = catalogZoneId(accountId)
    const contents = await readCatalog(storage, accountId)
    if (contents === undefined) {
      apexes.delete(zoneId)
      table.remove(zoneId)
    } else {
      apexes.set(zoneId, contents.name)
      table.load(toCatalog(zoneId, contents))
    }
    return contents !== undefined
  }

  function change(accountId: string, { serial, member, isMember }: MemberChange): void {
    const zoneId = catalogZoneId(accountId)
    const apex = apexes.get(zoneId)
    if (apex === undefined) return
    const records = [memberRecord(apex, member)]
    table.apply({ zoneId, serial, removed: isMember ? [] : records, added: isMember ? records : [] })
  }
}

function toCatalog(zoneId: string, { name, serial, members }: CatalogContents): ZoneContents {
  const version: ZoneRecord = {
    id: 'version',
    name: joinName('version', name),
    type: TXT,
    ttl: 0,
    rdata: encodeRdata('TXT', { strings: [Uint8Array.of(0x32)] }),
  }
  return {
    zoneId,
    apex: name,
    soa: { ...CATALOG_SOA, mname: INVALID, rname: INVALID, serial },
    nameServers: [INVALID],
    nsTtl: 0,
    multiProvider: false,
    records: [version, ...members.map((member) => memberRecord(name, member))],
  }
}

const memberRecord = (apex: Name, { zoneId, name }: CatalogMember): ZoneRecord => ({
  id: zoneId,
  name: parseName(`${zoneId}.zones.${apex}`),
  type: PTR,
  ttl: 0,
  rdata: encodeRdata('PTR', { target: name }),
})
