// has_key(map, key), has_value(container, value), len(value)
import { BOOL, BYTES, INT } from '../types.ts'
import { isArray, isMap, sameValue } from '../values.ts'
import { defineFunction } from './definition.ts'
import { anyBytes } from './parameters.ts'

export const hasKey = defineFunction({
  name: 'has_key',
  summary: 'Whether the map has an entry under the key.',
  parameters: [{ name: 'map', kind: 'field', types: ['map'] }, anyBytes('key')],
  returns: BOOL,
  implement:
    () =>
    ([map, key]) =>
      isMap(map) && typeof key === 'string' ? map.has(key) : undefined,
})

export const hasValue = defineFunction({
  name: 'has_value',
  summary: 'Whether the map or array holds the value.',
  parameters: [
    { name: 'container', kind: 'field', types: ['array', 'map'] },
    { name: 'value', kind: 'any', types: 'element-of-first' },
  ],
  returns: BOOL,
  implement:
    () =>
    ([container, desired]) => {
      if (desired === undefined) return undefined
      if (isArray(container)) return container.some((item) => sameValue(item, desired))
      return isMap(container) ? [...container.values()].some((item) => sameValue(item, desired)) : undefined
    },
})

export const len = defineFunction({
  name: 'len',
  summary: 'Bytes of a byte string, elements of an array.',
  parameters: [{ name: 'value', kind: 'any', types: [BYTES, 'array'] }],
  returns: INT,
  implement:
    () =>
    ([value]) =>
      typeof value === 'string' || isArray(value) ? value.length : undefined,
})
