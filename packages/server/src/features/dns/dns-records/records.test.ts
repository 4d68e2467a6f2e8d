// Records: rules that all types share, overwriting and editing, times, the change log, the actor.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ADMIN_EMAIL, ADMIN_KEY, START, startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'
import { scenarios, type Scenario } from '../../../testing/scenarios.ts'
import { allow, makeToken } from '../../../testing/test-tokens.ts'

const RECORDS = '/zones/{zone}/dns_records'
const FIRST = `${RECORDS}/{0}`
const ABSENT = 'f'.repeat(32)
const www = { type: 'A', name: 'www', content: '192.0.2.1' }
const mx = { type: 'MX', name: '@', content: 'mail.example.net', priority: 10 }
const srv = {
  type: 'SRV',
  name: '_sip._tcp',
  data: { priority: 1, weight: 2, port: 3, target: 'sip.example.net' },
}
const caa = { type: 'CAA', name: '@', data: { flags: 0, tag: 'issue', value: 'ca.example.net' } }

const post = (more: object, base: object = www) => ({
  method: 'POST',
  path: RECORDS,
  body: { ...base, ...more },
})
const patch = (body: object) => ({ method: 'PATCH', path: FIRST, body })
const put = (body: object) => ({ method: 'PUT', path: FIRST, body })
const created = (result: object, messages: number[] = []) => ({
  status: 200,
  changes: 1,
  events: ['records +1'],
  records: 1,
  result,
  messages,
})
const edited = (result: object, messages: number[] = []) => ({
  status: 200,
  changes: 1,
  events: ['records -1 +1'],
  result,
  messages,
})
const refused = (code: number, ...pointers: string[]) => ({
  status: 400,
  codes: pointers.map(() => code),
  pointers,
})

const label63 = 'a'.repeat(63)
const ttls: Scenario[] = [
  ...[1, 30, 60, 300, 86_400].map((ttl): Scenario => ({
    name: `ttl ${ttl}`,
    send: post({ ttl }),
    expect: created({ ttl }),
  })),
  ...[0, -1, 2, 29, 86_401, 2 ** 31, 60.5, '300', true, [], 1e300].map((ttl): Scenario => ({
    name: `ttl ${JSON.stringify(ttl)}`,
    send: post({ ttl }),
    expect: refused(9021, '/ttl'),
  })),
  ...['free', 'pro', 'business'].flatMap((plan): Scenario[] => [
    { name: `ttl 60 on the plan ${plan}`, plan, send: post({ ttl: 60 }), expect: created({ ttl: 60 }) },
    {
      name: `ttl 59 on the plan ${plan}`,
      plan,
      send: post({ ttl: 59 }),
      expect: {
        ...refused(9021, '/ttl'),
        text: 'TTL must be between 60 and 86400 seconds, or 1 for Automatic.',
      },
    },
  ]),
  ...['free', 'enterprise'].map((plan): Scenario => ({
    name: `a ttl that is not a number gets a message without bounds on the plan ${plan}`,
    plan,
    send: post({ ttl: '300' }),
    expect: {
      ...refused(9021, '/ttl'),
      text: '"message":"TTL must be a whole number of seconds, or 1 for Automatic."',
    },
  })),
  {
    name: 'ttl 29 on the plan enterprise reports the bound of that plan',
    send: post({ ttl: 29 }),
    expect: { ...refused(9021, '/ttl'), text: 'TTL must be between 30 and 86400 seconds' },
  },
  {
    name: 'a ttl out of bounds is rejected even when the proxy would override it',
    send: post({ ttl: 5, proxied: true }),
    expect: refused(9021, '/ttl'),
  },
]

