// What a promise is known to become, and what waits for it. Because conditions are unknown, a promise may have both a value and a
// reason why it is rejected.
import { MAX_ITEMS } from './limits.ts'
import { hostObject, isUnknown, type UnknownValue, type Value } from './values.ts'

export type Outcome = 'value' | 'reason'
export const OUTCOMES: readonly Outcome[] = ['value', 'reason']

export const PROMISE = 'new Promise'
/** Members that no script can name. */
const KEYS = { value: ' value', reason: ' reason' } as const satisfies Record<Outcome, string>
const WAITING = { value: ' waiting', reason: ' handlers' } as const satisfies Record<Outcome, string>
export const emptyPromise = (taint = 0): UnknownValue => hostObject(PROMISE, '', taint)

export const isPromise = (value: Value): value is UnknownValue => isUnknown(value) && value.path === PROMISE

/** Whether a promise, or what the browser gives as one, has an outcome. */
export const hasOutcome = ({ entries }: UnknownValue, outcome: Outcome): boolean =>
  entries?.has(KEYS[outcome]) === true

export const outcomeOf = ({ entries }: UnknownValue, outcome: Outcome): Value => entries?.get(KEYS[outcome])

export const setOutcome = ({ entries }: UnknownValue, outcome: Outcome, value: Value): void => {
  entries?.set(KEYS[outcome], value)
}

/** A function that waits, and the promise that it settles. What is no function passes the outcome on to that promise. */
export interface Follower {
  readonly handler: Value
  readonly next: UnknownValue | undefined
}

export function addFollower(
  { entries }: UnknownValue,
  outcome: Outcome,
  handler: Value,
  next?: UnknownValue,
): void {
  const follower: Value = { kind: 'array', items: [handler, next] }
  const known = entries?.get(WAITING[outcome])
  if (typeof known !== 'object' || known?.kind !== 'array')
    entries?.set(WAITING[outcome], { kind: 'array', items: [follower] })
  else if (known.items.length < MAX_ITEMS) known.items.push(follower)
}

/** One promise becomes what another will. */
export function follow(promise: UnknownValue, next: UnknownValue): void {
  for (const outcome of OUTCOMES) addFollower(promise, outcome, undefined, next)
}

export function followersOf({ entries }: UnknownValue, outcome: Outcome): readonly Follower[] {
  const known = entries?.get(WAITING[outcome])
  if (typeof known !== 'object' || known?.kind !== 'array') return []
  return known.items.flatMap((one) => {
    if (typeof one !== 'object' || one?.kind !== 'array') return []
    const [handler, next] = one.items
    return [{ handler, next: isUnknown(next) ? next : undefined }]
  })
}
