// Digits in a radix, with the errors of a fixed-width parser.
import type { Cursor } from '../lexer.ts'

const OVERFLOW = 'number too large to fit in target type'
const UNDERFLOW = 'number too small to fit in target type'
const INVALID = 'invalid digit found in string'

/** The result of a fixed-width parser: the number, or the error. */
export function parseDigits(text: string, radix: number, min: bigint, max: bigint): bigint | string {
  const isNegative = min < 0n && text.startsWith('-')
  const digits = isNegative || text.startsWith('+') ? text.slice(1) : text
  if (text === '') return 'cannot parse integer from empty string'
  if (digits === '') return INVALID
  let value = 0n
  for (const character of digits) {
    const digit = digitValue(character)
    if (digit >= radix) return INVALID
    value = value * BigInt(radix) + BigInt(isNegative ? -digit : digit)
    if (value > max) return OVERFLOW
    if (value < min) return UNDERFLOW
  }
  return value
}

function digitValue(character: string): number {
  const unit = character.charCodeAt(0)
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30
  const lower = unit | 0x20
  return lower >= 0x61 && lower <= 0x7a && unit < 0x80 ? lower - 0x61 + 10 : Number.POSITIVE_INFINITY
}

/** Reads the number from text that ends at the cursor. @throws Fault over that text. */
export function digitsBefore(cursor: Cursor, text: string, radix: number, min: bigint, max: bigint): bigint {
  const value = parseDigits(text, radix, min, max)
  if (typeof value === 'bigint') return value
  const message = `${value} while parsing with radix ${radix}`
  throw cursor.fault('parse-int', message, cursor.at - text.length, cursor.at)
}
