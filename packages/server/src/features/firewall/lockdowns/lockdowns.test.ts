// Zone lockdown over HTTP: what is stored, found and refused. What it decides is tested with IP access rules.
import { scenarios, type Send } from '../../../testing/scenarios.ts'

const PATH = '/zones/{zone}/firewall/lockdowns'
const office = { target: 'ip', value: '198.51.100.1' }
const rule = (urls: readonly string[], more: object = {}) => ({ urls, configurations: [office], ...more })
const create = (body: unknown): Send & { readonly as: string } => ({
  method: 'POST',
  path: PATH,
  body,
  as: 'rule',
})
const one = (method: string, body?: unknown): Send => ({
  method,
  path: `${PATH}/{rule}`,
  ...(body !== undefined && { body }),
})
const two = [
  create(rule(['example.com/admin*'], { description: 'staff', priority: 5 })),
  create({ urls: ['intern.example.com'], configurations: [{ target: 'ip_range', value: '192.0.2.7/24' }] }),
]

scenarios(PATH, [
  {
    name: 'a rule',
    send: create(rule(['example.com/admin*'], { description: 'staff', priority: 2 })),
    expect: {
      status: 200,
      changes: 1,
      result: {
        paused: false,
        description: 'staff',
        urls: ['example.com/admin*'],
        configurations: [office],
        priority: 2,
      },
    },
  },
  {
    name: 'all',
    before: two,
    send: { method: 'GET', path: PATH },
    expect: { status: 200, info: { total_count: 2 } },
  },
  ...(
    [
      ['description=STAFF', 'example.com/admin*'],
      ['description_search=staff', 'example.com/admin*'],
      ['uri_search=intern', 'intern.example.com'],
      ['ip=198.51.100.1', 'example.com/admin*'],
      ['ip_search=198.51.100.1', 'example.com/admin*'],
      ['ip_range_search=192.0.2.0/24', 'intern.example.com'],
      ['priority=5', 'example.com/admin*'],
    ] as const
  ).map(([query, url]) => ({
    name: `found by ${query}`,
    before: two,
    send: { method: 'GET', path: `${PATH}?${query}` },
    expect: { status: 200, result: [{ urls: [url] }], info: { total_count: 1 } },
  })),
  {
    name: 'replaced',
    before: [create(rule(['example.com/a'], { priority: 1 }))],
    send: one('PUT', rule(['example.com/b'], { paused: true })),
    expect: { status: 200, changes: 1, result: { urls: ['example.com/b'], paused: true } },
  },
  {
    name: 'replaced by the same: no change',
    before: [create(rule(['example.com/a']))],
    send: one('PUT', rule(['example.com/a'])),
    expect: { status: 200, result: { urls: ['example.com/a'] } },
  },
  {
    name: 'one',
    before: two,
    send: one('GET'),
    expect: { status: 200, result: { urls: ['intern.example.com'] } },
  },
  { name: 'deleted', before: two, send: one('DELETE'), expect: { status: 200, changes: 1 } },
  {
    name: 'a second one for the same URLs',
    before: [create(rule(['example.com/a', 'example.com/b']))],
    send: create(rule(['example.com/B', 'example.com/a'])),
    expect: { status: 400, codes: [10009], pointers: ['/urls'] },
  },
  ...['GET', 'PUT', 'DELETE'].map((method) => ({
    name: `${method} of a rule that does not exist`,
    send: {
      method,
      path: `${PATH}/${'0'.repeat(32)}`,
      ...(method === 'PUT' && { body: rule(['example.com/']) }),
    },
    expect: { status: 404, codes: [10001] },
  })),
  ...(
    [
      ['free', 0],
      ['pro', 3],
    ] as const
  ).map(([plan, limit]) => ({
    name: `more than a zone of plan ${plan} can have`,
    plan,
    before: Array.from({ length: limit }, (_, index) => create(rule([`example.com/${index}`]))),
    send: create(rule(['example.com/more'])),
    expect: { status: 400, codes: [20725] },
  })),
  {
    name: 'all that is wrong, at once',
    send: create({
      urls: ['example.com/', 'example.com:8080/', 'ftp://example.com/'],
      configurations: [
        office,
        { target: 'ip', value: '192.0.2.0/24' },
        { target: 'ip_range', value: '0.0.0.0/0' },
      ],
    }),
    expect: {
      status: 400,
      codes: [20726, 20726, 20726, 20726],
      pointers: ['/urls/1', '/urls/2', '/configurations/1/value', '/configurations/2/value'],
    },
  },
  ...(
    [
      [rule([]), '/urls'],
      [{ urls: ['example.com/'], configurations: [] }, '/configurations'],
      [
        { urls: ['example.com/'], configurations: [{ target: 'country', value: 'DE' }] },
        '/configurations/0/target',
      ],
      [rule(['example.com/'], { mode: 'block' }), '/mode'],
      [rule(['example.com/'], { priority: -1 }), '/priority'],
    ] as const
  ).map(([body, pointer]) => ({
    name: `refused: ${JSON.stringify(body)}`,
    send: create(body),
    expect: { status: 400, codes: [6008], pointers: [pointer] },
  })),
])
