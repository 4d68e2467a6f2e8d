// Validates query strings and bodies against the contract's schemas, and turns violations into issues with pointers.
import { requirementOf, type Operation } from '@zonereeve/contract'
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv'
import {
  DomainError,
  type ErrorCode,
  escapePointer,
  type Issue,
  throwIfIssues,
  WIRE_ERRORS,
} from '@zonereeve/platform'
import type { Form } from '@zonereeve/platform'
import type { Profile } from './profiles.ts'
import { unknownMembers, unknownParameters } from './unknown-members.ts'

/** `reason` in a schema names the entry of the table of wire errors for its violations. */
const REASON_KEYWORD = 'reason'
/** Maximum number of violations processed: a list of a thousand invalid items is not reported a thousand times. */
export const MAX_VIOLATIONS = 100
const FORMATS = { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/ }

export interface Validation {
  /** @throws DomainError: request.invalid or the code that the schema names; every violation in one error. */
  query(value: object): unknown
  body(value: unknown): unknown
}

/** Compiles schemas on first use, so that start-up does not wait for operations that are never called. */
export function createValidator({
  rejectsUnknown,
}: Pick<Profile, 'rejectsUnknown'>): (operation: Operation) => Validation {
  // Bodies are validated as sent: nothing is coerced, removed or defaulted.
  const forBodies = createAjv(false)
  // Query strings are strings: "5" is a number, "true" a boolean.
  const forQueries = createAjv(true)
  return (operation) => {
    const query = lazily(() => operation.query && forQueries.compile(operation.query))
    // The parts of a form are strings, too.
    const bodies = operation.upload === undefined ? forBodies : forQueries
    const body = lazily(() => operation.body && bodies.compile(operation.body))
    return {
      query(value) {
        requireOnce(value, onceOf(operation))
        const unknown = rejectsUnknown ? unknownParameters(operation, value) : []
        return check(query(), lastOfEach(value, operation.query), unknown)
      },
      body(value) {
        if (operation.body === undefined) return undefined
        if (operation.bodyOptional === true && (value === undefined || value === null)) return {}
        if (value === undefined) {
          throw new DomainError({
            reason: operation.upload === undefined ? 'request.body_missing' : 'request.form',
          })
        }
        if (operation.upload !== undefined) return checkForm(body(), value as Form) // as forms are read
        if (operation.validatesOwnBody === true) return requireObject(value)
        return check(body(), value, rejectsUnknown ? unknownMembers(operation.body, value) : [])
      },
    }
  }
}

/** Whether unknown members of the body are rejected, by its schema or by the operation itself. */
export const rejectsUnknownMembers = ({ validatesOwnBody, body }: Operation): boolean =>
  validatesOwnBody === true || (body !== undefined && isClosed(body as ParameterSchema)) // a schema

const isClosed = ({ additionalProperties, anyOf = [], items }: ParameterSchema): boolean =>
  additionalProperties === false || anyOf.some(isClosed) || (items !== undefined && isClosed(items))

function requireObject(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new DomainError({
    reason: 'request.invalid',
    pointer: '',
    values: { problem: 'the body must be an object' },
  })
}

/** The file itself is not validated. */
function checkForm(validate: ValidateFunction | undefined, { file, ...fields }: Form): unknown {
  const checked = check(validate, { ...fields, ...(file === undefined ? {} : { file: '' }) })
  return { ...(checked as object), file } // a form is an object
}

const onceOf = ({ onceInQuery = [], query }: Operation): readonly string[] =>
  onceInQuery === 'all' ? Object.keys((query as ParameterSchema | undefined)?.properties ?? {}) : onceInQuery // an object schema

/** @throws DomainError: request.invalid if one of the parameters is sent more than once. */
function requireOnce(sent: object, names: readonly string[]): void {
  const doubled = Object.entries(sent).filter(([name, value]) => names.includes(name) && Array.isArray(value))
  throwIfIssues(
    doubled.map(([name]): Issue => {
      const values = { problem: `${name} must be sent once` }
      return { reason: 'request.invalid', pointer: `/${name}`, values }
    }),
  )
}

