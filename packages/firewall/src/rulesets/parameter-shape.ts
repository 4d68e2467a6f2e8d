// Validates JSON values: which members exist, and what they may be. Every error is reported with its location.
import { elementAt, ExprError, formatError, parseValue, type Scheme, utf8 } from '@zonereeve/expr'
import type { Issue } from '../issue.ts'
import type { PhaseName } from './phases.ts'

export interface ShapeContext {
  /** The scheme of expressions in the value. */
  readonly scheme: Scheme
  /** Of the rule, for shapes that differ by phase. */
  readonly phase?: PhaseName
}

/** Returns the errors of the value at the JSON pointer `at`. */
export type Shape = (value: unknown, at: string, context: ShapeContext) => readonly Issue[]

/** Maximum characters of a value in an error. */
const SHOWN_LENGTH = 100
/** For an expression: the maximum length of the language. */
const MAX_EXPRESSION_SHOWN = 4_096

/** The error for an invalid value of a member. */
export function valueIssue(at: string, value: unknown, problem: string): Issue {
  // Undefined has no JSON.
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const values = { value: abbreviate(text, SHOWN_LENGTH), member: memberOf(at), problem }
  return { reason: 'ruleset.value', pointer: at, values }
}

const abbreviate = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text

/** The last name in a pointer; list indexes are not names. */
function memberOf(at: string): string {
  const names = at.split('/').filter((part) => !/^\d+$/.test(part))
  return textOf(elementAt(names, names.length - 1))
}

