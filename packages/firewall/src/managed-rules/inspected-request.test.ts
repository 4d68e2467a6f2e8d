// Splits a request into parts: which texts rules find where, and that no input breaks it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detect } from './detection.ts'
import { MANAGED_RULES } from './catalogue/registry.ts'
import { inspect, MAX_BODY_BYTES } from './inspected-request.ts'
import { REQUEST_PARTS, type RequestPart } from './request-parts.ts'
import { factsOfSample, inspectSample, type RequestSample } from './request-sample.cases.ts'

const typed = (type: string, body: string): RequestSample => ({
  method: 'POST',
  headers: { 'content-type': type },
  body,
})
const FORM = 'application/x-www-form-urlencoded'
const UPLOAD = 'multipart/form-data; boundary=b'
const field = (name: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${value}\r\n`
/** Sixteen digits of base64. */
const ENCODED = 'aWQ7IGNhdCAvZXRj'
const MULTIPART = [
  '--b',
  'Content-Disposition: form-data; name="t"',
  '',
  'hello',
  '--b',
  'Content-Disposition: form-data; name="f"; filename="a.txt"',
  'Content-Type: text/plain',
  '',
  'inside',
  '--b--',
  '',
].join('\r\n')

test.each<
  readonly [
    name: string,
    sample: RequestSample,
    part: RequestPart,
    expected: readonly (readonly [string, string])[],
  ]
>([
  [
    'query, decoded as a form',
    { target: '/a?x=1+2%2B3&y' },
    'args',
    [
      ['http.request.uri.args["x"]', '1 2+3'],
      ['http.request.uri.args["y"]', ''],
    ],
  ],
  [
    'an argument after 2,001 empty ones',
    { target: `/?${'&'.repeat(2001)}q=%3Cscript%3E` },
    'args',
    [['http.request.uri.args["q"]', '<script>']],
  ],
  [
    'a field of a form after 2,001 empty ones',
    typed(FORM, `${'&'.repeat(2001)}q=%3Cscript%3E`),
    'args',
    [['http.request.body.form["q"]', '<script>']],
  ],
  ['names of the query', { target: '/a?%5Bx%5D=1' }, 'arg-names', [['http.request.uri.args.names', '[x]']]],
  ['the path as sent', { target: '/a/%2e%2e/b?c' }, 'path', [['http.request.uri.path', '/a/%2e%2e/b']]],
  ['the whole target as sent', { target: '/a?b=%20' }, 'uri', [['http.request.uri', '/a?b=%20']]],
  ['no query', { target: '/a' }, 'query', []],
  [
    'a form',
    typed(FORM, 'a=b+c&d=%3C'),
    'args',
    [
      ['http.request.body.form["a"]', 'b c'],
      ['http.request.body.form["d"]', '<'],
    ],
  ],
  ['JSON', typed('application/json', '{"a":{"b":"c"}}'), 'args', [['http.request.body.raw["b"]', 'c']]],
  [
    'JSON that says it is text',
    typed('text/plain', ' {"a":"b"}'),
    'args',
    [['http.request.body.raw["a"]', 'b']],
  ],
  [
    'names in JSON',
    typed('application/json', '{"a":{"b":1}}'),
    'arg-names',
    [
      ['http.request.body.raw', 'a'],
      ['http.request.body.raw', 'b'],
    ],
  ],
  ['fields of an upload', typed(UPLOAD, MULTIPART), 'args', [['http.request.body.multipart["t"]', 'hello']]],
  [
    'a field after 1,001 texts that begin like the boundary',
    typed(UPLOAD, `${field('t', '\r\n--bx'.repeat(1001))}${field('q', '<script>')}--b--\r\n`),
    'args',
    [
      ['http.request.body.multipart["t"]', '\r\n--bx'.repeat(1001)],
      ['http.request.body.multipart["q"]', '<script>'],
    ],
  ],
  [
    'names of uploaded files',
    typed(UPLOAD, MULTIPART),
    'filenames',
    [['http.request.body.multipart.filenames', 'a.txt']],
  ],
  ['uploaded files', typed(UPLOAD, MULTIPART), 'files', [['http.request.body.multipart["f"]', 'inside']]],
  [
    'an upload that is none',
    typed('multipart/form-data; boundary=c', MULTIPART),
    'body',
    [['http.request.body.raw', MULTIPART]],
  ],
  ['another type', typed('text/xml', '<a/>'), 'body', [['http.request.body.raw', '<a/>']]],
  ['no body', {}, 'body', []],
  [
    'cookies, decoded',
    { headers: { cookie: 'a=%3C; b=x=y' } },
    'cookies',
    [
      ['http.request.cookies["a"]', '<'],
      ['http.request.cookies["b"]', 'x=y'],
    ],
  ],
  [
    'an argument in base64, and its text',
    { target: '/?x=aWQ7IGNhdCAvZXRjL3Bhc3N3ZA==' },
    'args',
    [
      ['http.request.uri.args["x"]', 'aWQ7IGNhdCAvZXRjL3Bhc3N3ZA=='],
      ['http.request.uri.args["x"]', 'id; cat /etc/passwd'],
    ],
  ],
  [
    'a cookie in base64, and its text',
    { headers: { cookie: 'a=aWQ7IGNhdCAvZXRjL3Bhc3N3ZA%3D%3D' } },
    'cookies',
    [
      ['http.request.cookies["a"]', 'aWQ7IGNhdCAvZXRjL3Bhc3N3ZA=='],
      ['http.request.cookies["a"]', 'id; cat /etc/passwd'],
    ],
  ],
  [
    'one header',
    { headers: { range: 'bytes=0-' } },
    'header:range',
    [['http.request.headers["range"]', 'bytes=0-']],
  ],
  [
    'one argument, whatever its case',
    { target: '/?Page=1&page=2&pages=3' },
    'arg:page',
    [
      ['http.request.uri.args["Page"]', '1'],
      ['http.request.uri.args["page"]', '2'],
    ],
  ],
  ['names beyond ASCII', { target: '/?%C3%A9%22=1' }, 'args', [['http.request.uri.args["é\\""]', '1']]],
])('%s', (_, sample, part, expected) => {
  expect(
    inspectSample(sample)
      .stringsOf(part)
      .map(({ field, text }) => [field, text]),
  ).toEqual(expected)
})

test('credentials and cookies are not inspected as headers', () => {
  const sample = { headers: { authorization: 'Basic x', cookie: 'a=b', 'x-a': '1' } }
  const fields = inspectSample(sample)
    .stringsOf('headers')
    .map(({ field }) => field)
  expect(fields).toContain('http.request.headers["x-a"]')
  expect(fields.join(' ')).not.toMatch(/authorization|cookie|user-agent/)
})

describe('the limits', () => {
  test.each([
    ['at the limit', MAX_BODY_BYTES, false],
    ['one past it', MAX_BODY_BYTES + 1, true],
  ])('a body %s', (_, length, isTruncated) => {
    const facts = factsOfSample({ headers: { 'content-type': 'text/plain' } })
    const { body } = inspect(facts, new Uint8Array(length).fill(97)).facts
    expect(body).toEqual({ bytes: 'a'.repeat(MAX_BODY_BYTES), sizeBytes: length, isTruncated })
  })

  test('an attack within the limit is detected, one after it is not', () => {
    const attack = "' OR 1=1-- -"
    const rule = MANAGED_RULES.find(({ legacy }) => legacy?.id === '190002')
    const field = (filler: number) => typed(FORM, `a=${'x'.repeat(filler)}&b=${encodeURIComponent(attack)}`)
    if (rule === undefined) throw new Error('no such rule')
    expect(detect(rule, inspectSample(field(1000)))?.field).toBe('http.request.body.form["b"]')
    expect(detect(rule, inspectSample(field(MAX_BODY_BYTES)))).toBeNull()
  })

  test('two thousand texts per part', () => {
    const body = Array.from({ length: 3000 }, (_, i) => `a${i}=1`).join('&')
    expect(inspectSample(typed(FORM, body)).stringsOf('args')).toHaveLength(2000)
  })

  test.each<[string, RequestSample, string | undefined]>([
    ['2,000 arguments and more empty ones', { target: `/?${'&a=1'.repeat(2000)}&&&` }, undefined],
    ['2,001 arguments', { target: `/?${'&a=1'.repeat(2001)}` }, 'http.request.uri.args'],
    ['100 values in base64', { target: `/?${`&a=${ENCODED}`.repeat(100)}` }, undefined],
    ['101 values in base64', { target: `/?${`&a=${ENCODED}`.repeat(101)}` }, 'http.request.uri.args'],
    ['101 short values in base64', { target: `/?${`&=${ENCODED}`.repeat(101)}` }, 'http.request.uri.args'],
    [
      'an attack in base64 after 100 other values',
      { target: `/?${`a=${ENCODED}&`.repeat(100)}z=PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg` },
      'http.request.uri.args',
    ],
    ['100 values in base64 and a word', { target: `/?${`&a=${ENCODED}`.repeat(100)}&q=word` }, undefined],
    ['101 cookies in base64', { headers: { cookie: `a=${ENCODED};`.repeat(101) } }, 'http.request.cookies'],
    ['a value of 32 Ki digits', typed(FORM, `a=${ENCODED.repeat(2048)}`), undefined],
    ['a longer value in base64', typed(FORM, `a=${ENCODED.repeat(2049)}`), 'http.request.uri.args'],
    ['1,000 parts', typed(UPLOAD, `${field('a', '1').repeat(1000)}--b--`), undefined],
    ['1,001 parts', typed(UPLOAD, `${field('a', '1').repeat(1001)}--b--`), 'http.request.body.raw'],
    ['a file of 16 kB', typed(UPLOAD, `${field('a; filename=b', 'x'.repeat(16_384))}--b--`), undefined],
    [
      'a longer file',
      typed(UPLOAD, `${field('a; filename=b', 'x'.repeat(16_385))}--b--`),
      'http.request.body.raw',
    ],
  ])('%s', (_, sample, field) => expect(inspectSample(sample).cutField()).toBe(field))

  test('the body in the facts is used if no octets are given', () => {
    const facts = {
      ...factsOfSample(typed(FORM, '')),
      body: { bytes: 'a=b', sizeBytes: 3, isTruncated: false },
    }
    expect(
      inspect(facts, new Uint8Array())
        .stringsOf('args')
        .map(({ text }) => text),
    ).toEqual(['b'])
  })
})

test('any octets are split and evaluated by every rule, and no text becomes longer than what was sent', () => {
  const octet = fc.integer({ min: 0, max: 255 })
  const text = fc
    .array(octet, { maxLength: 300 })
    .map((list) => list.map((c) => String.fromCharCode(c)).join(''))
  const types = fc.constantFrom(FORM, 'application/json', UPLOAD, 'text/xml', '', '\u00ff')
  const request = fc.record({
    target: text,
    cookie: text,
    agent: text,
    type: types,
    body: fc.uint8Array({ maxLength: 600 }),
  })
  fc.assert(
    fc.property(request, ({ target, cookie, agent, type, body }) => {
      const facts = factsOfSample({ target: '/' })
      const headers = [
        ['host', 'www.example.com'],
        ['cookie', cookie],
        ['user-agent', agent],
        ['content-type', type],
      ] as const
      const inspected = inspect({ ...facts, target, headers }, body)
      for (const rule of MANAGED_RULES) detect(rule, inspected)
      const sent = target.length + cookie.length + agent.length + type.length + body.length + 100
      for (const part of REQUEST_PARTS) {
        expect(inspected.stringsOf(part).every(({ text: found }) => found.length <= 2 * sent)).toBe(true)
      }
    }),
    { numRuns: 60 },
  )
})
