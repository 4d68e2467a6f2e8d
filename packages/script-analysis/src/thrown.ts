// What a part of a script throws, or may throw: an exception under an unknown condition ends nothing, but what handles it gets it.
import { addFollower } from './promise-state.ts'
import { ScriptThrow } from './throws.ts'
import { PRIVATE_TAINT, taintOf, type UnknownValue, type Value, weightOf } from './values.ts'

/** How a part ended. */
export interface Caught<T> {
  /** undefined: it was ended by an exception. */
  readonly result: T | undefined
  /** What it may have thrown with private data, and last what has ended it. */
  readonly errors: readonly Value[]
  /** Promises that it waits for; they may be rejected later. */
  readonly awaited: readonly UnknownValue[]
  readonly isEnded: boolean
}

export interface Thrown {
  /** Notes an exception that the running code may have thrown; only private data is followed. */
  readonly noteThrow: (error: Value) => void
  /** Notes a promise whose rejection the running code would throw. */
  readonly noteAwaited: (promise: UnknownValue) => void
  /** Runs a part whose exceptions are handled. */
  readonly catchAll: <T>(run: () => T) => Caught<T>
}

/** Errors of one part, and as many more as have other data. */
const MAX_ERRORS = 20
const STEPS_OF_AWAITED = 2

/** For one script. */
export function createThrown(spend: (steps: number) => void): Thrown {
  let errors: Value[] = []
  /** Private data of each of them. */
  let taints: number[] = []
  let awaited: UnknownValue[] = []

  return {
    noteThrow(error) {
      spend(weightOf(error))
      const taint = taintOf(error) & PRIVATE_TAINT
      if (taint === 0) return
      spend(taints.length)
      const isKnown = taints.some((one) => (taint & ~one) === 0)
      if (isKnown && errors.length >= MAX_ERRORS) return
      errors.push(error)
      taints.push(taint)
    },
    noteAwaited(promise) {
      spend(STEPS_OF_AWAITED)
      awaited.push(promise)
    },
    catchAll(run) {
      const outer = [errors, awaited, taints] as const
      taints = []
      const own = { errors: (errors = []), awaited: (awaited = []) }
      try {
        return { result: run(), ...own, isEnded: false }
      } catch (error) {
        if (!(error instanceof ScriptThrow)) throw error
        errors.push(error.value)
        return { result: undefined, ...own, isEnded: true }
      } finally {
        ;[errors, awaited, taints] = outer
      }
    },
  }
}

/** What handles exceptions of a part gets the reasons of the promises that it waits for, too. */
export function followAwaited({ awaited }: Caught<unknown>, handler: Value, next?: UnknownValue): void {
  for (const promise of awaited) addFollower(promise, 'reason', handler, next)
}
