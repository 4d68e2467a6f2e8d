// What each transform decodes, and what it leaves unchanged.
import { utf8 } from '@zonereeve/expr'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHANGED_BYTES, CHANGES_RUNS, type Transform, TRANSFORMS } from './transforms.ts'

test.each<readonly [transform: Transform, text: string, expected: string]>([
  ['url-decode', '%3Cscript%3e', '<script>'],
  ['url-decode', '%u003c%uFF1C%u0127', "<<'"],
  ['url-decode', '%253C', '%3C'],
  ['url-decode', '50%+%zz%4', '50%+%zz%4'],
  ['url-decode', '%u004', '%u004'],
  ['url-decode', '%%41%u%u0041%41%', '%A%uAA%'],
  ['plus-as-space', 'a+b%2B', 'a b%2B'],
  ['fold-wide', '\u00c0\u00af\u00c0\u00ae\u00c1\u009c', '/.\\'],
  ['fold-wide', utf8('＜ｓｃｒｉｐｔ＞'), '<script>'],
  ['fold-wide', `${utf8('＜')}\u00ef\u00bc\u00c0\u00af\u00c0`, '<\u00ef\u00bc/\u00c0'],
  ['fold-wide', '\u00ef\u00bb\u00bfa\u00c1\u0041', '\u00ef\u00bb\u00bfa\u00c1\u0041'],
  ['fold-wide', utf8('ï ¼ é ー'), utf8('ï ¼ é ー')],
  ['html-entities', '&lt;&#60;&#x3c;&#X003C;&#60a&#0000060;', '<<<<<a<'],
  ['html-entities', 'java&Tab;script&colon;&lpar;&NewLine;', 'java\tscript:(\n'],
  ['html-entities', 'a & b &nosuch; &copy=1 &#8364;', 'a & b &nosuch; &copy=1 ?'],
  ['js-escapes', '\\u0061lert\\x28\\u{00029}', 'alert()'],
  ['js-escapes', "\\'\\n\\d", "'\\n\\d"],
  ['lower-case', 'SeLeCt \u00c4', 'select \u00c4'],
  ['remove-nulls', 'se\0lect', 'select'],
  ['compress-whitespace', 'a \t\r\n\v\u00a0b', 'a b'],
  ['remove-whitespace', 'java\tscri\npt :', 'javascript:'],
  ['remove-comments', 'union/**/select/* x */1', 'union select 1'],
  ['remove-comments', '1/*!50000union*/select', '1 union select'],
  ['remove-comments', 'a /* never closed', 'a  '],
  ['remove-comments', 'a */ b', 'a   b'],
  ['command-line', `c'a't "/e\\tc"/pas^swd`, 'cat /etc/passwd'],
  ['command-line', 'cat${IFS}/a;cat$IFS$9/b;w$@hoami', 'cat /a;cat /b;whoami'],
  ['command-line', '{cat,/a}\r\n id', '{cat /a}\nid'],
  ['normalise-path', '..\\..//./a/./b', '../../a/b'],
  ['normalise-path', 'a/../b', 'a/../b'],
])('%s of %j', (transform, text, expected) => {
  expect(TRANSFORMS[transform](text)).toBe(expected)
})

describe('arbitrary octets', () => {
  // The keys of the table, by its type.
  test.each(Object.keys(TRANSFORMS) as Transform[])(
    '%s returns octets, not more than it was given',
    (name) => {
      const chunks = fc.constantFrom(
        '%',
        '%2',
        '%u00',
        '&#',
        '&#x3c',
        ';',
        '\\',
        '\\u',
        '/*',
        '*/',
        '$IFS',
        '\u00c0',
      )
      const octets = fc
        .array(
          fc.oneof(
            chunks,
            fc.integer({ min: 0, max: 255 }).map((octet) => String.fromCharCode(octet)),
          ),
        )
        .map((list) => list.join(''))
      fc.assert(
        fc.property(octets, (text) => {
          const out = TRANSFORMS[name](text)
          expect(out.length).toBeLessThanOrEqual(text.length)
          expect([...out].every((character) => character.charCodeAt(0) < 256)).toBe(true)
        }),
      )
    },
  )
})

test.each(Object.keys(TRANSFORMS) as Transform[])(
  'without the bytes of its list, %s changes nothing',
  (name) => {
    const listed = new Set(CHANGED_BYTES[name])
    const isListed = (character: string): boolean =>
      listed.has(character) || (listed.has('\u00ff') && character > '\u007f')
    const other = fc
      .string({ unit: fc.nat({ max: 255 }).map((byte) => String.fromCharCode(byte)), maxLength: 30 })
      .map((text) => [...text].filter((character) => !isListed(character)).join(''))
      .map((text) => (CHANGES_RUNS.has(name) ? text.replaceAll(/[\t-\r \u00a0]+/g, ' ') : text))
    fc.assert(
      fc.property(other, (text) => {
        expect(TRANSFORMS[name](text)).toBe(text)
      }),
    )
  },
)
