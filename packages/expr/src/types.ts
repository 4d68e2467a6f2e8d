// The types of the language, and their two names in messages.

export type Primitive = 'bytes' | 'int' | 'ip' | 'bool'

/** Primitive, or a container of one element type. Compare with `sameType`, not `===`. */
export type Type =
  | { readonly kind: Primitive }
  | { readonly kind: 'array'; readonly of: Type }
  | { readonly kind: 'map'; readonly of: Type }

export const BYTES: Type = { kind: 'bytes' }
export const INT: Type = { kind: 'int' }
export const IP: Type = { kind: 'ip' }
export const BOOL: Type = { kind: 'bool' }

/** Ordered values accessed by position. */
export const arrayOf = (of: Type): Type => ({ kind: 'array', of })

/** Values accessed by a byte-string key, iterated in the order of their keys. */
export const mapOf = (of: Type): Type => ({ kind: 'map', of })

export const BOOL_ARRAY = arrayOf(BOOL)
export const BYTES_ARRAY = arrayOf(BYTES)

/** True for types of the same shape. */
export function sameType(a: Type, b: Type): boolean {
  if (a.kind === 'array' || a.kind === 'map') return a.kind === b.kind && sameType(a.of, b.of)
  return a.kind === b.kind
}

/** The element type of a container, otherwise undefined. */
export const elementType = (type: Type): Type | undefined =>
  type.kind === 'array' || type.kind === 'map' ? type.of : undefined

const PRIMITIVE_NAMES: Record<Primitive, string> = { bytes: 'Bytes', int: 'Int', ip: 'Ip', bool: 'Bool' }

/** The name for users: `Map<Array<Bytes>>`. */
export function typeName(type: Type): string {
  if (type.kind === 'array') return `Array<${typeName(type.of)}>`
  if (type.kind === 'map') return `Map<${typeName(type.of)}>`
  return PRIMITIVE_NAMES[type.kind]
}

/**
 * The name in messages about operators and indexes. It shows how the reference engine packs a container's inner
 * layers: one bit per layer (array 0, map 1), the outermost layer in the highest bit.
 */
export function packedTypeName(type: Type): string {
  if (type.kind !== 'array' && type.kind !== 'map') return PRIMITIVE_NAMES[type.kind]
  let layers = 0
  let count = 0
  let inner = type.of
  while (inner.kind === 'array' || inner.kind === 'map') {
    layers = layers * 2 + (inner.kind === 'map' ? 1 : 0)
    count += 1
    inner = inner.of
  }
  const name = type.kind === 'array' ? 'Array' : 'Map'
  return `${name}(CompoundType { layers: ${layers}, len: ${count}, primitive: ${PRIMITIVE_NAMES[inner.kind]} })`
}
