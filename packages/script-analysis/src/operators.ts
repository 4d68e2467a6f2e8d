// Operators for values that may be unknown.
import { MAX_TEXT_LENGTH } from './limits.ts'
import {
  answerAbout,
  askedOf,
  isPrimitive,
  isUnknown,
  taintOf,
  taintOfText,
  textStart,
  UNKNOWN,
  unknownValue,
  type Value,
  wholeText,
} from './values.ts'

type Numeric = (left: number, right: number) => number | boolean

const NUMERIC: Readonly<Record<string, Numeric>> = {
  '-': (l, r) => l - r,
  '*': (l, r) => l * r,
  '/': (l, r) => l / r,
  '%': (l, r) => l % r,
  '**': (l, r) => l ** r,
  '<<': (l, r) => l << r,
  '>>': (l, r) => l >> r,
  '>>>': (l, r) => l >>> r,
  '|': (l, r) => l | r,
  '^': (l, r) => l ^ r,
  '&': (l, r) => l & r,
  '<': (l, r) => l < r,
  '>': (l, r) => l > r,
  '<=': (l, r) => l <= r,
  '>=': (l, r) => l >= r,
}

/** `left operator right`. An unknown result keeps the taint of both and the beginning of its text. */
export function applyOperator(operator: string, left: Value, right: Value): Value {
  if (operator === '+') return add(left, right)
  if (operator === '===' || operator === '!==' || operator === '==' || operator === '!=') {
    return compare(operator, left, right)
  }
  if (operator === 'instanceof') return isInstance(left, right)
  const numeric = NUMERIC[operator]
  const l = wholeText(left)
  const r = wholeText(right)
  if (numeric === undefined || l === undefined || r === undefined) {
    const taint = taintOf(left) | taintOf(right)
    const asked = askedOf(left) | askedOf(right)
    return asked === 0 ? UNKNOWN : unknownValue({ taint, asked })
  }
  const isOrder = operator.startsWith('<') || operator.startsWith('>')
  if (isOrder && typeof left === 'string' && typeof right === 'string') return order(operator, left, right)
  return numeric(toNumber(left, l), toNumber(right, r))
}

function isInstance(left: Value, right: Value): Value {
  if (isPrimitive(left)) return false
  const named = typeof right === 'object' && right?.kind === 'method' ? right.name : ''
  if (left.kind === 'array' && (named === 'Array' || named === 'Object')) return true
  return answerAbout(askedOf(left) | askedOf(right))
}

function order(operator: string, left: string, right: string): boolean {
  if (operator === '<') return left < right
  if (operator === '>') return left > right
  return operator === '<=' ? left <= right : left >= right
}

function toNumber(value: Value, text: string): number {
  return isPrimitive(value) ? Number(value) : Number(text)
}

function compare(operator: string, left: Value, right: Value): Value {
  if (!isPrimitive(left) || !isPrimitive(right)) {
    const isSame = left === right && typeof left === 'object' && left !== null && left.kind !== 'unknown'
    return isSame ? operator.startsWith('=') : answerAbout(askedOf(left) | askedOf(right))
  }
  const isLoose = operator.length === 2
  // With loose equality, null equals undefined, and a number equals its string.
  const isEqual =
    left === right ||
    (isLoose &&
      ((left ?? null) === (right ?? null) ||
        (left !== null &&
          left !== undefined &&
          right !== null &&
          right !== undefined &&
          Number(left) === Number(right) &&
          typeof left !== typeof right)))
  return isEqual === operator.startsWith('=')
}

function add(left: Value, right: Value): Value {
  if (isPrimitive(left) && isPrimitive(right) && typeof left !== 'string' && typeof right !== 'string') {
    return Number(left) + Number(right)
  }
  const l = wholeText(left)
  const r = wholeText(right)
  if (l !== undefined && r !== undefined) {
    return l.length + r.length > MAX_TEXT_LENGTH ? l : l + r
  }
  const prefix = l === undefined ? textStart(left) : l.slice(0, 400) + textStart(right)
  const taint = taintOfText(left) | taintOfText(right)
  // A sum of numbers is about what they are about; a text contains nothing of a condition.
  const asked = typeof left === 'string' || typeof right === 'string' ? 0 : askedOf(left) | askedOf(right)
  return unknownValue({ taint, asked, prefix: prefix.slice(0, 400), lead: leadOfSum(left, right) })
}

/** The lead of two joined strings: a host name ends where a path begins. */
function leadOfSum(left: Value, right: Value): number | null {
  if (isUnknown(left) && left.lead !== null) return left.lead
  if (wholeText(left) === undefined && /[/?#]/u.test(textStart(right))) return taintOfText(left)
  return isUnknown(right) && right.lead !== null ? taintOfText(left) | right.lead : null
}

export function applyUnary(operator: string, value: Value): Value {
  if (operator === 'typeof') return typeOf(value)
  if (operator === 'void') return undefined
  if (operator === '!') {
    if (isPrimitive(value)) return !value
    return value.kind === 'unknown' ? answerAbout(askedOf(value)) : false
  }
  const text = wholeText(value)
  if (text === undefined) return unknownValue({ taint: taintOf(value) })
  const number = toNumber(value, text)
  if (operator === '-') return -number
  return operator === '~' ? ~number : number
}

function typeOf(value: Value): Value {
  if (value === null) return 'object'
  if (typeof value !== 'object') return typeof value
  if (value.kind === 'unknown') return UNKNOWN
  return value.kind === 'function' || value.kind === 'method' ? 'function' : 'object'
}
