// Replacing a zone's records by a zone file: what stays, the safety limit, and which files are allowed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_TOKEN, MAX_FILE_BYTES, startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'
import { fileForm, FORM_HEADERS } from '../../../testing/multipart.ts'
import { scenarios, type Scenario } from '../../../testing/scenarios.ts'

const PATH = '/zonereeve/zones/{zone}/zone_file'
const DNS = { 'content-type': 'text/dns' }
/** Part of every zone in these tables. */
const ORIGIN = 'origin 1 A 192.0.2.250\n'
const WWW = { type: 'A', name: 'www', content: '192.0.2.1', ttl: 300 }
const ten = Array.from({ length: 10 }, (_, i) => ({ type: 'A', name: `h${i}`, content: '192.0.2.1' }))
const tenLines = (from = 0): string =>
  ten
    .slice(from)
    .map(({ name }) => `${name} 1 A 192.0.2.1\n`)
    .join('')

const put = (
  name: string,
  given: readonly object[],
  text: string,
  expected: Scenario['expect'],
  query = '',
  headers: Scenario['send']['headers'] = DNS,
): Scenario => ({
  name,
  given,
  send: { method: 'PUT', path: PATH + query, body: text, headers },
  expect: expected,
})
const counts = (added: number, changed: number, removed: number, unchanged: number) => ({
  status: 200,
  result: { added, changed, removed, unchanged },
})

scenarios('the records become those of the file', [
  put('existing records stay', [WWW], `${ORIGIN}www 300 A 192.0.2.1\n`, counts(0, 0, 0, 2)),
  put('new records are added', [], `${ORIGIN}www 300 A 192.0.2.1\n`, {
    ...counts(1, 0, 0, 1),
    changes: 1,
    events: ['records +1'],
    records: 1,
  }),
  put('records not in the file are removed', [WWW], ORIGIN, {
    ...counts(0, 0, 1, 1),
    changes: 1,
    events: ['records -1'],
    records: -1,
  }),
  put('another value is a change', [WWW], `${ORIGIN}www 300 A 192.0.2.2\n`, {
    ...counts(0, 1, 0, 1),
    changes: 1,
    events: ['records -1 +1'],
  }),
  put('another TTL is a change', [WWW], `${ORIGIN}www 60 A 192.0.2.1\n`, {
    ...counts(0, 1, 0, 1),
    changes: 1,
    events: ['records -1 +1'],
  }),
  put(
    'all at once',
    [WWW, { type: 'TXT', name: 'old', content: '"x"' }],
    `${ORIGIN}www 300 A 192.0.2.2\nwww 300 A 192.0.2.3\nnew 60 TXT "y"\n`,
    { ...counts(2, 1, 1, 1), changes: 1, events: ['records -2 +3'], records: 1 },
  ),
  put('a CNAME instead of an address', [WWW], `${ORIGIN}www 300 CNAME origin\n`, {
    ...counts(1, 0, 1, 1),
    changes: 1,
    events: ['records -1 +1'],
  }),
  put(
    'a delegation instead of an address',
    [WWW],
    `${ORIGIN}www 300 NS ns.example.net.\nwww 300 DS 1 8 2 ${'ab'.repeat(32)}\n`,
    { ...counts(2, 0, 1, 1), changes: 1, events: ['records -1 +2'], records: 1 },
  ),
  put(
    'values that swap',
    [WWW, { ...WWW, content: '192.0.2.2' }],
    `${ORIGIN}www 300 A 192.0.2.2\nwww 300 A 192.0.2.1\n`,
    counts(0, 0, 0, 3),
  ),
  put(
    'a TXT that would exceed the limit beside the old ones',
    Array.from({ length: 3 }, (_, i) => ({
      type: 'TXT',
      name: 'big',
      content: `"${i}${'x'.repeat(200)}" `.repeat(12),
    })),
    `${ORIGIN}big 60 TXT ${'"' + 'y'.repeat(250) + '" '}`.repeat(1) + '"z" '.repeat(900) + '\n',
    { ...counts(0, 1, 2, 1), changes: 1, events: ['records -3 +1'], records: -2 },
  ),
  put(
    'its own SOA and name servers are skipped',
    [],
    `@ 60 SOA ns1 hostmaster 1 2 3 4 5\n@ 60 NS ns1.zonereeve.internal.\n${ORIGIN}`,
    counts(0, 0, 0, 1),
  ),
  put(
    'in a form',
    [],
    fileForm(`${ORIGIN}www 300 A 192.0.2.1\n`),
    { ...counts(1, 0, 0, 1), changes: 1, events: ['records +1'], records: 1 },
    '',
    FORM_HEADERS,
  ),
  put(
    'as plain text',
    [],
    `${ORIGIN}www 300 A 192.0.2.1\n`,
    { ...counts(1, 0, 0, 1), changes: 1, events: ['records +1'], records: 1 },
    '',
    { 'content-type': 'text/plain; charset=utf-8' },
  ),
])

