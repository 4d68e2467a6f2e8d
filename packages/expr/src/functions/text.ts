// join, split, remove_bytes, remove_query_args, substring, to_string
import { ipText } from '../ip.ts'
import { BOOL, BYTES, BYTES_ARRAY, INT, IP } from '../types.ts'
import { isArray, isInt, isIp } from '../values.ts'
import { defineFunction } from './definition.ts'
import { anyBytes, anyInt, fieldBytes, literalBytes, literalInt } from './parameters.ts'

const MAX_SEGMENTS = 128

export const join = defineFunction({
  name: 'join',
  summary: 'The strings of an array with a separator between them.',
  parameters: [{ name: 'items', kind: 'any', types: [BYTES_ARRAY] }, literalBytes('separator')],
  returns: BYTES,
  implement:
    () =>
    ([items, separator]) =>
      isArray(items) && typeof separator === 'string' ? items.join(separator) : undefined,
})

export const split = defineFunction({
  name: 'split',
  summary: 'At most `limit` pieces; the last one keeps the rest.',
  parameters: [
    anyBytes('input'),
    literalBytes('separator', (text) => (text === '' ? 'separator must not be empty' : undefined)),
    literalInt('limit', 1, MAX_SEGMENTS),
  ],
  returns: BYTES_ARRAY,
  implement:
    () =>
    ([input, separator, limit]) => {
      if (typeof input !== 'string' || typeof separator !== 'string') return undefined
      const segments = input.split(separator)
      const last = Number(limit) - 1
      return segments.length <= last + 1
        ? segments
        : [...segments.slice(0, last), segments.slice(last).join(separator)]
    },
})

export const removeBytes = defineFunction({
  name: 'remove_bytes',
  summary: 'Leaves out every byte that occurs in the second argument.',
  parameters: [anyBytes('source'), literalBytes('bytes')],
  returns: BYTES,
  implement: ([, bytes]) => {
    const removed = new Set(String(bytes))
    return ([source]) =>
      typeof source === 'string' ? [...source].filter((byte) => !removed.has(byte)).join('') : undefined
  },
})

export const removeQueryArgs = defineFunction({
  name: 'remove_query_args',
  summary: 'Leaves out the named arguments, all of their occurrences; the order of the others stays.',
  parameters: [fieldBytes('query'), literalBytes('name')],
  rest: literalBytes('name'),
  returns: BYTES,
  implement: ([, ...names]) => {
    const removed = new Set(names)
    return ([query]) =>
      typeof query === 'string'
        ? query
            .split('&')
            .filter((part) => !removed.has(part.split('=', 1)[0]))
            .join('&')
        : undefined
  },
})

export const substring = defineFunction({
  name: 'substring',
  summary:
    'Bytes from start up to end; negative positions count from the end, positions outside are clamped.',
  parameters: [fieldBytes('field'), anyInt('start')],
  optional: [anyInt('end')],
  returns: BYTES,
  implement: () => (args) => {
    const [field, start, end] = args
    if (typeof field !== 'string' || !isInt(start)) return undefined
    if (args.length < 3) return field.slice(Number(start))
    return isInt(end) ? field.slice(Number(start), Number(end)) : undefined
  },
})

export const toStringFunction = defineFunction({
  name: 'to_string',
  summary: 'The text of an integer, a truth value or an address.',
  parameters: [{ name: 'value', kind: 'any', types: [BOOL, INT, IP] }],
  returns: BYTES,
  implement:
    () =>
    ([value]) => {
      if (isIp(value)) return ipText(value)
      return isInt(value) || typeof value === 'boolean' ? String(value) : undefined
    },
})
