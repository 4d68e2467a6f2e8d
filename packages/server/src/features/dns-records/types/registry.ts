// The record types that the API takes, one line each, in alphabetical order.
import type { TypeName } from '@zonereeve/dns'
import { a, aaaa } from './address.ts'
import { caa } from './caa.ts'
import { cname, ns } from './host.ts'
import { mx } from './mx.ts'
import { srv } from './srv.ts'
import { txt } from './txt.ts'
import type { WireType } from './wire-type.ts'

const WIRE_TYPES = { A: a, AAAA: aaaa, CAA: caa, CNAME: cname, MX: mx, NS: ns, SRV: srv, TXT: txt } as const

export type RecordTypeName = keyof typeof WIRE_TYPES

export const isRecordType = (type: string): type is RecordTypeName => Object.hasOwn(WIRE_TYPES, type)

/** A type whose value type is not known statically: its own value goes in and comes out. */
export function wireTypeOf(type: RecordTypeName): WireType<TypeName> {
  return WIRE_TYPES[type] as unknown as WireType<TypeName> // read gives what show takes
}
