// 64-bit signed integers. A value is a number if that is exact, and a bigint only beyond: each integer has exactly
// one form, so `===` compares, and `<` works across the two forms.

/** An integer -2^63..2^63-1 in canonical form. Create them with `toInt`. */
export type Int = number | bigint

export const MIN_INT = -(2n ** 63n)
export const MAX_INT = 2n ** 63n - 1n

/** The canonical form; undefined if out of range. */
export function toInt(value: number | bigint): Int | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value === 0 ? 0 : value
  if (typeof value === 'number' && !Number.isInteger(value)) return undefined
  const wide = BigInt(value)
  if (wide < MIN_INT || wide > MAX_INT) return undefined
  const narrow = Number(wide)
  return Number.isSafeInteger(narrow) ? narrow : wide
}

/** True if the two have a bit in common (two's complement, 64 bits). */
export function sharesBit(a: Int, b: Int): boolean {
  if (typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b) return (a & b) !== 0
  return (BigInt(a) & BigInt(b)) !== 0n
}