/** For a parameter that is sent more than once, the last value counts, unless it accepts several. */
function lastOfEach(sent: object, schema: Operation['query']): unknown {
  const { properties = {} } = (schema ?? {}) as ParameterSchema // an object schema
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const part = properties[name]
      return [name, Array.isArray(value) && !(part && takesSeveral(part)) ? value.at(-1) : value]
    }),
  )
}

function errorsOf({ errors }: ValidateFunction): readonly ErrorObject[] {
  if (!errors) throw new Error('a schema rejects a value without an error')
  return errors
}

interface ParameterSchema {
  readonly type?: string
  readonly anyOf?: readonly ParameterSchema[]
  readonly properties?: Readonly<Record<string, ParameterSchema>>
  readonly additionalProperties?: unknown
  readonly items?: ParameterSchema
}

const takesSeveral = ({ type, anyOf = [] }: ParameterSchema): boolean =>
  type === 'array' || anyOf.some(takesSeveral)

function createAjv(coerceTypes: boolean): Ajv.default {
  const ajv = new Ajv.default({
    allErrors: true,
    verbose: true,
    coerceTypes,
    strict: false,
    formats: FORMATS,
  })
  ajv.addKeyword(REASON_KEYWORD)
  return ajv
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

function check(
  validate: ValidateFunction | undefined,
  value: unknown,
  unknown: readonly Issue[] = [],
): unknown {
  const isValid = validate === undefined || validate(value)
  if (isValid && unknown.length === 0) return value
  const violations = isValid ? [] : errorsOf(validate).slice(0, MAX_VIOLATIONS).map(issueOf)
  const [first, ...rest] = [...violations.filter(isTelling), ...unknown].slice(0, MAX_VIOLATIONS)
  throw new DomainError([first ?? { reason: 'request.invalid' }, ...rest])
}

// A union reports each of its branches and itself: one issue per place, the deepest, is enough.
function isTelling({ pointer = '' }: Issue, index: number, all: readonly Issue[]): boolean {
  const first = all.findIndex((other) => other.pointer === pointer)
  return first === index && !all.some((other) => other.pointer?.startsWith(`${pointer}/`))
}

function issueOf(error: ErrorObject): Issue {
  const parent = error.parentSchema as { [REASON_KEYWORD]?: string } | undefined // our own schemas
  const named = parent?.[REASON_KEYWORD]
  const { missingProperty, additionalProperty } = error.params as Misplaced // of those keywords
  const member = missingProperty ?? additionalProperty
  const pointer = member === undefined ? error.instancePath : `${error.instancePath}/${escapePointer(member)}`
  const values = { value: textOf(error.data), type: textOf(error.data), problem: problemOf(error, pointer) }
  const reason: ErrorCode = isReason(named) ? named : 'request.invalid'
  return { reason, pointer, values }
}

/** Of the keywords `required` and `additionalProperties` only. */
interface Misplaced {
  readonly missingProperty?: string
  readonly additionalProperty?: string
}

function problemOf(error: ErrorObject, pointer: string): string {
  return `${pointer === '' ? 'the body' : pointer.slice(1)} ${complaintOf(error)}`
}

function complaintOf(error: ErrorObject): string {
  const { keyword, message, params } = error
  if (keyword === 'required') return 'is required'
  if (keyword === 'additionalProperties') return 'is unknown'
  if (keyword === 'format') return 'must be a date and time such as 2026-01-05T10:20:30Z'
  const { allowedValues } = params as { allowedValues?: readonly unknown[] } // of the keyword `enum`
  return allowedValues === undefined
    ? (requirementOf(error) ?? message ?? 'is invalid')
    : `must be one of ${allowedValues.join(', ')}`
}

// Objects may be nested deeper than they can be printed.
const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? typeof value : String(value)

const isReason = (text: string | undefined): text is ErrorCode =>
  text !== undefined && Object.hasOwn(WIRE_ERRORS, text)
