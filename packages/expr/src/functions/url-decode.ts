// url_decode(source, options)
import { encodeScalar, type Bytes } from '../bytes.ts'
import { BYTES } from '../types.ts'
import { defineFunction } from './definition.ts'
import { anyBytes, literalFlags } from './parameters.ts'

const hexValue = (text: Bytes): number => {
  for (const c of text) if (!'0123456789abcdefABCDEF'.includes(c)) return Number.NaN
  return Number.parseInt(text, 16)
}

/** `%XX` once, from left to right; everything else is kept, also a plus. */
export function percentDecode(text: Bytes): Bytes {
  let out = ''
  let from = 0
  for (let at = text.indexOf('%'); at !== -1; at = text.indexOf('%', at)) {
    const value = hexPair(text.charCodeAt(at + 1), text.charCodeAt(at + 2))
    if (value === -1) at += 1
    else {
      out += text.slice(from, at) + String.fromCharCode(value)
      at += 3
      from = at
    }
  }
  return from === 0 ? text : out + text.slice(from)
}

/** The byte that two hexadecimal digits stand for; -1 if they are none. */
function hexPair(high: number, low: number): number {
  const first = hexDigit(high)
  const second = hexDigit(low)
  return first === -1 || second === -1 ? -1 : first * 16 + second
}

function hexDigit(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48
  const lower = unit | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

type Decoded = { readonly bytes: Bytes; readonly length: number }

/** The character and length of the escape at `i`. */
function escapeAt(text: Bytes, i: number, isUnicode: boolean): Decoded | undefined {
  if (text[i] !== '%') return undefined
  const byte = hexValue(text.slice(i + 1, i + 3).padEnd(2, ' '))
  if (!Number.isNaN(byte)) return { bytes: String.fromCharCode(byte), length: 3 }
  if (!isUnicode || text[i + 1] !== 'u') return undefined
  const unit = hexValue(text.slice(i + 2, i + 6).padEnd(4, ' '))
  if (Number.isNaN(unit)) return undefined
  if (unit < 0xd800 || unit > 0xdfff) return { bytes: encodeScalar(unit), length: 6 }
  const low =
    text.slice(i + 6, i + 8) === '%u' ? hexValue(text.slice(i + 8, i + 12).padEnd(4, ' ')) : Number.NaN
  if (unit > 0xdbff || !(low >= 0xdc00 && low <= 0xdfff)) return undefined
  return { bytes: encodeScalar(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)), length: 12 }
}

function decodeOnce(text: Bytes, isUnicode: boolean): Bytes {
  let out = ''
  for (let i = 0; i < text.length;) {
    const decoded = escapeAt(text, i, isUnicode)
    out += decoded?.bytes ?? (text[i] === '+' ? ' ' : text.charAt(i))
    i += decoded?.length ?? 1
  }
  return out
}

const LONGEST_ESCAPE = 12

/**
 * Decodes in one pass until nothing is left to decode: each new byte may complete an escape at the end of the output,
 * and its result may complete another.
 */
function decodeAll(text: Bytes, isUnicode: boolean): Bytes {
  const out: string[] = []
  const pending = [...text].toReversed()
  for (let byte = pending.pop(); byte !== undefined; byte = pending.pop()) {
    out.push(byte === '+' ? ' ' : byte)
    const decoded = escapeAtEnd(out, isUnicode)
    if (decoded === undefined) continue
    out.length -= decoded.length
    pending.push(...[...decoded.bytes].toReversed())
  }
  return out.join('')
}

/** An escape that ends exactly at the end of the text; the longest is tried first. */
function escapeAtEnd(out: readonly string[], isUnicode: boolean): Decoded | undefined {
  for (const length of [LONGEST_ESCAPE, 6, 3]) {
    if (out.at(-length) !== '%') continue
    const decoded = escapeAt(out.slice(-length).join(''), 0, isUnicode)
    if (decoded?.length === length) return decoded
  }
  return undefined
}

export const urlDecode = defineFunction({
  name: 'url_decode',
  summary: '`+` is a space, %XX a byte. Options: r until nothing is encoded any more, u also %uXXXX.',
  parameters: [anyBytes('source')],
  optional: [literalFlags('ru')],
  returns: BYTES,
  implement: ([, options]) => {
    const set = typeof options === 'string' ? options : ''
    const decode = set.includes('r') ? decodeAll : decodeOnce
    const isUnicode = set.includes('u')
    return ([text]) => (typeof text === 'string' ? decode(text, isUnicode) : undefined)
  },
})