const refused = (codes: number[], pointers: (string | null)[]) => ({ status: 400, codes, pointers })
scenarios('a file with any error changes nothing', [
  put(
    'a line that cannot be parsed',
    [WWW],
    `${ORIGIN}x 60 A 192.0.2.256\ny 60\n`,
    refused([19_823, 19_823], ['/file/2', '/file/3']),
  ),
  put(
    'broken rules, all of them',
    [WWW],
    `${ORIGIN}x 5 A 192.0.2.1\ny 60 CNAME a\ny 60 A 192.0.2.1\n`,
    refused([9021, 81_054], ['/file/2/ttl', '/file/4/name']),
  ),
  put(
    'NS at a wildcard, and a URL as the target of a CNAME',
    [WWW],
    `${ORIGIN}*.sub 60 NS ns.example.net.\ny 60 CNAME example.net/path.\n`,
    refused([9000, 9007], ['/file/2/name', '/file/3/content']),
  ),
  put('the same record twice', [], `${ORIGIN}${ORIGIN}`, refused([81_058], ['/file/2'])),
  put(
    'DS without NS',
    [],
    `${ORIGIN}sub 60 DS 1 8 2 ${'ab'.repeat(32)}\n`,
    refused([19_410], ['/file/2/name']),
  ),
  put(
    'DS whose NS are not in the file',
    [
      { type: 'NS', name: 'sub', content: 'ns.example.net' },
      { type: 'DS', name: 'sub', content: `1 8 2 ${'ab'.repeat(32)}` },
    ],
    `${ORIGIN}sub 1 DS 1 8 2 ${'ab'.repeat(32)}\n`,
    refused([19_410], ['/file/2/name']),
  ),
  put('no records', [WWW], '; nothing\n', refused([19_824], ['/file'])),
  put('nothing', [WWW], '', refused([19_824], ['/file'])),
  put('JSON', [WWW], '{}', { status: 400, codes: [19_820], text: 'text/dns' }, '', {
    'content-type': 'application/json',
  }),
  put('no type', [WWW], ORIGIN, { status: 400, codes: [19_820] }, '', { 'content-type': null }),
  put('force neither true nor false', [WWW], ORIGIN, refused([6008], ['/force']), '?force=maybe'),
  put('a file that is too large', [WWW], ORIGIN.padEnd(MAX_FILE_BYTES + 1, '\n'), {
    status: 413,
    codes: [19_821],
    text: String(MAX_FILE_BYTES),
  }),
  put('an outdated entity tag', [WWW], ORIGIN, { status: 412, codes: [19_412] }, '', {
    ...DNS,
    'if-match': '"other"',
  }),
])

scenarios('changes above the safety limit need confirmation', [
  put('three of ten', ten.slice(1), ORIGIN + tenLines(4), {
    ...counts(0, 0, 3, 7),
    changes: 1,
    events: ['records -3'],
    records: -3,
  }),
  put('four of ten', ten.slice(1), ORIGIN + tenLines(5), {
    status: 400,
    codes: [19_825],
    text: '4 of 10 records',
  }),
  put(
    'four of ten that change',
    ten.slice(1),
    ORIGIN +
      tenLines(5) +
      ten
        .slice(1, 5)
        .map(({ name }) => `${name} 60 A 192.0.2.1\n`)
        .join(''),
    { status: 400, codes: [19_825] },
  ),
  put(
    'four of ten, forced',
    ten.slice(1),
    ORIGIN + tenLines(5),
    { ...counts(0, 0, 4, 6), changes: 1, events: ['records -4'], records: -4 },
    '?force=true',
  ),
  put('all of nine', ten.slice(2), 'new 60 A 192.0.2.9\n', {
    ...counts(1, 0, 9, 0),
    changes: 1,
    events: ['records -9 +1'],
    records: -8,
  }),
  put('many more', [], ORIGIN + tenLines(), {
    ...counts(10, 0, 0, 1),
    changes: 1,
    events: ['records +10'],
    records: 10,
  }),
  put(
    'an empty file, forced',
    [WWW],
    '',
    { ...counts(0, 0, 2, 0), messages: [19_013], changes: 1, events: ['records -2'], records: -2 },
    '?force=true',
  ),
])

