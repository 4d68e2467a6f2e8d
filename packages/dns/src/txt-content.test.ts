import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { latin1FromOctets, octetsFromLatin1 } from './octets.ts'
import { splitTxt, txtFromText, txtToText } from './txt-content.ts'

const x = (count: number): string => 'x'.repeat(count)

describe('txtFromText', () => {
  const cases: [name: string, content: string, strings: string[], printed: string][] = [
    ['plain', 'v=spf1 -all', ['v=spf1 -all'], '"v=spf1 -all"'],
    ['quoted', '"v=spf1 -all"', ['v=spf1 -all'], '"v=spf1 -all"'],
    ['two strings', '"a" "b"', ['a', 'b'], '"a" "b"'],
    ['adjacent strings', '"a""b"', ['a', 'b'], '"a" "b"'],
    ['blanks around', ' "a"\t"b" ', ['a', 'b'], '"a" "b"'],
    ['an empty string', '""', [''], '""'],
    ['plain with outer blanks keeps them', ' a ', [' a '], '" a "'],
    ['plain with a backslash is literal', 'a\\b\\065', ['a\\b\\065'], '"a\\\\b\\\\065"'],
    ['plain with a semicolon', 'k=rsa; p=abc', ['k=rsa; p=abc'], '"k=rsa; p=abc"'],
    ['plain with apostrophe and backtick', "it's `x`", ["it's `x`"], '"it\'s `x`"'],
    ['escaped quotes', '"a\\"b"', ['a"b'], '"a\\"b"'],
    ['an escaped backslash at the end', '"a\\\\"', ['a\\'], '"a\\\\"'],
    ['decimal escapes', '"\\065\\000"', ['A\u0000'], '"A\\000"'],
    ['UTF-8', 'ü', ['\u00c3\u00bc'], '"\\195\\188"'],
    ['a line end in quotes', '"a\nb"', ['a\nb'], '"a\\010b"'],
    ['254 octets', x(254), [x(254)], `"${x(254)}"`],
    ['255 octets', x(255), [x(255)], `"${x(255)}"`],
    ['256 octets', x(256), [x(255), 'x'], `"${x(255)}" "x"`],
    ['510 octets', x(510), [x(255), x(255)], `"${x(255)}" "${x(255)}"`],
    ['511 octets in quotes', `"${x(511)}"`, [x(255), x(255), 'x'], `"${x(255)}" "${x(255)}" "x"`],
    ['256 octets among others', `"a" "${x(256)}" "b"`, ['a', x(255), 'x', 'b'], `"a" "${x(255)}" "x" "b"`],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', (_, content, strings, printed) => {
    expect(txtFromText(content).map(latin1FromOctets)).toEqual(strings)
    expect(txtToText(txtFromText(content))).toBe(printed)
    expect(txtFromText(printed).map(latin1FromOctets)).toEqual(strings)
  })

  const refused: [name: string, content: string, rule: string, offset: number][] = [
    ['nothing', '', 'txt.empty', 0],
    ['an open quote', '"abc', 'txt.unbalanced-quote', 0],
    ['a closing quote only', 'abc"', 'txt.mixed-quoting', 3],
    ['a quote inside', 'ab"cd', 'txt.mixed-quoting', 2],
    ['text behind a string', '"a" b', 'txt.mixed-quoting', 4],
    ['text before a string', 'a "b"', 'txt.mixed-quoting', 2],
    ['text between strings', '"a" b "c"', 'txt.mixed-quoting', 4],
    ['text touching a string', '"a"b', 'txt.mixed-quoting', 3],
    ['a third quote', '"a" "', 'txt.unbalanced-quote', 4],
    ['an escaped closing quote', '"a\\"', 'txt.unbalanced-quote', 0],
    ['an escaped quote without quotes around', 'a\\"b', 'txt.mixed-quoting', 2],
    ['a bad escape', '"a\\300"', 'text.bad-escape', 2],
    ['a short escape', '"a\\1"', 'text.bad-escape', 2],
  ]
  test('has refused', () => expect(refused.length).toBeGreaterThan(0))
  test.each(refused)('refuses %s', (_, content, rule, offset) => {
    expect(() => txtFromText(content)).toThrow(expect.objectContaining({ rule, offset }))
  })

  test('strings printed and read are the same', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 255 }), { minLength: 1 }), (strings) => {
        expect(txtFromText(txtToText(strings))).toEqual(strings)
      }),
    )
  })
})

describe('splitTxt', () => {
  test.each([
    [0, [0]],
    [1, [1]],
    [255, [255]],
    [256, [255, 1]],
    [766, [255, 255, 255, 1]],
  ])('%i octets', (octets, lengths) => {
    const chunks = splitTxt(octetsFromLatin1(x(octets)))
    expect(chunks.map((chunk) => chunk.length)).toEqual(lengths)
  })
})
