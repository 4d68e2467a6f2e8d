// What must go and what must come so that one list of records becomes another.
import { compareOctets } from '@zonereeve/dns'
import type { ZoneRecord } from '../nameserver/index.ts'

export interface RecordDiff {
  readonly removed: readonly ZoneRecord[]
  readonly added: readonly ZoneRecord[]
}

/** Both lists are of one name; records are told apart by type and id. */
export function diffRecords(before: readonly ZoneRecord[], after: readonly ZoneRecord[]): RecordDiff {
  if (before.length === 0 || after.length === 0) return { removed: before, added: after }
  const kept = new Set<ZoneRecord>()
  const byKey = new Map(before.map((record) => [keyOf(record), record]))
  const added = after.filter((record) => {
    const old = byKey.get(keyOf(record))
    if (old === undefined || !isSame(old, record)) return true
    kept.add(old)
    return false
  })
  return { removed: before.filter((record) => !kept.has(record)), added }
}

const keyOf = ({ type, id }: ZoneRecord): string => `${type} ${id}`

const isSame = (a: ZoneRecord, b: ZoneRecord): boolean =>
  a === b || (a.ttl === b.ttl && compareOctets(a.rdata, b.rdata) === 0)
