// What a DNAME (TYPE39) allows at its name and below it, for each way to write records over HTTP (RFC 6672 §2.4).
import { fileForm, FORM_HEADERS } from '../../../testing/multipart.ts'
import { scenarios, type Scenario } from '../../../testing/scenarios.ts'

const PATH = '/zones/{zone}/dns_records'
const FILE = '/zonereeve/zones/{zone}/zone_file'

const dname = (name: string, target = 'target.example.') => ({ type: 'TYPE39', name, content: target })
const a = (name: string) => ({ type: 'A', name, content: '192.0.2.1' })
const cname = (name: string) => ({ type: 'CNAME', name, content: 'www.example.net' })
const ns = (name: string) => ({ type: 'NS', name, content: 'ns1.example.net' })

const added = (result: object) => ({ status: 200, changes: 1, events: ['records +1'], records: 1, result })
const refused = (text: string, code = 19_867) => ({ status: 400, codes: [code], pointers: ['/name'], text })
const OWNER = 'A name with a DNAME (TYPE39) can have no other DNAME, no CNAME, and no records below it.'
const below = (name: string, owner: string) =>
  refused(`${name}.example.com is below the DNAME at ${owner}example.com.`)
const above = (name: string) => refused(`There are records below ${name}example.com.`)

type Row = readonly [
  name: string,
  given: readonly object[],
  body: object,
  expected: Scenario['expect'],
  address?: false,
]

const POSTS: readonly Row[] = [
  [
    'its presentation text is converted to octets',
    [],
    dname('d'),
    added({ type: 'TYPE39', content: String.raw`\# 16 06746172676574076578616d706c6500`, proxiable: false }),
  ],
  [
    'octets',
    [],
    dname('d', String.raw`\# 3 016100`),
    added({ type: 'TYPE39', content: String.raw`\# 3 016100` }),
  ],
  [
    'an address as target',
    [],
    dname('d', '192.0.2.1.'),
    { status: 400, codes: [9007], pointers: ['/content'] },
  ],
  ['beside an address', [a('d')], dname('d'), added({})],
  ['an address beside it', [dname('d')], a('d'), added({})],
  ['the same DNAME twice', [dname('d')], dname('d'), { status: 400, codes: [81_058], pointers: [null] }],
  ['two', [dname('d')], dname('d', 'other.example.'), refused(OWNER)],
  ['beside a CNAME', [cname('d')], dname('d'), refused(OWNER)],
  ['a CNAME beside it', [dname('d')], cname('d'), refused(OWNER)],
  ['beside the NS of a delegation', [ns('d')], dname('d'), refused('', 81_056)],
  ['the NS of a delegation beside it', [dname('d')], ns('d'), refused('', 81_056)],
  ['a record below', [dname('d')], a('a.d'), below('a.d', 'd.')],
  ['a record several labels below', [dname('d')], a('a.b.c.d'), below('a.b.c.d', 'd.')],
  ['a wildcard below', [dname('d')], a('*.d'), below('*.d', 'd.')],
  ['a DNAME below', [dname('d')], dname('a.d'), below('a.d', 'd.')],
  ['a record above', [dname('a.d')], a('d'), added({})],
  ['a name with the same ending but not below', [dname('d')], a('xd'), added({})],
  ['above a record', [a('a.d')], dname('d'), above('d.')],
  ['several labels above a record', [a('origin.b'), a('a.b.c.d')], dname('d'), above('d.')],
  ['above a DNAME', [dname('a.d')], dname('d'), above('d.')],
  ['above no record, only a name with the same ending', [a('xd')], dname('d'), added({})],
  ['at the apex, above a record', [], dname('@'), above('')],
  ['at the apex, beside records', [a('@')], dname('@'), added({}), false],
  ['below one at the apex', [a('@'), dname('@')], a('a'), below('a', ''), false],
  ['beside one at the apex', [dname('@'), a('@')], { ...a('@'), content: '192.0.2.2' }, added({}), false],
]

const MOVED = { status: 200, changes: 1, events: ['records -1 +1'], records: 0 }
const batch = (body: object): Scenario['send'] => ({ method: 'POST', path: `${PATH}/batch`, body })
const patch = (id: number, body: object): Scenario['send'] => ({
  method: 'PATCH',
  path: `${PATH}/{${id}}`,
  body,
})

scenarios('one record', [
  ...POSTS.map(([name, given, body, expected, address]): Scenario => ({
    name,
    given,
    ...(address === undefined ? {} : { address }),
    send: { method: 'POST', path: PATH, body },
    expect: expected,
  })),
  {
    name: 'a record that moves below a DNAME',
    given: [dname('d'), a('a')],
    send: patch(1, { name: 'a.d' }),
    expect: below('a.d', 'd.'),
  },
  {
    name: 'a DNAME that moves above a record',
    given: [dname('d'), a('a.b')],
    send: patch(0, { name: 'b' }),
    expect: above('b.'),
  },
  {
    name: 'a DNAME that moves to its parent name',
    given: [dname('a.d')],
    send: patch(0, { name: 'd' }),
    expect: MOVED,
  },
  {
    name: 'a DNAME that moves to its parent name, beside other records',
    given: [dname('a.d'), a('a.d')],
    send: patch(0, { name: 'd' }),
    expect: above('d.'),
  },
  {
    name: 'a DNAME that moves to a name below its own',
    given: [dname('d')],
    send: patch(0, { name: 'a.d' }),
    expect: MOVED,
  },
  {
    name: 'another target',
    given: [dname('d')],
    send: patch(0, { content: 'other.example.' }),
    expect: MOVED,
  },
])

