// Decodes encodings and obfuscation before patterns are searched: one function each, over byte strings. None fails on
// any input, and none makes a text longer.
import { asciiLower, type Bytes, percentDecode } from '@zonereeve/expr'

export type Transform = keyof typeof TRANSFORMS

export const TRANSFORMS = {
  /** `%XX` and `%uXXXX` once; `+` is kept, because parts where it is a space are decoded earlier. */
  'url-decode': urlDecode,
  /** As in queries and forms, for parts that are not already decoded this way. */
  'plus-as-space': (text: Bytes): Bytes => text.replaceAll('+', ' '),
  /** UTF-8 variants of ASCII: overlong forms and full-width characters. */
  'fold-wide': foldWide,
  'html-entities': decodeEntities,
  /** `\xHH`, `\uHHHH`, `\u{H…}` and escaped punctuation, as in scripts. */
  'js-escapes': decodeJsEscapes,
  'lower-case': asciiLower,
  'remove-nulls': (text: Bytes): Bytes => text.replaceAll('\0', ''),
  /** Replaces each run of whitespace by one space. */
  'compress-whitespace': (text: Bytes): Bytes =>
    /[\t-\r\u00a0]| {2}/.test(text) ? text.replaceAll(/[\t-\r \u00a0]+/g, ' ') : text,
  'remove-whitespace': (text: Bytes): Bytes => text.replaceAll(/[\t-\r \u00a0]+/g, ''),
  /** Replaces SQL comments by a space; the content of version comments is kept, because servers run it. */
  'remove-comments': removeComments,
  /**
   * Removes what a shell ignores or reads as a space: quotes, carets, backslashes, `$IFS`, `$@`. Lines stay separate.
   */
  'command-line': undisguiseCommand,
  /**
   * Backslashes become slashes; repeated slashes and `/./` become one slash. `..` is kept, because rules look for it.
   */
  'normalise-path': normalisePath,
} as const satisfies Readonly<Record<string, (text: Bytes) => Bytes>>

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const WHITESPACE = ' \t\n\v\f\r\u00a0'

/** A text without any of these bytes stays as it is; `\u00ff` stands for all bytes above ASCII. */
export const CHANGED_BYTES: Readonly<Record<Transform, string>> = {
  'url-decode': '%',
  'plus-as-space': '+',
  'fold-wide': '\u00ff',
  'html-entities': '&',
  'js-escapes': '\\',
  'lower-case': UPPER,
  'remove-nulls': '\0',
  'compress-whitespace': '',
  'remove-whitespace': WHITESPACE,
  'remove-comments': '*',
  'command-line': `$\\'"^\`,`,
  'normalise-path': '/\\',
}

/** Those that change whitespace that is not a single space, too. */
export const CHANGES_RUNS: ReadonlySet<Transform> = new Set(['compress-whitespace', 'command-line'])

/** Work units for each byte beyond those of the others: they call back for each escape. */
export const EXTRA_UNITS: Readonly<Partial<Record<Transform, number>>> = {
  'url-decode': 1,
  'fold-wide': 1,
  'html-entities': 3,
  'js-escapes': 3,
}

/** What a changed text can contain that the text did not; transforms that are not listed can bring in any byte. */
export const ADDED_BYTES: Readonly<Partial<Record<Transform, string>>> = {
  'plus-as-space': ' ',
  'lower-case': '',
  'remove-nulls': '',
  'compress-whitespace': ' ',
  'remove-whitespace': '',
  'remove-comments': ' ',
  'command-line': ' \n',
  'normalise-path': '/',
}

const SMALL_U = 0x75

/** One escape after the other: a pattern that calls back for each takes five times as long. */
function urlDecode(text: Bytes): Bytes {
  if (!text.includes('%u')) return percentDecode(text)
  let out = ''
  let from = 0
  for (let next = text.indexOf('%'); next !== -1;) {
    const isWide = text.charCodeAt(next + 1) === SMALL_U
    const point = isWide ? hexAt(text, next + 2, 4) : hexAt(text, next + 1, 2)
    if (point === -1) {
      next = text.indexOf('%', next + 1)
      continue
    }
    out += text.slice(from, next) + fromPoint(point)
    from = next + (isWide ? 6 : 3)
    next = text.indexOf('%', from)
  }
  return out + text.slice(from)
}

const HEX_DIGITS = Int8Array.from({ length: 256 }, (_, unit) =>
  Number.parseInt(/[0-9a-fA-F]/.exec(String.fromCharCode(unit))?.[0] ?? '-1', 16),
)

/** The number that so many hexadecimal digits stand for; -1 if they are none. */
function hexAt(text: Bytes, at: number, count: number): number {
  let number = 0
  for (let i = at; i < at + count; i += 1) {
    const digit = HEX_DIGITS[text.charCodeAt(i)] ?? -1 // beyond the end there is none
    if (digit === -1) return -1
    number = number * 16 + digit
  }
  return number
}

