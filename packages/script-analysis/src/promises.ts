// Promises: values that come later. The interpreter does not wait, so a promise has its value as soon as a script gives
// it one.
import { mergeBranches } from './alternatives.ts'
import type { Machine } from './machine.ts'
import { callPure } from './pure-calls.ts'
import { reject, rejectionOf, rejectsPromise } from './rejections.ts'
import {
  hostObject,
  isUnknown,
  SENT_TAINT,
  TAINT,
  UNKNOWN,
  type ArrayValue,
  type UnknownValue,
  type Value,
  weightOf,
} from './values.ts'

const PATH = 'new Promise'
/** Members that no script can name. */
const VALUE = ' value'
const OWNER = ' promise'
const WAITING = ' waiting'
/** Functions that wait for one promise. */
const MAX_WAITING = 20

/** A promise that has its value. */
export function promiseOf(value: Value): Value {
  if (isPromise(value)) return value
  const promise = hostObject(PATH)
  promise.entries?.set(VALUE, value)
  return promise
}

const isPromise = (value: Value): value is UnknownValue => isUnknown(value) && value.path === PATH

/** What `await` returns. */
export const settledValue = (value: Value): Value =>
  isPromise(value) && value.entries?.has(VALUE) === true ? value.entries.get(VALUE) : value

/** `new Promise(run)`: runs it with a function that resolves the promise. */
export function makePromise(machine: Machine, [run]: readonly Value[], call: CallNow): Value {
  const promise = hostObject(PATH)
  const resolver = hostObject('resolve')
  resolver.entries?.set(OWNER, promise)
  call(machine, run, [resolver, rejectionOf(promise)], undefined)
  return promise
}

/** Calls a function of the script; what it throws is ignored. */
export type CallNow = (machine: Machine, callee: Value, args: readonly Value[], self: Value) => Value

/** Whether a call resolves a promise. */
export function resolvesPromise(machine: Machine, target: UnknownValue, [value]: readonly Value[]): boolean {
  if (rejectsPromise(machine, target, [value])) return true
  const promise = target.entries?.get(OWNER)
  if (promise === undefined || !isPromise(promise) || promise.entries === null) return false
  const { entries } = promise
  const given = settledValue(value)
  entries.set(VALUE, entries.has(VALUE) ? mergeBranches(entries.get(VALUE), given) : given)
  for (const callee of waitingFor(promise)) machine.later(callee, [given], undefined)
  return true
}

function waitingFor({ entries }: UnknownValue): Value[] {
  const known = entries?.get(WAITING)
  if (typeof known === 'object' && known?.kind === 'array') return known.items
  const waiting: ArrayValue = { kind: 'array', items: [] }
  entries?.set(WAITING, waiting)
  return waiting.items
}

/** `then`: calls the function with the value, or with an answer of the network. */
export function whenDone(machine: Machine, self: UnknownValue, args: readonly Value[], call: CallNow): Value {
  const [first, onError] = args
  if (isPromise(self) && self.entries?.has(VALUE) === true) {
    machine.later(onError, [UNKNOWN], undefined)
    return afterValue(machine, self, first, call)
  }
  if (isPromise(self) && waitingFor(self).length < MAX_WAITING) waitingFor(self).push(first)
  const answer = hostObject('response', '', (self.taint & ~SENT_TAINT) | TAINT.network)
  // `eval` is no function of the script.
  if (isUnknown(first)) call(machine, first, [answer], undefined)
  for (const arg of args) machine.later(arg, [answer], undefined)
  return self
}

/** What `then` returns if the value is known. What is no function passes it on, and so does an unknown function. */
function afterValue(machine: Machine, self: UnknownValue, callee: Value, call: CallNow): Value {
  const value = self.entries?.get(VALUE)
  if (typeof callee !== 'object' || callee === null) return self
  if (callee.kind === 'function') return promiseOf(call(machine, callee, [value], undefined))
  if (callee.kind === 'method') {
    machine.spend(weightOf(value))
    return promiseOf(callPure(machine, callee, [value]))
  }
  if (callee.kind === 'unknown' && !resolvesPromise(machine, callee, [value]))
    call(machine, callee, [value], undefined)
  return self
}

/** Promises of which a race is followed. */
const MAX_RACERS = 20

/** What calls of a promise return if they keep its value, or those of several; undefined: another call. */
export function valueKept(
  machine: Machine,
  self: UnknownValue,
  name: string,
  [first]: readonly Value[],
): Value {
  if (self.path === PATH) return name === 'catch' || name === 'finally' ? self : undefined
  if (self.path !== 'Promise' || typeof first !== 'object' || first?.kind !== 'array') return undefined
  if (name === 'allSettled') {
    machine.spend(first.items.length)
    return promiseOf({ kind: 'array', items: first.items.map(settledResult) })
  }
  if (name !== 'race' && name !== 'any') return undefined
  const racers = first.items.slice(0, MAX_RACERS).map(settledValue)
  for (const one of racers) machine.spend(weightOf(one))
  // Often the others are only timers.
  const [winner, ...others] = [...racers.filter((one) => !isUnknown(one)), ...racers.filter(isUnknown)]
  return promiseOf(others.reduce(mergeBranches, winner))
}

const settledResult = (value: Value): Value => ({
  kind: 'object',
  entries: new Map<string, Value>([
    ['status', 'fulfilled'],
    ['value', settledValue(value)],
  ]),
})

/** `Promise.all`, `Promise.resolve`, `Promise.reject`; undefined: another function. */
export function callPromise(name: string, [first]: readonly Value[]): Value {
  if (name === 'reject') return reject(hostObject(PATH), first)
  if (name === 'resolve') return promiseOf(settledValue(first))
  const isList = typeof first === 'object' && first?.kind === 'array'
  return name === 'all' && isList
    ? promiseOf({ kind: 'array', items: first.items.map(settledValue) })
    : undefined
}
