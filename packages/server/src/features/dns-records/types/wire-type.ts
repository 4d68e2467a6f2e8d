// What the API says of one record type: how its `content` and `data` are read and shown. The RFC half of the type —
// wire form, zone-file text, rules — is in packages/dns.
import { decodeRdata, encodeRdata, type Name, type Rdata, type TypeName } from '@zonereeve/dns'
import type { Issue } from '../../../platform/domain-error.ts'

export interface ValueInput {
  readonly content: string | undefined
  readonly data: Readonly<Record<string, unknown>> | undefined
  readonly priority: number | undefined
}

export interface ReadContext {
  /** Apex of the zone: what `@` stands for. */
  readonly apex: Name
  /** Whether TXT content without quotes is stored with them. */
  readonly quoteTxt: boolean
}

export interface ShownValue {
  readonly content: string
  readonly priority?: number
  readonly data?: Readonly<Record<string, string | number>>
}

/** A value that was read from `content` or `data`. */
interface Read<V> {
  readonly value: V
  /** Where the text that was sent is kept instead of the canonical one. */
  readonly content?: string
}

export type ReadValue<T extends TypeName> = Read<Rdata<T>>

/** How values of one kind are read, shown, and turned into octets. */
export interface ValueType<V> {
  readonly proxiable: boolean
  /** Every broken rule of the value, or the value. */
  read(input: ValueInput, context: ReadContext): Read<V> | readonly Issue[]
  show(value: V): ShownValue
  /** Wire form, names uncompressed. */
  encode(value: V): Uint8Array
  /** @throws WireError for octets that are not of the type. */
  decode(rdata: Uint8Array): V
}

export interface WireType<T extends TypeName> extends ValueType<Rdata<T>> {
  readonly type: T
}

/** The octets of a type are the business of packages/dns. */
export const defineWireType = <T extends TypeName>(
  declared: Omit<WireType<T>, 'encode' | 'decode'>,
): WireType<T> => ({
  ...declared,
  encode: (value) => encodeRdata(declared.type, value),
  decode: (rdata) => decodeRdata(declared.type, rdata),
})
