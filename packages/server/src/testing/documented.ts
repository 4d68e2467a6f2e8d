// Validates responses against the API document: all documented members exist, and all existing members are
// documented.
import { openApiDocument, OPERATIONS, type Operation } from '@zonereeve/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Response>> }>>>
  >
  readonly components: { readonly schemas: object }
}

interface Response {
  readonly content: { readonly 'application/json'?: { readonly schema: object } }
}

const document = closed(openApiDocument(OPERATIONS, { version: '0', servers: ['/client/v4'] })) as Document
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)$/
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, formats: { 'date-time': DATE_TIME } })
const compiled = new Map<string, ValidateFunction | undefined>()

/** Operations with the patterns of their paths; a fixed path segment wins over a parameter. */
const patterns = OPERATIONS.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length).map(
  (operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }),
)

/** The operation at a path below the base path. */
export function operationAt(method: string, path: string): Operation | undefined {
  const bare = (path.split('?')[0] ?? '').replace(/\/$/, '')
  return patterns.find(({ operation, pattern }) => operation.method === method && pattern.test(bare))
    ?.operation
}

/** Expects a response to match the document for this method and path; ignores paths without an operation. */
export function expectDocumented(method: string, path: string, status: number, reply: unknown): void {
  const operation = operationAt(method, path)
  const validate = operation && validatorOf(operation, status === 200 ? '200' : '4XX')
  if (operation === undefined || validate === undefined) return
  validate(reply)
  const problems = (validate.errors ?? []).map(({ instancePath, message, params }) => ({
    instancePath,
    message,
    params,
  }))
  expect({ operation: operation.id, problems }).toEqual({ operation: operation.id, problems: [] })
}

/** Compiles the schema of a response in strict mode; undefined if the response is not JSON. */
export function validatorOf(
  { id, method, path }: Operation,
  status: '200' | '4XX',
): ValidateFunction | undefined {
  const key = `${id} ${status}`
  if (compiled.has(key)) return compiled.get(key)
  const schema =
    document.paths[path]?.[method.toLowerCase()]?.responses[status]?.content['application/json']?.schema
  const validate = schema && ajv.compile({ ...schema, $defs: document.components.schemas })
  compiled.set(key, validate)
  return validate
}

/** A copy in which objects allow only the listed properties, and components are in `$defs`. */
function closed(node: unknown): unknown {
  if (typeof node === 'string') return node.replace(/^#\/components\/schemas\//, '#/$defs/')
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]))
  const isObject = copy['type'] === 'object' && copy['properties'] !== undefined
  return isObject && copy['additionalProperties'] === undefined
    ? { ...copy, additionalProperties: false }
    : copy
}
