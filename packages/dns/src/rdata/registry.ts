// Every supported record type, one line each, in alphabetical order. No type imports this list.

import { a } from './a.ts'
import { aaaa } from './aaaa.ts'
import { afsdb } from './afsdb.ts'
import { apl } from './apl.ts'
import { avc } from './avc.ts'
import { caa } from './caa.ts'
import { cdnskey } from './cdnskey.ts'
import { cds } from './cds.ts'
import { cert } from './cert.ts'
import { cname } from './cname.ts'
import { csync } from './csync.ts'
import type { RecordType } from './define.ts'
import { dhcid } from './dhcid.ts'
import { dlv } from './dlv.ts'
import { dname } from './dname.ts'
import { dnskey } from './dnskey.ts'
import { ds } from './ds.ts'
import { eui48 } from './eui48.ts'
import { eui64 } from './eui64.ts'
import { gpos } from './gpos.ts'
import { hinfo } from './hinfo.ts'
import { hip } from './hip.ts'
import { https } from './https.ts'
import { ipseckey } from './ipseckey.ts'
import { isdn } from './isdn.ts'
import { key } from './key.ts'
import { kx } from './kx.ts'
import { l32 } from './l32.ts'
import { l64 } from './l64.ts'
import { loc } from './loc.ts'
import { lp } from './lp.ts'
import { minfo } from './minfo.ts'
import { mx } from './mx.ts'
import { naptr } from './naptr.ts'
import { nid } from './nid.ts'
import { ns } from './ns.ts'
import { nsap } from './nsap.ts'
import { openpgpkey } from './openpgpkey.ts'
import { ptr } from './ptr.ts'
import { px } from './px.ts'
import { rp } from './rp.ts'
import { rt } from './rt.ts'
import { smimea } from './smimea.ts'
import { soa } from './soa.ts'
import { spf } from './spf.ts'
import { srv } from './srv.ts'
import { sshfp } from './sshfp.ts'
import { svcb } from './svcb.ts'
import { talink } from './talink.ts'
import { tlsa } from './tlsa.ts'
import { txt } from './txt.ts'
import { uri } from './uri.ts'
import { x25 } from './x25.ts'
import { zonemd } from './zonemd.ts'

/** All record types by mnemonic. */
export const RECORD_TYPES = {
  A: a,
  AAAA: aaaa,
  AFSDB: afsdb,
  APL: apl,
  AVC: avc,
  CAA: caa,
  CDNSKEY: cdnskey,
  CDS: cds,
  CERT: cert,
  CNAME: cname,
  CSYNC: csync,
  DHCID: dhcid,
  DLV: dlv,
  DNAME: dname,
  DNSKEY: dnskey,
  DS: ds,
  EUI48: eui48,
  EUI64: eui64,
  GPOS: gpos,
  HINFO: hinfo,
  HIP: hip,
  HTTPS: https,
  IPSECKEY: ipseckey,
  ISDN: isdn,
  KEY: key,
  KX: kx,
  L32: l32,
  L64: l64,
  LOC: loc,
  LP: lp,
  MINFO: minfo,
  MX: mx,
  NAPTR: naptr,
  NID: nid,
  NS: ns,
  NSAP: nsap,
  OPENPGPKEY: openpgpkey,
  PTR: ptr,
  PX: px,
  RP: rp,
  RT: rt,
  SMIMEA: smimea,
  SOA: soa,
  SPF: spf,
  SRV: srv,
  SSHFP: sshfp,
  SVCB: svcb,
  TALINK: talink,
  TLSA: tlsa,
  TXT: txt,
  URI: uri,
  X25: x25,
  ZONEMD: zonemd,
} as const satisfies Record<string, RecordType<unknown>>

/** Mnemonic of a record type in the registry. */
export type TypeName = keyof typeof RECORD_TYPES

/** The value type of a record type: `Rdata<'MX'>` is Mx. */
export type Rdata<T extends TypeName> = (typeof RECORD_TYPES)[T] extends RecordType<infer D> ? D : never

/** A record type whose value type is not statically known. */
export type AnyRecordType = RecordType<unknown>

/** The record type of an upper-case mnemonic; undefined if there is none. */
export function recordTypeByName<T extends TypeName>(type: T): RecordType<Rdata<T>>
export function recordTypeByName(type: string): AnyRecordType | undefined
export function recordTypeByName(type: string): AnyRecordType | undefined {
  return isTypeName(type) ? RECORD_TYPES[type] : undefined
}

/** The record type of a type number; undefined if there is none. */
export function recordTypeByCode(code: number): AnyRecordType | undefined {
  return BY_CODE.get(code)
}

/** Whether the registry has this mnemonic. */
export function isTypeName(type: string): type is TypeName {
  return Object.hasOwn(RECORD_TYPES, type)
}

const BY_CODE: ReadonlyMap<number, AnyRecordType> = new Map(
  Object.values(RECORD_TYPES).map((type): [number, AnyRecordType] => [type.code, type]),
)
