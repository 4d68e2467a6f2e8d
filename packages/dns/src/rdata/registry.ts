// Every record type that we know, one line each, in alphabetical order. No type imports this list.

import { a } from './a.ts'
import { aaaa } from './aaaa.ts'
import { caa } from './caa.ts'
import { cdnskey } from './cdnskey.ts'
import { cds } from './cds.ts'
import { cert } from './cert.ts'
import { cname } from './cname.ts'
import type { RecordType } from './define.ts'
import { dname } from './dname.ts'
import { dnskey } from './dnskey.ts'
import { ds } from './ds.ts'
import { hinfo } from './hinfo.ts'
import { https } from './https.ts'
import { loc } from './loc.ts'
import { mx } from './mx.ts'
import { naptr } from './naptr.ts'
import { ns } from './ns.ts'
import { openpgpkey } from './openpgpkey.ts'
import { ptr } from './ptr.ts'
import { rp } from './rp.ts'
import { smimea } from './smimea.ts'
import { soa } from './soa.ts'
import { srv } from './srv.ts'
import { sshfp } from './sshfp.ts'
import { svcb } from './svcb.ts'
import { tlsa } from './tlsa.ts'
import { txt } from './txt.ts'
import { uri } from './uri.ts'

/** All record types by mnemonic. */
export const RECORD_TYPES = {
  A: a,
  AAAA: aaaa,
  CAA: caa,
  CDNSKEY: cdnskey,
  CDS: cds,
  CERT: cert,
  CNAME: cname,
  DNAME: dname,
  DNSKEY: dnskey,
  DS: ds,
  HINFO: hinfo,
  HTTPS: https,
  LOC: loc,
  MX: mx,
  NAPTR: naptr,
  NS: ns,
  OPENPGPKEY: openpgpkey,
  PTR: ptr,
  RP: rp,
  SMIMEA: smimea,
  SOA: soa,
  SRV: srv,
  SSHFP: sshfp,
  SVCB: svcb,
  TLSA: tlsa,
  TXT: txt,
  URI: uri,
} as const satisfies Record<string, RecordType<unknown>>

/** Mnemonic of a record type in the registry. */
export type TypeName = keyof typeof RECORD_TYPES

/** The value type of a record type: `Rdata<'MX'>` is Mx. */
export type Rdata<T extends TypeName> = (typeof RECORD_TYPES)[T] extends RecordType<infer D> ? D : never

/** A record type whose value type is not known statically. */
export type AnyRecordType = RecordType<unknown>

/** The record type of a mnemonic in capitals; undefined for types without one here. */
export function recordTypeByName<T extends TypeName>(type: T): RecordType<Rdata<T>>
export function recordTypeByName(type: string): AnyRecordType | undefined
export function recordTypeByName(type: string): AnyRecordType | undefined {
  return isTypeName(type) ? RECORD_TYPES[type] : undefined
}

/** The record type of a type number; undefined for numbers without one here. */
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
