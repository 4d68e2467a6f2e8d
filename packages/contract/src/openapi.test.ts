// The OpenAPI document: it has the operations of the list, all references resolve, and it contains nothing internal.
import { describe, expect, test } from 'vitest'
import { openApiDocument, OPERATIONS, permissionText } from './index.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: object
}

interface DocumentedOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean }
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >
  readonly 'x-permission': string
}

interface Document {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

const SERVERS = ['/client/v4', '/v4']
const document = openApiDocument(OPERATIONS, { version: '1.2.3', servers: SERVERS }) as Document
const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

/** Calls `visit` for every object in the document with its location. */
function walk(node: unknown, visit: (object: Record<string, unknown>, at: string) => void, at = '#'): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) visit(node as Record<string, unknown>, at)
  for (const [key, value] of Object.entries(node)) walk(value, visit, `${at}/${key}`)
}

describe('the OpenAPI document', () => {
  test('is plain JSON of version 3.1 and names its servers', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Zonereeve', version: '1.2.3' } })
    expect(document.servers.map(({ url }) => url)).toEqual(SERVERS)
  })

  test('has exactly the operations of the contract', () => {
    const listed = documented.map(
      ({ path, method, operation }) => `${method.toUpperCase()} ${path} ${operation.operationId}`,
    )
    expect(listed.toSorted()).toEqual(
      OPERATIONS.map(({ method, path, id }) => `${method} ${path} ${id}`).toSorted(),
    )
  })

  test('states the required permission of each operation', () => {
    const permissions = Object.fromEntries(
      documented.map(({ operation }) => [operation.operationId, operation['x-permission']]),
    )
    expect(permissions).toEqual(
      Object.fromEntries(OPERATIONS.map(({ id, permission }) => [id, permissionText(permission)])),
    )
    expect(permissions['dns_records.list']).toBe('DNS Read or DNS Write')
    expect(permissions['user.tokens.verify']).toBe('any valid credential')
    expect(permissionText({ on: 'public' })).toBe('none')
  })

  test('has only references that resolve, and no unused component', () => {
    const references = new Set<string>()
    walk(document, ({ $ref }) => {
      if (typeof $ref === 'string') references.add($ref)
    })
    const components = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
    expect(references.size).toBeGreaterThan(0)
    expect([...references].toSorted()).toEqual(components.toSorted())
  })

  test('contains nothing that only this program understands', () => {
    const strange: string[] = []
    walk(document, (object, at) => {
      for (const key of Object.keys(object)) {
        if (/^[~$]/.test(key) && key !== '$ref') strange.push(`${at}/${key}`)
        if (key === 'reason' || key === 'must') strange.push(`${at}/${key}`)
      }
    })
    expect(strange).toEqual([])
  })

  test('declares exactly the tags and security schemes that it uses', () => {
    const tags = new Set(documented.flatMap(({ operation }) => operation.tags))
    expect([...tags]).toEqual(document.tags.map(({ name }) => name))
    const schemes = new Set(document.security.flatMap((choice) => Object.keys(choice)))
    expect([...schemes].toSorted()).toEqual(Object.keys(document.components.securitySchemes).toSorted())
  })

  test.each(documented.map((row) => [row.operation.operationId, row] as const))(
    '%s is fully described',
    (_, row) => {
      const { path, operation } = row
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      expect(inPath.every(({ required }) => required)).toBe(true)
      const places = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
      expect(new Set(places).size).toBe(places.length)
      expect(operation.parameters.every(({ schema }) => Object.keys(schema).length > 0)).toBe(true)
      const own = OPERATIONS.find(({ id }) => id === operation.operationId)
      const empty = own?.noContent === true ? ['204'] : []
      expect(Object.keys(operation.responses)).toEqual(['200', ...empty, '4XX'])
      expect(Object.keys(operation.responses['200']?.content ?? {})).toEqual([
        ...(own?.filesOnly === true ? [] : ['application/json']),
        ...(own?.files ?? []),
      ])
      expect(operation.responses['4XX']?.content['application/json']?.schema).toEqual({
        $ref: '#/components/schemas/Failure',
      })
      if (own?.filesOnly === true) return
      expect(operation.responses['200']?.content['application/json']?.schema).toMatchObject({
        type: 'object',
        required: expect.arrayContaining(['result', 'success', 'errors', 'messages']),
      })
    },
  )

  test('requires a body exactly if a missing one is refused', () => {
    const needed = documented.filter(({ operation }) => operation.requestBody?.required === true)
    expect(needed.map(({ operation }) => operation.operationId).toSorted()).toEqual(
      OPERATIONS.filter(({ body, bodyOptional }) => body !== undefined && bodyOptional !== true)
        .map(({ id }) => id)
        .toSorted(),
    )
  })
})
