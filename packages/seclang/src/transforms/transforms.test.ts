// Each transformation on the strings it is for; none fails on any bytes.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { transformNamed } from './registry.ts'

const apply = (name: string, text: string): string => {
  const transform = transformNamed(name)
  if (transform === undefined) throw new Error(`${name} is not known`)
  return transform.apply(text)
}

test.each([
  ['urldecode', 'a%20b+c%zz', 'a b c%zz'],
  ['urldecode', `${'x'.repeat(2_000)}%41+%zz%4`, `${'x'.repeat(2_000)}A %zz%4`],
  ['urldecode', '%41b'.repeat(9_000), 'Ab'.repeat(9_000)],
  ['htmlentitydecode', '&LT;&ampx;&amp;lt;', '<&ampx;&lt;'],
  ['urldecodeuni', '%u0041%uff1c%41+%', 'A<A %'],
  ['htmlentitydecode', '&lt;&#x41;&#66&quot;&unknown;&#', '<AB"&unknown;&#'],
  ['jsdecode', String.raw`\x41\u0042\uff1c\n\q\101`, 'AB<\nqA'],
  ['cssdecode', String.raw`\41 \000042\ff1cx\q`, 'AB<xq'],
  ['escapeseqdecode', String.raw`\x41\102\n\q`, 'AB\n\\q'],
  ['base64decode', 'YWJj!ZGVm', 'abc'],
  ['base64decodeext', 'YW!Jj', 'abc'],
  ['hexdecode', '414243', 'ABC'],
  ['hexencode', 'AB', '4142'],
  ['sqlhexdecode', 'x 0x4142 y', 'x AB y'],
  ['utf8tounicode', '\u00ef\u00bc\u009ca\u00c3(', '%uff1ca\u00c3('],
  ['cmdline', String.raw`C^at  "/etc/pa\sswd";x,y (z`, 'cat/etc/passwd x y(z'],
  ['compresswhitespace', 'a \t\n b', 'a b'],
  ['removewhitespace', 'a \t b', 'ab'],
  ['replacecomments', 'a/*x*/b/*y', 'a b '],
  ['removecomments', 'a/*x*/b<!--y-->c--d', 'abc'],
  ['removecommentschar', 'a/*x*/b--c#', 'axbc'],
  ['removenulls', 'a\0b', 'ab'],
  ['replacenulls', 'a\0b', 'a b'],
  ['normalizepath', '/a//b/./c/../../etc', '/a/etc'],
  ['normalizepath', '../../etc/passwd', '../../etc/passwd'],
  ['normalizepath', '/../etc/', '/etc/'],
  ['normalizepathwin', String.raw`\a\..\b`, '/b'],
  ['lowercase', 'AbC\u00c9', 'abc\u00c9'],
  ['uppercase', 'aBc', 'ABC'],
  ['trim', ' \ta b\n', 'a b'],
  ['trimleft', ' a ', 'a '],
  ['trimright', ' a ', ' a'],
  ['length', 'abcd', '4'],
  ['urlencode', 'a b<', 'a+b%3c'],
])('%s', (name, text, expected) => {
  expect(apply(name, text)).toBe(expected)
})

test.each(['md5', 'sha1', 'toString', ''])('%s is not known', (name) => {
  expect(transformNamed(name)).toBeUndefined()
})

test('escapes of scripts are decoded as one pattern decodes them', () => {
  const pattern = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-3][0-7]{0,2}|[4-7][0-7]?)|([\s\S]))/g
  const controls: Readonly<Record<string, string>> = {
    a: '\u0007',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
    v: '\v',
  }
  const decoded = (text: string): string =>
    text.replaceAll(pattern, (_, wide?: string, hex?: string, octal?: string, plain?: string) => {
      if (plain !== undefined) return controls[plain] ?? plain // others stand for themselves
      const unit = Number.parseInt(wide ?? hex ?? String(octal), octal === undefined ? 16 : 8)
      return String.fromCharCode(unit > 0xff00 && unit < 0xff5f ? (unit & 0xff) + 0x20 : unit & 0xff)
    })
  const unit = fc.constantFrom(...'\\\\\\uxUX0123456789afFnbv"\n', 'uff', 'u00', '\\x4', '\u00e9')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
      expect(apply('jsdecode', text)).toBe(decoded(text))
    }),
    { numRuns: 2_000 },
  )
})

const bytes = fc
  .uint8Array({ maxLength: 60 })
  .map((octets) => Array.from(octets, (octet) => String.fromCharCode(octet)).join(''))

test('any bytes become bytes', () => {
  const names = [
    'urldecodeuni',
    'htmlentitydecode',
    'jsdecode',
    'cssdecode',
    'escapeseqdecode',
    'base64decode',
  ]
  const more = [
    'utf8tounicode',
    'cmdline',
    'normalizepathwin',
    'replacecomments',
    'removecomments',
    'hexdecode',
  ]
  fc.assert(
    fc.property(bytes, fc.constantFrom(...names, ...more), (text, name) => {
      expect(Array.from(apply(name, text)).every((unit) => unit.charCodeAt(0) < 256)).toBe(true)
    }),
  )
})

test.each([
  'cmdline',
  'compresswhitespace',
  'cssdecode',
  'escapeseqdecode',
  'htmlentitydecode',
  'jsdecode',
  'lowercase',
  'normalizepath',
  'normalizepathwin',
  'removecommentschar',
  'removenulls',
  'removewhitespace',
  'replacecomments',
  'trim',
  'urldecode',
  'urldecodeuni',
  'utf8tounicode',
])('without the bytes of its list, %s changes nothing', (name) => {
  const transform = transformNamed(name)
  const listed = new Set(transform?.changes)
  const hasHigh = [...listed].some((character) => character > '\u007f')
  const other = bytes.map((text) =>
    [...text]
      .filter((character) => !listed.has(character) && !(hasHigh && character > '\u007f'))
      .join('')
      .replaceAll(transform?.changesRuns === true ? /[\t-\r \u00a0]+/g : /(?!)/g, ' '),
  )
  fc.assert(
    fc.property(other, (text) => {
      expect(transform?.apply(text)).toBe(text)
    }),
  )
})
