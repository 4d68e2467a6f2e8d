// Finds members of bodies and parameters of queries that an operation does not declare.
import type { Operation } from '@zonereeve/contract'
import { escapePointer, type Issue } from '@zonereeve/platform'

/** The part of a schema that lists members. */
interface SchemaPart {
  readonly type?: string
  readonly anyOf?: readonly SchemaPart[]
  readonly properties?: Readonly<Record<string, SchemaPart>>
  /** False if the schema itself rejects undeclared members. */
  readonly additionalProperties?: unknown
  readonly items?: SchemaPart
}

/** One issue for each undeclared parameter. */
export function unknownParameters({ query, method }: Operation, sent: object): Issue[] {
  const { properties = {}, additionalProperties } = (query ?? {}) as SchemaPart // an object schema
  if (additionalProperties === false) return []
  // Every write accepts them.
  const known = method === 'GET' ? Object.keys(properties) : [...Object.keys(properties), 'dry_run', 'wait']
  return Object.keys(sent).flatMap((name) => (known.includes(name) ? [] : [issueOf('', name, known)]))
}

/** One issue for each undeclared member, in all objects whose members the schema lists. */
export function unknownMembers(schema: object | undefined, value: unknown, pointer = ''): Issue[] {
  const { anyOf, items, properties, additionalProperties } = (schema ?? {}) as SchemaPart // one of our own schemas
  if (anyOf !== undefined) {
    const [fewest] = anyOf
      .filter((branch) => describes(branch, value))
      .map((branch) => unknownMembers(branch, value, pointer))
      .toSorted((a, b) => a.length - b.length)
    return fewest ?? [] // no branch describes the value: validation rejects it
  }
  if (Array.isArray(value))
    return value.flatMap((item, index) => unknownMembers(items, item, `${pointer}/${index}`))
  if (typeof value !== 'object' || value === null || properties === undefined) return []
  const known = Object.keys(properties)
  const issues: Issue[] = []
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(properties, name)) {
      const member: unknown = (value as Readonly<Record<string, unknown>>)[name] // its own key
      if (typeof member !== 'object') continue
      const at = `${pointer}/${escapePointer(name)}`
      for (const issue of unknownMembers(properties[name], member, at)) issues.push(issue) // there may be very many
    } else if (additionalProperties !== false && known.length > 0) issues.push(issueOf(pointer, name, known))
  }
  return issues
}

function describes({ type, anyOf }: SchemaPart, value: unknown): boolean {
  if (anyOf !== undefined) return anyOf.some((branch) => describes(branch, value))
  if (Array.isArray(value)) return type === 'array'
  return type === 'object' && typeof value === 'object' && value !== null
}

function issueOf(at: string, name: string, known: readonly string[]): Issue {
  const pointer = `${at}/${escapePointer(name)}`
  const others = known.length === 0 ? 'none are allowed' : `known: ${known.join(', ')}`
  return {
    reason: 'request.invalid',
    pointer,
    values: { problem: `${pointer.slice(1)} is unknown; ${others}` },
  }
}
