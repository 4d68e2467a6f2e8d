// Shapes of JSON values: what members there are, and what they may be. Every fault is told, with its place.
import { ExprError, formatError, parseValue, type Scheme } from '@zonereeve/expr'
import type { Issue } from '../../platform/domain-error.ts'
import { surrogateIssues } from '../filters/index.ts'

export interface ShapeContext {
  /** What expressions in the value may speak about. */
  readonly scheme: Scheme
}

/** Tells what is wrong with the value at the JSON pointer `at`. */
export type Shape = (value: unknown, at: string, context: ShapeContext) => readonly Issue[]

/** Characters of a value that a refusal shows. */
const SHOWN_LENGTH = 100
/** Of an expression: all that the language takes. */
const MAX_EXPRESSION_SHOWN = 4_096

/** The refusal of a value that a member cannot have. */
export function valueIssue(at: string, value: unknown, problem: string): Issue {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const values = { value: shown(text, SHOWN_LENGTH), member: memberOf(at), problem }
  return { reason: 'ruleset.value', pointer: at, values }
}

const shown = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text

/** The last name in a pointer: places in lists have none. */
function memberOf(at: string): string {
  const names = at.split('/').filter((part) => !/^\d+$/.test(part))
  return textOf(names.at(-1) ?? '')
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
    if (typeof value !== 'string') return [valueIssue(at, value, 'it must be a text')]
    if (value.length < minLength) return [valueIssue(at, value, 'it must not be empty')]
    // Stored, it would be another character than the one that was sent.
    if (!value.isWellFormed()) return [valueIssue(at, value, 'it has half of a surrogate pair')]
    return value.length > maxLength ? [valueIssue(at, value, `it has more than ${maxLength} characters`)] : []
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

/** Places of keys that stand further to the front, too. */
export function repeatedAt(keys: readonly (string | undefined)[]): number[] {
  const seen = new Set<string | undefined>()
  return keys.flatMap((key, index) => {
    const isRepeated = seen.has(key)
    seen.add(key)
    return isRepeated ? [index] : []
  })
}

/** Items of one shape, each once. */
export const listOf =
  (item: Shape, counts: Counts = { atLeast: 1 }): Shape =>
  (value, at, context) => {
    if (!Array.isArray(value)) return [valueIssue(at, value, 'it must be a list')]
    const items: readonly unknown[] = value
    const repeated = repeatedAt(items.map((one) => JSON.stringify(one))).map((index) =>
      valueIssue(pointerTo(at, index), items[index], 'it is there twice'),
    )
    const faults = items.flatMap((one, index) => item(one, pointerTo(at, index), context))
    return [...countIssues(items, at, counts, 'items'), ...repeated, ...faults]
  }

/** Any names, values of one shape. */
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

/** An object of named members, and of no others. */
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
      ...names.flatMap((name) =>
        Object.hasOwn(shapes, name) ? (shapes[name]?.(value[name], pointerTo(at, name), context) ?? []) : [],
      ),
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

/** Whatever the other member tells it to be. */
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

/** Adds what a shape cannot say; it is asked of values that have the shape. */
export const where =
  (shape: Shape, ask: (value: never, at: string) => readonly Issue[]): Shape =>
  (value, at, context) => {
    const faults = shape(value, at, context)
    return faults.length > 0 ? faults : ask(value as never, at) // of the shape
  }

/** An expression that gives a text, as rewrites use it; with `'list'` also a list of texts, with `'value'` anything. */
export const expression =
  (gives: 'text' | 'list' | 'value' = 'text'): Shape =>
  (value, at, context) => {
    const faults = text()(value, at, context)
    if (faults.length > 0) return faults
    return expressionIssues(String(value), at, () => {
      const options = gives === 'list' ? { allowMapped: true } : {}
      const node = parseValue(String(value), context.scheme, options)
      if (gives === 'value') return []
      const isText = node.kind === 'value' && node.type.kind === 'bytes'
      const isList = node.kind === 'value' && node.type.kind === 'array' && node.type.of.kind === 'bytes'
      return isText || (isList && gives === 'list') ? [] : [valueIssue(at, value, `it must give a ${gives}`)]
    })
  }

/** Runs `read`; a fault of the expression becomes an issue with its frame. */
export function expressionIssues(source: string, at: string, read: () => readonly Issue[]): readonly Issue[] {
  const surrogates = surrogateIssues(source, at)
  if (surrogates.length > 0) return surrogates
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ExprError)) throw error
    const values = {
      expression: shown(source, MAX_EXPRESSION_SHOWN),
      member: memberOf(at),
      frame: formatError(error),
    }
    return [{ reason: 'ruleset.expression', pointer: at, values }]
  }
}
