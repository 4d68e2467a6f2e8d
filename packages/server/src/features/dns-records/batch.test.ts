// Many records at once: order, all or nothing, limits, one serial.
import { scenarios } from '../../testing/scenarios.ts'

const PATH = '/zones/{zone}/dns_records/batch'
const www = { type: 'A', name: 'www', content: '192.0.2.1' }
const mail = { type: 'A', name: 'mail', content: '192.0.2.2' }
const batch = (body: unknown) => ({ method: 'POST', path: PATH, body })

scenarios('POST /zones/:id/dns_records/batch', [
  {
    name: 'deletes come first, so that a type can change in one step',
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
    name: 'patches come before puts, puts before posts',
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
    name: 'a record that is changed twice is announced as it was and as it is',
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
    name: 'nothing at all changes nothing',
    send: batch({}),
    expect: { status: 200, result: { deletes: [], patches: [], puts: [], posts: [] } },
  },
  {
    name: 'lists may be null, as some clients send them',
    send: batch({ deletes: null, patches: null, puts: null, posts: [www] }),
    expect: { status: 200, changes: 1, events: ['records +1'], records: 1 },
  },
  {
    name: 'the first operation that fails undoes all before it',
    given: [www],
    send: batch({
      deletes: [{ id: '{0}' }],
      posts: [mail, { type: 'A', name: 'x', content: 'nonsense' }, { type: 'FOO' }],
    }),
    expect: { status: 400, codes: [9005], pointers: ['/posts/1/content'] },
  },
  {
    name: 'two operations of one batch stand in each other’s way',
    send: batch({ posts: [www, { type: 'CNAME', name: 'www', content: 'example.net' }] }),
    expect: { status: 400, codes: [81053], pointers: ['/posts/1/name'] },
  },
  {
    name: 'a record that does not exist',
    send: batch({ deletes: [{ id: '0'.repeat(32) }] }),
    expect: { status: 404, codes: [81044], pointers: ['/deletes/0'] },
  },
  {
    name: 'every missing id is told at once',
    send: batch({ deletes: [{}], patches: [{ content: '192.0.2.1' }], puts: [{ type: 'A' }] }),
    expect: {
      status: 400,
      codes: [19406, 19406, 19406],
      pointers: ['/deletes/0/id', '/patches/0/id', '/puts/0/id'],
    },
  },
  {
    name: 'as many operations as a free zone may have',
    plan: 'free',
    send: batch({ posts: many(200) }),
    expect: { status: 200, changes: 1, events: ['records +200'], records: 200 },
  },
  {
    name: 'one more than a free zone may have',
    plan: 'free',
    send: batch({ posts: many(201) }),
    expect: { status: 400, codes: [19407] },
  },
  {
    name: 'thousands for all others',
    send: batch({ posts: many(3_500) }),
    expect: { status: 200, changes: 1, events: ['records +3500'], records: 3_500 },
  },
  {
    name: 'one more than thousands',
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
