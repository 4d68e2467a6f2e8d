// Exceptions that end a run early.
import type { Value } from './values.ts'

/** Thrown by the script itself. */
export class ScriptThrow {
  readonly value: Value
  constructor(value: Value) {
    this.value = value
  }
}

/** The steps are used up. */
export class OutOfSteps extends Error {}
