// Small schemas that several resources share.
import { Type, type TProperties } from 'typebox'

const ID_PATTERN = '^[0-9a-f]{32}$'
const ID_WORDS = 'be 32 hexadecimal digits, in lower case'
const NAME_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'
const WRITTEN_WORDS = 'be a string that is not only whitespace, without control characters'
const WRITTEN_PATTERN = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f]*$'

export const objectId = (what: string) =>
  Type.String({
    pattern: ID_PATTERN,
    must: ID_WORDS,
    description: `Identifier of ${what}: 32 hexadecimal digits.`,
  })

export const sha256Digest = (description: string) =>
  Type.String({
    pattern: '^[0-9a-f]*$',
    must: 'be hexadecimal digits, in lower case',
    minLength: 64,
    maxLength: 64,
    description,
  })

/** An object that the API document names. */
export const namedObject = <P extends TProperties>(name: string, members: P) =>
  Type.Object(members, { $id: name, title: name })

/** An object whose undeclared members are refused. */
export const closedObject = <P extends TProperties>(members: P) =>
  Type.Object(members, { additionalProperties: false })

/** A name given by a user: without control characters. */
export const givenName = (maxLength: number, options: object = {}) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: NAME_PATTERN,
    must: 'have no control characters',
    ...options,
  })

/** A text written by a user: without control characters, and not only whitespace. */
export const writtenText = (maxLength: number, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: WRITTEN_PATTERN, must: WRITTEN_WORDS, ...options })

export const timestamp = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-01-05T10:20:30.123456Z'] })

export const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** A closed set of strings as a plain `enum`, which is readable in an API document. */
export const oneOf = <const V extends readonly string[]>(values: V, options: object = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })

/** Members that clients send, mostly because replies have them. They are ignored; undeclared members are refused. */
export const ignoredMembers = <const N extends string>(...names: readonly N[]) =>
  Object.fromEntries(
    names.map((name) => [name, Type.Optional(Type.Unknown({ description: 'Ignored.' }))]),
  ) as Record<N, ReturnType<typeof Type.Optional<ReturnType<typeof Type.Unknown>>>> // one for each name

/** Far beyond any last page, and still a number that JSON can represent. */
const MAX_PAGE = 1e20

export const page = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1, description: 'Page, from 1.' }),
)

export const perPage = (minimum: number, maximum: number, fallback: number) =>
  Type.Optional(Type.Integer({ minimum, maximum, default: fallback, description: 'Items in a page.' }))

export const direction = Type.Optional(
  oneOf(['asc', 'desc'], { default: 'asc', description: 'Sort direction.' }),
)

export const Deleted = Type.Object({ id: Type.String() }, { description: 'What was deleted.' })

/** A file in a form, or as the whole body: its octets are not read before the operation does. */
export const uploadedFile = (description: string, contentMediaType: string) =>
  Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType, description })
