// Defines a record type by its fields in wire order and rules over the whole value. Everything else is derived.

import { TextError, WireError } from '../errors.ts'
import type { TokenReader } from '../presentation.ts'
import { Reader, Writer } from '../wire.ts'

/**
 * One field of rdata: how it is read, written, printed and parsed, and which values it can hold. Common fields are in
 * fields.ts.
 */
export interface Field<T> {
  read(reader: Reader): T
  write(writer: Writer, value: T): void
  toText(value: T): string
  fromText(tokens: TokenReader): T
  /** Why the field cannot hold the value; undefined if it can. */
  check(value: T): string | undefined
}

/**
 * A broken rule. `rule` is stable: `<type>.<field>` if the field cannot hold its value, otherwise an ID of `rules`.
 */
export interface Issue {
  readonly rule: string
  readonly field: string
  readonly message: string
}

/** The text of a rule with its source. */
export interface RuleText extends Issue {
  /** `RFC n §s`. */
  readonly source: string
}

/** A rule over the whole value. Runs only if every field is valid. */
export interface Rule<D> extends RuleText {
  readonly field: keyof D & string
  broken(value: D): boolean
}

/** Everything that the rest of the program needs to know about a record type. */
export interface RecordType<D> {
  /** Mnemonic in capitals. */
  readonly type: string
  /** 16-bit type number (IANA). */
  readonly code: number
  /** Defining documents, `RFC n §s`. */
  readonly refs: readonly string[]
  /** The rules that check applies beyond what each field can hold. */
  readonly rules: readonly RuleText[]
  /** Reads rdata; the reader ends where the rdata ends. @throws WireError */
  read(reader: Reader): D
  /** Writes rdata; names of RFC 1035 types are compressed if the writer compresses. @throws WireError `wire.value` */
  write(writer: Writer, value: D): void
  /** Zone-file presentation, names absolute with a trailing dot. */
  toText(value: D): string
  /** Parses presentation tokens. @throws TextError; the value passes every `<type>.<field>` check */
  fromText(tokens: TokenReader): D
  /** Rdata of a value that is one word: what reading, checking and writing it gives. Undefined if it has to be checked. */
  fromWord?: ((word: string) => Uint8Array | undefined) | undefined
  /** All broken rules, in field order. */
  check(value: D): Issue[]
}

type Fields<D> = { readonly [K in keyof D]-?: Field<D[K]> }

/**
 * The definition of a type. `fields` are in wire and presentation order; types with exceptions override the other
 * members.
 */
export interface RecordTypeSpec<D> extends Partial<
  Pick<RecordType<D>, 'read' | 'write' | 'toText' | 'fromText' | 'fromWord'>
> {
  readonly type: string
  readonly code: number
  readonly refs: readonly string[]
  readonly fields: Fields<D>
  readonly rules?: readonly Rule<D>[]
}

/** Derives a record type from its fields and rules. */
export function defineRecordType<D extends object>(spec: RecordTypeSpec<D>): RecordType<D> {
  const { type, code, refs, rules = [] } = spec
  const keys = Object.keys(spec.fields) as (keyof D & string)[] // exactly the keys of D, by the type of fields
  const prefix = type.toLowerCase()

  return {
    type,
    code,
    refs,
    rules,
    read: spec.read ?? ((reader) => collect((key) => spec.fields[key].read(reader))),
    write:
      spec.write ?? ((writer, value) => keys.forEach((key) => spec.fields[key].write(writer, value[key]))),
    toText: spec.toText ?? fieldsToText,
    fromText: spec.fromText === undefined ? fieldsFromText : ownFromText(spec.fromText),
    fromWord: spec.fromWord,
    check,
  }

  function collect(valueOf: (key: keyof D & string) => D[keyof D & string]): D {
    const value: Partial<D> = {}
    for (const key of keys) value[key] = valueOf(key)
    return value as D // one value for each key of D
  }

  /** A field without text, such as an empty list at the end, adds no space. */
  function fieldsToText(value: D): string {
    const strings = keys.map((key) => spec.fields[key].toText(value[key]))
    return strings.filter((text) => text !== '').join(' ')
  }

  function fieldsFromText(tokens: TokenReader): D {
    return collect((key) => fieldFromText(key, tokens))
  }

  /** Values of a type's own parser pass the fields' checks too. */
  function ownFromText(parse: (tokens: TokenReader) => D): (tokens: TokenReader) => D {
    return (tokens) => {
      const { offset } = tokens
      const value = parse(tokens)
      const [issue] = unfitFields(value)
      if (issue !== undefined) throw new TextError(issue.rule, offset, issue.message)
      return value
    }
  }

  function fieldFromText<K extends keyof D & string>(key: K, tokens: TokenReader): D[K] {
    const { offset } = tokens
    const value = spec.fields[key].fromText(tokens)
    const message = spec.fields[key].check(value)
    if (message !== undefined) throw new TextError(`${prefix}.${key}`, offset, message)
    return value
  }

  function unfitFields(value: D): Issue[] {
    return keys.flatMap((key) => {
      const message = spec.fields[key].check(value[key])
      return message === undefined ? [] : [{ rule: `${prefix}.${key}`, field: key, message }]
    })
  }

  function check(value: D): Issue[] {
    const unfit = unfitFields(value)
    if (unfit.length > 0) return unfit
    return rules.filter((r) => r.broken(value)).map(({ rule, field, message }) => ({ rule, field, message }))
  }
}

/** Rdata of a value, without compression. @throws WireError `wire.value` for a value that check() refuses */
export function writeRdata<D>(type: RecordType<D>, value: D): Uint8Array {
  const writer = new Writer()
  type.write(writer, value)
  if (writer.offset > 0xffff) throw new WireError('wire.too-long', 0, 'rdata is at most 65535 octets')
  return writer.finish()
}

/** The value of whole, uncompressed rdata. @throws WireError */
export function readRdata<D>(type: RecordType<D>, rdata: Uint8Array): D {
  const reader = new Reader(rdata, { pointers: false })
  const value = type.read(reader)
  reader.done()
  return value
}
