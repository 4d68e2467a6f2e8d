// Text that was sent as base64: applications decode such values, so rules inspect what they decode to.
import { type Bytes, decodeBase64 } from '@zonereeve/expr'

/** Shorter values hold no attack, and words look like base64. */
export const MIN_DIGITS = 16
/** The rest of a longer value is not decoded. */
export const MAX_DIGITS = 32 * 1024

/** Either alphabet, padded or not; a space was a plus before the form was decoded. */
const BASE64 = /^[A-Za-z0-9+/_ -]+={0,2}$/
/** Tab, line breaks, and what can be printed. */
const TEXT = /^[\t\n\r\u0020-\u007e\u0080-\u00ff]+$/
const ABOVE_ASCII = /[\u0080-\u00ff]/g

/**
 * Decodes a value that is base64 of a text (RFC 4648 §4 and §5).
 *
 * @param value at least 16 digits; only the first 32 Ki are decoded.
 * @returns undefined for a shorter value, for one that is not base64, and for what decodes to anything but text:
 *   control characters, or more than one byte in eight above ASCII.
 */
export function textInBase64(value: Bytes): Bytes | undefined {
  if (value.length < MIN_DIGITS || !BASE64.test(value)) return undefined
  const digits = value.slice(0, MAX_DIGITS).replace(/=+$/, '')
  const whole = digits.replaceAll(' ', '+').replaceAll('-', '+').replaceAll('_', '/')
  const text = decodeBase64(whole.length % 4 === 1 ? whole.slice(0, -1) : whole)
  if (text === undefined || !TEXT.test(text)) return undefined
  const above = text.match(ABOVE_ASCII)
  return above !== null && above.length * 8 > text.length ? undefined : text
}
