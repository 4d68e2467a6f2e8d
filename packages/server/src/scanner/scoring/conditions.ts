// What happens depends on what was asked before it: whoever sends telephones elsewhere asks which browser it is.
import type { Machine } from './machine.ts'

/** From here on, what happens depends on something. */
export function depend({ observed }: Machine, asked: number): void {
  const { now } = observed
  if ((now.under | asked) !== now.under) observed.now = { ...now, under: now.under | asked }
}

/** Whatever is run depends on something. */
export function runUnder<T>(machine: Machine, asked: number, run: () => T): T {
  const { now } = machine.observed
  depend(machine, asked)
  try {
    return run()
  } finally {
    machine.observed.now = now
  }
}
