// The difference between two lists of records.
import { compareOctets } from '@zonereeve/dns'
import type { ZoneRecord } from '@zonereeve/nameserver'

export interface RecordDiff {
  readonly removed: readonly ZoneRecord[]
  readonly added: readonly ZoneRecord[]
}

/** Both lists are of one name. Records are identified by type and id. */
export function diffRecords(before: readonly ZoneRecord[], after: readonly ZoneRecord[]): RecordDiff {
  if (before.length === 0 || after.length === 0) return { removed: before, added: after }
  const remaining = new Set<ZoneRecord>()
  const byKey = new Map(before.map((record) => [keyOf(record), record]))
  const added = after.filter((record) => {
    const old = byKey.get(keyOf(record))
    if (old === undefined || !isSame(old, record)) return true
    remaining.add(old)
    return false
  })
  return { removed: before.filter((record) => !remaining.has(record)), added }
}

const keyOf = ({ type, id }: ZoneRecord): string => `${type} ${id}`

const isSame = (a: ZoneRecord, b: ZoneRecord): boolean =>
  a === b || (a.ttl === b.ttl && compareOctets(a.rdata, b.rdata) === 0)
