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

/** An exception ends only this, and is only one that may be thrown. */
function guard<T, U>(machine: Machine, run: () => T, ended: U): T | U {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof ScriptThrow)) throw error
    machine.noteThrow(error.value)
    return ended
  }
}

/** Runs what may not run, depending on this check. */
export const runMaybe = <T, U>(machine: Machine, run: () => T, ended: U, asked = 0): T | U =>
  machine.flags.join(asked, () => guard(machine, run, ended))[0]

/** Runs a branch, or the other one if there is one, depending on this check. */
export function runEither<T, U>(
  machine: Machine,
  asked: number,
  ended: U,
  run: () => T,
  otherwise?: () => T,
): readonly [T | U, T | U | null] {
  const guardBranch = (branch: () => T) => (): T | U =>
    guard(machine, () => runUnder(machine, asked, branch), ended)
  return machine.flags.join(asked, guardBranch(run), otherwise && guardBranch(otherwise))
}

/** Runs a branch that depends on this check. */
export const runBranch = <T, U>(machine: Machine, asked: number, run: () => T, ended: U): T | U =>
  runEither(machine, asked, ended, run)[0]
