// A command for each operation of the API, with the smallest body that its schema describes.

export interface CommandSchema {
  readonly $ref?: string
  readonly type?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, CommandSchema>>
  readonly required?: readonly string[]
  readonly items?: CommandSchema
  readonly anyOf?: readonly CommandSchema[]
  readonly minimum?: number
  readonly format?: string
}

export interface CommandParts {
  readonly method: string
  readonly path: string
  /** Media type and schema of the body. */
  readonly body: readonly [type: string, schema: CommandSchema] | undefined
  readonly resolve: (schema: CommandSchema) => CommandSchema
}

/** Schemas refer to each other, also in circles. */
const MAX_DEPTH = 4

/** For a shell: $SERVER is the server's address, $TOKEN a token, and parameters of the path are variables. */
export function commandFor({ method, path, body, resolve }: CommandParts): string {
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$SERVER/client/v4${url}"`,
    '  -H "Authorization: Bearer $TOKEN"',
    ...bodyLines(body, resolve),
  ]
  return lines.join(' \\\n')
}

function bodyLines(body: CommandParts['body'], resolve: CommandParts['resolve']): string[] {
  if (body === undefined) return []
  const [type, schema] = body
  if (type.startsWith('multipart/')) return ['  -F file=@FILE']
  const text = JSON.stringify(exampleOf(schema, resolve, 0))
  return [`  --json '${text.replaceAll("'", String.raw`'\''`)}'`]
}

/** Required members only; if none is required, the first one. */
function exampleOf(given: CommandSchema, resolve: CommandParts['resolve'], depth: number): unknown {
  const schema = resolve(given)
  const [known] = [schema.examples?.[0], schema.const, schema.enum?.[0], schema.default].filter(
    (value) => value !== undefined,
  )
  if (known !== undefined) return known
  const [choice] = schema.anyOf ?? [] // one schema
  if (choice !== undefined) return exampleOf(choice, resolve, depth)
  if (schema.type === 'object' || schema.properties !== undefined) {
    const names = Object.keys(schema.properties ?? {}) // any members
    const needed = names.filter((name) => schema.required?.includes(name) === true)
    const shown = depth >= MAX_DEPTH ? [] : needed.length > 0 || depth > 0 ? needed : names.slice(0, 1)
    return Object.fromEntries(
      shown.map((name) => [name, exampleOf(schema.properties?.[name] ?? {}, resolve, depth + 1)]), // any value
    )
  }
  if (schema.type === 'array')
    return depth >= MAX_DEPTH || schema.items === undefined
      ? []
      : [exampleOf(schema.items, resolve, depth + 1)]
  return plainExample(schema)
}

function plainExample({ type, minimum, format }: CommandSchema): unknown {
  if (type === 'integer' || type === 'number') return minimum ?? 1 // no limit
  if (type === 'boolean') return true
  if (type === 'null') return null
  return format === 'date-time' ? '2026-11-26T12:00:00Z' : '…'
}
