// Integers: decimal, 0x hex, leading-zero octal; ranges `1..5` in sets.
import type { IntRange } from '../ast.ts'
import { type Int, MAX_INT, MIN_INT, toInt } from '../int.ts'
import { type Cursor, isHexDigit } from '../lexer.ts'
import { digitsBefore } from './number.ts'

/** Reads an integer. Hex digits are read greedily in every radix, so `42and` is one invalid number. */
export function readInt(cursor: Cursor): Int {
  if (cursor.take('0x')) return narrow(digitsBefore(cursor, readHexDigits(cursor), 16, MIN_INT, MAX_INT))
  if (cursor.sees('0')) return narrow(digitsBefore(cursor, readHexDigits(cursor), 8, MIN_INT, MAX_INT))
  const sign = cursor.take('-') ? '-' : ''
  return narrow(digitsBefore(cursor, sign + readHexDigits(cursor), 10, MIN_INT, MAX_INT))
}

const readHexDigits = (cursor: Cursor): string => cursor.takeWhile('digit', isHexDigit)

/** `digitsBefore` has checked the bounds, so the canonical form always exists. */
const narrow = (value: bigint): Int => toInt(value) ?? value

/** Reads `a` or `a..b`, bounds included. */
export function readIntRange(cursor: Cursor): IntRange {
  const start = cursor.at
  const first = readInt(cursor)
  const last = cursor.take('..') ? readInt(cursor) : first
  if (last < first)
    throw cursor.fault('incompatible-range-bounds', 'incompatible range bounds', start, cursor.at)
  return { first, last }
}
