// Zone files imported over the API: what is added, what is rejected line by line, and which octets are allowed.
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'
import { fileForm, form, FORM_HEADERS, type Part } from '../../../testing/multipart.ts'
import { scenarios, type Scenario } from '../../../testing/scenarios.ts'
import { MAX_REPORTED_REFUSALS } from './zone-file.service.ts'

const MAX_IMPORT_BYTES = 262_144
const IMPORT = '/zones/{zone}/dns_records/import'

const file = (
  name: string,
  text: string,
  expected: Scenario['expect'],
  given: Scenario['given'] = [],
): Scenario => ({
  name,
  given,
  send: { method: 'POST', path: IMPORT, body: fileForm(text), headers: FORM_HEADERS },
  expect: expected,
})
const sent = (name: string, parts: readonly Part[], expected: Scenario['expect']): Scenario => ({
  name,
  send: { method: 'POST', path: IMPORT, body: form(...parts), headers: FORM_HEADERS },
  expect: expected,
})
const added = (count: number, byType: Record<string, number>, parsed = count): Scenario['expect'] => ({
  status: 200,
  result: { recs_added: count, total_records_parsed: parsed, recs_added_by_type: byType },
  changes: 1,
  events: [`records +${count}`],
  records: count,
})
const nothing = (parsed: number, ...messages: number[]): Scenario['expect'] => ({
  status: 200,
  result: { recs_added: 0, total_records_parsed: parsed, recs_added_by_type: {} },
  messages,
})
const A = 'a 300 IN A 192.0.2.1\n'

scenarios('a file', [
  file('with a record', A, added(1, { A: 1 })),
  sent('with a filename', [{ name: 'file', filename: 'zone.txt', value: A }], added(1, { A: 1 })),
  sent(
    'with a type of its own',
    [{ name: 'file', value: A, headers: ['Content-Type: application/octet-stream'] }],
    added(1, { A: 1 }),
  ),
  file(
    'of several types',
    `$TTL 1h\n${A}b MX 10 mail\nc TXT "x"\nd AAAA 2001:db8::1\n`,
    added(4, { A: 1, MX: 1, TXT: 1, AAAA: 1 }),
  ),
  file(
    'with its own SOA and name servers, which are passed over',
    `@ 3600 SOA ns1 hostmaster 1 2 3 4 5\n@ 3600 NS ns1.zonereeve.internal.\n@ 3600 NS ns2.zonereeve.internal.\n${A}`,
    added(1, { A: 1 }, 4),
  ),
  file('with foreign name servers at the apex, which cause notices', '@ 3600 NS ns.example.net.\n', {
    ...added(1, { NS: 1 }),
    messages: [19_014],
  }),
  file('with an NS record at a wildcard, which is left out', `${A}* 300 NS ns.example.net.\n`, {
    ...added(1, { A: 1 }, 2),
    messages: [9000],
  }),
  file('with a URL as the target of a CNAME, which is left out', `${A}b 300 CNAME https://example.net/.\n`, {
    ...added(1, { A: 1 }, 2),
    messages: [9007],
  }),
  file('with an NS record whose target looks like an address', 'sub 300 NS 6.2.3.4.\n', {
    ...added(1, { NS: 1 }),
    messages: [19_858],
  }),
  file('with a SOA elsewhere', 'sub 3600 SOA ns1 hostmaster 1 2 3 4 5\n', nothing(1, 9002)),
  file('without TTLs: automatic', 'a A 192.0.2.1\n', added(1, { A: 1 })),
  file('with $GENERATE', '$GENERATE 1-3 h$ A 192.0.2.$\n', added(3, { A: 3 })),
  file(
    'with names of another origin in the zone',
    '$ORIGIN sub.example.com.\na 60 A 192.0.2.1\n',
    added(1, { A: 1 }),
  ),
  file(
    'with DS above its NS',
    'sub 60 DS 1 8 2 ' + 'ab'.repeat(32) + '\nsub 60 NS ns.example.net.\n',
    added(2, { NS: 1, DS: 1 }),
  ),
  file(
    'with types without a name here',
    'a 60 TYPE65280 \\# 4 0A000001\nb 60 HINFO "x" "y"\n',
    added(2, { TYPE65280: 1, TYPE13: 1 }),
  ),
  file('with an empty text', 'c 60 TXT ""\n', added(1, { TXT: 1 })),
  file('with an AFS server in text', 'c 60 AFSDB 1 afs\n', added(1, { TYPE18: 1 })),
  file('with an X.25 address that BIND refuses', 'c 60 X25 "311"\n', {
    ...nothing(1, 9007),
    text: 'The address must be four or more digits.',
  }),
  file('with a mnemonic that has no text', 'c 60 MB host\n', {
    ...nothing(0, 19_823),
    text: 'rdata of this type must be written as',
  }),
  file('with an unknown mnemonic', 'c 60 AFDSB 1 afs\n', {
    ...nothing(0, 19_823),
    text: 'AFDSB is not a known record type',
  }),
  file('that begins with a byte order mark', `\uFEFF${A}`, added(1, { A: 1 })),
  file('with the line ends of others', A.replace('\n', '\r\n'), added(1, { A: 1 })),
  file('with more $GENERATE records than the limit', '$GENERATE 1-65536 h$ A 192.0.2.1\nmore A 192.0.2.1\n', {
    status: 400,
    codes: [19_826],
    pointers: ['/file'],
  }),
  file(
    'with very many $GENERATE records in several lines',
    '$GENERATE 1-65536 h$ A 192.0.2.1\n'.repeat(5_000),
    {
      status: 400,
      codes: [19_826],
    },
  ),
  file('with more mistakes than are reported', 'a\n'.repeat(MAX_REPORTED_REFUSALS + 5), {
    ...nothing(0, ...Array<number>(MAX_REPORTED_REFUSALS).fill(19_823), 19_041),
    text: '5 more records of the file',
  }),
  file('without records', '; nothing\n', nothing(0)),
  file('without anything', '', nothing(0)),
])