const names: Scenario[] = [
  ...(
    [
      ['www', 'www.example.com'],
      ['@', 'example.com'],
      ['*', '*.example.com'],
      ['*.a', '*.a.example.com'],
      ['a.b.c', 'a.b.c.example.com'],
      ['_dmarc', '_dmarc.example.com'],
      ['a_b', 'a_b.example.com'],
      ['a-b', 'a-b.example.com'],
      ['bücher', 'xn--bcher-kva.example.com'],
      ['Bücher.example.com', 'xn--bcher-kva.example.com'],
      ['xn--bcher-kva', 'xn--bcher-kva.example.com'],
      ['中文', 'xn--fiq228c.example.com'],
      [label63, `${label63}.example.com`],
      [
        `${label63}.${label63}.${label63}.${'a'.repeat(49)}`,
        `${label63}.${label63}.${label63}.${'a'.repeat(49)}.example.com`,
      ],
      ['com', 'com.example.com'],
      ['notexample.com', 'notexample.com.example.com'],
      ['example.com.example.com', 'example.com.example.com'],
    ] as const
  ).map(([name, full]): Scenario => ({
    name: `the name ${name.slice(0, 30)} (${name.length})`,
    send: post({ name }),
    expect: created({ name: full }),
  })),
  ...[
    '',
    ' ',
    '.',
    'a..b',
    '.a',
    'a.',
    'www.example.org.',
    'notexample.com.',
    '-a',
    'a-',
    'a b',
    'a*',
    'a.*',
    '**',
    '*a',
    'a@b',
    'a/b',
    'a\\.b',
    'a\\046b',
    'ü..a',
    `a${label63}`,
    `${label63}.${label63}.${label63}.${'a'.repeat(50)}`,
  ].map((name): Scenario => ({
    name: `invalid name: ${JSON.stringify(name).slice(0, 30)} (${name.length})`,
    send: post({ name }),
    expect: refused(9000, '/name'),
  })),
  {
    name: 'name errors are full sentences',
    send: post({ name: 'a..b' }),
    expect: { ...refused(9000, '/name'), text: 'DNS name is invalid. A label is empty (at 2).' },
  },
  { name: 'missing name', send: post({ name: undefined }), expect: refused(9000, '/name') },
  { name: 'a name that is not a string', send: post({ name: 5 }), expect: refused(6008, '/name') },
]

const annotations: Scenario[] = [
  { name: 'a comment', send: post({ comment: 'two words' }), expect: created({ comment: 'two words' }) },
  {
    name: 'an empty comment means no comment',
    send: post({ comment: '' }),
    expect: created({ comment: null }),
  },
  ...[{}, { comment: null }, { comment: '' }].map((comment): Scenario => ({
    name: `no comment of an OPENPGPKEY record: ${JSON.stringify(comment)}`,
    send: post(comment, { type: 'OPENPGPKEY', name: 'key', content: 'AQID' }),
    expect: created({ comment: '' }),
  })),
  {
    name: '500 characters',
    send: post({ comment: 'ü'.repeat(500) }),
    expect: created({ comment: 'ü'.repeat(500) }),
  },
  {
    name: '500 characters beyond 16 bits',
    send: post({ comment: '😀'.repeat(500) }),
    expect: created({ comment: '😀'.repeat(500) }),
  },
  { name: '501 characters', send: post({ comment: 'x'.repeat(501) }), expect: refused(19401, '/comment') },
  { name: 'two lines', send: post({ comment: 'a\nb' }), expect: refused(19401, '/comment') },
  { name: 'a carriage return', send: post({ comment: 'a\rb' }), expect: refused(19401, '/comment') },
  ...['\0', 'a\tb', 'a\u007f', '\u0085'].map((comment): Scenario => ({
    name: `a comment with a control character: ${JSON.stringify(comment)}`,
    send: post({ comment }),
    expect: refused(19401, '/comment'),
  })),
  { name: 'a comment that is not a string', send: post({ comment: 5 }), expect: refused(6008, '/comment') },
  ...[
    'a',
    'team',
    'Team:Web',
    'a_b-C9:',
    'a:b:c',
    'n'.repeat(32),
    `a:${'v'.repeat(100)}`,
    'a:grüße',
    'cf:a',
    'xcf-a',
  ].map((tag): Scenario => ({
    name: `the tag ${tag.slice(0, 40)}`,
    send: post({ tags: [tag] }),
    expect: created({ tags: [tag] }),
  })),
  ...[
    '',
    ':',
    ':a',
    'a b',
    'cf-',
    'cf-proxied:true',
    'ü',
    'n'.repeat(33),
    `a:${'v'.repeat(101)}`,
    'a\n',
    'a:b\nc',
    'a:\0',
    'a:b\tc',
    'a:\u009f',
    'a,b',
  ].map((tag): Scenario => ({
    name: `invalid tag: ${JSON.stringify(tag).slice(0, 40)} (${tag.length})`,
    send: post({ tags: ['good', tag] }),
    expect: refused(19404, '/tags/1'),
  })),
  {
    name: '20 tags',
    send: post({ tags: Array.from({ length: 20 }, (_, index) => `t${index}`) }),
    expect: created({}),
  },
  {
    name: '21 tags',
    send: post({ tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }),
    expect: { ...refused(9300, '/tags'), text: 'DNS record has 21 tags, exceeding the quota of 20.' },
  },
  {
    name: 'a great many invalid tags',
    send: post({ tags: Array<string>(10_000).fill('') }),
    expect: refused(9300, '/tags'),
  },
  { name: 'tags that are not a list', send: post({ tags: 'a' }), expect: refused(6008, '/tags') },
  { name: 'tags that are not strings', send: post({ tags: [5] }), expect: refused(6008, '/tags/0') },
]

