// decode_base64(source), encode_base64(source, flags), and the codec behind them (RFC 4648 §4 and §5).
import type { Bytes } from '../bytes.ts'
import { BYTES } from '../types.ts'
import { defineFunction } from './definition.ts'
import { anyBytes, fieldBytes, literalFlags } from './parameters.ts'

const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const URL_SAFE = `${STANDARD.slice(0, 62)}-_`

export type Base64Options = { readonly isUrlSafe: boolean; readonly isPadded: boolean }

/** The text of the bytes. */
export function encodeBase64(bytes: Bytes, { isUrlSafe, isPadded }: Base64Options): Bytes {
  const alphabet = isUrlSafe ? URL_SAFE : STANDARD
  let out = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const count = Math.min(3, bytes.length - i)
    const group =
      (bytes.charCodeAt(i) << 16) | ((bytes.charCodeAt(i + 1) || 0) << 8) | (bytes.charCodeAt(i + 2) || 0)
    for (let k = 0; k <= count; k += 1) out += alphabet.charAt((group >>> (18 - 6 * k)) & 63)
    if (isPadded) out += '='.repeat(3 - count)
  }
  return out
}

/** The bytes of standard base64, padded or not; undefined for any other string. */
export function decodeBase64(text: Bytes): Bytes | undefined {
  const body = text.slice(0, text.length - paddingOf(text))
  if (body.length % 4 === 1 || (body !== text && text.length % 4 !== 0)) return undefined
  let out = ''
  let bits = 0
  let count = 0
  for (const character of body) {
    const value = STANDARD.indexOf(character)
    if (value === -1) return undefined
    bits = ((bits << 6) | value) & 0xffffff
    count += 6
    if (count >= 8) {
      count -= 8
      out += String.fromCharCode((bits >>> count) & 0xff)
    }
  }
  return out
}

function paddingOf(text: Bytes): number {
  if (!text.endsWith('=')) return 0
  return text.endsWith('==') ? 2 : 1
}

export const decodeBase64Function = defineFunction({
  name: 'decode_base64',
  summary: 'The bytes of standard base64; nil where the source is none.',
  parameters: [fieldBytes('source')],
  returns: BYTES,
  implement:
    () =>
    ([text]) =>
      typeof text === 'string' ? decodeBase64(text) : undefined,
})

export const encodeBase64Function = defineFunction({
  name: 'encode_base64',
  summary: 'Base64 without padding. Flags: u URL-safe alphabet, p padding.',
  parameters: [anyBytes('source')],
  optional: [literalFlags('up')],
  returns: BYTES,
  implement: ([, flags]) => {
    const set = typeof flags === 'string' ? flags : ''
    const options = { isUrlSafe: set.includes('u'), isPadded: set.includes('p') }
    return ([source]) => (typeof source === 'string' ? encodeBase64(source, options) : undefined)
  },
})