scenarios('a batch', [
  {
    name: 'a DNAME replaces the records below it',
    given: [a('a.d'), a('b.d')],
    send: batch({ deletes: [{ id: '{0}' }, { id: '{1}' }], posts: [dname('d')] }),
    expect: { status: 200, changes: 1, events: ['records -2 +1'], records: -1 },
  },
  {
    name: 'records replace the DNAME above them',
    given: [dname('d')],
    send: batch({ deletes: [{ id: '{0}' }], posts: [a('a.d'), a('b.d')] }),
    expect: { status: 200, changes: 1, events: ['records -1 +2'], records: 1 },
  },
  {
    name: 'one of the records below stays',
    given: [a('a.d'), a('b.d')],
    send: batch({ deletes: [{ id: '{0}' }], posts: [dname('d')] }),
    expect: { ...above('d.'), pointers: ['/posts/0/name'] },
  },
  {
    name: 'a DNAME, then a record below',
    send: batch({ posts: [dname('d'), a('a.d')] }),
    expect: { ...below('a.d', 'd.'), pointers: ['/posts/1/name'] },
  },
  {
    name: 'a record, then a DNAME above',
    send: batch({ posts: [a('a.d'), dname('d')] }),
    expect: { ...above('d.'), pointers: ['/posts/1/name'] },
  },
  {
    name: 'several DNAMEs, one of them above another',
    send: batch({ posts: [dname('d'), dname('e'), dname('a.f'), dname('f')] }),
    expect: { ...above('f.'), pointers: ['/posts/3/name'] },
  },
  {
    name: 'a record moves away from below a DNAME created before',
    given: [a('a.d'), dname('x')],
    send: batch({
      patches: [
        { id: '{1}', name: 'y' },
        { id: '{0}', name: 'b' },
      ],
      posts: [dname('d')],
    }),
    expect: { status: 200, changes: 1, events: ['records -2 +3'], records: 1 },
  },
])

const put = (text: string): Scenario['send'] => ({
  method: 'PUT',
  path: `${FILE}?force=true`,
  body: text,
  headers: { 'content-type': 'text/dns' },
})
const form = (text: string): Scenario['send'] => ({
  method: 'POST',
  path: `${PATH}/import`,
  body: fileForm(text),
  headers: FORM_HEADERS,
})
/** Part of every zone in these tables. */
const ORIGIN = 'origin 1 A 192.0.2.250\n'
const D = 'd 60 DNAME target.example.\n'
const A = 'a.d 60 A 192.0.2.1\n'

scenarios('a zone file', [
  {
    name: 'replaced: a DNAME instead of the records below it',
    given: [a('a.d')],
    send: put(`${ORIGIN}${D}`),
    expect: { status: 200, changes: 1, events: ['records -1 +1'], result: { added: 1, removed: 1 } },
  },
  {
    name: 'replaced: records instead of the DNAME above them',
    given: [dname('d')],
    send: put(`${ORIGIN}${A}`),
    expect: { status: 200, changes: 1, events: ['records -1 +1'], result: { added: 1, removed: 1 } },
  },
  {
    name: 'replaced: a record listed after the DNAME above it',
    send: put(`${ORIGIN}${D}${A}`),
    expect: { ...below('a.d', 'd.'), pointers: ['/file/3/name'] },
  },
  {
    name: 'replaced: a record listed before the DNAME above it',
    send: put(`${ORIGIN}${A}${D}`),
    expect: { ...above('d.'), pointers: ['/file/3/name'] },
  },
  {
    name: 'replaced: an existing record stays below a new DNAME',
    given: [a('a.d')],
    send: put(`${ORIGIN}${D}${A}`),
    expect: { ...below('a.d', 'd.'), pointers: ['/file/3/name'] },
  },
  {
    name: 'replaced: two DNAMEs',
    send: put(`${ORIGIN}${D}d 60 DNAME other.example.\n`),
    expect: { ...refused(OWNER), pointers: ['/file/3/name'] },
  },
  {
    name: 'imported: a record below an existing DNAME',
    given: [dname('d')],
    send: form(`b 60 A 192.0.2.1\n${A}`),
    expect: {
      status: 200,
      changes: 1,
      events: ['records +1'],
      records: 1,
      messages: [19_867],
      text: 'a.d.example.com is below the DNAME at d.example.com.',
    },
  },
  {
    name: 'imported: a DNAME above an existing record',
    given: [a('a.d')],
    send: form(`b 60 A 192.0.2.1\n${D}`),
    expect: {
      status: 200,
      changes: 1,
      events: ['records +1'],
      records: 1,
      messages: [19_867],
      text: 'There are records below d.example.com.',
    },
  },
  {
    name: 'imported: both in one file, only the first is added',
    send: form(`${D}${A}a.e 60 A 192.0.2.1\ne 60 DNAME target.example.\n`),
    expect: { status: 200, changes: 1, events: ['records +2'], records: 2, messages: [19_867, 19_867] },
  },
])

const CHANGES = '/zonereeve/zones/{zone}/changes'
scenarios('going back', [
  {
    name: 'a DNAME is not restored above a record created since',
    given: [dname('d')],
    before: [
      { method: 'DELETE', path: `${PATH}/{0}` },
      { method: 'POST', path: PATH, body: a('a.d') },
    ],
    send: { method: 'POST', path: `${CHANGES}/4/revert`, body: {} },
    expect: { status: 400, codes: [19_867], text: 'There are records below d.example.com.' },
  },
])
