// Batches: order of operations, all-or-nothing, limits, one serial per batch.
import { scenarios } from '../../../testing/scenarios.ts'

const PATH = '/zones/{zone}/dns_records/batch'
const www = { type: 'A', name: 'www', content: '192.0.2.1' }
const mail = { type: 'A', name: 'mail', content: '192.0.2.2' }
const batch = (body: unknown) => ({ method: 'POST', path: PATH, body })

scenarios('POST /zones/:id/dns_records/batch', [
  {
    name: 'deletes run first, so that a type can change in one batch',
    given: [www],
    send: batch({
      posts: [{ type: 'CNAME', name: 'www', content: 'example.net' }],
      deletes: [{ id: '{0}' }],
    }),
    expect: {
      status: 200,
      changes: 1,
      events: ['records -1 +1'],
      result: {
        deletes: [{ type: 'A', name: 'www.example.com' }],
        patches: [],
        puts: [],
        posts: [{ type: 'CNAME', name: 'www.example.com' }],
      },
    },
  },
  {
    name: 'patches run before puts, puts before posts',
    given: [www, mail],
    send: batch({
      posts: [{ type: 'A', name: 'www', content: '192.0.2.1' }],
      puts: [{ id: '{1}', type: 'A', name: 'mail', content: '192.0.2.9' }],
      patches: [{ id: '{0}', name: 'old' }],
    }),
    expect: {
      status: 200,
      changes: 1,
      events: ['records -2 +3'],
      records: 1,
      result: {
        patches: [{ name: 'old.example.com' }],
        puts: [{ content: '192.0.2.9' }],
        posts: [{ name: 'www.example.com' }],
      },
    },
  },
  {
    name: 'a record changed twice is announced once, with its first and last state',
    given: [www],
    send: batch({
      patches: [{ id: '{0}', content: '192.0.2.7' }],
      puts: [{ id: '{0}', type: 'A', name: 'www', content: '192.0.2.8' }],
    }),
    expect: {
      status: 200,
      changes: 1,
      events: ['records -1 +1'],
      result: { puts: [{ content: '192.0.2.8' }] },
    },
  },
  {
    name: 'an empty batch changes nothing',
    send: batch({}),
    expect: { status: 200, result: { deletes: [], patches: [], puts: [], posts: [] } },
  },
  {
    name: 'lists may be null, as some clients send them',
    send: batch({ deletes: null, patches: null, puts: null, posts: [www] }),
    expect: { status: 200, changes: 1, events: ['records +1'], records: 1 },
  },
  {
    name: 'the first operation that fails undoes all earlier ones',
    given: [www],
    send: batch({
      deletes: [{ id: '{0}' }],
      posts: [mail, { type: 'A', name: 'x', content: 'nonsense' }, { type: 'FOO' }],
    }),
    expect: { status: 400, codes: [9005], pointers: ['/posts/1/content'] },
  },
  {
    name: 'NS at a wildcard rejects the batch',
    given: [www],
    send: batch({
      patches: [{ id: '{0}', ttl: 600 }],
      posts: [{ type: 'NS', name: '*', content: 'ns1.example.net' }],
    }),
    expect: { status: 400, codes: [9000], pointers: ['/posts/0/name'], text: 'wildcard' },
  },
  {
    name: 'a URL as the target of a CNAME rejects the batch',
    given: [www],
    send: batch({ posts: [{ type: 'CNAME', name: 'a', content: 'https://example.net/' }] }),
    expect: { status: 400, codes: [9007], pointers: ['/posts/0/content'], text: 'no URL' },
  },
  {
    name: 'two operations of one batch conflict with each other',
    send: batch({ posts: [www, { type: 'CNAME', name: 'www', content: 'example.net' }] }),
    expect: { status: 400, codes: [81053], pointers: ['/posts/1/name'] },
  },
  {
    name: 'a record that does not exist',
    send: batch({ deletes: [{ id: '0'.repeat(32) }] }),
    expect: { status: 404, codes: [81044], pointers: ['/deletes/0'] },
  },
  {
    name: 'every missing id is reported in one reply',
    send: batch({ deletes: [{}], patches: [{ content: '192.0.2.1' }], puts: [{ type: 'A' }] }),
    expect: {
      status: 400,
      codes: [19406, 19406, 19406],
      pointers: ['/deletes/0/id', '/patches/0/id', '/puts/0/id'],
    },
  },
  {
    name: 'the maximum number of operations on the free plan',
    plan: 'free',
    send: batch({ posts: many(200) }),
    expect: { status: 200, changes: 1, events: ['records +200'], records: 200 },
  },
  {
    name: 'one operation more than the free plan allows',
    plan: 'free',
    send: batch({ posts: many(201) }),
    expect: { status: 400, codes: [19407] },
  },
  {
    name: 'thousands of operations on the other plans',
    send: batch({ posts: many(3_500) }),
    expect: { status: 200, changes: 1, events: ['records +3500'], records: 3_500 },
  },
  {
    name: 'one operation more than the other plans allow',
    send: batch({ posts: many(3_501) }),
    expect: { status: 400, codes: [19407] },
  },
])

function many(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'A',
    name: `n${index}x`,
    content: '192.0.2.3',
  }))
}
