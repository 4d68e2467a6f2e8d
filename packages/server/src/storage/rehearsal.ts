// Dry runs: the same path as a real write, up to the commit. Whatever is written while one is under way is undone,
// and what the change log would have got is collected.
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Rehearsal<Collected> {
  readonly collected: Collected[]
}

const current = new AsyncLocalStorage<Rehearsal<unknown>>()

/** Runs `work`; its writes are undone. @returns what it returned, and what {@link collect} was given meanwhile. */
export async function rehearse<Result, Collected>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly collected: readonly Collected[] }> {
  const rehearsal: Rehearsal<Collected> = { collected: [] }
  const result = await current.run(rehearsal, work)
  return { result, collected: rehearsal.collected }
}

export interface Surroundings {
  readonly isRehearsal: boolean
  /** Runs `work` as if it had been called where this was captured: units run later, among others' units. */
  within<Result>(work: () => Result): Result
}

export function captureSurroundings(): Surroundings {
  const store = current.getStore()
  return {
    isRehearsal: store !== undefined,
    within: (work) => (store === undefined ? current.exit(work) : current.run(store, work)),
  }
}

/** Notes something for whoever rehearses; does nothing otherwise. @returns whether somebody rehearses. */
export function collect(noted: unknown): boolean {
  const rehearsal = current.getStore()
  rehearsal?.collected.push(noted)
  return rehearsal !== undefined
}
