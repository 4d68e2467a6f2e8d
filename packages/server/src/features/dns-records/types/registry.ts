// The record types that the API takes by name, one line each, in alphabetical order. All others are kept as octets.
import { typeText } from '@zonereeve/dns'
import { a, aaaa } from './address.ts'
import { caa } from './caa.ts'
import { cert } from './cert.ts'
import { dnskey } from './dnskey.ts'
import { ds } from './ds.ts'
import { cname, ns, ptr } from './host.ts'
import { loc } from './loc.ts'
import { mx } from './mx.ts'
import { naptr } from './naptr.ts'
import { isOpaqueCode, opaqueCode, opaqueName, opaqueType, type OpaqueTypeName } from './opaque.ts'
import { openpgpkey } from './openpgpkey.ts'
import { srv } from './srv.ts'
import { sshfp } from './sshfp.ts'
import { https, svcb } from './svcb.ts'
import { smimea, tlsa } from './tlsa.ts'
import { txt } from './txt.ts'
import { uri } from './uri.ts'
import type { ShownValue, ValueType } from './wire-type.ts'

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

/** A type of the list, or of a type that has no name in it. */
export type RecordTypeName = ListedTypeName | OpaqueTypeName

/** A type that has a name of its own. */
export type ListedTypeName = keyof typeof WIRE_TYPES

const isListed = (type: string): type is ListedTypeName => Object.hasOwn(WIRE_TYPES, type)

export const isRecordType = (type: string): type is RecordTypeName => {
  const code = isListed(type) ? undefined : opaqueCode(type)
  return code === undefined ? isListed(type) : recordTypeOf(code) === type
}

/** The type of a type number: by its name where it has one; undefined for numbers that no record can have. */
export function recordTypeOf(code: number): RecordTypeName | undefined {
  const name = typeText(code)
  if (isListed(name)) return name
  return isOpaqueCode(code) ? opaqueName(code) : undefined
}

/** A type whose value type is not known statically: its own value goes in and comes out. */
export function wireTypeOf(type: RecordTypeName): ValueType<unknown> {
  return (isListed(type) ? WIRE_TYPES[type] : opaqueType(type)) as unknown as ValueType<unknown> // read gives what show takes
}

/** How the API shows rdata: its type, content and priority; the type alone where no record can have it. */
export function shownRdata(
  code: number,
  rdata: Uint8Array,
): { readonly type: string } & Partial<Pick<ShownValue, 'content' | 'priority'>> {
  const type = recordTypeOf(code)
  if (type === undefined) return { type: typeText(code) }
  const wireType = wireTypeOf(type)
  const { content, priority } = wireType.show(wireType.decode(rdata))
  return { type, content, ...(priority === undefined ? {} : { priority }) }
}
