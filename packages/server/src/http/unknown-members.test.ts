// Members and parameters that an operation does not declare, over HTTP; and those that clients send without meaning.
import { describe, expect, test } from 'vitest'
import { scenarios, type Scenario } from '../testing/scenarios.ts'
import { unknownMembers } from './unknown-members.ts'

const RECORDS = '/zones/{zone}/dns_records'
const www = { type: 'A', name: 'www', content: '192.0.2.1' }

type Refused = readonly [name: string, method: string, path: string, body: unknown, ...pointers: string[]]
const REFUSED: readonly Refused[] = [
  ['a record created', 'POST', RECORDS, { ...www, proxid: true }, '/proxid'],
  ['two members', 'POST', RECORDS, { ...www, proxid: true, tll: 300 }, '/proxid', '/tll'],
  ['a record overwritten', 'PUT', `${RECORDS}/{0}`, { ...www, coment: 'x' }, '/coment'],
  ['a record edited', 'PATCH', `${RECORDS}/{0}`, { coment: 'x' }, '/coment'],
  ['a list of a batch', 'POST', `${RECORDS}/batch`, { post: [www] }, '/post'],
  ['an entry of a batch', 'POST', `${RECORDS}/batch`, { posts: [www, { ...www, tll: 1 }] }, '/posts/1/tll'],
  ['a review of a scan', 'POST', `${RECORDS}/scan/review`, { acepts: [] }, '/acepts'],
  ['a zone created', 'POST', '/zones', { name: 'example.org', plna: { id: 'free' } }, '/plna'],
  ['the account of a zone', 'POST', '/zones', { name: 'example.org', account: { di: 'x' } }, '/account/di'],
  ['a zone edited', 'PATCH', '/zones/{zone}', { pausd: true }, '/pausd'],
  ['the name of a member that needs escapes', 'PATCH', '/zones/{zone}', { 'a/b~c': 1 }, '/a~1b~0c'],
  ['a setting of a zone', 'PATCH', '/zones/{zone}/settings/http3', { value: 'on', vlaue: 'off' }, '/vlaue'],
  ['a list of records', 'GET', `${RECORDS}?nmae=foo`, undefined, '/nmae'],
  ['a list of zones', 'GET', '/zones?nmae=example.com&per_page=5', undefined, '/nmae'],
  ['one record', 'GET', `${RECORDS}/{0}?foo=1`, undefined, '/foo'],
  ['a write', 'PATCH', `${RECORDS}/{0}?dryrun=true`, { ttl: 300 }, '/dryrun'],
  ['property names of every object', 'GET', `${RECORDS}?constructor=y`, undefined, '/constructor'],
]

scenarios(
  'undeclared members and parameters are rejected by name, and nothing is written',
  REFUSED.map(([name, method, path, body, ...pointers]): Scenario => ({
    name,
    given: [www],
    send: { method, path, body },
    expect: { status: 400, codes: pointers.map(() => 6008), pointers, text: 'is unknown' },
  })),
)

scenarios('members that clients send without meaning are ignored', [
  {
    name: 'a zone with the members of a reply (SDKs, Terraform, cloudflare-go)',
    send: {
      method: 'PATCH',
      path: '/zones/{zone}',
      body: { id: 'x', name: 'other.example', status: 'moved', plan: { id: 'pro', price: 0 }, meta: {} },
    },
    expect: {
      status: 200,
      changes: 1,
      events: ['zone changed'],
      result: { name: 'example.com', plan: { legacy_id: 'pro' } },
    },
  },
])

scenarios(
  'the profile vendor ignores them',
  [
    {
      name: 'a parameter',
      given: [www],
      send: { method: 'GET', path: `${RECORDS}?nmae=foo&name=www.example.com` },
      expect: { status: 200, result: [{ name: 'www.example.com' }] },
    },
    {
      name: 'a member',
      given: [www],
      send: { method: 'PATCH', path: `${RECORDS}/{0}`, body: { proxid: true } },
      expect: { status: 200, changes: 0, result: { proxied: false } },
    },
  ],
  { app: { profile: 'vendor' } },
)

describe('unknownMembers', () => {
  const object = { type: 'object', properties: { a: { type: 'string' } } }
  test.each<[name: string, schema: object | undefined, value: unknown, pointers: string[]]>([
    ['no schema', undefined, { b: 1 }, []],
    ['free members', { type: 'object' }, { b: 1 }, []],
    ['a list', { type: 'array', items: object }, [{ a: 'x' }, { b: 1 }], ['/1/b']],
    ['an object or null', { anyOf: [object, { type: 'null' }] }, { b: 1 }, ['/b']],
    ['null', { anyOf: [object, { type: 'null' }] }, null, []],
    ['one of two kinds', { anyOf: [object, { type: 'array', items: object }] }, [{ b: 1 }], ['/0/b']],
    ['rejected by the schema itself', { ...object, additionalProperties: false }, { b: 1 }, []],
    ['a value of another kind', object, 'text', []],
  ])('%s', (_, schema, value, pointers) => {
    expect(unknownMembers(schema, value).map(({ pointer }) => pointer)).toEqual(pointers)
  })

  test('more than a call can have arguments', () => {
    const schema = { type: 'object', properties: { items: { type: 'array', items: object } } }
    const items = Array.from({ length: 200_000 }, () => ({ b: 1 }))
    expect(unknownMembers(schema, { items })).toHaveLength(items.length)
  })
})
