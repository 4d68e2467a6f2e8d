// Change sets as diffs.
import { describe, expect, test } from 'vitest'
import { changedWords, diffLines, recordLines, type DiffLine } from './diff-lines.ts'

const RECORD = {
  name: 'www.example.com',
  type: 'A',
  content: '192.0.2.1',
  ttl: 300,
  proxied: false,
  comment: null,
}
const op = (before: unknown, after: unknown, kind = 'dns_record.update') => ({
  kind,
  object_id: 'a',
  before,
  after,
})

describe('a change set as a diff', () => {
  test.each([
    { name: 'created', op: op(null, RECORD), lines: ['+ www  300  A  192.0.2.1'] },
    { name: 'deleted', op: op(RECORD, null), lines: ['− www  300  A  192.0.2.1'] },
    {
      name: 'changed',
      op: op(RECORD, { ...RECORD, ttl: 1, proxied: true }),
      lines: ['− www  300   A  192.0.2.1', '+ www  auto  A  192.0.2.1 ; proxied'],
    },
    {
      name: 'a comment',
      op: op(RECORD, { ...RECORD, comment: 'ticket' }),
      lines: ['− www  300  A  192.0.2.1', '+ www  300  A  192.0.2.1 ; ticket'],
    },
    {
      name: 'the zone itself, with a priority',
      op: op(null, { ...RECORD, name: 'example.com', type: 'MX', content: 'mail.example.com', priority: 10 }),
      lines: ['+ @  300  MX  10 mail.example.com.'],
    },
    {
      name: 'repaired',
      op: op({ name: RECORD.name, type: 'A', content: '', damaged: true }, RECORD),
      lines: ['− ; www A: damaged', '+ www  300  A  192.0.2.1'],
    },
    { name: 'something else', op: op(null, { id: 'a' }, 'zone.create'), lines: ['  ; Zone added'] },
    {
      name: 'what the reader may not see',
      op: op(null, null, 'dnssec.update'),
      lines: ['  ; DNSSEC changed'],
    },
  ])('$name', ({ op: given, lines }) => {
    expect(diffLines([given], 'example.com').map(({ mark, text }) => `${mark} ${text}`)).toEqual(lines)
  })
})

test('records that differ between two states, in the order of names', () => {
  const records = [
    { id: 'c', before: RECORD, after: { ...RECORD, content: '192.0.2.9' } },
    { id: 'b', before: null, after: { ...RECORD, name: 'mail.example.com' } },
    { id: 'a', before: { ...RECORD, name: 'example.com' }, after: null },
  ]
  expect(recordLines(records, 'example.com').map(({ mark, text }) => `${mark} ${text}`)).toEqual([
    '− @     300  A  192.0.2.1',
    '+ mail  300  A  192.0.2.1',
    '− www   300  A  192.0.2.1',
    '+ www   300  A  192.0.2.9',
  ])
})

const textIn = (line: DiffLine): string | undefined => {
  const range = changedWords(line)
  return range === undefined ? undefined : line.text.slice(...range)
}

describe('the words of a line that the other line of the record does not have', () => {
  test.each([
    { name: 'the TTL', after: { ...RECORD, ttl: 60 }, changed: ['300', '60'] },
    { name: 'the value', after: { ...RECORD, content: '192.0.2.9' }, changed: ['192.0.2.1', '192.0.2.9'] },
    { name: 'two columns', after: { ...RECORD, ttl: 60, type: 'TXT' }, changed: ['300  A', '60   TXT'] },
    {
      name: 'a comment is new',
      after: { ...RECORD, comment: 'two words' },
      changed: [undefined, '; two words'],
    },
    { name: 'nothing', after: RECORD, changed: [undefined, undefined] },
  ])('$name', ({ after, changed }) => {
    const lines = diffLines([op(RECORD, after)], 'example.com')
    expect(lines.map((line) => textIn(line))).toEqual(changed)
  })

  test('a line alone has none', () => {
    expect(diffLines([op(null, RECORD)], 'example.com').map(changedWords)).toEqual([undefined])
  })
})

test('a long name does not move the columns of the others', () => {
  const long = { ...RECORD, name: `${'a'.repeat(40)}.example.com` }
  const lines = diffLines([op(null, long), op(null, RECORD)], 'example.com')
  expect(lines.map(({ text }) => text)).toEqual([
    `${'a'.repeat(40)}  300  A  192.0.2.1`,
    `www${' '.repeat(21)}  300  A  192.0.2.1`,
  ])
})
