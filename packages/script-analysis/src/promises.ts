// Promises: values that come later. The interpreter does not wait, so a promise has its value as soon as a script gives
// it one.
import { either } from './alternatives.ts'
import type { Machine } from './machine.ts'
import {
  hostObject,
  isUnknown,
  SENT_TAINT,
  TAINT,
  type ArrayValue,
  type UnknownValue,
  type Value,
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
  call(machine, run, [resolver, hostObject('reject')], undefined)
  return promise
}

/** Calls a function of the script; what it throws is ignored. */
export type CallNow = (machine: Machine, callee: Value, args: readonly Value[], self: Value) => Value

/** Whether a call resolves a promise. */
export function resolvesPromise(machine: Machine, target: UnknownValue, [value]: readonly Value[]): boolean {
  const promise = target.entries?.get(OWNER)
  if (promise === undefined || !isPromise(promise) || promise.entries === null) return false
  const { entries } = promise
  const given = settledValue(value)
  entries.set(VALUE, entries.has(VALUE) ? either(entries.get(VALUE), given) : given)
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
  const [first] = args
  if (isPromise(self) && self.entries?.has(VALUE) === true)
    return promiseOf(call(machine, first, [self.entries.get(VALUE)], undefined))
  if (isPromise(self) && waitingFor(self).length < MAX_WAITING) waitingFor(self).push(first)
  const answer = hostObject('response', '', (self.taint & ~SENT_TAINT) | TAINT.network)
  for (const arg of args) machine.later(arg, [answer], undefined)
  return self
}

/** `Promise.all`, `Promise.resolve`; undefined: another function. */
export function callPromise(name: string, [first]: readonly Value[]): Value {
  if (name === 'resolve') return promiseOf(settledValue(first))
  const isList = typeof first === 'object' && first?.kind === 'array'
  return name === 'all' && isList
    ? promiseOf({ kind: 'array', items: first.items.map(settledValue) })
    : undefined
}
