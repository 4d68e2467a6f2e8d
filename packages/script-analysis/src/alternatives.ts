// Values that are one of two, because the condition between them is unknown.
import {
  emptyPromise,
  follow,
  hasOutcome,
  isPromise,
  outcomeOf,
  OUTCOMES,
  type Outcome,
  setOutcome,
} from './promise-state.ts'
import {
  askedOf,
  DECODED_TAINT,
  isPrivate,
  isUnknown,
  PRIVATE_TAINT,
  taintOf,
  TAKEN_APART_TAINT,
  unknownValue,
  type UnknownValue,
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
  if (!isUnknown(first)) return eitherKnown(first, second)
  if (first.path === '' && first.taint === 0) return addCondition(second, first.asked)
  if (isPromise(first) && (isPromise(second) || isPrivate(second))) return eitherPromise(first, second)
  // What the browser gives may be used as a promise, too.
  if (isUnknown(second) && hasOutcome(second, 'reason'))
    addOutcome(first, 'reason', outcomeOf(second, 'reason'))
  const taint = first.taint | taintOf(second)
  const asked = first.asked | askedOf(second)
  return taint === first.taint && asked === first.asked ? first : { ...first, taint, asked }
}

/** The value that has all that must not be lost; if each has something of its own, nothing else is known. */
function eitherKnown(first: Value, second: Value): Value {
  const ofSecond = taintOf(second) & NOT_LOST
  if (ofSecond === 0) return first
  const ofFirst = taintOf(first) & NOT_LOST
  if ((ofFirst & ~ofSecond) === 0) return second
  return (ofSecond & ~ofFirst) === 0 ? first : unknownValue({ taint: taintOf(first) | taintOf(second) })
}

/** A promise that becomes what either of two does; what is no promise is a value. */
function eitherPromise(first: UnknownValue, second: Value): UnknownValue {
  const either = emptyPromise(first.taint | (isPromise(second) ? second.taint : 0))
  for (const one of [first, second]) {
    if (!isPromise(one)) addOutcome(either, 'value', one)
    else if (!becomes(either, one)) follow(one, either)
  }
  return either
}

/** Gives a promise what another one has; false: that has nothing yet. */
function becomes(promise: UnknownValue, other: UnknownValue): boolean {
  const known = OUTCOMES.filter((outcome) => hasOutcome(other, outcome))
  for (const outcome of known) addOutcome(promise, outcome, outcomeOf(other, outcome))
  return known.length > 0
}

/** Gives a promise an outcome, beside those that it may have. */
export function addOutcome(promise: UnknownValue, outcome: Outcome, value: Value): void {
  const known = hasOutcome(promise, outcome)
  setOutcome(promise, outcome, known ? mergeBranches(outcomeOf(promise, outcome), value) : value)
}
