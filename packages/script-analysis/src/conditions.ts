// Conditions: what happens may depend on earlier checks; for example, scripts that redirect phones check the browser
// first.
import type { Machine } from './machine.ts'
import { ScriptThrow } from './throws.ts'

/** From here on, everything depends on this check. */
export function depend({ observed }: Machine, asked: number): void {
  const { now } = observed
  if ((now.under | asked) !== now.under) observed.now = { ...now, under: now.under | asked }
}

/** Everything inside `run` depends on this check. */
function runUnder<T>(machine: Machine, asked: number, run: () => T): T {
  const { now } = machine.observed
  depend(machine, asked)
  try {
    return run()
  } finally {
    machine.observed.now = now
  }
}

/** Runs what may not run: an exception ends only this, and is only one that may be thrown. */
export function runMaybe<T, U>(machine: Machine, run: () => T, ended: U): T | U {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof ScriptThrow)) throw error
    machine.noteThrow(error.value)
    return ended
  }
}

/** Runs a branch that depends on this check. */
export const runBranch = <T, U>(machine: Machine, asked: number, run: () => T, ended: U): T | U =>
  runMaybe(machine, () => runUnder(machine, asked, run), ended)
