// Values that are one of two, because the condition between them is unknown.
import { mergeRejections } from './rejections.ts'
import {
  askedOf,
  DECODED_TAINT,
  isUnknown,
  PRIVATE_TAINT,
  taintOf,
  TAKEN_APART_TAINT,
  type Value,
} from './values.ts'

/** What visitors typed, or the page hides, is relevant, even if another branch returns something known. */
const NOT_LOST = PRIVATE_TAINT | DECODED_TAINT | TAKEN_APART_TAINT

/** Adds the condition under which an answer is given to what it depends on. */
export function addCondition(value: Value, asked: number): Value {
  if (!isUnknown(value) || value.path === 'window' || (value.asked | asked) === value.asked) return value
  return { ...value, asked: value.asked | asked }
}

/** One of two values. The known parts of the first one are used, with the taint of both. */
export function mergeBranches(first: Value, second: Value): Value {
  if (!isUnknown(first)) return (taintOf(second) & NOT_LOST) !== 0 ? second : first
  if (first.path === '' && first.taint === 0) return addCondition(second, first.asked)
  mergeRejections(first, second)
  const taint = first.taint | taintOf(second)
  const asked = first.asked | askedOf(second)
  return taint === first.taint && asked === first.asked ? first : { ...first, taint, asked }
}
