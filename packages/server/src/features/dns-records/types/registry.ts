// The record types that the API takes, one line each, in alphabetical order.
import type { TypeName } from '@zonereeve/dns'
import { a, aaaa } from './address.ts'
import { caa } from './caa.ts'
import { cert } from './cert.ts'
import { dnskey } from './dnskey.ts'
import { ds } from './ds.ts'
import { cname, ns, ptr } from './host.ts'
import { loc } from './loc.ts'
import { mx } from './mx.ts'
import { naptr } from './naptr.ts'
import { openpgpkey } from './openpgpkey.ts'
import { srv } from './srv.ts'
import { sshfp } from './sshfp.ts'
import { https, svcb } from './svcb.ts'
import { smimea, tlsa } from './tlsa.ts'
import { txt } from './txt.ts'
import { uri } from './uri.ts'
import type { WireType } from './wire-type.ts'

const WIRE_TYPES = {
  A: a,
  AAAA: aaaa,
  CAA: caa,
  CERT: cert,
  CNAME: cname,
  DNSKEY: dnskey,
  DS: ds,
  HTTPS: https,
  LOC: loc,
  MX: mx,
  NAPTR: naptr,
  NS: ns,
  OPENPGPKEY: openpgpkey,
  PTR: ptr,
  SMIMEA: smimea,
  SRV: srv,
  SSHFP: sshfp,
  SVCB: svcb,
  TLSA: tlsa,
  TXT: txt,
  URI: uri,
} as const

export type RecordTypeName = keyof typeof WIRE_TYPES

export const isRecordType = (type: string): type is RecordTypeName => Object.hasOwn(WIRE_TYPES, type)

/** A type whose value type is not known statically: its own value goes in and comes out. */
export function wireTypeOf(type: RecordTypeName): WireType<TypeName> {
  return WIRE_TYPES[type] as unknown as WireType<TypeName> // read gives what show takes
}