const options: Scenario[] = [
  ...(
    [
      ['flags', { ...caa, data: { ...caa.data, flags: 1 } }, 'flags: only bit 128 may be set.'],
      [
        'digest',
        { type: 'DS', name: '@', data: { key_tag: 1, algorithm: 8, digest_type: 2, digest: 'aa' } },
        'digest must have 20 octets for type 1',
      ],
    ] as const
  ).map(([field, body, text]): Scenario => ({
    name: `a broken rule is reported as a sentence: ${text}`,
    send: { method: 'POST', path: RECORDS, body },
    expect: { ...refused(9101, `/data/${field}`), text: `"message":"${text}` },
  })),
  { name: 'proxied', send: post({ proxied: true }), expect: created({ proxied: true, ttl: 1 }, [19012]) },
  {
    name: 'proxied: to a private address',
    send: post({ content: '10.0.0.1', proxied: true }),
    expect: { ...refused(9003, '/content'), text: 'Target 10.0.0.1 is not allowed for a proxied record.' },
  },
  {
    name: 'proxied: AAAA to loopback',
    send: post({ type: 'AAAA', content: '::1', proxied: true }),
    expect: refused(9003, '/content'),
  },
  {
    name: 'proxied: TXT',
    send: post({ type: 'TXT', content: 'a', proxied: true }),
    expect: refused(9004, '/proxied'),
  },
  { name: 'proxied as a string', send: post({ proxied: 'true' }), expect: refused(6008, '/proxied') },
  {
    name: 'private routing, which is not supported',
    send: post({ private_routing: true }),
    expect: refused(19402, '/private_routing'),
  },
  { name: 'private routing false', send: post({ private_routing: false }), expect: created({}) },
  {
    name: 'settings that are all off',
    send: post({ settings: { flatten_cname: false, ipv4_only: null } }),
    expect: created({ settings: {} }),
  },
  {
    name: 'address families of an unproxied record',
    send: post({ settings: { ipv4_only: true, ipv6_only: true } }),
    expect: refused(19403, '/settings/ipv4_only', '/settings/ipv6_only'),
  },
  {
    name: 'an unknown setting',
    send: post({ settings: { turbo: true } }),
    expect: refused(19402, '/settings/turbo'),
  },
  {
    name: 'flattening of a record that is not a CNAME',
    send: post({ settings: { flatten_cname: true } }),
    expect: refused(19403, '/settings/flatten_cname'),
  },
  {
    name: 'settings that are not an object',
    send: post({ settings: 'x' }),
    expect: refused(6008, '/settings'),
  },
  ...['SOA', 'SPF', 'a', 'ANY', '', 'A ', 'TYPE1', '__proto__', 'constructor', 'HINFO', 'AXFR'].map(
    (type): Scenario => ({
      name: `invalid type: ${JSON.stringify(type)}`,
      send: post({ type }),
      expect: { status: 400, codes: [9002], pointers: ['/type'] },
    }),
  ),
  { name: 'missing type', send: post({ type: undefined }), expect: refused(6008, '/type') },
  { name: 'a type that is not a string', send: post({ type: 1 }), expect: refused(9002, '/type') },
  {
    name: 'all errors are reported at once',
    send: post({
      name: 'a..b',
      content: 'x',
      ttl: 5,
      settings: { a: true },
      comment: 'a\nb',
      tags: ['cf-a'],
    }),
    expect: {
      status: 400,
      codes: [9000, 9005, 9021, 19402, 19401, 19404],
      pointers: ['/name', '/content', '/ttl', '/settings/a', '/comment', '/tags/0'],
    },
  },
]

