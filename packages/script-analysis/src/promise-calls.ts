// Calls of promises and of `Promise`: what they call, and the promises that they return.
import { addOutcome, mergeAll } from './alternatives.ts'
import type { BrowserCall } from './browser-requests.ts'
import type { Machine } from './machine.ts'
import { isFunctionValue } from './owners.ts'
import {
  addFollower,
  emptyPromise,
  hasOutcome,
  isPromise,
  outcomeOf,
  OUTCOMES,
  type Outcome,
  PROMISE,
} from './promise-state.ts'
import {
  type CallNow,
  promiseOf,
  settle,
  settleBy,
  settledValue,
  settlerOf,
  settlesPromise,
} from './promises.ts'
import { callPure } from './pure-calls.ts'
import {
  hostObject,
  isUnknown,
  SENT_TAINT,
  TAINT,
  UNKNOWN,
  unknownValue,
  type UnknownValue,
  type Value,
  weightOf,
} from './values.ts'

/** `then`, `catch` and `finally`, of a promise or what may be one; undefined: another call. */
export function callOfPromise(
  machine: Machine,
  { self, args }: Pick<BrowserCall, 'self' | 'args'>,
  name: string,
  call: CallNow,
): Value {
  if (name === 'then') {
    const answer = hostObject('response', '', (self.taint & ~SENT_TAINT) | TAINT.network)
    return whenDone(machine, self, { handlers: args, guess: answer, call })
  }
  if (self.entries === null) return undefined
  const guess = unknownValue({ taint: self.taint & TAINT.network })
  if (name === 'catch') return whenDone(machine, self, { handlers: [undefined, ...args], guess, call })
  return name === 'finally' ? whenEnded(machine, self, args[0]) : undefined
}

interface Handling {
  /** What gets the value, and what gets the reason. */
  readonly handlers: readonly Value[]
  /** What they get as long as nothing is known. */
  readonly guess: Value
  readonly call: CallNow
}

/** Another promise of the same kind. */
const nextOf = (self: UnknownValue): UnknownValue =>
  self.path === PROMISE ? emptyPromise(self.taint) : { ...self, entries: new Map() }

/** Calls the functions with the outcome, or with a guess; the promise that they settle. */
function whenDone(machine: Machine, self: UnknownValue, handling: Handling): Value {
  const { handlers, guess, call } = handling
  const next = self.entries === null ? undefined : nextOf(self)
  const known = next === undefined ? [] : OUTCOMES.filter((outcome) => hasOutcome(self, outcome))
  for (const [i, outcome] of OUTCOMES.entries()) {
    const handler = handlers[i]
    if (next === undefined) continue
    if (known.includes(outcome))
      passOn(machine, { outcome, value: outcomeOf(self, outcome), handler, next, call })
    else addFollower(self, outcome, handler, next)
  }
  // A promise with a value seldom has a reason, too.
  if (isPromise(self) && known.includes('value')) {
    if (known.length === 1) machine.later(handlers[1], [UNKNOWN], undefined, { settles: next })
    return next ?? self
  }
  // `eval` is no function of the script.
  if (isUnknown(handlers[0])) call(machine, handlers[0], [guess], undefined)
  for (const handler of handlers) machine.later(handler, [guess], undefined, { settles: next })
  return next ?? self
}

interface Passed {
  readonly outcome: Outcome
  readonly value: Value
  readonly handler: Value
  readonly next: UnknownValue
  readonly call: CallNow
}

/** Gives an outcome to its handler. What is no function passes it on, and so does an unknown function. */
function passOn(machine: Machine, { outcome, value, handler, next, call }: Passed): void {
  if (isFunctionValue(handler))
    return settleBy(machine, next, () => machine.call(handler, [value], undefined))
  if (typeof handler === 'object' && handler?.kind === 'method') {
    machine.spend(weightOf(value))
    return settle(machine, next, 'value', callPure(machine, handler, [value]))
  }
  if (isUnknown(handler) && !settlesPromise(machine, handler, [value]))
    call(machine, handler, [value], undefined)
  settle(machine, next, outcome, value)
}

/** `finally`: the outcome stays, unless the function throws. */
function whenEnded(machine: Machine, self: UnknownValue, handler: Value): Value {
  const next = nextOf(self)
  const ended = emptyPromise()
  addFollower(ended, 'reason', undefined, next)
  machine.later(handler, [], undefined, { settles: ended })
  for (const outcome of OUTCOMES) {
    if (hasOutcome(self, outcome)) settle(machine, next, outcome, outcomeOf(self, outcome))
    else addFollower(self, outcome, undefined, next)
  }
  return next
}

/** Functions of `Promise`; undefined: another one, or of a list that is not known. */
export function callPromise(machine: Machine, name: string, args: readonly Value[]): Value {
  const [first, ...rest] = args
  if (name === 'resolve') return promiseOf(first)
  if (name === 'withResolvers') return withResolvers()
  const result = emptyPromise()
  if (name === 'reject') {
    settle(machine, result, 'reason', first)
    return result
  }
  if (name === 'try' && isFunctionValue(first)) {
    settleBy(machine, result, () => machine.call(first, rest, undefined))
    return result
  }
  if (typeof first !== 'object' || first?.kind !== 'array') return undefined
  return callOfMany(machine, name, first.items, result)
}

/** `Promise.all` and the like. Whether a promise is rejected is not certain, so these have a value in any case. */
function callOfMany(machine: Machine, name: string, items: readonly Value[], result: UnknownValue): Value {
  machine.spend(items.length)
  if (name === 'all') addOutcome(machine, result, 'value', { kind: 'array', items: items.map(settledValue) })
  else if (name === 'allSettled') {
    addOutcome(machine, result, 'value', { kind: 'array', items: items.map(settledResult) })
    return result
  } else if (name === 'race' || name === 'any') settle(machine, result, 'value', winnerOf(machine, items))
  else return undefined
  for (const one of items) {
    if (!isUnknown(one)) continue
    if (hasOutcome(one, 'reason')) settle(machine, result, 'reason', reasonOf(name, outcomeOf(one, 'reason')))
    else if (name !== 'any') addFollower(one, 'reason', undefined, result)
  }
  return result
}

/** `any` gives an error with all reasons. */
function reasonOf(name: string, reason: Value): Value {
  if (name !== 'any') return reason
  const error = hostObject('new AggregateError')
  error.entries?.set('errors', { kind: 'array', items: [reason] })
  return error
}

function winnerOf(machine: Machine, items: readonly Value[]): Value {
  const racers = items.map(settledValue)
  for (const one of racers) machine.spend(weightOf(one))
  // Often the others are only timers.
  return mergeAll(machine, [...racers.filter((one) => !isUnknown(one)), ...racers.filter(isUnknown)])
}

function settledResult(one: Value): Value {
  const isRejected = isUnknown(one) && hasOutcome(one, 'reason')
  const entries = new Map<string, Value>([
    ['status', isRejected ? UNKNOWN : 'fulfilled'],
    ['value', settledValue(one)],
  ])
  if (isRejected) entries.set('reason', outcomeOf(one, 'reason'))
  return { kind: 'object', entries }
}

/** `Promise.withResolvers()` */
function withResolvers(): Value {
  const promise = emptyPromise()
  const entries = new Map<string, Value>([
    ['promise', promise],
    ['resolve', settlerOf(promise, 'value')],
    ['reject', settlerOf(promise, 'reason')],
  ])
  return { kind: 'object', entries }
}