describe('a replacement', () => {
  let app: TestApp
  let zone: string
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(async () => {
    await expectConsistent(app.storage)
    await app.close()
  })

  async function given(...records: readonly object[]): Promise<string[]> {
    if (zone !== undefined) await app.must('DELETE', `/zones/${zone}`)
    zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
    const ids: string[] = []
    for (const record of records) ids.push((await app.must('POST', `/zones/${zone}/dns_records`, record)).id)
    return ids
  }
  const send = (text: string, query = '', headers: Record<string, string> = {}) =>
    app.call<Record<string, number>>({
      method: 'PUT',
      path: `/zonereeve/zones/${zone}/zone_file${query}`,
      body: text,
      headers: { ...DNS, ...headers },
    })
  const get = (id: string | undefined) =>
    app.must<Record<string, unknown>>('GET', `/zones/${zone}/dns_records/${id}`)
  const etag = async () => String((await app.call({ method: 'GET', path: `/zones/${zone}` })).headers['etag'])
  const NOTES = {
    type: 'A',
    name: 'www',
    content: '192.0.2.1',
    comment: 'kept',
    tags: ['a:b'],
    proxied: true,
  }

  test('keeps ids, times, comments, tags and proxied where the file does not give them', async () => {
    const [id] = await given(NOTES)
    const before = await get(id)
    app.clock.advance(1_000)
    await send('www 300 A 192.0.2.7\n')
    const after = await get(id)
    expect(after).toEqual({ ...before, content: '192.0.2.7', modified_on: after['modified_on'] })
    expect(after['modified_on']).not.toBe(before['modified_on'])
  })

  test('changes the members that the file gives', async () => {
    const [id] = await given(NOTES)
    await send('www 300 A 192.0.2.1 ; another cf_tags=c,cf-proxied:false\n')
    expect(await get(id)).toMatchObject({ comment: 'another', tags: ['c'], proxied: false, ttl: 300 })
  })

  test('keeps the stored spelling of content if the value is the same', async () => {
    const [id] = await given(
      { type: 'TXT', name: 't', content: '"a"  "b"' },
      { type: 'MX', name: '@', content: 'mail.example.net', priority: 5 },
    )
    const before = await get(id)
    const { json } = await send('t 1 TXT "a" "b"\n@ 1 MX 5 mail.example.net.\n')
    expect([json.result, await get(id)]).toEqual([{ added: 0, changed: 0, removed: 0, unchanged: 2 }, before])
  })

  test('of an export changes nothing, twice', async () => {
    await given(
      NOTES,
      { type: 'CNAME', name: 'x', content: 'www.example.com', settings: { flatten_cname: true } },
      { type: 'TYPE65280', name: 'o', content: '\\# 1 00' },
      { type: 'NS', name: '@', content: 'ns.example.net' },
      { type: 'CAA', name: '@', data: { flags: 0, tag: 'issue', value: 'ca.example.net' } },
    )
    const reply = await fetch(`http://127.0.0.1:${app.port}/client/v4/zones/${zone}/dns_records/export`, {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    })
    const text = await reply.text()
    const before = await app.changeCount()
    for (const _ of [1, 2])
      expect((await send(text)).json.result).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 5 })
    expect(await app.changeCount()).toBe(before)
  })

  test('is planned, then applied under the entity tag of the plan', async () => {
    await given(NOTES)
    const seen = await etag()
    const before = await app.changeCount()
    const plan = await send('www 1 A 192.0.2.9\nnew 60 TXT "x"\n', '?dry_run=true', { 'if-match': seen })
    expect(plan.json.result).toEqual({ added: 1, changed: 1, removed: 0, unchanged: 0 })
    expect([await app.changeCount(), await etag()]).toEqual([before, seen])
    expect((await send('www 1 A 192.0.2.9\nnew 60 TXT "x"\n', '', { 'if-match': seen })).status).toBe(200)
    expect(await app.changeCount()).toBe(before + 1)
    expect((await send('www 1 A 192.0.2.9\n', '', { 'if-match': seen })).status).toBe(412)
    expect(await app.changeCount()).toBe(before + 1)
  })

  test('is one change set that can be reverted', async () => {
    const [id] = await given(NOTES)
    const before = await get(id)
    await send('www 1 A 192.0.2.9\nnew 60 TXT "x"\n')
    const [{ number } = { number: 0 }] = await app.must<{ number: number }[]>(
      'GET',
      `/zonereeve/zones/${zone}/changes`,
    )
    await app.must('POST', `/zonereeve/zones/${zone}/changes/${number}/revert`)
    expect(await app.must('GET', `/zones/${zone}/dns_records`)).toEqual([before])
  })

  test('needs the permission to write', async () => {
    await given(NOTES)
    const { status, json } = await app.call({
      method: 'PUT',
      path: `/zonereeve/zones/${zone}/zone_file`,
      body: 'a 1 A 192.0.2.1\n',
      headers: DNS,
      token: null,
    })
    expect([status, json.errors[0]?.code]).toEqual([400, 9106])
  })
})