const full = { ...www, ttl: 300, comment: 'why', tags: ['team:web'] }
const overwrites: Scenario[] = [
  {
    name: 'members that are not sent are reset to their defaults',
    given: [full],
    send: put(www),
    expect: edited({ ttl: 1, proxied: false, comment: null, tags: [] }),
  },
  {
    name: 'proxied is reset too',
    given: [{ ...www, proxied: true }],
    send: put(www),
    expect: edited({ proxied: false, ttl: 1 }),
  },
  {
    name: 'another name',
    given: [www],
    send: put({ ...www, name: 'web' }),
    expect: edited({ name: 'web.example.com' }),
  },
  {
    name: 'a missing name keeps the name',
    given: [full],
    send: put({ type: 'A', content: '192.0.2.2' }),
    expect: edited({ name: 'www.example.com', content: '192.0.2.2' }),
  },
  {
    name: 'a missing type keeps the type',
    given: [www],
    send: put({ name: 'www', content: '192.0.2.2' }),
    expect: edited({ type: 'A', content: '192.0.2.2' }),
  },
  {
    name: 'missing content is rejected',
    given: [www],
    send: put({ type: 'A', name: 'www' }),
    expect: refused(9005, '/content'),
  },
  {
    name: 'missing priority is rejected',
    given: [mx],
    send: put({ ...mx, priority: undefined }),
    expect: refused(9101, '/priority'),
  },
  {
    name: 'another type is rejected',
    given: [www],
    send: put({ type: 'AAAA', name: 'www', content: '2001:db8::1' }),
    expect: refused(19405, '/type'),
  },
  {
    name: 'the same values change nothing',
    given: [full],
    send: put(full),
    expect: { status: 200, result: full.content === '' ? {} : { ttl: 300, comment: 'why' } },
  },
  {
    name: 'equivalent values in another spelling change nothing',
    given: [www],
    send: put({
      ...www,
      name: 'WWW.example.com.',
      content: ' 192.0.2.1 ',
      ttl: 1,
      proxied: false,
      comment: '',
      tags: [],
    }),
    expect: { status: 200, result: { name: 'www.example.com' } },
  },
  {
    name: 'a record that does not exist',
    send: { method: 'PUT', path: `${RECORDS}/${ABSENT}`, body: www },
    expect: { status: 404, codes: [81044] },
  },
]

