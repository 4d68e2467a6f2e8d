// Promises: values that come later, and reasons why they do not. The interpreter does not wait, so a promise has its outcome as soon as a
// script gives it one. Whether nothing handles a rejection is not known here: that needs all that takes a promise.
import { addOutcome } from './alternatives.ts'
import type { Machine } from './machine.ts'
import { isFunctionValue } from './owners.ts'
import {
  emptyPromise,
  follow,
  followersOf,
  hasOutcome,
  isPromise,
  outcomeOf,
  OUTCOMES,
  type Outcome,
  setOutcome,
} from './promise-state.ts'
import { followAwaited } from './thrown.ts'
import {
  hostObject,
  isPrivate,
  isUnknown,
  PRIVATE_TAINT,
  taintOf,
  type UnknownValue,
  type Value,
  weightOf,
} from './values.ts'

/** Calls functions that the script did not make, too; what they throw is ignored. */
export type CallNow = (machine: Machine, callee: Value, args: readonly Value[], self: Value) => Value

/** Where the functions that settle a promise keep it. No script can name these members. */
const SETTLES = { value: ' promise', reason: ' rejects' } as const satisfies Record<Outcome, string>

/** A promise that has its value. */
export function promiseOf(value: Value): Value {
  if (isPromise(value)) return value
  const promise = emptyPromise()
  setOutcome(promise, 'value', value)
  return promise
}

/** The value of a promise, or the promise without its reason: that is thrown. */
export function settledValue(value: Value): Value {
  if (!isPromise(value)) return value
  if (hasOutcome(value, 'value')) return outcomeOf(value, 'value')
  return hasOutcome(value, 'reason') ? emptyPromise(value.taint) : value
}

/** What `await` returns. Code that follows may rely on other promises than those that are rejected here, so it is run in any case. */
export function awaitValue(machine: Machine, value: Value): Value {
  if (!isUnknown(value)) return value
  if (hasOutcome(value, 'reason')) machine.noteThrow(outcomeOf(value, 'reason'))
  else if (value.entries !== null && !hasOutcome(value, 'value')) machine.noteAwaited(value)
  return settledValue(value)
}

interface Settlement {
  readonly promise: UnknownValue
  readonly outcome: Outcome
  readonly value: Value
}

/** Settles a promise and those that follow it, and calls what waits for that. A value that is a promise is followed. */
export function settle(machine: Machine, promise: UnknownValue, outcome: Outcome, value: Value): void {
  const waiting: Settlement[] = [{ promise, outcome, value }]
  // Chains of promises can be longer than the stack.
  for (const settlement of waiting) {
    machine.spend(1)
    const other = settlement.outcome === 'value' && isPromise(settlement.value) ? settlement.value : undefined
    if (other === undefined) {
      waiting.push(...settleOne(machine, settlement))
      continue
    }
    const known = OUTCOMES.filter((one) => hasOutcome(other, one))
    for (const one of known) waiting.push({ ...settlement, outcome: one, value: outcomeOf(other, one) })
    if (known.length === 0) follow(other, settlement.promise)
  }
}

/** Settles one promise; what is to be settled then. */
function settleOne(machine: Machine, { promise, outcome, value }: Settlement): readonly Settlement[] {
  const followers = followersOf(promise, outcome)
  machine.spend(1 + followers.length + weightOf(value))
  const isKnown = hasOutcome(promise, outcome)
  // Promises that follow each other end here.
  const isNew = !isKnown || (taintOf(value) & PRIVATE_TAINT & ~taintOf(outcomeOf(promise, outcome))) !== 0
  addOutcome(machine, promise, outcome, value)
  return followers.flatMap(({ handler, next }) => {
    if (isFunctionValue(handler)) machine.later(handler, [value], undefined, { settles: next })
    else if (
      isNew &&
      !(isUnknown(handler) && settlesPromise(machine, handler, [value])) &&
      next !== undefined
    )
      return [{ promise: next, outcome, value }]
    return []
  })
}

/** Runs a part whose result is that of a promise, and whose exceptions reject it. */
export function settleBy(machine: Machine, promise: UnknownValue, run: () => Value): void {
  const caught = machine.catchAll(run)
  if (!caught.isEnded) settle(machine, promise, 'value', caught.result)
  for (const error of caught.errors) settle(machine, promise, 'reason', error)
  followAwaited(caught, undefined, promise)
}

/** The same for a function that is called later, with what may not be its argument: only private data and promises are followed. */
export function settleLater(machine: Machine, promise: UnknownValue, run: () => Value): void {
  const caught = machine.catchAll(run)
  const { result } = caught
  machine.spend(weightOf(result))
  if (isPromise(result) || isPrivate(result)) settle(machine, promise, 'value', result)
  for (const error of caught.errors) settle(machine, promise, 'reason', error)
  followAwaited(caught, undefined, promise)
}

/** What an async function returns. */
export function promiseBy(machine: Machine, run: () => Value): Value {
  const promise = emptyPromise()
  settleBy(machine, promise, run)
  return promise
}

/** `new Promise(run)`: runs it with the functions that settle the promise. */
export function makePromise(machine: Machine, [run]: readonly Value[], call: CallNow): Value {
  const promise = emptyPromise()
  const settlers = OUTCOMES.map((outcome) => settlerOf(promise, outcome))
  if (!isFunctionValue(run)) {
    call(machine, run, settlers, undefined)
    return promise
  }
  const caught = machine.catchAll(() => machine.call(run, settlers, undefined))
  for (const error of caught.errors) settle(machine, promise, 'reason', error)
  return promise
}

/** The function that settles a promise. */
export function settlerOf(promise: UnknownValue, outcome: Outcome): UnknownValue {
  const settler = hostObject(outcome === 'value' ? 'resolve' : 'reject')
  settler.entries?.set(SETTLES[outcome], promise)
  return settler
}

/** Whether a call settles a promise. */
export function settlesPromise(
  machine: Machine,
  { entries }: UnknownValue,
  [value]: readonly Value[],
): boolean {
  if (entries === null) return false
  for (const outcome of OUTCOMES) {
    const promise = entries.get(SETTLES[outcome])
    if (!isUnknown(promise)) continue
    settle(machine, promise, outcome, value)
    return true
  }
  return false
}
