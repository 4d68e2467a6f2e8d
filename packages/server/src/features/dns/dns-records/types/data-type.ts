// Types whose value has several fields: each member of `data` is bound to a field of the RDATA in packages/dns.
// Content is derived.
import { rdataFromText, rdataToText, TextError, WireError, type Rdata, type TypeName } from '@zonereeve/dns'
import { readData, ruleIssues, type DataReader } from './data-fields.ts'
import { brokenRules, defineWireType, type ReadContext, type ReadValue, type WireType } from './wire-type.ts'

/** How a member is read and shown. Its issues are added to the reader's. */
export interface MemberKind<V> {
  read(reader: DataReader, member: string, context: ReadContext): V
  show(value: V): string | number
}

/** A member of `data`, and its field. */
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
  /**
   * By the member's name on the wire, in alphabetical order, which is also the order of issues. Every field has a
   * member.
   */
  readonly members: Readonly<Record<string, Member<Rdata<T>>>>
}

/** Decoding replaces invalid UTF-8 by this. */
const REPLACEMENT = '\u{fffd}'

/**
 * `data` wins; without it, content in presentation format is parsed; without either, each missing member is reported.
 */
export function defineDataType<T extends TypeName>({ type, members }: DataTypeSpec<T>): WireType<T> {
  const entries = Object.entries(members)
  return defineWireType({
    type,
    proxiable: false,
    members: Object.keys(members),
    read({ content, data }, context) {
      const value = data === undefined ? valueFromContent(type, content) : undefined
      return value === undefined
        ? fromData(data ?? {}, context)
        : (unsayable(value) ?? checkRdata(value, context))
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
    return checkRdata(Object.fromEntries(parts) as Rdata<T>, context) // every field has a member
  }

  /** DNS carries any octets, but `data` is JSON, which would change them. */
  function unsayable(value: Rdata<T>): ReturnType<typeof ruleIssues> | undefined {
    const lost = entries.filter(([, member]) => String(member.show(value)).includes(REPLACEMENT))
    if (lost.length === 0) return undefined
    return ruleIssues(lost.map(([field]) => ({ field, message: 'must be text in UTF-8' })))
  }

  function checkRdata(value: Rdata<T>, context: ReadContext): ReadValue<T> | ReturnType<typeof ruleIssues> {
    const nameOf = (field: string) => entries.find(([, member]) => member.field === field)?.[0] ?? field
    const broken = brokenRules(type, value, context)
    if (broken.length === 0) return { value }
    return ruleIssues(broken.map(({ field, message }) => ({ field: nameOf(field), message })))
  }
}

/** Parses content in presentation format; undefined if it is invalid. */
export function valueFromContent<T extends TypeName>(
  type: T,
  content: string | undefined,
): Rdata<T> | undefined {
  try {
    return content === undefined ? undefined : rdataFromText(type, content)
  } catch (error) {
    if (error instanceof TextError || error instanceof WireError) return undefined // see content-form.ts
    throw error
  }
}
