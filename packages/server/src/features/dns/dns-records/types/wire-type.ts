// The API form of one record type: how its `content` and `data` are read and shown. Wire form, presentation format
// and rules of the type are in packages/dns.
import {
  decodeRdata,
  encodeRdata,
  recordTypeByName,
  type Name,
  type Rdata,
  type TypeName,
} from '@zonereeve/dns'
import type { Issue } from '@zonereeve/platform'

export interface ValueInput {
  readonly content: string | undefined
  readonly data: Readonly<Record<string, unknown>> | undefined
  readonly priority: number | undefined
}

export interface ReadContext {
  /** Apex of the zone: the meaning of `@`. */
  readonly apex: Name
  /** Whether TXT content without quotes is stored with quotes. */
  readonly quoteTxt: boolean
  /** The value is already stored: rules introduced after it was written do not apply. */
  readonly isStored?: boolean
}

export interface ShownValue {
  readonly content: string
  readonly priority?: number
  readonly data?: Readonly<Record<string, string | number>>
}

/** A value parsed from `content` or `data`. */
interface Read<V> {
  readonly value: V
  /** The sent spelling, if it is stored instead of the canonical one. */
  readonly content?: string
}

export type ReadValue<T extends TypeName> = Read<Rdata<T>>

/** How values of one kind are read, shown, and encoded. */
export interface ValueType<V> {
  readonly proxiable: boolean
  /** Allowed members of `data`: its own, and those that clients send without meaning. Undefined without `data`. */
  readonly members?: readonly string[]
  /** Returns the value, or every broken rule. */
  read(input: ValueInput, context: ReadContext): Read<V> | readonly Issue[]
  show(value: V): ShownValue
  /**
   * The issues of a value from RDATA. Only for types without `data`, whose shown content and priority are read as the
   * same value and content: then they need not be read.
   */
  judge?(value: V, context: ReadContext): readonly Issue[]
  /** Wire form, names uncompressed. */
  encode(value: V): Uint8Array
  /** @throws WireError for malformed octets. */
  decode(rdata: Uint8Array): V
}

export interface WireType<T extends TypeName> extends ValueType<Rdata<T>> {
  readonly type: T
}

/** Rules of the type that the value breaks. */
export const brokenRules = <T extends TypeName>(
  type: T,
  value: Rdata<T>,
  { isStored = false }: ReadContext,
) => (isStored ? [] : recordTypeByName(type).check(value))

/** Encoding and decoding are those of packages/dns. */
export const defineWireType = <T extends TypeName>(
  declared: Omit<WireType<T>, 'encode' | 'decode'>,
): WireType<T> => ({
  ...declared,
  encode: (value) => encodeRdata(declared.type, value),
  decode: (rdata) => decodeRdata(declared.type, rdata),
})
