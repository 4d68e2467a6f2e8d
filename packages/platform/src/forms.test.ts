// Forms: what real clients send, what the RFC allows, and what is rejected.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DomainError } from './domain-error.ts'
import { MAX_FIELD_BYTES, MAX_FORM_PARTS, MAX_PART_HEADER_BYTES, readForm } from './forms.ts'

const TYPE = 'multipart/form-data; boundary=x'
const part = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const END = '--x--\r\n'
const read = (text: string, type = TYPE) =>
  Object.fromEntries(
    Object.entries(readForm(type, Buffer.from(text, 'latin1'))).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : Buffer.from(value).toString('latin1'),
    ]),
  )

describe('accepts', () => {
  const file = (text: string) => ({ file: text })
  test.each([
    ['a file', part('file', 'a\r\nb') + END, file('a\r\nb')],
    ['an empty file', part('file', '') + END, file('')],
    ['nothing', END, {}],
    ['a file and a field', part('file', 'a') + part('proxied', 'true') + END, { file: 'a', proxied: 'true' }],
    ['a field twice: the last', part('p', '1') + part('p', '2') + END, { p: '2' }],
    ['no line break after the last boundary', `${part('file', 'a')}--x--`, file('a')],
    ['text before and after', `hello\r\n${part('file', 'a')}${END}bye`, file('a')],
    ['a name without quotes', part('file', 'a').replace('"file"', 'file') + END, file('a')],
    [
      'a filename before the name',
      part('file', 'a').replace('name=', 'filename="n\\"a;me=b"; name=') + END,
      file('a'),
    ],
    [
      'a filename that looks like a name, after it',
      part('file', 'a').replace('"file"', '"file"; filename="a; name=b"') + END,
      file('a'),
    ],
    [
      'a filename that looks like a name, before it',
      part('file', 'a').replace('name=', 'filename="a; name=b;"; filename*=utf-8\'\'c; name=') + END,
      file('a'),
    ],
    [
      'a filename in two forms',
      part('file', 'a').replace('"file"', '"file"; filename="a"; filename*=utf-8\'\'b') + END,
      file('a'),
    ],
    [
      'other headers, in any case',
      part('file', 'a').replace('Content', 'X-A: b\r\ncontent-type: text/dns\r\nCONTENT') + END,
      file('a'),
    ],
    ['whitespace after a boundary', (part('file', 'a') + END).replace('--x\r\n', '--x \t\r\n'), file('a')],
    [
      'what only looks like a boundary',
      part('file', 'a --x\r\n--xy\r\n-x') + END,
      file('a --x\r\n--xy\r\n-x'),
    ],
    ['any octets', part('file', '\0\xff\n\r') + END, file('\0\xff\n\r')],
    ['a name that every object has', part('__proto__', 'a') + END, Object.fromEntries([['__proto__', 'a']])],
  ])('%s', (_, text, form) => expect(read(text)).toEqual(form))

  test('a boundary in quotes, and one with odd characters', () => {
    expect(read(part('file', 'a') + END, 'multipart/form-data; charset=utf-8; boundary="x"')).toEqual({
      file: 'a',
    })
    const odd = "a'()+_,-./:=?"
    const text = (part('file', 'a') + END).replaceAll('--x', `--${odd}`)
    expect(read(text, `multipart/form-data; boundary="${odd}"`)).toEqual({ file: 'a' })
  })

  test('the maximum number of parts, and a field of the maximum length', () => {
    const parts = Array.from({ length: MAX_FORM_PARTS }, (_, i) => part(`p${i}`, 'x'.repeat(MAX_FIELD_BYTES)))
    expect(Object.keys(read(parts.join('') + END))).toHaveLength(MAX_FORM_PARTS)
  })
})

describe('rejects', () => {
  const long = 'x'.repeat(MAX_PART_HEADER_BYTES)
  test.each([
    ['an empty body', ''],
    ['no boundary', 'a 60 A 192.0.2.1'],
    ['another boundary', (part('file', 'a') + END).replaceAll('--x', '--y')],
    ['no last boundary', part('file', 'a')],
    ['a part that is cut off', part('file', 'a').slice(0, 30)],
    ['line ends without CR', (part('file', 'a') + END).replaceAll('\r', '')],
    ['a part without headers', `--x\r\nfile\r\n${END}`],
    ['a part without a name', part('file', 'a').replace('; name="file"', '') + END],
    ['a part that is not form-data', part('file', 'a').replace('form-data', 'attachment') + END],
    ['headers that are too long', part('file', 'a').replace('Content', `X-A: ${long}\r\nContent`) + END],
    ['two files', part('file', 'a') + part('file', 'b') + END],
    ['a field that is too long', part('p', 'x'.repeat(MAX_FIELD_BYTES + 1)) + END],
    ['too many parts', part('p', 'a').repeat(MAX_FORM_PARTS + 1) + END],
    [
      'an encoding',
      part('file', 'YQ==').replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: base64\r\n\r\n') + END,
    ],
  ])('%s', (_, text) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ reason: 'request.form' })] }),
    )
  })
  test.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=a b',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
    'multipart/form-data; boundary="x',
  ])('the type %s', (type) => expect(() => read(part('file', 'a') + END, type)).toThrow(DomainError))
})

test('any file is returned unchanged, unless it contains the boundary', () => {
  const octets = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1'))
  const close = fc
    .array(fc.constantFrom('\r\n', '--', 'x', '-', '\r', '\n', ' '), { maxLength: 20 })
    .map((list) => list.join(''))
  const boundary = 'x-not-in-it'
  fc.assert(
    fc.property(fc.oneof(octets, close), (text) => {
      const body = (part('file', text) + END)
        .replace('--x\r', `--${boundary}\r`)
        .replace(/--x--\r\n$/, `--${boundary}--\r\n`)
      expect(read(body, `multipart/form-data; boundary=${boundary}`)).toEqual({ file: text })
    }),
  )
})

test('any octets are a form or rejected', () => {
  const chunks = fc.constantFrom(
    '--x',
    '--',
    '\r\n',
    '\r\n\r\n',
    'Content-Disposition: form-data; name="file"',
    'name=',
    '"',
    ';',
    ': ',
    '\\',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(chunks, { maxLength: 40 }).map((list) => list.join('')),
  )
  fc.assert(
    fc.property(text, (body) => {
      try {
        read(body)
      } catch (error) {
        expect(error).toBeInstanceOf(DomainError)
      }
    }),
    { numRuns: 1_000 },
  )
})
