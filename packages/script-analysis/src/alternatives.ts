// Values that are one of two, because the condition between them is unknown.
import { addressOf, eitherFlag, eitherReply } from './flags.ts'
import type { Machine } from './machine.ts'
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
  type ObjectValue,
  PRIVATE_TAINT,
  taintOf,
  TAKEN_APART_TAINT,
  unknownValue,
  type UnknownValue,
  type Value,
  weightOf,
} from './values.ts'

/** What visitors typed, or the page hides, is relevant, even if another branch returns something known. */
const NOT_LOST = PRIVATE_TAINT | DECODED_TAINT | TAKEN_APART_TAINT

const STEPS_OF_MEMBER = 4
const STEPS_OF_PROMISE = 2

/** Adds the condition under which an answer is given to what it depends on. */
export function addCondition(value: Value, asked: number): Value {
  if (!isUnknown(value) || value.path === 'window' || (value.asked | asked) === value.asked) return value
  return { ...value, asked: value.asked | asked }
}

type Spender = Pick<Machine, 'spend'>

/**
 * One of two values. The known parts of the first one are used, with the taint of both; whether it is yes or no depends
 * on `asked`.
 */
export const mergeBranches = (machine: Spender, first: Value, second: Value, asked = 0): Value =>
  eitherFlag(first, second, asked) ?? merge(machine, { first, second, isInner: false })

/** One of many that a function may return. */
export const mergeAll = (machine: Spender, [first, ...others]: readonly Value[], asked = 0): Value =>
  others.reduce(
    (merged, other) => eitherReply(merged, other, asked) ?? mergeBranches(machine, merged, other, asked),
    first,
  )

interface Two {
  readonly first: Value
  readonly second: Value
  /** Whether they are in two values that are merged: what is in them is not merged again, because values can be in themselves. */
  readonly isInner: boolean
}

function merge(machine: Spender, { first, second, isInner }: Two): Value {
  if (first === second) return first
  if (!isUnknown(first)) return eitherKnown(machine, { first, second, isInner })
  if (first.path === '' && first.taint === 0) return addCondition(second, first.asked)
  const isOfPromise = isPromise(first) && (isPromise(second) || isPrivate(second))
  if (isOfPromise)
    return isInner
      ? unknownValue({ taint: taintOf(first) | taintOf(second) })
      : eitherPromise(machine, first, second)
  // What the browser gives may be used as a promise, too.
  if (!isInner && isUnknown(second) && hasOutcome(second, 'reason'))
    addInner(machine, first, 'reason', outcomeOf(second, 'reason'))
  const taint = first.taint | taintOf(second)
  const asked = first.asked | askedOf(second)
  return taint === first.taint && asked === first.asked ? first : { ...first, taint, asked }
}

/** The value that has all that must not be lost; if each has something of its own, only the members of objects are known. */
function eitherKnown(machine: Spender, { first, second, isInner }: Two): Value {
  // What was found, or nothing: its content counts, but whether it is there is unknown.
  if (first === null || first === false) return perhaps(second)
  const address = addressOf(first, second)
  if (address !== undefined) return address
  const ofSecond = taintOf(second) & NOT_LOST
  if (ofSecond === 0) return first
  const ofFirst = taintOf(first) & NOT_LOST
  if ((ofFirst & ~ofSecond) === 0) return second
  if ((ofSecond & ~ofFirst) === 0) return first
  if (!isInner && isObject(first) && isObject(second)) return eitherObject(machine, first, second)
  return unknownValue({ taint: taintOf(first) | taintOf(second) })
}

/** A value that may be missing. */
function perhaps(value: Value): Value {
  if (typeof value === 'string')
    return value === '' ? value : unknownValue({ prefix: value.slice(0, MAX_PREFIX) })
  return isObject(value)
    ? { ...unknownValue({ taint: taintOf(value) }), entries: new Map(value.entries) }
    : value
}

const MAX_PREFIX = 300
const isObject = (value: Value): value is ObjectValue => typeof value === 'object' && value?.kind === 'object'

/** An object with the members of either. */
function eitherObject(machine: Spender, first: ObjectValue, second: ObjectValue): ObjectValue {
  machine.spend(first.entries.size + second.entries.size * STEPS_OF_MEMBER)
  const entries = new Map(first.entries)
  for (const [name, value] of second.entries) {
    const isOfBoth = entries.has(name)
    entries.set(
      name,
      isOfBoth ? merge(machine, { first: entries.get(name), second: value, isInner: true }) : value,
    )
  }
  return { kind: 'object', entries }
}

/** A promise that becomes what either of two does; what is no promise is a value. */
function eitherPromise(machine: Spender, first: UnknownValue, second: Value): UnknownValue {
  const either = emptyPromise(first.taint | (isPromise(second) ? second.taint : 0))
  for (const one of [first, second]) {
    machine.spend(STEPS_OF_PROMISE + weightOf(one))
    if (!isPromise(one)) addInner(machine, either, 'value', one)
    else if (!becomes(machine, either, one)) follow(one, either)
  }
  return either
}

/** Gives a promise what another one has; false: that has nothing yet. */
function becomes(machine: Spender, promise: UnknownValue, other: UnknownValue): boolean {
  const known = OUTCOMES.filter((outcome) => hasOutcome(other, outcome))
  for (const outcome of known) addInner(machine, promise, outcome, outcomeOf(other, outcome))
  return known.length > 0
}

/** The same for one outcome, which is in values that are merged. */
function addInner(machine: Spender, promise: UnknownValue, outcome: Outcome, value: Value): void {
  const first = outcomeOf(promise, outcome)
  const isKnown = hasOutcome(promise, outcome)
  setOutcome(promise, outcome, isKnown ? merge(machine, { first, second: value, isInner: true }) : value)
}

/** Gives a promise an outcome, beside those that it may have. */
export function addOutcome(machine: Spender, promise: UnknownValue, outcome: Outcome, value: Value): void {
  const isKnown = hasOutcome(promise, outcome)
  setOutcome(promise, outcome, isKnown ? mergeBranches(machine, outcomeOf(promise, outcome), value) : value)
}