/** One byte for a code point: its own, that of its full-width form, or the low byte, as in old decoders. */
function fromPoint(point: number): Bytes {
  if (point >= 0xff01 && point <= 0xff5e) return String.fromCharCode(point - 0xfee0)
  return String.fromCharCode(point & 0xff)
}

const isContinuation = (unit: number): boolean => (unit & 0xc0) === 0x80

/** Overlong two-byte forms start with C0 or C1; U+FF01 to U+FF5E are EF BC 81 to EF BD 9E. */
function foldWide(text: Bytes): Bytes {
  if (!/[\u00c0\u00c1\u00ef]/.test(text)) return text
  let out = ''
  let from = 0
  for (let at = 0; at + 1 < text.length; at += 1) {
    const lead = text.charCodeAt(at)
    const middle = text.charCodeAt(at + 1)
    if (lead < 0xc0 || !isContinuation(middle)) continue
    const length = lead < 0xc2 ? 2 : 3
    const point = length === 2 ? ((lead & 1) << 6) | (middle & 0x3f) : wideAt(text, at)
    if (point === -1) continue
    out += text.slice(from, at) + fromPoint(point)
    from = at + length
    at = from - 1
  }
  return out + text.slice(from)
}

/** The full-width form of ASCII; -1 if it is none. */
function wideAt(text: Bytes, at: number): number {
  const last = text.charCodeAt(at + 2)
  if (text.charCodeAt(at) !== 0xef || !isContinuation(last)) return -1
  const point = 0xf000 | ((text.charCodeAt(at + 1) & 0x3f) << 6) | (last & 0x3f)
  return point >= 0xff01 && point <= 0xff5e ? point : -1
}

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  colon: ':',
  semi: ';',
  lpar: '(',
  rpar: ')',
  sol: '/',
  bsol: '\\',
  equals: '=',
  comma: ',',
  period: '.',
  grave: '`',
  tab: '\t',
  newline: '\n',
  nbsp: ' ',
}

const ENTITY = /&(?:#[xX]([0-9a-fA-F]{1,8})|#(\d{1,8})|([a-zA-Z]{2,7})(?=;));?/g

function decodeEntities(text: Bytes): Bytes {
  // Arguments that an ampersand separates are no references.
  if (!text.includes('&#') && (!text.includes('&') || !text.includes(';'))) return text
  return text.replaceAll(ENTITY, (all: string, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED_ENTITIES[name.toLowerCase()] ?? all
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return point < 0x100 || (point >= 0xff01 && point <= 0xff5e) ? fromPoint(point) : '?'
  })
}

const JS_ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{0*([0-9a-fA-F]{1,6})\}|([^0-9a-zA-Z\r\n]))/g

function decodeJsEscapes(text: Bytes): Bytes {
  if (!text.includes('\\')) return text
  return text.replaceAll(
    JS_ESCAPE,
    (_, byte?: string, unit?: string, point?: string, plain?: string) =>
      plain ?? fromPoint(Number.parseInt(byte ?? unit ?? point ?? '0', 16)),
  )
}

function removeComments(text: Bytes): Bytes {
  if (!text.includes('/*') && !text.includes('*/')) return text
  let out = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('/*', at)
    if (start === -1) break
    out += text.slice(at, start)
    const version = /^\/\*!\d{0,6}/.exec(text.slice(start, start + 9))
    if (version !== null) {
      out += ' '
      at = start + version[0].length
      continue
    }
    const end = text.indexOf('*/', start + 2)
    out += ' '
    at = end === -1 ? text.length : end + 2
  }
  return `${out}${text.slice(at)}`.replaceAll('*/', ' ')
}

function normalisePath(text: Bytes): Bytes {
  const slashed = text.replaceAll('\\', '/')
  if (!slashed.includes('//') && !slashed.includes('/./')) return slashed
  return slashed.replaceAll(/\/(?:\.?\/)+/g, '/')
}

const DISGUISE = /[\\'"^`$,\t\v\f\r\n\u00a0]| {2}/

function undisguiseCommand(text: Bytes): Bytes {
  if (!DISGUISE.test(text)) return text
  const bare = /[\\'"^`$]/.test(text)
    ? text
        .replaceAll(/\$\{?ifs\b[^}\s;|&/]{0,8}\}?(?:\$\d)?/gi, ' ')
        .replaceAll(/\$[@*]|\$\{[@*]\}|[\\'"^`]/g, '')
    : text
  const spaced = bare.replaceAll(/[ \t\f\v,\u00a0]+/g, ' ')
  return /[\r\n]/.test(spaced) ? spaced.replaceAll(/ ?[\r\n]+ ?/g, '\n') : spaced
}
