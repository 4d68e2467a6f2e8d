// The values that one evaluation reads. A field is computed once, on first use.
import type { FunctionHost } from './functions/definition.ts'
import type { Scheme, SchemeField } from './scheme.ts'
import { type Type, typeName } from './types.ts'
import { hasType, type Maybe, type Value } from './values.ts'

/** Whether a named list of the type contains the value. Unknown lists contain nothing. */
export type ListLookup = (type: Type, name: string, value: Value) => boolean

/** Returns a field's value, or undefined if the request has none. */
export type FieldSource = (field: SchemeField) => Maybe

export type ContextOptions = {
  readonly lists?: ListLookup
  readonly host?: FunctionHost
}

/** One request as expressions see it. Create it with `createContext` or `contextOf`. */
export class EvaluationContext {
  readonly scheme: Scheme
  readonly lists: ListLookup
  readonly host: FunctionHost
  private readonly slots: Maybe[]
  /** A bit for each slot that was read; distinguishes a nil field from one that was not computed. */
  private readonly isRead: number[]
  private readonly fields: readonly SchemeField[]
  private readonly source: FieldSource

  constructor(scheme: Scheme, source: FieldSource, { lists = () => false, host = {} }: ContextOptions) {
    this.scheme = scheme
    this.lists = lists
    this.host = host
    this.source = source
    const { fields, blank, noneRead } = slotsOf(scheme)
    this.fields = fields
    this.slots = blank.slice()
    this.isRead = noneRead.slice()
  }

  /** The value of the field in this slot. */
  read(slot: number): Maybe {
    const value = this.slots[slot]
    return value !== undefined || this.wasRead(slot) ? value : this.compute(slot)
  }

  private compute(slot: number): Maybe {
    const field = this.fields[slot]
    const value = field === undefined ? undefined : this.source(field)
    this.slots[slot] = value
    const word = Math.trunc(slot / BITS)
    this.isRead[word] = Number(this.isRead[word]) | (1 << (slot % BITS))
    return value
  }

  private wasRead(slot: number): boolean {
    return (Number(this.isRead[Math.trunc(slot / BITS)]) & (1 << (slot % BITS))) !== 0
  }
}

/** So that every element is a small integer. */
const BITS = 30

interface Slots {
  readonly noneRead: readonly number[]
  readonly fields: readonly SchemeField[]
  /** Undefined for each field: copying it is faster than making it. */
  readonly blank: readonly Maybe[]
}

const slotLists = new WeakMap<Scheme, Slots>()

function slotsOf(scheme: Scheme): Slots {
  let slots = slotLists.get(scheme)
  if (slots === undefined) {
    const fields = [...scheme.fields.values()]
    const noneRead = Array.from({ length: Math.ceil(fields.length / BITS) }, () => 0)
    slots = { fields, blank: fields.map(() => undefined), noneRead }
    slotLists.set(scheme, slots)
  }
  return slots
}

/** A context whose fields come from a function, which must return values of the declared types. */
export function createContext(
  scheme: Scheme,
  source: FieldSource,
  options: ContextOptions = {},
): EvaluationContext {
  return new EvaluationContext(scheme, source, options)
}

/**
 * A context of given values, checked against the scheme. Missing fields are nil.
 * @throws Error for a value without a field in the scheme, or of another type
 */
export function contextOf(
  scheme: Scheme,
  values: Readonly<Record<string, Value>>,
  options: ContextOptions = {},
): EvaluationContext {
  const found = new Map(Object.entries(values))
  for (const [name, value] of found) {
    const field = scheme.fields.get(name)
    if (field === undefined) throw new Error(`no field ${name} in this scheme`)
    if (!hasType(value, field.type)) throw new Error(`${name} is not of type ${typeName(field.type)}`)
  }
  return new EvaluationContext(scheme, (field) => found.get(field.name), options)
}
