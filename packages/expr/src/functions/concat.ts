// concat(a, b, …)
import { BYTES } from '../types.ts'
import { isArray, type Maybe } from '../values.ts'
import { defineFunction } from './definition.ts'

export const concat = defineFunction({
  name: 'concat',
  summary: 'Joins byte strings, or arrays of one type. Missing arguments are skipped; all missing gives nil.',
  parameters: [
    { name: 'first', kind: 'any', types: [BYTES, 'array'] },
    { name: 'second', kind: 'any', types: 'as-first' },
  ],
  rest: { name: 'more', kind: 'any', types: 'as-first' },
  returns: ([first]) => first ?? BYTES,
  implement: () => join,
})

function join(args: readonly Maybe[]): Maybe {
  const present = args.filter((arg) => arg !== undefined)
  if (present.length === 0) return undefined
  if (present.some(isArray)) return present.flatMap((arg) => (isArray(arg) ? arg : []))
  return present.filter((arg) => typeof arg === 'string').join('')
}