const textOf = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** Appends a name to a JSON pointer (RFC 6901). */
export const pointerTo = (at: string, name: string | number): string =>
  `${at}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const text =
  (minLength = 1, maxLength = 4_096): Shape =>
  (value, at) => {
    if (typeof value !== 'string') return [valueIssue(at, value, 'it must be a string')]
    if (value.length < minLength) return [valueIssue(at, value, 'it must not be empty')]
    return value.length > maxLength ? [valueIssue(at, value, `it has more than ${maxLength} characters`)] : []
  }

/** Not empty; its size counts as UTF-8, as it is sent. */
export const textOfBytes =
  (maxBytes: number): Shape =>
  (value, at, context) => {
    const issues = text(1, maxBytes)(value, at, context)
    return issues.length > 0 || utf8(String(value)).length <= maxBytes
      ? issues
      : [valueIssue(at, value, `it has more than ${maxBytes} bytes in UTF-8`)]
  }

export const flag: Shape = (value, at) =>
  typeof value === 'boolean' ? [] : [valueIssue(at, value, 'it must be true or false')]

export const integer =
  (minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER): Shape =>
  (value, at) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum)
      return []
    const bounds =
      maximum === Number.MAX_SAFE_INTEGER
        ? minimum === Number.MIN_SAFE_INTEGER
          ? ''
          : ` of at least ${minimum}`
        : ` from ${minimum} to ${maximum}`
    return [valueIssue(at, value, `it must be a whole number${bounds}`)]
  }

export const oneOf =
  (...allowed: readonly (string | number | boolean)[]): Shape =>
  (value, at) =>
    allowed.includes(value as never) // a value of another type is not among them
      ? []
      : [valueIssue(at, value, `it must be one of ${allowed.join(', ')}`)]

interface Counts {
  readonly atLeast?: number
  readonly atMost?: number
}

function countIssues(value: object, at: string, { atLeast = 0, atMost }: Counts, what: string): Issue[] {
  const { length } = Object.keys(value)
  if (length < atLeast) return [valueIssue(at, value, `it must have at least ${atLeast} ${what}`)]
  if (atMost === undefined || length <= atMost) return []
  return [valueIssue(at, value, `it must have at most ${atMost} ${what}`)]
}

/** Indexes of keys that also occur earlier. */
export function repeatedAt(keys: readonly (string | undefined)[]): number[] {
  const seen = new Set<string | undefined>()
  return keys.flatMap((key, index) => {
    const isRepeated = seen.has(key)
    seen.add(key)
    return isRepeated ? [index] : []
  })
}

/** A list of values of one shape without duplicates. */
export const listOf =
  (item: Shape, counts: Counts = { atLeast: 1 }): Shape =>
  (value, at, context) => {
    if (!Array.isArray(value)) return [valueIssue(at, value, 'it must be a list')]
    const items: readonly unknown[] = value
    const repeated = repeatedAt(items.map((one) => JSON.stringify(one))).map((index) =>
      valueIssue(pointerTo(at, index), items[index], 'it occurs more than once'),
    )
    const faults = items.flatMap((one, index) => item(one, pointerTo(at, index), context))
    return [...countIssues(items, at, counts, 'items'), ...repeated, ...faults]
  }

/** An object with any names and values of one shape. */
export const mapOf =
  (item: Shape, counts: Counts = { atLeast: 1 }): Shape =>
  (value, at, context) => {
    if (!isObject(value)) return [valueIssue(at, value, 'it must be an object')]
    const entries = Object.entries(value)
    return [
      ...countIssues(value, at, counts, 'members'),
      ...entries.flatMap(([name, one]) => item(one, pointerTo(at, name), context)),
    ]
  }

interface MemberRules extends Counts {
  readonly required?: readonly string[]
}

/** An object with exactly these members. */
export const members =
  (shapes: Readonly<Record<string, Shape>>, { required = [], ...counts }: MemberRules = {}): Shape =>
  (value, at, context) => {
    if (!isObject(value)) return [valueIssue(at, value, 'it must be an object')]
    const names = Object.keys(value)
    const missing = required.filter((name) => !names.includes(name))
    return [
      ...missing.map((name) => requiredIssue(pointerTo(at, name))),
      ...names
        .filter((name) => !Object.hasOwn(shapes, name))
        .map((name) => unknownMember(pointerTo(at, name))),
      ...countIssues(value, at, counts, `of the members ${Object.keys(shapes).join(', ')}`),
      ...names.flatMap((name) => {
        const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined
        return shape === undefined ? [] : shape(value[name], pointerTo(at, name), context)
      }),
    ]
  }

export const requiredIssue = (at: string): Issue => ({
  reason: 'ruleset.required',
  pointer: at,
  values: { member: memberOf(at) },
})

export const unknownMember = (at: string): Issue => ({
  reason: 'ruleset.unknown_member',
  pointer: at,
  values: { member: textOf(at.slice(at.lastIndexOf('/') + 1)) },
})

/** A shape that depends on another member. */
export const byMember =
  (name: string, shapes: Readonly<Record<string, Shape>>): Shape =>
  (value, at, context) => {
    if (!isObject(value)) return [valueIssue(at, value, 'it must be an object')]
    const chosen = value[name]
    if (chosen === undefined) return [requiredIssue(pointerTo(at, name))]
    const shape = typeof chosen === 'string' && Object.hasOwn(shapes, chosen) ? shapes[chosen] : undefined
    const choices = Object.keys(shapes).join(', ')
    return (
      shape?.(value, at, context) ?? [valueIssue(pointerTo(at, name), chosen, `it must be one of ${choices}`)]
    )
  }

/** Adds a check that a shape cannot express; it runs only for values that have the shape. */
export const where =
  (shape: Shape, ask: (value: never, at: string, context: ShapeContext) => readonly Issue[]): Shape =>
  (value, at, context) => {
    const faults = shape(value, at, context)
    return faults.length > 0 ? faults : ask(value as never, at, context) // of the shape
  }

/**
 * An expression that returns a string, for rewrites; with `'list'` also a list of strings, with `'value'` any type.
 */
export const expression =
  (gives: 'text' | 'list' | 'value' = 'text'): Shape =>
  (value, at, context) => {
    const faults = text()(value, at, context)
    if (faults.length > 0) return faults
    return expressionIssues(String(value), at, () => {
      const options = gives === 'list' ? { allowMapped: true } : {}
      const { type } = parseValue(String(value), context.scheme, options)
      if (gives === 'value') return []
      const isText = type.kind === 'bytes'
      const isList = type.kind === 'array' && type.of.kind === 'bytes'
      return isText || (isList && gives === 'list') ? [] : [valueIssue(at, value, `it must give a ${gives}`)]
    })
  }

/** Runs `read`; an error in the expression becomes an issue with its frame. */
export function expressionIssues(source: string, at: string, read: () => readonly Issue[]): readonly Issue[] {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ExprError)) throw error
    const values = {
      expression: abbreviate(source, MAX_EXPRESSION_SHOWN),
      member: memberOf(at),
      frame: formatError(error),
    }
    return [{ reason: 'ruleset.expression', pointer: at, values }]
  }
}
