// The OpenAPI 3.1 document, made from the same operations that the router serves.
import { Type } from 'typebox'
import { successEnvelope, FailureEnvelope } from './envelope.ts'
import type { Operation, Permission } from './operation.ts'
import { MUST } from './requirement.ts'

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

/**
 * Builds the document for `operations`. Schemas with an `$id` become components.
 *
 * @param about.servers base URLs, the default one first
 */
export function openApiDocument(
  operations: readonly Operation[],
  about: { readonly version: string; readonly servers: readonly string[] },
): object {
  const components: Record<string, unknown> = {}
  const paths: Record<string, Record<string, unknown>> = {}
  for (const declared of operations) {
    const path = (paths[declared.path] ??= {})
    path[declared.method.toLowerCase()] = describe(declared, components)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Zonereeve',
      version: about.version,
      description: 'Zones, DNS records and access, over the public v4 zone-management API.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: about.servers.map((url) => ({ url })),
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ token: [] }, { email: [], key: [] }, { session: [] }],
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token.' },
        email: { type: 'apiKey', in: 'header', name: 'X-Auth-Email', description: 'With X-Auth-Key.' },
        key: { type: 'apiKey', in: 'header', name: 'X-Auth-Key', description: 'The legacy key.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-zonereeve',
          description:
            'A session of the dashboard; on loopback without HTTPS the cookie is `zonereeve`. Writes need Sec-Fetch-Site: same-origin, or the Origin of the server.',
        },
      },
    },
  }
}

function describe(declared: Operation, components: Record<string, unknown>): object {
  const { result, list = false, dryRunIsSilent, files = [] } = declared
  const reply = successEnvelope(dryRunIsSilent === true ? Type.Union([result, Type.Null()]) : result, list)
  return {
    operationId: declared.id,
    summary: declared.summary,
    ...(declared.description === undefined ? {} : { description: declared.description }),
    tags: [declared.tag],
    'x-permission': permissionText(declared.permission),
    ...(declared.needsRecentSignIn === undefined
      ? {}
      : { 'x-needs-recent-sign-in': declared.needsRecentSignIn }),
    ...(declared.permission.on === 'public' ? { security: [] } : {}),
    ...(declared.permission.on === 'session' ? { security: [{ session: [] }] } : {}),
    parameters: [
      ...parameters('path', declared.params, components),
      ...parameters('query', declared.query, components),
      ...(declared.method === 'GET' || declared.readOnly === true
        ? []
        : [declared.dryRunIsSilent === true ? SILENT_DRY_RUN : DRY_RUN, WAIT]),
      ...(declared.conditional === true ? [IF_MATCH] : []),
    ],
    ...(declared.body === undefined
      ? {}
      : {
          requestBody: {
            required: declared.bodyOptional !== true,
            content: contentOf(declared.body, declared.upload, components),
          },
        }),
    responses: {
      ...(declared.noContent === true ? { 204: { description: 'Success, without a body.' } } : {}),
      200: {
        description: declared.noContent === true ? 'Success of a dry run.' : 'Success.',
        content: {
          ...(declared.filesOnly === true ? {} : { 'application/json': { schema: lift(reply, components) } }),
          ...Object.fromEntries(files.map((type) => [type, { schema: { type: 'string' } }])),
        },
      },
      '4XX': {
        description: 'Failure.',
        content: { 'application/json': { schema: lift(FailureEnvelope, components) } },
      },
    },
  }
}

function contentOf(
  body: object,
  upload: Operation['upload'],
  components: Record<string, unknown>,
): Record<string, object> {
  if (upload === undefined) return { 'application/json': { schema: lift(body, components) } }
  const alone = upload.alone.map((type) => [type, { schema: { type: 'string' } }])
  return { 'multipart/form-data': { schema: lift(body, components) }, ...Object.fromEntries(alone) }
}

/** Every write supports a dry run. */
const DRY_RUN = {
  name: 'dry_run',
  in: 'query',
  required: false,
  schema: {
    type: 'boolean',
    default: false,
    description: 'Does everything except commit; the reply has the change sets in `changes`.',
  },
}

const SILENT_DRY_RUN = {
  ...DRY_RUN,
  schema: {
    ...DRY_RUN.schema,
    description:
      'Does everything except commit, with the same errors; on success `result` is null, or the reply is 204.',
  },
}

/** Every write can wait for the other nodes. */
const WAIT = {
  name: 'wait',
  in: 'query',
  required: false,
  schema: {
    enum: ['all'],
    description:
      'The reply is sent when every node that lives has applied the change, or after 10 seconds with a message that names the others.',
  },
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: {
    type: 'string',
    description: 'Entity tags as in the ETag of a reply; 412 if none of them is current.',
  },
}

/** A permission as text. */
export function permissionText(permission: Permission): string {
  if ('anyOf' in permission) return permission.anyOf.join(' or ')
  if (permission.on === 'session') return 'a session'
  return permission.on === 'public' ? 'none' : 'any valid credential'
}

function parameters(
  place: 'path' | 'query',
  schema: object | undefined,
  components: Record<string, unknown>,
): object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema // TypeBox objects are JSON Schema objects
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: lift(property, components),
  }))
}

/** A copy of a schema as plain JSON; each part with an `$id` is moved to the components. */
function lift(schema: unknown, components: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => lift(item, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, reason: _reason, [MUST]: _must, ...rest } = schema as Record<string, unknown> // a JSON Schema object
  const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, lift(value, components)]))
  if (typeof $id !== 'string') return plain
  components[$id] ??= plain
  return { $ref: `#/components/schemas/${$id}` }
}
