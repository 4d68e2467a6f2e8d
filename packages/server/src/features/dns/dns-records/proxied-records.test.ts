// Proxied and flattened records over the API: which options are accepted, which content is rejected, and what causes
// warnings.
import { expect, test } from 'vitest'
import { startTestApp } from '../../../testing/app.ts'
import { scenarios, type Scenario } from '../../../testing/scenarios.ts'

const PATH = '/zones/{zone}/dns_records'
const post = (body: object) => ({ method: 'POST', path: PATH, body })
const patch = (body: object) => ({ method: 'PATCH', path: `${PATH}/{0}`, body })
const www = { type: 'A', name: 'www', content: '192.0.2.1' }
const alias = { type: 'CNAME', name: 'alias', content: 'www.example.net' }
const created = { status: 200, changes: 1, events: ['records +1'], records: 1 }
const edited = { status: 200, changes: 1, events: ['records -1 +1'] }
const refused = (code: number, pointer: string) => ({ status: 400, codes: [code], pointers: [pointer] })

/** Cases with the same result with and without an edge. */
const options: readonly Scenario[] = [
  {
    name: 'flatten_cname of a CNAME is accepted, stored and shown',
    send: post({ ...alias, settings: { flatten_cname: true } }),
    expect: { ...created, result: { settings: { flatten_cname: true } } },
  },
  {
    name: 'flatten_cname is off by default',
    send: post(alias),
    expect: { ...created, result: { settings: { flatten_cname: false } } },
  },
  {
    name: 'an edit of another member keeps it',
    given: [{ ...alias, settings: { flatten_cname: true } }],
    send: patch({ comment: 'x' }),
    expect: { ...edited, result: { settings: { flatten_cname: true } } },
  },
  {
    name: 'overwriting without it turns it off',
    given: [{ ...alias, settings: { flatten_cname: true } }],
    send: { method: 'PUT', path: `${PATH}/{0}`, body: alias },
    expect: { ...edited, result: { settings: { flatten_cname: false } } },
  },
  {
    name: 'flatten_cname of an address is rejected',
    send: post({ ...www, settings: { flatten_cname: true } }),
    expect: refused(19403, '/settings/flatten_cname'),
  },
  {
    name: 'options that are off are not stored',
    send: post({ ...www, settings: { flatten_cname: false, ipv4_only: false, ipv6_only: null } }),
    expect: { ...created, result: { settings: {} } },
  },
  {
    name: 'options that are neither true nor false are rejected',
    send: post({ ...alias, settings: { flatten_cname: 'yes' } }),
    expect: refused(19402, '/settings/flatten_cname'),
  },
  {
    name: 'unknown options are rejected',
    send: post({ ...alias, settings: { faster: true } }),
    expect: refused(19402, '/settings/faster'),
  },
  {
    name: 'ipv4_only needs a proxied record',
    send: post({ ...www, settings: { ipv4_only: true } }),
    expect: refused(19403, '/settings/ipv4_only'),
  },
  {
    name: 'a CNAME at the apex causes no warning',
    send: post({ ...alias, name: '@' }),
    expect: created,
  },
  {
    name: 'other records beside a flattened CNAME cause no warning',
    given: [{ ...alias, settings: { flatten_cname: true } }],
    send: post({ type: 'TXT', name: 'alias', content: '"v"' }),
    expect: created,
  },
  {
    name: 'other records beside an unflattened CNAME cause a warning',
    given: [alias],
    send: post({ type: 'TXT', name: 'alias', content: '"v"' }),
    expect: { ...created, messages: [19011] },
  },
]

scenarios('options without an edge', [
  ...options,
  {
    name: 'a proxied record is answered with its origin, and the reply says so',
    send: post({ ...www, proxied: true }),
    expect: { ...created, messages: [19012], result: { proxied: true, ttl: 1, settings: {} } },
  },
  {
    name: 'there are no address families to choose from',
    send: post({ ...www, proxied: true, settings: { ipv4_only: true } }),
    expect: refused(19402, '/settings/ipv4_only'),
  },
])

const EDGE = ['198.51.100.1', '2001:db8:ed::1']