scenarios('rejected lines are reported, and all others are added', [
  file('a line that cannot be read', `${A}b 60 A\n`, {
    ...added(1, { A: 1 }),
    messages: [19_823],
    text: '"pointer":"/file/2"',
  }),
  file('a file with $INCLUDE', `$INCLUDE other\n${A}`, {
    ...added(1, { A: 1 }),
    messages: [19_823],
    text: '$INCLUDE directive not allowed',
  }),
  file(
    'an existing record',
    `${A}b 60 A 192.0.2.1\n`,
    {
      ...added(1, { A: 1 }, 2),
      messages: [81_058],
      text: 'a.example.com: An identical record already exists.',
    },
    [{ type: 'A', name: 'a', content: '192.0.2.1' }],
  ),
  file('the same record twice', A + A, {
    ...added(1, { A: 1 }, 2),
    messages: [81_058],
    text: '"pointer":"/file/2"',
  }),
  file('an address beside a CNAME', 'a 60 CNAME b\na 60 A 192.0.2.1\n', {
    ...added(1, { CNAME: 1 }, 2),
    messages: [81_054],
  }),
  file('a CNAME beside an address', `${A}a 60 CNAME b\n`, { ...added(1, { A: 1 }, 2), messages: [81_053] }),
  file('DS without NS', `${A}sub 60 DS 1 8 2 ${'ab'.repeat(32)}\n`, {
    ...added(1, { A: 1 }, 2),
    messages: [19_410],
  }),
  file('a TTL out of bounds', `${A}b 5 A 192.0.2.1\n`, {
    ...added(1, { A: 1 }, 2),
    messages: [9021],
    text: '"pointer":"/file/2/ttl"',
  }),
  sent(
    'a TTL that is lowered on request',
    [
      { name: 'file', value: `${A}ns 172800 A 192.0.2.2\nb 5 A 192.0.2.1\n` },
      { name: 'clamp_ttl', value: 'true' },
    ],
    {
      ...added(2, { A: 2 }, 3),
      messages: [9021, 19_866],
      text: 'Line 2: the TTL of ns.example.com was lowered from 172800 to 86400 seconds.',
    },
  ),
  file('the same TTL without the request', `${A}ns 172800 A 192.0.2.2\n`, {
    ...added(1, { A: 1 }, 2),
    messages: [9021],
  }),
  file('a name outside the zone', `${A}x.example.net. 60 A 192.0.2.1\n`, {
    ...added(1, { A: 1 }, 2),
    messages: [9000],
    text: '"pointer":"/file/2/name"',
  }),
  file('signatures', `${A}a 60 TYPE46 \\# 1 00\n`, { ...added(1, { A: 1 }, 2), messages: [9002] }),
  file('a redirection', `${A}b 60 DNAME c\n`, added(2, { A: 1, TYPE39: 1 }, 2)),
  file('a CNAME beside a DNAME', `${A}b 60 DNAME c\nb 60 CNAME d\n`, {
    ...added(2, { A: 1, TYPE39: 1 }, 3),
    messages: [19_867],
  }),
  file('two DNAMEs', `${A}b 60 DNAME c\nb 60 DNAME d\n`, {
    ...added(2, { A: 1, TYPE39: 1 }, 3),
    messages: [19_867],
  }),
  file('a comment that is too long', `${A}b 60 A 192.0.2.1 ;${'x'.repeat(501)}\n`, {
    ...added(1, { A: 1 }, 2),
    messages: [19_401],
  }),
  file(
    'a record below one whose owner cannot be parsed: it is rejected too',
    `${A}b..c 300 TXT "x"\n 300 TXT "y"\n`,
    { ...added(1, { A: 1 }), messages: [19_823, 19_823] },
  ),
  file('records below an $ORIGIN that cannot be parsed', `$ORIGIN b..c\n${A}`, nothing(0, 19_823, 19_823)),
  file('proxied neither true nor false', 'b 60 A 192.0.2.1 ; cf_tags=cf-proxied:yes\n', nothing(0, 19_823)),
  file('proxied for a type that cannot be', 'b 60 TXT "x" ; cf_tags=cf-proxied:true\n', nothing(1, 9004)),
  file('everything', 'a 5 A 192.0.2.1\nb 60 A x\n', nothing(1, 9021, 19_823)),
  file(
    'more rejections than are reported one by one',
    'a 5 A 192.0.2.1\n'.repeat(MAX_REPORTED_REFUSALS + 2),
    nothing(MAX_REPORTED_REFUSALS + 2, ...Array<number>(MAX_REPORTED_REFUSALS).fill(9021), 19_041),
  ),
])

