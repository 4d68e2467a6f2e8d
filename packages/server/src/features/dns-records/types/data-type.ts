// Types whose value comes in parts: the members of `data`, each bound to a field of the RFC half. Content is derived.
import {
  rdataFromText,
  rdataToText,
  recordTypeByName,
  TextError,
  WireError,
  type Rdata,
  type TypeName,
} from '@zonereeve/dns'
import { readData, ruleIssues, type DataReader } from './data-fields.ts'
import { defineWireType, type ReadContext, type ReadValue, type WireType } from './wire-type.ts'

/** How a member is read and shown. What is wrong with it goes to the reader's issues. */
export interface MemberKind<V> {
  read(reader: DataReader, member: string, context: ReadContext): V
  show(value: V): string | number
}

/** A member of `data`, and the field that it stands for. */
interface Member<D> {
  readonly field: keyof D & string
  read(reader: DataReader, member: string, context: ReadContext): unknown
  show(value: D): string | number
}

/** Binds members to the fields of `D`. */
export const membersOf =
  <D>() =>
  <K extends keyof D & string>(field: K, kind: MemberKind<D[K]>): Member<D> => ({
    field,
    read: kind.read,
    show: (value) => kind.show(value[field]),
  })

interface DataTypeSpec<T extends TypeName> {
  readonly type: T
  /** By the member's name on the wire, in alphabetical order: issues are told in this one. Every field has one. */
  readonly members: Readonly<Record<string, Member<Rdata<T>>>>
}

/** What decoding puts in the place of octets that are no UTF-8. */
const REPLACEMENT = '\u{fffd}'

/** `data` wins; without it, content in zone-file text is taken; without either, each missing member is told. */
export function defineDataType<T extends TypeName>({ type, members }: DataTypeSpec<T>): WireType<T> {
  const entries = Object.entries(members)
  return defineWireType({
    type,
    proxiable: false,
    read({ content, data }, context) {
      const value = data === undefined ? valueFromContent(type, content) : undefined
      return value === undefined ? fromData(data ?? {}, context) : (unsayable(value) ?? checked(value))
    },
    show: (value) => ({
      content: rdataToText(type, value),
      data: Object.fromEntries(entries.map(([name, member]) => [name, member.show(value)])),
    }),
  })

  function fromData(data: Readonly<Record<string, unknown>>, context: ReadContext) {
    const reader = readData(data)
    const parts = entries.map(([name, member]) => [member.field, member.read(reader, name, context)])
    if (reader.issues.length > 0) return reader.issues
    return checked(Object.fromEntries(parts) as Rdata<T>) // every field has a member
  }

  /** DNS carries any octets; `data` is JSON, and would come back as something else. */
  function unsayable(value: Rdata<T>): ReturnType<typeof ruleIssues> | undefined {
    const lost = entries.filter(([, member]) => String(member.show(value)).includes(REPLACEMENT))
    if (lost.length === 0) return undefined
    return ruleIssues(lost.map(([field]) => ({ field, message: 'must be text in UTF-8' })))
  }

  function checked(value: Rdata<T>): ReadValue<T> | ReturnType<typeof ruleIssues> {
    const nameOf = (field: string) => entries.find(([, member]) => member.field === field)?.[0] ?? field
    const broken = recordTypeByName(type).check(value)
    if (broken.length === 0) return { value }
    return ruleIssues(broken.map(({ field, message }) => ({ field: nameOf(field), message })))
  }
}

/** The value of content in zone-file text; undefined when it is none, which is told as missing members of `data`. */
export function valueFromContent<T extends TypeName>(
  type: T,
  content: string | undefined,
): Rdata<T> | undefined {
  try {
    return content === undefined ? undefined : rdataFromText(type, content)
  } catch (error) {
    if (error instanceof TextError || error instanceof WireError) return undefined // told as missing members
    throw error
  }
}
