import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TextError } from './errors.ts'
import { parseName } from './name.ts'
import { quoteOctets, readEntry, TokenReader, unescapeOctets, wordOctets } from './presentation.ts'

describe('readEntry', () => {
  const cases: [name: string, text: string, tokens: string[], indented: boolean][] = [
    ['words', 'www 300 IN A 192.0.2.1', ['www', '300', 'IN', 'A', '192.0.2.1'], false],
    ['leading blanks', '  A 192.0.2.1', ['A', '192.0.2.1'], true],
    ['a leading tab', '\tA', ['A'], true],
    ['a line end', 'a b\nc', ['a', 'b'], false],
    ['a carriage return', 'a b\r\nc', ['a', 'b'], false],
    ['empty lines before', '\n\n a', ['a'], true],
    ['indented comment, then not indented', '  ; x\na', ['a'], false],
    ['a comment', 'a ; b c\nd', ['a'], false],
    ['a comment directly after a word', 'a;b', ['a'], false],
    ['an escaped semicolon', 'a\\;b', ['a\\;b'], false],
    ['an escaped space', 'a\\ b', ['a\\ b'], false],
    ['quoted', '"a b" c', ['"a b"', 'c'], false],
    ['an empty quoted string', '""', ['""'], false],
    ['a semicolon and parentheses in quotes', '"a;(b)"', ['"a;(b)"'], false],
    ['an escaped quote', '"a\\"b"', ['"a\\"b"'], false],
    ['an escaped backslash before the closing quote', '"a\\\\" b', ['"a\\\\"', 'b'], false],
    ['adjacent quotes', '"a""b"', ['"a"', '"b"'], false],
    ['a quoted part in a word', 'alpn="h2 h3" x', ['alpn="h2 h3"', 'x'], false],
    ['parentheses over lines', 'a ( b\n c ; note )\n d ) e\nf', ['a', 'b', 'c', 'd', 'e'], false],
    ['parentheses touching words', 'a(b)c', ['a', 'b', 'c'], false],
    ['nested parentheses', '((a)\n)b', ['a', 'b'], false],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', (_, text, tokens, indented) => {
    const entry = readEntry(text)
    expect(entry?.tokens.map((token) => (token.quoted ? `"${token.text}"` : token.text))).toEqual(tokens)
    expect(entry?.indented).toBe(indented)
    for (const { text: part, offset } of entry?.tokens ?? []) expect(text.startsWith(part, offset)).toBe(true)
  })

  test('only whitespace and comments are not an entry', () => {
    expect(['', ' \t\n', '; x', '\n ; y\n'].map((text) => readEntry(text))).toEqual(Array(4).fill(undefined))
  })

  test('words are read the same with and without something else in the text', () => {
    const strings = fc.string({ unit: fc.constantFrom('a', '$', '\u00e9', ' ', '\t', '\r'), maxLength: 20 })
    fc.assert(
      fc.property(strings, (text) => {
        const alone = readEntry(text)
        const withLineEnd = readEntry(`${text}\n`)
        expect(alone?.tokens).toEqual(withLineEnd?.tokens)
        expect(alone?.indented).toBe(withLineEnd?.indented)
        expect(alone?.end).toBe(withLineEnd && text.length)
      }),
    )
  })

  test('entries follow each other', () => {
    const text = 'a b\n; note\n c (d\n e)\n"f"'
    const read: string[][] = []
    for (let entry = readEntry(text); entry !== undefined; entry = readEntry(text, entry.end)) {
      read.push(entry.tokens.map((token) => token.text))
    }
    expect(read).toEqual([['a', 'b'], ['c', 'd', 'e'], ['f']])
  })

  const refused: [name: string, text: string, rule: string, offset: number][] = [
    ['an open quote', 'a "b', 'text.unbalanced-quote', 2],
    ['an open quote in a word', 'a="b', 'text.unbalanced-quote', 2],
    ['a quote over a line end', '"a\nb"', 'text.unbalanced-quote', 0],
    ['an escaped closing quote', '"a\\"', 'text.unbalanced-quote', 0],
    ['an open parenthesis', 'a ( b', 'text.parenthesis', 5],
    ['a closing parenthesis', 'a ) b', 'text.parenthesis', 2],
  ]
  test('has refused', () => expect(refused.length).toBeGreaterThan(0))
  test.each(refused)('refuses %s', (_, text, rule, offset) => {
    expect(() => readEntry(text)).toThrow(expect.objectContaining({ rule, offset }))
  })
})

describe('TokenReader', () => {
  const reader = (text: string, origin?: string): TokenReader =>
    new TokenReader(readEntry(text) ?? { tokens: [], end: text.length }, {
      origin: origin === undefined ? undefined : parseName(origin),
    })

  test('names are relative to the origin, or absolute without one', () => {
    expect(reader('www', 'example.com').name()).toBe('www.example.com')
    expect(reader('@', 'example.com').name()).toBe('example.com')
    expect(reader('www.', 'example.com').name()).toBe('www')
    expect(reader('www').name()).toBe('www')
    expect(reader('@').name()).toBe('\\@')
  })

  test('positions refer to the whole text', () => {
    const tokens = reader('ab  c..d')
    tokens.next()
    expect(() => tokens.name()).toThrow(expect.objectContaining({ rule: 'name.empty-label', offset: 6 }))
    expect(() => tokens.next()).toThrow(expect.objectContaining({ rule: 'text.missing', offset: 8 }))
  })

  test('skip starts further on', () => {
    expect(new TokenReader(readEntry('a b c') ?? { tokens: [], end: 0 }, { skip: 2 }).next().text).toBe('c')
  })
})

describe('octets in text', () => {
  const cases: [text: string, octets: number[]][] = [
    ['ab', [0x61, 0x62]],
    ['\\"\\\\', [0x22, 0x5c]],
    ['\\000\\255', [0, 255]],
    ['\\0651', [0x41, 0x31]],
    ['\\a', [0x61]],
    ['é€😀', [0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80]],
    ['\\é', [0xc3, 0xa9]],
    ['\ud800', [0xef, 0xbf, 0xbd]],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%j', (text, octets) => expect([...unescapeOctets(text)]).toEqual(octets))

  test.each(['\\', 'a\\1', '\\25', '\\256', '\\999', '\\\n'])('%j is a bad escape', (text) => {
    expect(() => unescapeOctets(text, 10)).toThrow(
      expect.objectContaining({ rule: 'text.bad-escape', offset: 10 + text.indexOf('\\') }),
    )
  })

  test('quoted strings and words read back to the same octets', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (octets) => {
        for (const text of [quoteOctets(octets), wordOctets(octets)]) {
          const entry = readEntry(text)
          expect(entry?.tokens).toHaveLength(1)
          expect(unescapeOctets(entry?.tokens[0]?.text ?? '')).toEqual(octets)
        }
      }),
    )
  })

  test('any text is an entry, nothing, or a TextError', () => {
    const text = fc
      .array(fc.constantFrom('a', ' ', '\n', '"', '\\', '(', ')', ';', '\\1', 'é'))
      .map((l) => l.join(''))
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (candidate) => {
        try {
          const entry = readEntry(candidate)
          expect((entry?.end ?? 0) <= candidate.length).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(TextError)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
