// What the API says of one record type: how its `content` and `data` are read and shown. The RFC half of the type —
// wire form, zone-file text, rules — is in packages/dns.
import type { Name, Rdata, TypeName } from '@zonereeve/dns'
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

export interface ReadValue<T extends TypeName> {
  readonly value: Rdata<T>
  /** Where the text that was sent is kept instead of the canonical one. */
  readonly content?: string
}

export interface WireType<T extends TypeName> {
  readonly type: T
  readonly proxiable: boolean
  /** Every broken rule of the value, or the value. */
  read(input: ValueInput, context: ReadContext): ReadValue<T> | readonly Issue[]
  show(value: Rdata<T>): ShownValue
}

export const defineWireType = <T extends TypeName>(declared: WireType<T>): WireType<T> => declared
