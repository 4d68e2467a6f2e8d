// The record types that the API accepts by mnemonic, one line each, in alphabetical order. All others are stored as
// octets.
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
import {
  isOpaqueCode,
  opaqueCode,
  opaqueName,
  opaqueType,
  type OpaqueTypeName,
  SIGNER_TYPES,
} from './opaque.ts'
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

/** A listed type, or one without a mnemonic. */
export type RecordTypeName = ListedTypeName | OpaqueTypeName

/** A type with a mnemonic. */
export type ListedTypeName = keyof typeof WIRE_TYPES

const isListed = (type: string): type is ListedTypeName => Object.hasOwn(WIRE_TYPES, type)

export const isRecordType = (type: string): type is RecordTypeName => {
  const code = isListed(type) ? undefined : opaqueCode(type)
  return code === undefined ? isListed(type) : recordTypeOf(code) === type
}

/** The same for records that are stored already: a primary may have sent them. */
export const isStoredType = (type: string): type is RecordTypeName =>
  SIGNER_TYPES.includes(type) || isRecordType(type)

/** The type for a type number: its mnemonic if it has one; undefined for numbers that no record can have. */
export function recordTypeOf(code: number): RecordTypeName | undefined {
  const name = typeText(code)
  if (isListed(name)) return name
  return isOpaqueCode(code) ? opaqueName(code) : undefined
}

/** A type whose value type is not known statically: values are opaque to the caller. */
export function wireTypeOf(type: RecordTypeName): ValueType<unknown> {
  return (isListed(type) ? WIRE_TYPES[type] : opaqueType(type)) as unknown as ValueType<unknown> // show accepts the values of read
}

const ALL_MEMBERS: ReadonlySet<string> = new Set(
  Object.values(WIRE_TYPES).flatMap(({ members = [] }) => members),
)

/**
 * dnscontrol sends the members of all types, with these values where they belong to another one. `.` is its empty
 * host name.
 */
const EMPTY: ReadonlySet<unknown> = new Set([null, '', '.', 0, false])

export const membersOfData = (type: RecordTypeName): readonly string[] => wireTypeOf(type).members ?? [] // undefined for types with content only

/** Whether `data` of the type may have this member: its own, or an empty one of another type. */
export const mayHaveMember = (type: RecordTypeName, name: string, value: unknown): boolean =>
  membersOfData(type).includes(name) || value === null || (ALL_MEMBERS.has(name) && EMPTY.has(value))

/** How the API shows RDATA: its type, content and priority, and the decoded value; only the type if no record can have it. */
export function shownRdata(
  code: number,
  rdata: Uint8Array,
): { readonly type: string; readonly value?: unknown } & Partial<Pick<ShownValue, 'content' | 'priority'>> {
  const type = recordTypeOf(code)
  if (type === undefined) return { type: typeText(code) }
  const wireType = wireTypeOf(type)
  const value = wireType.decode(rdata)
  const { content, priority } = wireType.show(value)
  return { type, value, content, ...(priority === undefined ? {} : { priority }) }
}
