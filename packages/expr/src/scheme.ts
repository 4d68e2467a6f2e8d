// What expressions may use: fields, functions and named lists, each with its type.
import type { FunctionDefinition } from './functions/definition.ts'
import { sameType, type Type } from './types.ts'

/** A field as declared. */
export type FieldDefinition = {
  readonly name: string
  readonly type: Type
  /** Why expressions may not use it here; the error contains this reason. */
  readonly unavailable?: string
}

/** A field in a scheme: `slot` is its index in every context made for that scheme. */
export type SchemeField = FieldDefinition & { readonly slot: number }

export type SchemeOptions = {
  readonly fields: readonly FieldDefinition[]
  readonly functions?: readonly FunctionDefinition[]
  /** Types whose values may be looked up in named lists (`ip.src in $offices`). */
  readonly listTypes?: readonly Type[]
  /** Whether `ne` is true for a missing value. The documented language says no; the reference engine can say yes. */
  readonly nilNotEqual?: boolean
  /** Whether `true` and `false` are allowed in place of a comparison. */
  readonly booleanLiterals?: boolean
}

export type Scheme = {
  readonly fields: ReadonlyMap<string, SchemeField>
  readonly functions: ReadonlyMap<string, FunctionDefinition>
  readonly listTypes: readonly Type[]
  readonly nilNotEqual: boolean
  readonly booleanLiterals: boolean
  /** Why values of the type cannot be looked up in the list; undefined if they can. Without it, any list may be named. */
  readonly listProblem?: (type: Type, name: string) => string | undefined
}

/** Builds a scheme. @throws Error for a name that is declared twice, as field or function. */
export function createScheme({
  fields: declared,
  functions: definitions = [],
  listTypes = [],
  nilNotEqual = false,
  booleanLiterals = true,
}: SchemeOptions): Scheme {
  const fields = new Map<string, SchemeField>()
  for (const field of declared) {
    if (fields.has(field.name)) throw new Error(`field ${field.name} is declared twice`)
    fields.set(field.name, { ...field, slot: fields.size })
  }
  const functions = new Map<string, FunctionDefinition>()
  for (const definition of definitions) {
    if (functions.has(definition.name) || fields.has(definition.name)) {
      throw new Error(`function ${definition.name} is declared twice`)
    }
    functions.set(definition.name, definition)
  }
  return { fields, functions, listTypes, nilNotEqual, booleanLiterals }
}

/** True if values of this type can be looked up in lists. */
export const hasLists = (scheme: Scheme, type: Type): boolean =>
  scheme.listTypes.some((listType) => sameType(listType, type))
