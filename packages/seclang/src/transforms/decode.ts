// Transformations that decode an encoding. None fails on any input.
import { type Bytes, hexByteAt, hexValue, percentDecode, utf8Bytes } from '../bytes.ts'

/** Also `%uXXXX`: its low byte, or that of the full-width form. */
export function urlDecodeUni(text: Bytes): Bytes {
  if (!/%u/i.test(text)) return percentDecode(text)
  return text.replaceAll(/\+|%(?:u([0-9a-fA-F]{4})|([0-9a-fA-F]{2}))/gi, (_, wide?: string, hex?: string) =>
    wide !== undefined
      ? String.fromCharCode(narrow(Number.parseInt(wide, 16)))
      : hex === undefined
        ? ' '
        : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** The low byte of a code unit, with full-width forms of ASCII mapped to it. */
const narrow = (unit: number): number => (unit > 0xff00 && unit < 0xff5f ? (unit & 0xff) + 0x20 : unit & 0xff)

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', nbsp: '\u00a0' }
/** Names that are not known are left out: a form has thousands of ampersands. */
const REFERENCE = /&(?:#x([0-9a-f]+);?|#(\d+);?|(quot|amp|lt|gt|nbsp)(?![0-9a-z]);?)/gi

/** `&#x26;`, `&#38;` and the five names that ModSecurity knows; the semicolon may be missing. */
export function htmlEntityDecode(text: Bytes): Bytes {
  if (!text.includes('&')) return text
  return text.replaceAll(REFERENCE, (all: string, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? all
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return String.fromCharCode(point & 0xff)
  })
}

const JS_CONTROLS: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** Escapes of JavaScript strings: `\uHHHH`, `\xHH`, octal, and escaped characters. */
export function jsDecode(text: Bytes): Bytes {
  let out = ''
  let from = 0
  // One escape after the other: a pattern that calls back for each takes several times as long. One at the end stays.
  for (let at = text.indexOf('\\'); at !== -1 && at + 1 < text.length; at = text.indexOf('\\', from)) {
    const kind = text.charAt(at + 1)
    const high = kind === 'x' || kind === 'u' ? hexByteAt(text, at + 2) : -1
    const low = kind === 'u' && high !== -1 ? hexByteAt(text, at + 4) : -1
    const octal = octalDigitsAt(text, at + 1)
    out += text.slice(from, at)
    if (low !== -1) {
      out += String.fromCharCode(narrow(high * 256 + low))
      from = at + 6
    } else if (kind === 'x' && high !== -1) {
      out += String.fromCharCode(high)
      from = at + 4
    } else if (octal > 0) {
      from = at + 1 + octal
      out += String.fromCharCode(Number.parseInt(text.slice(at + 1, from), 8))
    } else {
      out += JS_CONTROLS[kind] ?? kind // others stand for themselves
      from = at + 2
    }
  }
  return from === 0 ? text : out + text.slice(from)
}

/** How many digits make up a byte: at most three, of which the first is below 4, or two. */
function octalDigitsAt(text: Bytes, at: number): number {
  const most = text.charAt(at) < '4' ? 3 : 2
  let count = 0
  while (count < most && isOctal(text.charCodeAt(at + count))) count += 1
  return count
}

const isOctal = (unit: number): boolean => unit >= 48 && unit <= 55

/** Escapes of CSS 2: up to six hexadecimal digits and one space, or an escaped character; `\` and a line feed vanish. */
export function cssDecode(text: Bytes): Bytes {
  if (!text.includes('\\')) return text
  return text.replaceAll(
    /\\(?:([0-9a-fA-F]{1,6})[ \t\r\n\f\v]?|(\n)|([\s\S])|$)/g,
    (_, hex?: string, lineFeed?: string, plain?: string) => {
      if (hex === undefined) return lineFeed === undefined && plain !== undefined ? plain : ''
      const low = Number.parseInt(hex.slice(-2), 16)
      const isWide = hex.length >= 4 && /^0{0,2}ff[0-9a-f]{2}$/i.test(hex)
      return String.fromCharCode(isWide ? narrow(0xff00 | low) : low)
    },
  )
}

/** `\xHH`, octal and the controls of ANSI C; other escapes stay. */
export function escapeSeqDecode(text: Bytes): Bytes {
  if (!text.includes('\\')) return text
  return text.replaceAll(
    /\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|([abfnrtv\\?'"]))/g,
    (_, hex?: string, octal?: string, plain?: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
      const character = String(plain)
      return JS_CONTROLS[character] ?? character
    },
  )
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Decodes up to the first character that is not of the alphabet. */
export function base64Decode(text: Bytes): Bytes {
  return base64(/^[A-Za-z0-9+/]*/.exec(text)?.[0] ?? '') // the pattern matches every text
}

/** Ignores characters that are not of the alphabet. */
export const base64DecodeExt = (text: Bytes): Bytes => base64(text.replaceAll(/[^A-Za-z0-9+/]/g, ''))

function base64(digits: string): Bytes {
  let out = ''
  let bits = 0
  let count = 0
  for (const digit of digits) {
    bits = ((bits << 6) | BASE64.indexOf(digit)) & 0xffffff
    count += 6
    if (count < 8) continue
    count -= 8
    out += String.fromCharCode((bits >> count) & 0xff)
  }
  return out
}

/** Pairs of hexadecimal digits; a last single digit is dropped. */
export function hexDecode(text: Bytes): Bytes {
  let out = ''
  for (let i = 0; i + 1 < text.length; i += 2) out += String.fromCharCode(Math.max(0, hexByteAt(text, i)))
  return out
}

/** `0x414243` becomes `ABC`. */
export const sqlHexDecode = (text: Bytes): Bytes =>
  text.replaceAll(/0[xX]((?:[0-9a-fA-F]{2})+)/g, (_, digits: string) => hexDecode(digits))

/** Characters of UTF-8 beyond ASCII become `%uXXXX`; bytes that are not UTF-8 stay. */
export function utf8ToUnicode(text: Bytes): Bytes {
  if (!/[\u0080-\u00ff]/.test(text)) return text
  return text.replaceAll(
    /[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3}/g,
    (bytes) => {
      let point = bytes.charCodeAt(0) & (0xff >> (bytes.length + 1))
      for (let i = 1; i < bytes.length; i += 1) point = (point << 6) | (bytes.charCodeAt(i) & 0x3f)
      return utf8Bytes(point) === bytes ? `%u${point.toString(16).padStart(4, '0')}` : bytes
    },
  )
}

/** True for a `%` without two hexadecimal digits behind it. */
export function hasInvalidEscape(text: Bytes): boolean {
  for (let at = text.indexOf('%'); at !== -1; at = text.indexOf('%', at + 1)) {
    if (hexValue(text.charCodeAt(at + 1)) < 0 || hexValue(text.charCodeAt(at + 2)) < 0) return true
  }
  return false
}
