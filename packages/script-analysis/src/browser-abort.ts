// Signals by which a script aborts what waits: their reason reaches listeners, requests, and other signals.
import { callListeners, keepForListeners } from './browser-events.ts'
import type { Effect } from './browser-requests.ts'
import { SIGNAL } from './browser-sources.ts'
import type { Machine } from './machine.ts'
import { addFollower, hasOutcome, outcomeOf } from './promise-state.ts'
import { settle } from './promises.ts'
import { hostObject, isPrivate, isUnknown, UNKNOWN, type UnknownValue, type Value } from './values.ts'

/** Where a controller keeps its signal. */
const MEMBER = 'signal'
const ABORT = 'abort'

/** `new AbortController()` */
export function makeAborter(): UnknownValue {
  const aborter = hostObject('new AbortController')
  aborter.entries?.set(MEMBER, hostObject(SIGNAL))
  return aborter
}

const isSignal = (value: Value): value is UnknownValue => isUnknown(value) && value.path === SIGNAL

/** `abort(reason)` of a controller, or of `AbortSignal` itself. */
export const abort: Effect = (machine, { self, args: [reason] }) => {
  const isOfClass = self.path === 'AbortSignal'
  const signal = isOfClass ? hostObject(SIGNAL) : self.entries?.get(MEMBER)
  if (!isSignal(signal)) return undefined
  giveReason(machine, signal, reason)
  return isOfClass ? signal : UNKNOWN
}

/** A signal has its reason as a rejected promise has, and what waits for it is rejected. */
function giveReason(machine: Machine, signal: UnknownValue, reason: Value): void {
  settle(machine, signal, 'reason', reason)
  if (!isPrivate(reason)) return
  const given = new Map<string, Value>(
    ['target', 'currentTarget', 'srcElement'].map((name) => [name, signal]),
  )
  keepForListeners(machine, ABORT, given)
  callListeners(machine, signal, ABORT, given, [])
}

/** `AbortSignal.any(signals)` */
export const anySignal: Effect = (machine, { self, args: [given] }) => {
  if (self.path !== 'AbortSignal' || typeof given !== 'object' || given?.kind !== 'array') return undefined
  const signal = hostObject(SIGNAL)
  machine.spend(given.items.length)
  for (const one of given.items) followSignal(machine, one, signal)
  return signal
}

/** What is rejected when a signal is aborted. */
export function followSignal(machine: Machine, signal: Value, next: UnknownValue): void {
  if (!isSignal(signal)) return
  if (hasOutcome(signal, 'reason')) settle(machine, next, 'reason', outcomeOf(signal, 'reason'))
  else addFollower(signal, 'reason', undefined, next)
}

export const throwIfAborted: Effect = (machine, { self }) => {
  if (!isSignal(self)) return undefined
  machine.noteThrow(outcomeOf(self, 'reason'))
  return UNKNOWN
}
