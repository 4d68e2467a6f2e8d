// Conditions: what happens may depend on earlier checks; for example, scripts that redirect phones check the browser
// first.
import type { Machine } from './machine.ts'

/** From here on, everything depends on this check. */
export function depend({ observed }: Machine, asked: number): void {
  const { now } = observed
  if ((now.under | asked) !== now.under) observed.now = { ...now, under: now.under | asked }
}

/** Everything inside `run` depends on this check. */
export function runUnder<T>(machine: Machine, asked: number, run: () => T): T {
  const { now } = machine.observed
  depend(machine, asked)
  try {
    return run()
  } finally {
    machine.observed.now = now
  }
}