const REPORTED = { messages: [19_012] }
const proxied = (value: string): readonly Part[] => [
  {
    name: 'file',
    value: `${A}b 300 A 10.0.0.1\nc 300 TXT "x"\nd 300 A 192.0.2.1 ; cf_tags=cf-proxied:false\n`,
  },
  { name: 'proxied', value },
]
scenarios('the form', [
  sent('proxied: all records that can be, unless they say otherwise', proxied('true'), {
    ...added(4, { A: 3, TXT: 1 }),
    ...REPORTED,
  }),
  sent('not proxied', proxied('false'), added(4, { A: 3, TXT: 1 })),
  sent(
    'proxied before the file',
    [
      { name: 'proxied', value: 'true' },
      { name: 'file', value: A },
    ],
    { ...added(1, { A: 1 }), ...REPORTED },
  ),
  sent(
    'an unknown part',
    [
      { name: 'file', value: A },
      { name: 'more', value: 'x' },
    ],
    added(1, { A: 1 }),
  ),
  sent('proxied neither true nor false', proxied('yes'), {
    status: 400,
    codes: [6008],
    pointers: ['/proxied'],
  }),
  sent('without a file', [{ name: 'proxied', value: 'true' }], {
    status: 400,
    codes: [6008],
    pointers: ['/file'],
  }),
  sent(
    'two files',
    [
      { name: 'file', value: A },
      { name: 'file', value: A },
    ],
    { status: 400, codes: [19_820] },
  ),
  sent(
    'too many parts',
    Array.from({ length: 21 }, (_, i) => ({ name: `p${i}`, value: 'x' })),
    { status: 400, codes: [19_820] },
  ),
  sent(
    'a field that is too long',
    [
      { name: 'proxied', value: 'x'.repeat(1025) },
      { name: 'file', value: A },
    ],
    { status: 400, codes: [19_820] },
  ),
  sent(
    'an encoding that is not supported',
    [{ name: 'file', value: 'YQ==', headers: ['Content-Transfer-Encoding: base64'] }],
    { status: 400, codes: [19_820], text: 'base64' },
  ),
  sent(
    'a file of exactly the limit',
    [{ name: 'file', value: A.padEnd(MAX_IMPORT_BYTES, '\n') }],
    added(1, { A: 1 }),
  ),
  sent('a file of one byte more', [{ name: 'file', value: A.padEnd(MAX_IMPORT_BYTES + 1, '\n') }], {
    status: 413,
    codes: [19_821],
    text: String(MAX_IMPORT_BYTES),
  }),
  sent('a file far above the limit', [{ name: 'file', value: A.padEnd(2 * MAX_IMPORT_BYTES, '\n') }], {
    status: 413,
    codes: [19_821],
    text: String(MAX_IMPORT_BYTES),
  }),
  ...(
    [
      ['JSON', '{"file":"a"}', 'application/json'],
      ['a file alone', A, 'text/dns'],
      ['a form without a boundary', form({ name: 'file', value: A }), 'multipart/form-data'],
      ['a form of another boundary', form({ name: 'file', value: A }), 'multipart/form-data; boundary=other'],
      [
        'a form that is cut off',
        form({ name: 'file', value: A }).slice(0, -40),
        FORM_HEADERS['content-type'],
      ],
      [
        'a form cut off in a header',
        form({ name: 'file', value: A }).slice(0, 40),
        FORM_HEADERS['content-type'],
      ],
      ['something else', 'a body that is not a form', FORM_HEADERS['content-type']],
      ['another form', 'file=a', 'application/x-www-form-urlencoded'],
    ] as const
  ).map(([name, body, type]): Scenario => ({
    name,
    send: { method: 'POST', path: IMPORT, body, headers: { 'content-type': type } },
    expect: {
      status: 400,
      codes: [19_820],
      text: 'Failed to parse form data. Make sure the Content-Type is multipart/form-data.',
    },
  })),
  { name: 'no body', send: { method: 'POST', path: IMPORT }, expect: { status: 400, codes: [19_820] } },
  {
    name: 'a packed form',
    send: {
      method: 'POST',
      path: IMPORT,
      body: fileForm(A),
      headers: { ...FORM_HEADERS, 'content-encoding': 'gzip' },
    },
    expect: { status: 415, codes: [6003] },
  },
  {
    name: 'an entity tag, which is not supported here',
    send: {
      method: 'POST',
      path: IMPORT,
      body: fileForm(A),
      headers: { ...FORM_HEADERS, 'if-match': '"x"' },
    },
    expect: { status: 400, codes: [19_400] },
  },
  {
    name: 'an unknown zone',
    send: {
      method: 'POST',
      path: `/zones/${'f'.repeat(32)}/dns_records/import`,
      body: fileForm(A),
      headers: FORM_HEADERS,
    },
    expect: { status: 404, codes: [1001] },
  },
])

