// How a run can end early.
import type { Value } from './values.ts'

/** What the script threw. */
export class ScriptThrow {
  readonly value: Value
  constructor(value: Value) {
    this.value = value
  }
}

/** The steps are used up. */
export class OutOfSteps extends Error {}
