// The digest of a zone's content, by the simple scheme of ZONEMD (RFC 8976 §3).

import { elementAt } from './checked-reads.ts'
import type { PlainRecord } from './dnssec/sign-zone.ts'
import { isAtOrBelow } from './name-tree.ts'
import { nameToWire, type Name } from './name.ts'
import { compareOctets } from './octets.ts'

/** The scheme that digests the whole zone in order (RFC 8976 §5.2). */
export const ZONEMD_SIMPLE = 1
/** Hash algorithms (RFC 8976 §5.3). */
export const ZONEMD_HASH = { SHA384: 1, SHA512: 2 } as const

const RRSIG_TYPE = 46
const ZONEMD_TYPE = 63

/**
 * Yields the octets to hash, record by record in canonical order (RFC 8976 §3.3.1): each record once, without those
 * outside of the zone, and without the digests at the apex and their signatures.
 *
 * @param records all records of the zone, with its SOA once, in any order
 */
export function* zoneDigestOctets(apex: Name, records: Iterable<PlainRecord>): Generator<Uint8Array> {
  const byName = new Map<Name, PlainRecord[]>()
  for (const record of records) {
    if (!isAtOrBelow(record.name, apex) || (record.name === apex && isDigest(record))) continue
    const others = byName.get(record.name)
    if (others === undefined) byName.set(record.name, [record])
    else others.push(record)
  }
  const names = Array.from(byName, ([name, ofName]) => {
    const wire = nameToWire(name)
    return { wire, key: orderKey(wire), records: ofName }
  })
  names.sort((a, b) => (a.key < b.key ? -1 : 1))
  for (const { wire, records: ofName } of names) {
    ofName.sort((a, b) => a.type - b.type || compareOctets(a.rdata, b.rdata))
    for (const [i, record] of ofName.entries()) {
      const before = i === 0 ? undefined : elementAt(ofName, i - 1)
      const isAgain = before?.type === record.type && compareOctets(before.rdata, record.rdata) === 0
      if (!isAgain) yield recordOctets(wire, record)
    }
  }
}

function isDigest({ type, rdata }: PlainRecord): boolean {
  if (type === ZONEMD_TYPE) return true
  return type === RRSIG_TYPE && rdata[0] === ZONEMD_TYPE >> 8 && rdata[1] === (ZONEMD_TYPE & 0xff)
}

/** A string that compares as the name does in canonical order (RFC 4034 §6.1): labels from the right, ends before octets. */
function orderKey(wire: Uint8Array): string {
  const labels: string[] = []
  for (let at = 0; wire[at] !== 0;) {
    const end = at + 1 + (wire[at] ?? 0) // a label within the name
    let label = ''
    for (let i = at + 1; i < end; i += 1) label += String.fromCharCode(1 + (wire[i] ?? 0)) // as above
    labels.push(label)
    at = end
  }
  return labels.toReversed().join('\0')
}

function recordOctets(name: Uint8Array, { type, ttl, rdata }: PlainRecord): Uint8Array {
  const octets = new Uint8Array(name.length + 10 + rdata.length)
  octets.set(name)
  const view = new DataView(octets.buffer, name.length)
  view.setUint16(0, type)
  view.setUint16(2, 1)
  view.setUint32(4, ttl)
  view.setUint16(8, rdata.length)
  octets.set(rdata, name.length + 10)
  return octets
}
