// is_timed_hmac_valid_v0(key, message-and-mac, ttl, now, separator length, flags)
import type { Bytes } from '../bytes.ts'
import type { Int } from '../int.ts'
import { BOOL } from '../types.ts'
import { isInt } from '../values.ts'
import { encodeBase64 } from './base64.ts'
import { defineFunction } from './definition.ts'
import { anyBytes, anyInt, literalBytes, literalFlags, literalInt } from './parameters.ts'
import { hmacSha256 } from './sha256.ts'
import { percentDecode } from './url-decode.ts'

const TIMESTAMP_DIGITS = 10
/** Base64 of 32 bytes without padding. */
const SHORTEST_MAC = 43
const MAX_TTL_SECONDS = 2 ** 31 - 1
const MAX_SEPARATOR_BYTES = 4096

type Signed = { readonly message: Bytes; readonly timestamp: Bytes; readonly mac: Bytes }

/** Splits `message separator timestamp "-" mac`; of several dashes that fit, the last one is used. */
export function splitSigned(text: Bytes, separatorBytes: number): Signed | undefined {
  for (let dash = text.length - SHORTEST_MAC - 1; dash >= TIMESTAMP_DIGITS + 1; dash -= 1) {
    if (text[dash] !== '-' || !isDigits(text, dash - TIMESTAMP_DIGITS, dash)) continue
    const messageEnd = dash - TIMESTAMP_DIGITS - separatorBytes
    if (messageEnd < 1) return undefined
    return {
      message: text.slice(0, messageEnd),
      timestamp: text.slice(dash - TIMESTAMP_DIGITS, dash),
      mac: text.slice(dash + 1),
    }
  }
  return undefined
}

function isDigits(text: Bytes, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) {
    const unit = text.charCodeAt(i)
    if (unit < 0x30 || unit > 0x39) return false
  }
  return true
}

/** True only if the token is signed with the key and was issued less than `ttlSeconds` before `now`. */
function isValid(
  key: Bytes,
  text: Bytes,
  ttlSeconds: Int,
  now: Int,
  separatorBytes: number,
  isUrlSafe: boolean,
): boolean {
  const signed = splitSigned(text, separatorBytes)
  if (signed === undefined) return false
  const mac = hmacSha256(key, signed.message + signed.timestamp)
  const expected = encodeBase64(mac, { isUrlSafe, isPadded: !isUrlSafe })
  const given = isUrlSafe ? signed.mac : percentDecode(signed.mac)
  return isSameSecret(expected, given) && BigInt(now) - BigInt(signed.timestamp) < BigInt(ttlSeconds)
}

/** Takes the same time wherever the two differ. */
function isSameSecret(a: Bytes, b: Bytes): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

export const isTimedHmacValidV0 = defineFunction({
  name: 'is_timed_hmac_valid_v0',
  summary:
    'Whether a token of message, separator, 10-digit time, dash and base64 HMAC-SHA-256 is genuine and in time.',
  parameters: [
    literalBytes('key'),
    anyBytes('MessageMAC'),
    literalInt('ttl', 0, MAX_TTL_SECONDS),
    anyInt('now'),
  ],
  optional: [literalInt('separator length', 0, MAX_SEPARATOR_BYTES), literalFlags('s')],
  returns: BOOL,
  implement: ([key, , ttl, , separator, flags]) => {
    const isUrlSafe = flags === 's'
    const separatorBytes = Number(separator ?? 0) // the parameter is optional
    return ([, text, , now]) =>
      typeof key === 'string' && typeof text === 'string' && isInt(ttl) && isInt(now)
        ? isValid(key, text, ttl, now, separatorBytes, isUrlSafe)
        : undefined
  },
})
