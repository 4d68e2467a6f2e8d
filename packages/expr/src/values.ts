// Run-time values. nil (a missing field, key or index) is `undefined` everywhere.
import type { Bytes } from './bytes.ts'
import type { Int } from './int.ts'
import { toInt } from './int.ts'
import type { Ip } from './ip.ts'
import type { Type } from './types.ts'

/** Keys in ascending byte order; create them only with `mapValue`. */
export type MapValue = ReadonlyMap<Bytes, Value>

export type Value = Bytes | Int | boolean | Ip | readonly Value[] | MapValue

/** A value, or nil. */
export type Maybe = Value | undefined

/** A map whose iteration is sorted by key, as the language requires. Of duplicate keys, the last value is used. */
export function mapValue(entries: Iterable<readonly [Bytes, Value]>): MapValue {
  return new Map([...entries].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

export const isArray = (value: Maybe): value is readonly Value[] => Array.isArray(value)

export const isMap = (value: Maybe): value is MapValue => value instanceof Map

/** A property read is the fastest way to tell an address from arrays and maps, which have no such property. */
export const isIp = (value: Maybe): value is Ip =>
  // Reading is safe: the other objects a value can be have no `family`.
  typeof value === 'object' && (value as Partial<Ip>).family !== undefined

export const isInt = (value: Maybe): value is Int => typeof value === 'number' || typeof value === 'bigint'

/** True if the value has the type, at all levels. For values from outside. */
export function hasType(value: Value, type: Type): boolean {
  switch (type.kind) {
    case 'bytes':
      return typeof value === 'string'
    case 'int':
      return isInt(value) && toInt(value) === value
    case 'bool':
      return typeof value === 'boolean'
    case 'ip':
      return isIp(value)
    case 'array':
      return isArray(value) && value.every((item) => hasType(item, type.of))
    case 'map':
      return isMap(value) && [...value.values()].every((item) => hasType(item, type.of))
  }
}

/** Deep equality of two values of one type. */
export function sameValue(a: Maybe, b: Maybe): boolean {
  if (a === b) return true
  if (isArray(a)) return isArray(b) && a.length === b.length && a.every((item, i) => sameValue(item, b[i]))
  if (isMap(a))
    return isMap(b) && a.size === b.size && [...a].every(([key, item]) => sameValue(item, b.get(key)))
  if (isIp(a) && isIp(b))
    return a.family === b.family && a.a === b.a && a.b === b.b && a.c === b.c && a.d === b.d
  return false
}
