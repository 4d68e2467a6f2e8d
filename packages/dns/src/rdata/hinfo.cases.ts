import * as fc from 'fast-check'
import { anyString, ascii } from './arbitraries.cases.ts'
import type { TypeCases } from './type-cases.cases.ts'
import type { Hinfo } from './hinfo.ts'

const x255 = 'x'.repeat(255)

export const hinfoCases: TypeCases<Hinfo> = {
  valid: [
    ['the answer to ANY (RFC 8482)', '"RFC8482" ""', '075246433834383200'],
    ['both empty', '"" ""', '0000'],
    ['without quotes', 'Intel Linux', '05496e74656c054c696e7578', '"Intel" "Linux"'],
    ['whitespace inside', '"PC AT" "Linux 6"', '055043204154074c696e75782036'],
    ['a quote', '"\\"" ""', '012200'],
    ['a backslash', '"\\\\" ""', '015c00'],
    ['non-ASCII octets', '"\\000" "\\255"', '010001ff'],
    ['UTF-8', '"ü" ""', '02c3bc00', '"\\195\\188" ""'],
    ['255 octets', `"${x255}" ""`, `ff${'78'.repeat(255)}00`],
    ['a semicolon', '"a;b" ""', '03613b6200'],
  ],
  values: [
    ['"RFC8482" ""', { cpu: 'RFC8482', os: '' }],
    ['"\\255" "b"', { cpu: '\u00ff', os: 'b' }],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['one string', '"a"', 'text.missing', 3],
    ['three strings', '"a" "b" "c"', 'text.trailing', 9],
    ['an open quote', '"a" "b', 'text.unbalanced-quote', 4],
    ['a bad escape', '"\\300" ""', 'text.bad-escape', 1],
    ['256 octets', `"" "x${x255}"`, 'hinfo.os', 4],
  ],
  badValue: [
    ['a character above 255', { cpu: '\u0100', os: '' }, ['hinfo.cpu']],
    ['both too long', { cpu: `${x255}x`, os: `${x255}x` }, ['hinfo.cpu', 'hinfo.os']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['one string', '0161', 'wire.truncated'],
    ['three strings', '000000', 'wire.trailing'],
    ['the second cut short', '000561', 'wire.truncated'],
  ],
  any: fc.record({ cpu: anyString, os: anyString }),
  oracle: { plain: fc.record({ cpu: ascii, os: ascii }), toData: (d) => ({ ...d }) },
}
