// What every operation must declare, so that router, document and clients can rely on the list.
import { describe, expect, test } from 'vitest'
import { OPERATIONS, PERMISSION_GROUPS, PERMISSION_SCOPES, type Operation } from './index.ts'

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>
  readonly required?: readonly string[]
}

const propertiesOf = (schema: Operation['query']) =>
  Object.keys((schema as ObjectSchema | undefined)?.properties ?? {})
/** Writes whose query has more parameters than dry_run. */
const HAS_OPTIONS = new Set([
  'zone.rulesets.entrypoint.update',
  'account.rulesets.entrypoint.update',
  'record_scans.review',
  'waf_migration.deploy',
])
const rows = OPERATIONS.map((operation) => [operation.id, operation] as const)

describe('operations', () => {
  test('exist, each with a unique id and a unique path', () => {
    expect(OPERATIONS.length).toBeGreaterThan(0)
    expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length)
    expect(new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`)).size).toBe(OPERATIONS.length)
  })

  test('no two paths differ only in the name of a parameter', () => {
    const paths = [...new Set(OPERATIONS.map(({ path }) => path))]
    expect(new Set(paths.map((path) => path.replace(/\{\w+\}/g, '{}'))).size).toBe(paths.length)
  })

  test.each(rows)('%s declares who may call it', (_, { permission }) => {
    const known: readonly string[] = PERMISSION_GROUPS.map(({ name }) => name)
    if (!('anyOf' in permission)) return expect(['credential', 'session', 'public']).toContain(permission.on)
    expect(permission.anyOf.length).toBeGreaterThan(0)
    expect(permission.anyOf.filter((name) => !known.includes(name))).toEqual([])
  })

  test.each(rows)('%s requires permission groups of the scope that it acts on', (_, { permission }) => {
    const scopes = {
      zone: 'zone',
      account: 'account',
      user: 'user',
      'some-zone': 'zone',
      'some-account': 'account',
      'every-account': 'account',
      'body-account': 'zone',
    }
    if (!('anyOf' in permission)) return expect(['credential', 'session', 'public']).toContain(permission.on)
    for (const name of permission.anyOf) {
      expect(PERMISSION_GROUPS.find((group) => group.name === name)?.scope).toBe(scopes[permission.on])
    }
  })

  test.each(rows)(
    '%s changes nothing with a read permission alone',
    (_, { id, method, permission, readOnly: requests }) => {
      if (permission.on === 'session') return expect(permission).not.toHaveProperty('anyOf')
      if (!('anyOf' in permission))
        // Counts are exchanged for the zones on which the caller has Edge Decide, and nothing is stored.
        return expect(
          method === 'GET' || requests === true || ['session.create', 'edge.exchange_counts'].includes(id),
        ).toBe(true)
      const readers = permission.anyOf.filter((name) => name.endsWith(' Read'))
      // It shows the rules of the account, which readers of a zone do not see.
      if (id === 'edge.configuration') expect(permission.anyOf).toEqual(['Edge Decide'])
      else if (method === 'GET' || requests === true) expect(readers).not.toEqual([])
      else expect(readers).toEqual([])
    },
  )

  test.each(rows)(
    '%s describes the parameters of its path, and no others',
    (_, { path, params, permission }) => {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(propertiesOf(params)).toEqual(named)
      if (permission.on === 'zone') expect(named).toContain('zone_id')
      if (permission.on === 'account') expect(named).toContain('account_id')
    },
  )

  test.each(rows)('%s has a body if its method needs one, and a summary', (_, operation) => {
    const { method, body, bodyOptional, summary, tag, query } = operation
    if (['POST', 'PUT', 'PATCH'].includes(method)) expect(body).toBeDefined()
    else if (body !== undefined) expect([method, bodyOptional]).toEqual(['DELETE', true])
    if (bodyOptional === true && method !== 'DELETE') expect(propertiesOf(body)).toEqual([])
    expect([summary, tag].every((text) => /^[A-Z].*[^.]$/.test(text))).toBe(true)
    // The body of an upload may be the file itself, so it has no members for options.
    if (query !== undefined && operation.upload === undefined && !HAS_OPTIONS.has(operation.id))
      expect(['GET', 'DELETE']).toContain(method)
  })

  test('lists take page and per_page, except the catalog of permission groups and the results of a scan', () => {
    const lists = OPERATIONS.filter(({ list }) => list === true)
    expect(lists.length).toBeGreaterThan(0)
    const unpaged = lists.filter(
      ({ query }) => !['page', 'per_page'].every((name) => propertiesOf(query).includes(name)),
    )
    expect(unpaged.map(({ id }) => id)).toEqual([
      'user.tokens.permission_groups',
      'account.tokens.permission_groups',
      'record_scans.waiting',
    ])
  })
})

describe('permission groups', () => {
  test('have unique names, ids and scopes', () => {
    expect(PERMISSION_GROUPS.length).toBeGreaterThan(0)
    expect(new Set(PERMISSION_GROUPS.map(({ name }) => name)).size).toBe(PERMISSION_GROUPS.length)
    expect(new Set(PERMISSION_GROUPS.map(({ id }) => id)).size).toBe(PERMISSION_GROUPS.length)
    for (const { id, scope } of PERMISSION_GROUPS) {
      expect(id).toMatch(/^[0-9a-f]{32}$/)
      expect(PERMISSION_SCOPES).toHaveProperty(scope)
    }
  })

  // IDs that existing token definitions use (the public API's reference of permission groups).
  test.each([
    ['DNS Read', '82e64a83756745bbbb1c9c2701bf816b'],
    ['DNS Write', '4755a26eedb94da69e1066d98aa820be'],
    ['Zone Read', 'c8fed203ed3043cba015a93ad1616f1f'],
    ['Zone Write', 'e6d2666161e84845a636613608cee8d5'],
    ['Zone Settings Read', '517b21aee92c4d89936c976ba6e4be55'],
    ['Zone Settings Write', '3030687196b94b638145a3953da2b699'],
    ['Zone DNS Settings Read', '0a6cfe8cd3ed445e918579e2fb13087b'],
    ['Zone DNS Settings Write', 'c4df38be41c247b3b4b7702e76eadae0'],
    ['Domain Page Shield Read', '945315185a8f40518bf3e9e6d0bee126'],
    ['Domain Page Shield', '6134079371904d8ebd77931c8ca07e50'],
    ['Zone WAF Read', 'dbc512b354774852af2b5a5f4ba3d470'],
    ['Zone WAF Write', 'fb6778dc191143babbfaa57993f1d275'],
    ['Page Rules Read', 'b415b70a4fd1412886f164451f20405c'],
    ['Page Rules Write', 'ed07f6c337da4195b4e72a1fb2c6bcae'],
    ['Firewall Services Read', '4ec32dfcb35641c5bb32d5ef1ab963b4'],
    ['Firewall Services Write', '43137f8d07884d3198dc0ee77ca6e79b'],
  ])('%s has the id that token definitions use', (name, id) => {
    expect(PERMISSION_GROUPS.find((group) => group.name === name)?.id).toBe(id)
  })
})
