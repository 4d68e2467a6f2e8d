// The definition of a function of the language: one object has its signature, its checks and its implementation.
import type { Type } from '../types.ts'
import type { Maybe, Value } from '../values.ts'

/** `array` and `map` are containers of any element type. */
export type ExpectedType = Type | 'array' | 'map'

export type Parameter = {
  readonly name: string
  /** `field`: anything except a literal; `literal`: known when the expression is parsed. */
  readonly kind: 'field' | 'literal' | 'any'
  /** One of these, or the type of argument 0. */
  readonly types: readonly ExpectedType[] | 'as-first' | 'element-of-first'
  /** Returns what is wrong with a literal value, if anything. */
  readonly check?: (value: Value) => string | undefined
}

/** Services that a few functions need from the caller of the evaluation. */
export type FunctionHost = {
  /** Whether the request has a token for the configuration, and whether that token is valid. */
  readonly jwt?: (configurationId: string) => { readonly present: boolean; readonly valid: boolean }
}

/** Evaluates one call. A missing value is `undefined`; an omitted argument is not in the array. */
export type Implementation = (args: readonly Maybe[], host: FunctionHost) => Maybe

export type FunctionDefinition = {
  readonly name: string
  /** One sentence for the manual. */
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly optional?: readonly Parameter[]
  /** Any number of further arguments. */
  readonly rest?: Parameter
  readonly returns: Type | ((argumentTypes: readonly Type[]) => Type)
  /** Prepares a call once; `constants` has the literal arguments at their positions, `undefined` elsewhere. */
  readonly implement: (constants: readonly Maybe[]) => Implementation
  /** The result depends on the host, not only on the arguments. */
  readonly usesHost?: boolean
  /** At most one call in an expression. */
  readonly oncePerExpression?: boolean
}

/** Identity function with types: definitions are checked where they are written. */
export const defineFunction = (definition: FunctionDefinition): FunctionDefinition => definition
