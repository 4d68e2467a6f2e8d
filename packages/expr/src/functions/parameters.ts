// Parameter definitions that many functions share.
import { BYTES, INT } from '../types.ts'
import type { Value } from '../values.ts'
import type { Parameter } from './definition.ts'

/** Bytes of any kind. */
export const anyBytes = (name: string): Parameter => ({ name, kind: 'any', types: [BYTES] })

/** Bytes that are not a literal. */
export const fieldBytes = (name: string): Parameter => ({ name, kind: 'field', types: [BYTES] })

/** Bytes that are known when the expression is parsed. */
export const literalBytes = (name: string, check?: (text: string) => string | undefined): Parameter => ({
  name,
  kind: 'literal',
  types: [BYTES],
  ...(check !== undefined && {
    check: (value: Value) => (typeof value === 'string' ? check(value) : undefined),
  }),
})

export const anyInt = (name: string): Parameter => ({ name, kind: 'any', types: [INT] })

/** A literal integer within bounds, both included. */
export const literalInt = (name: string, min: number, max: number): Parameter => ({
  name,
  kind: 'literal',
  types: [INT],
  check: (value) =>
    typeof value === 'number' && value >= min && value <= max
      ? undefined
      : `${name} must be between ${min} and ${max}`,
})

/** Single-letter flags, each one known. */
export const literalFlags = (known: string): Parameter =>
  literalBytes('flags', (text) => {
    const unknown = [...text].find((flag) => !known.includes(flag))
    return unknown === undefined ? undefined : `unknown flag ${unknown}, expected some of ${known}`
  })
