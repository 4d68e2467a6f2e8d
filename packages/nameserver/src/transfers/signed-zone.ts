// A signed zone that is too large for a copy (see SignedCopy), signed for one transfer: signatures and denials with
// the records, for servers without the keys.
import { createHash } from 'node:crypto'
import {
  nameFromWire,
  nameToWire,
  signZone,
  DEFAULT_NSEC3,
  type Name,
  type PlainRecord,
  uint16At,
} from '@zonereeve/dns'
import { RDATA_OFFSET, TYPE, type Rrset } from '../rrset.ts'
import type { ZoneSigner } from '../zone-signer.ts'
import type { Zone } from '../zone.ts'
import type { OwnedRrset } from './transfer-messages.ts'

/** SOA, all other records, SOA. The nodes are captured now; each name is signed when its message is built. */
export function* signedZone(zone: Zone, signer: ZoneSigner): Iterable<OwnedRrset> {
  const apex = zone.apex.wire()
  const sha1 = (octets: Uint8Array): Uint8Array => createHash('sha1').update(octets).digest()
  const records = plainRecords(zone, apex)
  const nsec3 = signer.signing.denial === 'nsec3' ? { ...DEFAULT_NSEC3, sha1 } : undefined
  const soa: OwnedRrset = { key: '', rrset: zone.soa }
  let isFirst = true
  for (const record of signZone({
    apex: nameFromWire(apex),
    records,
    sign: (rrset) => signer.signaturesOf(rrset).rdatas,
    nsec3,
    negativeTtl: zone.negative.ttl,
  })) {
    yield isFirst ? soa : { key: keyOf(record.name, apex), rrset: rrsetOf(record) }
    isFirst = false
  }
  yield soa
}

/** All records as published, the SOA first. */
function plainRecords(zone: Zone, apex: Uint8Array): PlainRecord[] {
  const records: PlainRecord[] = []
  for (const [key, { rrsets }] of zone.names.entries()) {
    if (rrsets.length === 0) continue
    // Its digest is of other signatures.
    const isMade = (type: number): boolean =>
      key === '' && zone.authority.hasDigest === true && type === TYPE.ZONEMD
    const name = nameFromWire(Buffer.concat([Buffer.from(key, 'latin1'), apex]))
    for (const { type, ttl, wire } of rrsets) {
      if (isMade(type)) continue
      for (let at = 0; at < wire.length;) {
        const rdata = at + RDATA_OFFSET
        at = rdata + uint16At(wire, at + 10)
        records.push({ name, type, ttl, rdata: wire.subarray(rdata, at) })
      }
    }
  }
  return records
}

/** The labels before the apex, one character per octet. */
function keyOf(name: Name, apex: Uint8Array): string {
  const wire = nameToWire(name)
  return Buffer.from(wire.subarray(0, wire.length - apex.length)).toString('latin1')
}

/** One record in the form of an answer: its owner is a pointer to the question. */
function rrsetOf({ type, ttl, rdata }: PlainRecord): Rrset {
  const wire = new Uint8Array(RDATA_OFFSET + rdata.length)
  const view = new DataView(wire.buffer)
  view.setUint16(0, 0xc00c)
  view.setUint16(2, type)
  view.setUint16(4, 1) // class IN
  view.setUint32(6, ttl)
  view.setUint16(10, rdata.length)
  wire.set(rdata, RDATA_OFFSET)
  return { type, ttl, count: 1, wire, records: [] }
}
