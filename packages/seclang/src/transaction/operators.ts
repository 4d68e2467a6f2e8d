// Operators that need no pattern: comparisons with an argument, and checks of a value.
import { type Bytes, hexValue } from '../bytes.ts'
import { hasInvalidEscape } from '../transforms/decode.ts'

/** True if the value matches; the argument has its macros expanded. */
export type Comparison = (value: Bytes, argument: Bytes) => boolean

/** As C's `atoi` reads it: leading digits, or 0. */
export function toNumber(text: Bytes): number {
  const unit = text.charCodeAt(0) - 48
  if (text.length === 1 && unit >= 0 && unit <= 9) return unit
  return Number(/^\s*[+-]?\d{1,15}/.exec(text)?.[0] ?? 0) // as atoi does
}

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  beginswith: (value, argument) => value.startsWith(argument),
  contains: (value, argument) => value.includes(argument),
  containsword: (value, argument) => containsWord(value, argument),
  endswith: (value, argument) => value.endsWith(argument),
  eq: (value, argument) => toNumber(value) === toNumber(argument),
  ge: (value, argument) => toNumber(value) >= toNumber(argument),
  gt: (value, argument) => toNumber(value) > toNumber(argument),
  le: (value, argument) => toNumber(value) <= toNumber(argument),
  lt: (value, argument) => toNumber(value) < toNumber(argument),
  nomatch: () => false,
  streq: (value, argument) => value === argument,
  strmatch: (value, argument) => value.includes(argument),
  unconditionalmatch: () => true,
  validateurlencoding: hasInvalidEscape,
  validateutf8encoding: isInvalidUtf8,
  within: (value, argument) => value === '' || argument.includes(value),
}

export const comparisonNamed = (name: string): Comparison | undefined =>
  Object.hasOwn(COMPARISONS, name) ? COMPARISONS[name] : undefined

/** Matches a value with a byte outside of the ranges, such as `32-126,9`. */
export function byteRangeCheck(ranges: string): Comparison {
  const isAllowed = new Uint8Array(256)
  for (const range of ranges.split(',')) {
    const [from, to = from] = range.trim().split('-').map(Number)
    if (from !== undefined && to !== undefined) isAllowed.fill(1, from, to + 1)
  }
  return (value) => {
    for (let i = 0; i < value.length; i += 1) if (isAllowed[value.charCodeAt(i) & 0xff] === 0) return true
    return false
  }
}

function containsWord(value: Bytes, word: Bytes): boolean {
  const isEdge = (character: string): boolean => !/\w/.test(character)
  for (let at = value.indexOf(word); at !== -1; at = value.indexOf(word, at + 1)) {
    if (isEdge(value.charAt(at - 1)) && isEdge(value.charAt(at + word.length))) return true
  }
  return false
}

/** Overlong forms, surrogates and points above U+10FFFF are invalid, too. */
function isInvalidUtf8(value: Bytes): boolean {
  if (!/[\u0080-\u00ff]/.test(value)) return false
  const rest = value.replaceAll(
    /[\u00c2-\u00df][\u0080-\u00bf]|\u00e0[\u00a0-\u00bf][\u0080-\u00bf]|[\u00e1-\u00ec\u00ee\u00ef][\u0080-\u00bf]{2}|\u00ed[\u0080-\u009f][\u0080-\u00bf]|\u00f0[\u0090-\u00bf][\u0080-\u00bf]{2}|[\u00f1-\u00f3][\u0080-\u00bf]{3}|\u00f4[\u0080-\u008f][\u0080-\u00bf]{2}/g,
    '',
  )
  return /[\u0080-\u00ff]/.test(rest)
}

/** The words of `@pm`: separated by spaces; `|68 65|` is bytes in hexadecimal, as in Snort's rules. */
export const readWords = (argument: string): readonly Bytes[] =>
  argument
    .replaceAll(/\|((?:[0-9a-fA-F]{2}\s?)+)\|/g, (_, digits: string) =>
      (digits.match(/[0-9a-fA-F]{2}/g) ?? []) // the pattern above ensures at least one
        .map((pair) => String.fromCharCode(hexValue(pair.charCodeAt(0)) * 16 + hexValue(pair.charCodeAt(1))))
        .join(''),
    )
    .split(/\s+/)
    .filter((word) => word !== '')
