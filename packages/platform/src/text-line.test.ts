import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatTextLine } from './text-line.ts'

const at = (fields: object): string =>
  `${JSON.stringify({ level: 'warn', time: '2026-01-05T10:20:30Z', ...fields })}\n`
const withoutTime = (text: string): string => text.replace(/^\d\d:\d\d:\d\d /, '')

test.each<[name: string, fields: object, expected: string]>([
  ['fields', { port: 53, host: '::1', msg: 'dns listening' }, 'WARN  dns listening  port=53  host=::1\n'],
  ['text with spaces', { name: 'a b', msg: 'token' }, 'WARN  token  name="a b"\n'],
  ['objects', { http: { port: 1 }, msg: 'ready' }, 'WARN  ready  http={"port":1}\n'],
  ['no fields', { msg: 'stopped' }, 'WARN  stopped\n'],
  [
    'an error with its stack',
    { err: { message: 'full', stack: 'Error: full\n    at write' }, job: 'sweep', msg: 'job failed' },
    'WARN  job failed  job=sweep\n    Error: full\n        at write\n',
  ],
  ['control characters', { name: '\u001b[2J', msg: 'x' }, 'WARN  x  name=?[2J\n'],
])('%s', (_, fields, expected) => {
  expect(withoutTime(formatTextLine(at(fields)))).toBe(expected)
})

test('what is no line of the log is passed on', () => {
  for (const line of ['', 'text\n', '1\n', 'null\n']) expect(formatTextLine(line)).toBe(line)
})

test('any fields: one line, without control characters', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]{5,9}$/), fc.jsonValue()),
      fc.string(),
      (fields, msg) => {
        const text = formatTextLine(at({ ...fields, err: undefined, msg }))
        expect(text.endsWith('\n')).toBe(true)
        expect(text.slice(0, -1)).not.toMatch(/\p{Cc}/u)
      },
    ),
  )
})