scenarios(
  'options with an edge',
  [
    ...options,
    {
      name: 'a proxied record causes no warning',
      send: post({ ...www, proxied: true }),
      expect: { ...created, result: { proxied: true, ttl: 1, settings: {} } },
    },
    {
      name: 'one family is accepted, stored and shown',
      send: post({ ...www, proxied: true, settings: { ipv4_only: true, ipv6_only: false } }),
      expect: { ...created, result: { settings: { ipv4_only: true } } },
    },
    {
      name: 'one family of a proxied CNAME too',
      send: post({ ...alias, proxied: true, settings: { ipv6_only: true } }),
      expect: { ...created, result: { settings: { flatten_cname: false, ipv6_only: true } } },
    },
    {
      name: 'both families at once are rejected',
      send: post({ ...www, proxied: true, settings: { ipv4_only: true, ipv6_only: true } }),
      expect: refused(19421, '/settings/ipv6_only'),
    },
    {
      name: 'a record that is no longer proxied cannot keep its family',
      given: [{ ...www, proxied: true, settings: { ipv4_only: true } }],
      send: patch({ proxied: false }),
      expect: refused(19403, '/settings/ipv4_only'),
    },
    {
      name: 'a record that gives up proxy and family together is accepted',
      given: [{ ...www, proxied: true, settings: { ipv4_only: true } }],
      send: patch({ proxied: false, settings: {} }),
      expect: { ...edited, result: { proxied: false, settings: {} } },
    },
    {
      name: 'the service cannot be the origin of a proxied record',
      send: post({ ...www, content: '198.51.100.1', proxied: true }),
      expect: refused(9003, '/content'),
    },
    {
      name: 'an unproxied record cannot point to the service either',
      send: post({ ...www, content: '198.51.100.1' }),
      expect: refused(19420, '/content'),
    },
    {
      name: 'in any spelling of the address',
      send: post({ type: 'AAAA', name: 'www', content: '2001:DB8:ED:0::1' }),
      expect: refused(19420, '/content'),
    },
    {
      name: 'also as an IPv4 address in an IPv6 one',
      send: post({ type: 'AAAA', name: 'www', content: '::ffff:198.51.100.1', proxied: true }),
      expect: refused(9003, '/content'),
    },
    {
      name: 'not by an edit either',
      given: [www],
      send: patch({ content: '198.51.100.1' }),
      expect: refused(19420, '/content'),
    },
    {
      name: 'not in a batch either, whose other steps are undone',
      send: {
        method: 'POST',
        path: `${PATH}/batch`,
        body: { posts: [www, { ...www, content: '198.51.100.1' }] },
      },
      expect: refused(19420, '/posts/1/content'),
    },
    {
      name: 'neighboring addresses are allowed',
      send: post({ ...www, content: '198.51.100.2' }),
      expect: created,
    },
    {
      name: 'TXT may mention the address',
      send: post({ type: 'TXT', name: 'www', content: '"198.51.100.1"' }),
      expect: created,
    },
  ],
  { app: { edgeAddresses: EDGE } },
)

scenarios(
  'targets of proxied CNAMEs',
  [
    {
      name: 'a target without an address causes a notice, and the record is written',
      send: post({ ...alias, proxied: true }),
      expect: { ...created, messages: [19040] },
    },
    {
      name: 'on every edit',
      given: [{ ...alias, proxied: true }],
      send: patch({ comment: 'x' }),
      expect: { ...edited, messages: [19040] },
    },
    {
      name: 'for each record of a batch',
      send: {
        method: 'POST',
        path: `${PATH}/batch`,
        body: { posts: [{ ...alias, proxied: true }, { ...alias, name: 'b', proxied: true }, www] },
      },
      expect: { status: 200, changes: 1, events: ['records +3'], records: 3, messages: [19040, 19040] },
    },
    {
      name: 'targets of unproxied CNAMEs are not checked',
      send: post(alias),
      expect: created,
    },
    {
      name: 'targets of removed records are not checked',
      given: [{ ...alias, proxied: true }],
      send: { method: 'DELETE', path: `${PATH}/{0}` },
      expect: { status: 200, changes: 1, events: ['records -1'], records: -1 },
    },
  ],
  { app: { edgeAddresses: EDGE, hasAddress: () => Promise.resolve(false) } },
)

test('a dry run reports its targets too', async () => {
  const app = await startTestApp({ edgeAddresses: EDGE, hasAddress: () => Promise.resolve(false) })
  const zone = await app.must('POST', '/zones', { name: 'example.com' })
  const path = `/zones/${zone.id}/dns_records?dry_run=true`
  const { status, json } = await app.call({ method: 'POST', path, body: { ...alias, proxied: true } })
  expect([status, json.messages.map(({ code }) => code)]).toEqual([200, [19030, 19013, 19040]])
  expect(app.events.filter(({ topic }) => topic === 'records')).toEqual([])
  await app.close()
})
