// A checksum of a zone in memory, to compare nodes: the same for the same records in any order.
import { crc32 } from 'node:zlib'
import { CHUNK_SIZE, yieldNow } from '@zonereeve/cooperate'
import type { Zone } from './zone.ts'
import type { ZoneAuthority, ZoneRecord } from './zone-data.ts'

/** Of the records so far: two sums that do not depend on their order. */
interface RecordSums {
  count: number
  sum: number
  xor: number
}

/**
 * Reads the zone in chunks, as it is at the call.
 *
 * @param replaced names whose records depend on what a node has found out by itself, each with the records to count in
 * place of those that are served.
 * @returns hexadecimal digits; different ones if the zones differ, except for one in 2^64.
 */
export async function checksumOf(
  zone: Pick<Zone, 'names' | 'authority'>,
  replaced: ReadonlyMap<string, readonly ZoneRecord[]>,
): Promise<string> {
  const { entries, release } = zone.names.snapshot()
  const sums: RecordSums = { count: 0, sum: crc32(authorityText(zone.authority)), xor: 0 }
  try {
    for (const records of replaced.values()) for (const record of records) add(sums, record)
    let names = 0
    for (const [, { rrsets }] of entries) {
      const served = rrsets.flatMap(({ records }) => records)
      for (const record of served) if (!replaced.has(record.name)) add(sums, record)
      if ((names += 1) % CHUNK_SIZE === 0) await yieldNow()
    }
  } finally {
    release()
  }
  return [sums.count, sums.sum, sums.xor].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}

function add(sums: RecordSums, { id, name, type, ttl, rdata }: ZoneRecord): void {
  const one = crc32(rdata, crc32(`${id}\0${name}\0${type}\0${ttl}\0`))
  sums.count += 1
  sums.sum = (sums.sum + one) >>> 0
  sums.xor ^= Math.imul(one, MIX)
}

/** Odd, so that no bit of a checksum is lost. */
const MIX = 0x9e3779b1

/** Whether a secondary zone has expired is left out: each node sees it by its own clock. */
function authorityText({ soa, nameServers, nsTtl, multiProvider }: ZoneAuthority): string {
  // The order of members depends on what the zone was made from.
  const { mname, rname, serial, refresh, retry, expire, minimum, ttl } = soa
  const ordered = { mname, rname, serial, refresh, retry, expire, minimum, ttl }
  return JSON.stringify([ordered, nameServers, nsTtl, multiProvider])
}