const edits: Scenario[] = [
  {
    name: 'editing one member keeps the others',
    given: [full],
    send: patch({ content: '192.0.2.2' }),
    expect: edited({
      name: 'www.example.com',
      content: '192.0.2.2',
      ttl: 300,
      comment: 'why',
      tags: ['team:web'],
    }),
  },
  {
    name: 'null means not given',
    given: [full],
    send: patch({ ttl: null, comment: null, tags: null, content: null, name: null }),
    expect: { status: 200, result: { ttl: 300, comment: 'why', tags: ['team:web'] } },
  },
  {
    name: 'an empty comment clears it',
    given: [full],
    send: patch({ comment: '' }),
    expect: edited({ comment: null, tags: ['team:web'] }),
  },
  {
    name: 'an empty list clears the tags',
    given: [full],
    send: patch({ tags: [] }),
    expect: edited({ comment: 'why', tags: [] }),
  },
  {
    name: 'proxied sets the ttl to automatic',
    given: [full],
    send: patch({ proxied: true }),
    expect: edited({ proxied: true, ttl: 1 }, [19012]),
  },
  {
    name: 'no longer proxied',
    given: [{ ...www, proxied: true }],
    send: patch({ proxied: false }),
    expect: edited({ proxied: false, ttl: 1 }),
  },
  {
    name: 'a ttl of a proxied record is overridden again',
    given: [{ ...www, proxied: true }],
    send: patch({ ttl: 300 }),
    expect: { status: 200, messages: [19012], result: { ttl: 1 } },
  },
  {
    name: 'an address that cannot be proxied',
    given: [{ ...www, proxied: true }],
    send: patch({ content: '10.0.0.1' }),
    expect: refused(9003, '/content'),
  },
  {
    name: 'the priority of a mail server',
    given: [mx],
    send: patch({ priority: 20 }),
    expect: edited({ priority: 20, content: 'mail.example.net' }),
  },
  {
    name: 'the priority of a service',
    given: [srv],
    send: patch({ priority: 9 }),
    expect: edited({ priority: 9, data: { ...srv.data, priority: 9 }, content: '2 3 sip.example.net' }),
  },
  {
    name: 'the data of a service',
    given: [srv],
    send: patch({ data: { ...srv.data, port: 9 } }),
    expect: edited({ priority: 1, content: '2 9 sip.example.net', data: { ...srv.data, port: 9 } }),
  },
  {
    name: 'the content of a service',
    given: [srv],
    send: patch({ content: '7 8 other.example.net' }),
    expect: edited({ priority: 1, data: { priority: 1, weight: 7, port: 8, target: 'other.example.net' } }),
  },
  {
    name: 'the whole text of a service',
    given: [srv],
    send: patch({ content: '6 7 8 other.example.net', priority: 6 }),
    expect: edited({ priority: 6, data: { priority: 6, weight: 7, port: 8, target: 'other.example.net' } }),
  },
  {
    name: 'the content of an authorization',
    given: [caa],
    send: patch({ content: '128 issuewild "other.example.net"' }),
    expect: edited({ data: { flags: 128, tag: 'issuewild', value: 'other.example.net' } }),
  },
  {
    name: 'incomplete data is rejected',
    given: [caa],
    send: patch({ data: { flags: 128 } }),
    expect: refused(9101, '/data/tag', '/data/value'),
  },
  {
    name: 'another type is rejected',
    given: [www],
    send: patch({ type: 'AAAA' }),
    expect: refused(19405, '/type'),
  },
  { name: 'the same type is ignored', given: [www], send: patch({ type: 'A' }), expect: { status: 200 } },
  {
    name: 'an unknown type',
    given: [www],
    send: patch({ type: 'X' }),
    expect: refused(19405, '/type'),
  },
  {
    name: 'an empty edit changes nothing',
    given: [full],
    send: patch({}),
    expect: { status: 200, result: { ttl: 300 } },
  },
  {
    name: 'an edit to the current value changes nothing',
    given: [full],
    send: patch({ content: '192.0.2.1', ttl: 300, comment: 'why', tags: ['team:web'], proxied: false }),
    expect: { status: 200, result: { ttl: 300 } },
  },
  {
    name: 'a missing body is rejected',
    given: [www],
    send: { method: 'PATCH', path: FIRST },
    expect: { status: 400, codes: [9207] },
  },
  {
    name: 'a record that does not exist',
    send: { method: 'PATCH', path: `${RECORDS}/${ABSENT}`, body: {} },
    expect: { status: 404, codes: [81044] },
  },
  {
    name: 'deleting a record that does not exist',
    send: { method: 'DELETE', path: `${RECORDS}/${ABSENT}` },
    expect: { status: 404, codes: [81044] },
  },
  {
    name: 'reading a record that does not exist',
    send: { method: 'GET', path: `${RECORDS}/${ABSENT}` },
    expect: { status: 404, codes: [81044] },
  },
]

scenarios('ttl', ttls)
scenarios('names', names)
scenarios('comments and tags', annotations)
scenarios('options and types', options)
scenarios('PUT', overwrites)
scenarios('PATCH', edits)
scenarios(
  'names in a zone with U-labels',
  [
    {
      name: 'the zone’s name in U-labels is the apex',
      send: post({ name: 'bücher.example' }),
      expect: created({ name: 'xn--bcher-kva.example', zone_name: 'bücher.example' }),
    },
    {
      name: 'below it',
      send: post({ name: 'www.bücher.example.' }),
      expect: created({ name: 'www.xn--bcher-kva.example' }),
    },
    {
      name: 'in A-labels',
      send: post({ name: 'www.xn--bcher-kva.example' }),
      expect: created({ name: 'www.xn--bcher-kva.example' }),
    },
    {
      name: 'found by U-labels',
      given: [www],
      send: { method: 'GET', path: `${RECORDS}?name=www.B%C3%9CCHER.example` },
      expect: { status: 200, result: [{ name: 'www.xn--bcher-kva.example' }] },
    },
  ],
  { zone: 'bücher.example' },
)