describe('an import', () => {
  let app: TestApp
  let path: string
  beforeAll(async () => {
    app = await startTestApp()
    const zone = await app.must('POST', '/zones', { name: 'example.com' })
    path = `/zones/${zone.id}/dns_records`
    await app.must('POST', path, { type: 'A', name: 'origin', content: '192.0.2.250' })
  })
  afterAll(async () => {
    await expectConsistent(app.storage)
    await app.close()
  })
  const send = (body: string, query = '') =>
    app.call<{ recs_added: number }>({
      method: 'POST',
      path: `${path}/import${query}`,
      body,
      headers: FORM_HEADERS,
    })
  const list = () => app.must<readonly Record<string, unknown>[]>('GET', path)

  test('reads comments, tags and options after the records', async () => {
    await send(
      fileForm(
        'told 60 CNAME b.example.net. ; a comment cf_tags=one,two:x,cf-flatten-cname\n' +
          'bare 60 TXT "x" ; nothing but a comment\n',
      ),
    )
    const records = await list()
    expect(records.find(({ name }) => name === 'told.example.com')).toMatchObject({
      comment: 'a comment',
      tags: ['one', 'two:x'],
      proxied: false,
      settings: { flatten_cname: true },
      ttl: 60,
    })
    expect(records.find(({ name }) => name === 'bare.example.com')).toMatchObject({
      comment: 'nothing but a comment',
      tags: [],
    })
  })

  test('of an export restores strings as they were sent', async () => {
    const contents = ['"h\u00e9 \u{1f600} \\"\\\\; x"', '"a" "\u00e9"', '"\\000\\255"']
    const sent: { readonly id: string }[] = []
    for (const content of contents)
      sent.push(await app.must('POST', path, { type: 'TXT', name: 'back', content }))
    const exported = await app.call({ method: 'GET', path: `${path}/export` })
    for (const { id } of sent) await app.must('DELETE', `${path}/${id}`)
    await send(fileForm(exported.text))
    const back = (await list()).filter(({ name }) => name === 'back.example.com')
    expect(back.map(({ content }) => content).toSorted()).toEqual(contents.toSorted())
    for (const { id } of back) await app.must('DELETE', `${path}/${String(id)}`)
  })

  test('as a dry run changes nothing', async () => {
    const before = await app.changeCount()
    const { json } = await send(fileForm('dry 60 A 192.0.2.9\n'), '?dry_run=true')
    expect([json.result.recs_added, json.messages.map(({ code }) => code)]).toEqual([1, [19_030]])
    expect(JSON.stringify(json)).toContain('"name":"dry.example.com"')
    expect(await app.changeCount()).toBe(before)
    expect((await list()).some(({ name }) => name === 'dry.example.com')).toBe(false)
  })

  test('of octets that are not UTF-8 is rejected, naming the line', async () => {
    // The test client sends text as UTF-8: other octets need a raw request.
    const body = Buffer.from(fileForm('a 60 TXT "x"\nb 60 TXT "\u00ff"\n'), 'latin1')
    const reply = await fetch(`http://127.0.0.1:${app.port}/client/v4${path}/import`, {
      method: 'POST',
      body,
      headers: { ...FORM_HEADERS, authorization: 'Bearer administrator_of_the_tests_0123456789_ab' },
    })
    expect(await reply.json()).toMatchObject({
      success: false,
      errors: [{ code: 19_822, source: { pointer: '/file/2' } }],
    })
    expect((await list()).filter(({ type }) => type === 'TXT')).toHaveLength(1)
  })

  test('of any octets ends with a valid reply', async () => {
    const chunks = fc.constantFrom(
      '--boundary-of-the-tests',
      '--',
      '\r\n',
      '\n',
      'Content-Disposition: form-data; name="file"',
      'name=',
      '"',
      ';',
      ': ',
      'a 60 A 192.0.2.1',
      '\0',
    )
    const body = fc.oneof(
      fc.array(chunks, { maxLength: 30 }).map((list) => list.join('')),
      fc.string({ unit: 'binary' }),
    )
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const { status, json } = await send(text)
        expect([200, 400]).toContain(status)
        if (status === 400) expect([6008, 19_820, 19_822]).toContain(json.errors[0]?.code)
      }),
      { numRuns: 200 },
    )
    expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
  })
})
