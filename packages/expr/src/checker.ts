// The type rules. The parser uses them at every step, because types decide how the following input is parsed.
import {
  type ArgumentNode,
  eachCount,
  type Index,
  type Literal,
  type LogicalNode,
  type ValueNode,
} from './ast.ts'
import { decodeUtf8 } from './bytes.ts'
import { type ExprErrorKind, quote } from './errors.ts'
import type { ExpectedType, FunctionDefinition, Parameter } from './functions/definition.ts'
import {
  arrayOf,
  BOOL,
  BOOL_ARRAY,
  BYTES,
  elementType,
  INT,
  IP,
  packedTypeName,
  sameType,
  type Type,
  typeName,
} from './types.ts'

/** A type error; the parser adds the position. */
export type Complaint = { readonly kind: ExprErrorKind; readonly message: string }

export type OperatorFamily = 'in' | 'ordering' | 'bitwise' | 'text'

const OPERATORS_OF: Readonly<Record<Type['kind'], readonly OperatorFamily[]>> = {
  bytes: ['in', 'ordering', 'text'],
  int: ['in', 'ordering', 'bitwise'],
  ip: ['in', 'ordering'],
  bool: [],
  array: [],
  map: [],
}

/** Whether values of the type can be on the left side of the operator. */
export const allowsOperator = (type: Type, family: OperatorFamily): boolean =>
  OPERATORS_OF[type.kind].includes(family)

export const unsupportedType = (type: Type): Complaint => ({
  kind: 'unsupported-op',
  message: `cannot perform this operation on type ${packedTypeName(type)}`,
})

export const mismatch = (expected: Type, actual: Type): Complaint => ({
  kind: 'type-mismatch',
  message: `expected value of type ${typeName(expected)}, but got ${typeName(actual)}`,
})

/** The element type for an index, or an error if there is none. */
export function indexedType(type: Type, index: Index): Type | Complaint {
  const fits =
    (index.kind === 'position' && type.kind === 'array') ||
    (index.kind === 'key' && type.kind === 'map') ||
    (index.kind === 'each' && elementType(type) !== undefined)
  const element = elementType(type)
  if (fits && element !== undefined) return element
  return {
    kind: 'invalid-index-access',
    message: `cannot access index ${indexName(index)} for type ${packedTypeName(type)}`,
  }
}

function indexName(index: Index): string {
  if (index.kind === 'each') return 'MapEach'
  return index.kind === 'position'
    ? `ArrayIndex(${index.position})`
    : `MapKey(${quote(decodeUtf8(index.key))})`
}

/** The type of a call as a value: an array of results when argument 0 is mapped. */
export const callType = (returns: Type, args: readonly ArgumentNode[]): Type =>
  isMapped(args[0]) ? arrayOf(returns) : returns

/** True for a value with `[*]`. */
export const isMapped = (arg: ArgumentNode | undefined): boolean =>
  arg?.kind === 'value' && eachCount(arg) > 0

export const literalType = (literal: Literal): Type =>
  literal.kind === 'bytes' ? BYTES : literal.kind === 'int' ? INT : IP

/** Bool, or the array of Bools that a mapped comparison gives. */
export function logicalType(node: LogicalNode): Type {
  switch (node.kind) {
    case 'combine':
      return node.items[0] === undefined ? BOOL : logicalType(node.items[0])
    case 'not':
      return logicalType(node.arg)
    case 'comparison':
      if (eachCount(node.lhs) > 0) return BOOL_ARRAY
      return node.test.op === 'is-true' ? node.lhs.type : BOOL
    case 'quantifier':
    case 'constant':
      return BOOL
  }
}

export function argumentType(arg: ArgumentNode): Type {
  if (arg.kind === 'literal') return literalType(arg.literal)
  return arg.kind === 'value' ? arg.type : logicalType(arg)
}

/** Operators combine two Bools or two arrays. */
export function checkCombination(lhs: Type, rhs: Type): Complaint | undefined {
  const fits = (lhs.kind === 'bool' && rhs.kind === 'bool') || (lhs.kind === 'array' && rhs.kind === 'array')
  return fits ? undefined : mismatch(lhs, rhs)
}

/** The operand of `any` and `all` is an array of Bools; mapping over Bool arrays would nest one more. */
export function checkQuantified(arg: ArgumentNode): Complaint | undefined {
  const actual = argumentType(arg)
  if (!sameType(actual, BOOL_ARRAY)) return mismatch(BOOL_ARRAY, actual)
  return isMapped(arg) ? mismatch(BOOL_ARRAY, arrayOf(BOOL_ARRAY)) : undefined
}

/** The meaning of a Bool or a container of Bools where a comparison is expected; undefined for other types. */
export function checkBare(value: ValueNode): 'is-true' | Complaint | undefined {
  if (value.type.kind === 'bool') return 'is-true'
  if (elementType(value.type)?.kind !== 'bool') return undefined
  return eachCount(value) > 0 ? unsupportedType(arrayOf(BOOL_ARRAY)) : 'is-true'
}

/** The parameter for the argument at `index`, or undefined beyond the last. */
export function parameterAt(definition: FunctionDefinition, index: number): Parameter | undefined {
  const { parameters, optional = [], rest } = definition
  return parameters[index] ?? optional[index - parameters.length] ?? rest
}

/** Whether an argument matches its parameter: first its kind, then its type, then its value. */
export function checkArgument(
  parameter: Parameter,
  arg: ArgumentNode,
  index: number,
  firstType: Type | undefined,
): Complaint | undefined {
  const kind = arg.kind === 'literal' ? 'literal' : 'field'
  if (parameter.kind !== 'any' && parameter.kind !== kind) {
    const detail = `expected argument of kind ${KIND_NAMES[parameter.kind]}, but got ${KIND_NAMES[kind]}`
    return { kind: 'invalid-argument-kind', message: `invalid kind of argument #${index}: ${detail}` }
  }
  const actual = argumentType(arg)
  const expected = expectedTypes(parameter, firstType)
  if (!expected.some((type) => fitsType(type, actual))) {
    const names = expected.map(expectedName).join(' or ')
    const detail = `expected value of type ${names}, but got ${typeName(actual)}`
    return { kind: 'invalid-argument-type', message: `invalid type of argument #${index}: ${detail}` }
  }
  const problem = arg.kind === 'literal' ? parameter.check?.(arg.literal.value) : undefined
  if (problem === undefined) return undefined
  const detail = `invalid argument: ${quote(problem)}`
  return { kind: 'invalid-argument-value', message: `invalid value of argument #${index}: ${detail}` }
}

const KIND_NAMES = { field: 'Field', literal: 'Literal' }

function expectedTypes({ types }: Parameter, firstType: Type | undefined): readonly ExpectedType[] {
  if (typeof types !== 'string') return types
  if (firstType === undefined) return []
  return [types === 'as-first' ? firstType : (elementType(firstType) ?? firstType)]
}

function fitsType(expected: ExpectedType, actual: Type): boolean {
  return typeof expected === 'string' ? actual.kind === expected : sameType(expected, actual)
}

function expectedName(expected: ExpectedType): string {
  if (expected === 'array') return 'Array<_>'
  return expected === 'map' ? 'Map<_>' : typeName(expected)
}

/** The return type of a call with these arguments. */
export const returnType = (definition: FunctionDefinition, args: readonly ArgumentNode[]): Type =>
  typeof definition.returns === 'function' ? definition.returns(args.map(argumentType)) : definition.returns