describe('a record', () => {
  let app: TestApp
  let zone: string
  let path: string
  beforeEach(async () => {
    app = await startTestApp()
    zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
    path = `/zones/${zone}/dns_records`
  })
  afterEach(async () => {
    await expectConsistent(app.storage)
    await app.close()
  })

  interface Times {
    readonly id: string
    readonly created_on: string
    readonly modified_on: string
    readonly comment_modified_on?: string
    readonly tags_modified_on?: string
    readonly [member: string]: unknown
  }
  const make = (body: object = www) => app.must<Times>('POST', path, body)
  const edit = (id: string, body: object) => app.must<Times>('PATCH', `${path}/${id}`, body)

  test('has its keys in the order that clients rely on', async () => {
    expect(Object.keys(await make(full)).join()).toBe(
      'id,zone_id,zone_name,name,type,content,proxiable,proxied,ttl,locked,settings,meta,comment,tags,created_on,modified_on,comment_modified_on,tags_modified_on',
    )
    expect(Object.keys(await make(srv)).join()).toBe(
      'id,zone_id,zone_name,name,type,content,priority,proxiable,proxied,ttl,locked,data,settings,meta,comment,tags,created_on,modified_on',
    )
    expect(Object.keys(await make(mx)).join()).toContain('content,priority,proxiable')
  })

  test('keeps its creation time, and shows when it, its comment and its tags were last changed', async () => {
    const first = await make({ ...www, comment: 'a' })
    expect(first).toMatchObject({ modified_on: first.created_on, comment_modified_on: first.created_on })
    expect(first.tags_modified_on).toBeUndefined()
    app.clock.advance(1000)
    const moved = await edit(first.id, { content: '192.0.2.2' })
    expect(moved).toMatchObject({ created_on: first.created_on, comment_modified_on: first.created_on })
    expect(moved.modified_on > first.modified_on).toBe(true)
    app.clock.advance(1000)
    const commented = await edit(first.id, { comment: 'b' })
    expect(commented.comment_modified_on).toBe(commented.modified_on)
    app.clock.advance(1000)
    const tagged = await edit(first.id, { tags: ['a'] })
    expect([tagged.comment_modified_on, tagged.tags_modified_on]).toEqual([
      commented.comment_modified_on,
      tagged.modified_on,
    ])
    app.clock.advance(1000)
    const same = await edit(first.id, { tags: ['a'], comment: 'b' })
    expect(same).toEqual(tagged)
    const cleared = await edit(first.id, { tags: [], comment: '' })
    expect([cleared.comment_modified_on, cleared.tags_modified_on]).toEqual([undefined, undefined])
    const again = await app.must<Times>('PUT', `${path}/${first.id}`, { ...www, comment: 'b' })
    expect(again).toMatchObject({ created_on: first.created_on, comment_modified_on: again.modified_on })
  })

  test('has times in microseconds with trailing zeros trimmed, as the live API sends them', async () => {
    const stamps = ['00.000000', '20.500000', '30.123456', '40.100000', '50.000001', '00.120000'].map(
      (seconds) => `2026-01-05T10:20:${seconds}Z`,
    )
    const shown = []
    for (const [index, stamp] of stamps.entries()) {
      app.clock.timestamp = () => stamp
      const { id, created_on: created } = await make({ ...www, content: `192.0.2.${index}` })
      const remaining = await edit(id, { comment: 'x' })
      expect([
        remaining.created_on,
        (await app.must<Times>('PATCH', `${path}/${id}`, {})).created_on,
      ]).toEqual([created, created])
      shown.push(created.slice(17))
    }
    expect(shown).toEqual(['00Z', '20.5Z', '30.123456Z', '40.1Z', '50.000001Z', '00.12Z'])
  })

  test('is logged with its state before and after, the actor and the request', async () => {
    const made = await app.call<Times>({ method: 'POST', path, body: full })
    const { id } = made.json.result
    const seen = await app.must('GET', `${path}/${id}`)
    const patched = await app.call<Times>({ method: 'PATCH', path: `${path}/${id}`, body: { ttl: 600 } })
    const key = { 'x-auth-email': ADMIN_EMAIL, 'x-auth-key': ADMIN_KEY }
    const removed = await app.call({ method: 'DELETE', path: `${path}/${id}`, token: null, headers: key })
    const [, create, update, remove] = await app.changeLog(zone)
    const json = (text: string | null | undefined): unknown => JSON.parse(text ?? 'null')

    expect(create?.ops).toMatchObject([{ kind: 'dns_record.create', object_id: id, before: null }])
    expect(json(create?.ops[0]?.after)).toEqual(seen)
    expect(update?.ops).toMatchObject([{ kind: 'dns_record.update', object_id: id }])
    expect([json(update?.ops[0]?.before), json(update?.ops[0]?.after)]).toEqual([seen, patched.json.result])
    expect(remove?.ops).toMatchObject([{ kind: 'dns_record.delete', object_id: id, after: null }])
    expect(json(remove?.ops[0]?.before)).toEqual(patched.json.result)

    const serial = Math.floor(START / 1000)
    expect([create, update, remove].map((set) => [set?.number, set?.serial])).toEqual([
      [2, serial + 1],
      [3, serial + 2],
      [4, serial + 3],
    ])
    expect(create).toMatchObject({
      actor_kind: 'token',
      actor_name: 'administrator',
      request_id: made.headers['x-request-id'],
      at: expect.stringMatching(/^2026-01-05T10:20:30\.\d{6}Z$/),
    })
    expect(update?.request_id).toBe(patched.headers['x-request-id'])
    expect(remove).toMatchObject({
      actor_kind: 'key',
      actor_id: app.userId,
      actor_name: ADMIN_EMAIL,
      request_id: removed.headers['x-request-id'],
    })
  })

  test('is published with the seconds of automatic', async () => {
    for (const [ttl, served] of [
      [1, 300],
      [60, 60],
      [86_400, 86_400],
    ]) {
      app.events.length = 0
      await make({ ...www, name: `ttl${ttl}`, ttl })
      const [event] = app.events
      const { removed = [], added = [] } = (event?.topic === 'records' && event.delta) || {}
      expect(event).toMatchObject({ topic: 'records', scopeId: zone })
      expect([...removed]).toEqual([])
      expect([...added]).toMatchObject([{ type: 'A', name: `ttl${ttl}.example.com`, ttlSeconds: served }])
    }
  })

  test('is announced with the serial of its change set', async () => {
    const { id } = await make()
    await edit(id, { content: '192.0.2.2' })
    const event = app.events.flatMap((event) => (event.topic === 'records' ? [event.serial] : []))
    expect(event).toEqual((await app.changeLog(zone)).slice(1).map(({ serial }) => serial))
  })

  test('created by many requests at once exists once; the other requests fail with a duplicate error', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.call({ method: 'POST', path, body: www })),
    )
    const codes = answers.map(({ status, json }) => (status === 200 ? 'made' : json.errors[0]?.code))
    expect(codes.toSorted()).toEqual([...Array<number>(19).fill(81_058), 'made'])
    expect((await app.changeLog(zone)).length).toBe(2)
  })

  test('concurrent writes each have their own serial, in the order of the log', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        app.call({ method: 'POST', path, body: { ...www, name: `n${index}` } }),
      ),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const serials = (await app.changeLog(zone)).map(({ serial }) => (serial ?? 0) - Math.floor(START / 1000))
    expect(serials).toEqual(Array.from({ length: 51 }, (_, index) => index))
    // Those that share a commit are published once; how many do depends on the machine.
    const published = app.events.filter((event) => event.topic === 'records')
    const changeSets = published.map((event) => event.changeSets ?? 1) // by itself
    const upTo = changeSets.map((_, index) =>
      changeSets.slice(0, index + 1).reduce((sum, count) => sum + count, 0),
    )
    expect(published.map(({ serial }) => serial - Math.floor(START / 1000))).toEqual(upTo)
    expect(upTo.at(-1)).toBe(50)
  })

  test('written with an account token is logged under the name of the token', async () => {
    const token = await makeToken(app, [allow(['DNS Write'], 'account.zone.*')], app.accountId)
    await app.call({ method: 'POST', path, body: www, token })
    expect((await app.changeLog(zone)).at(-1)).toMatchObject({
      actor_kind: 'token',
      actor_name: 'made for a test',
    })
  })
})
