import { Buffer } from 'node:buffer'
import * as fc from 'fast-check'
import { octetsFromLatin1 } from '../octets.ts'
import type { TypeCases } from './type-cases.cases.ts'
import type { Txt } from './txt.ts'

const strings = (...texts: string[]): Txt => ({ strings: texts.map(octetsFromLatin1) })
const x255 = 'x'.repeat(255)

const anyStrings = fc.record({
  strings: fc.array(fc.uint8Array({ maxLength: 255 }), { minLength: 1, maxLength: 5 }),
})

export const txtCases: TypeCases<Txt> = {
  valid: [
    ['one string', '"v=spf1 -all"', '0b763d73706631202d616c6c'],
    ['two strings', '"a" "b"', '01610162'],
    ['an empty string', '""', '00'],
    ['empty strings between', '"a" "" "b"', '0161000162'],
    ['without quotes', 'unquoted', '08756e71756f746564', '"unquoted"'],
    ['words become strings', 'a b', '01610162', '"a" "b"'],
    ['a quote and a backslash', '"\\"\\\\"', '02225c'],
    ['a semicolon in quotes', '"v=DKIM1; k=rsa"', '0e763d444b494d313b206b3d727361'],
    ['a trailing comment', '"a" ; note', '0161', '"a"'],
    ['non-ASCII octets', '"\\000\\127\\255"', '03007fff'],
    ['decimal letters', '"\\065\\066"', '024142', '"AB"'],
    ['UTF-8', '"ü"', '02c3bc', '"\\195\\188"'],
    ['beyond 16 bits', '"😀"', '04f09f9880', '"\\240\\159\\152\\128"'],
    ['255 octets', `"${x255}"`, `ff${'78'.repeat(255)}`],
    ['adjacent quotes', '"a""b"', '01610162', '"a" "b"'],
  ],
  values: [
    ['"a" "b"', strings('a', 'b')],
    ['""', strings('')],
    ['"\\255"', strings('\u00ff')],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['a comment only', '; note', 'text.missing'],
    ['an open quote', '"a', 'text.unbalanced-quote', 0],
    ['a closing quote only', 'a"', 'text.unbalanced-quote', 1],
    ['a line end in quotes', '"a\nb"', 'text.unbalanced-quote', 0],
    ['a second line', '"a"\n"b"', 'text.trailing'],
    ['a bad decimal escape', '"\\256"', 'text.bad-escape', 1],
    ['a short decimal escape', '"\\1"', 'text.bad-escape', 1],
    ['256 octets', `"${x255}x"`, 'txt.strings', 1],
    ['a generic form that does not match the type', '\\# 1', 'text.generic', 0],
  ],
  badValue: [
    ['no string', { strings: [] }, ['txt.strings']],
    ['a string of 256 octets', strings('a', `${x255}x`), ['txt.strings']],
    ['65536 octets', { strings: Array<Uint8Array>(256).fill(octetsFromLatin1(x255)) }, ['txt.too-long']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['a string cut short', '0261', 'wire.truncated'],
    ['a second string cut short', '016105', 'wire.truncated'],
  ],
  any: anyStrings,
  oracle: { plain: anyStrings, toData: (d) => d.strings.map((string) => Buffer.from(string)) },
}
