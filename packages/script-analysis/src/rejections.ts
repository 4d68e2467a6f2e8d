// Promises that are rejected, and their handlers, which get the reason. Whether nothing handles a rejection is not known here: that needs
// all that takes a promise.
import type { Machine } from './machine.ts'
import { hostObject, isUnknown, type UnknownValue, type Value } from './values.ts'

/** Members that no script can name. */
const REASON = ' reason'
const HANDLERS = ' handlers'
const REJECTS = ' rejects'
/** Handlers that wait for one promise. */
const MAX_HANDLERS = 20

/** A promise that is rejected. */
export function reject(promise: UnknownValue, reason: Value): UnknownValue {
  promise.entries?.set(REASON, reason)
  return promise
}

/** The function that rejects a promise. */
export function rejectionOf(promise: UnknownValue): UnknownValue {
  const rejects = hostObject('reject')
  rejects.entries?.set(REJECTS, promise)
  return rejects
}

/** Whether a call rejects a promise. */
export function rejectsPromise(machine: Machine, target: UnknownValue, [reason]: readonly Value[]): boolean {
  const promise = target.entries?.get(REJECTS)
  if (!isUnknown(promise)) return false
  reject(promise, reason)
  const handlers = promise.entries?.get(HANDLERS)
  if (typeof handlers === 'object' && handlers?.kind === 'array')
    for (const handler of handlers.items) machine.later(handler, [reason], undefined)
  return true
}

/** Gives the reason to a handler, now or when the promise is rejected. */
export function handleRejection(machine: Machine, { entries }: UnknownValue, handler: Value): void {
  if (entries === null || handler === undefined || handler === null) return
  if (entries.has(REASON)) return machine.later(handler, [entries.get(REASON)], undefined)
  const known = entries.get(HANDLERS)
  const isList = typeof known === 'object' && known?.kind === 'array'
  if (!isList) entries.set(HANDLERS, { kind: 'array', items: [handler] })
  else if (known.items.length < MAX_HANDLERS) known.items.push(handler)
}

/** If either of two promises is rejected, the handlers of the first one get the reason. */
export function mergeRejections(first: UnknownValue, second: Value): void {
  if (!isUnknown(second) || second.entries?.has(REASON) !== true) return
  if (first.entries?.has(REASON) === false) first.entries.set(REASON, second.entries.get(REASON))
}
