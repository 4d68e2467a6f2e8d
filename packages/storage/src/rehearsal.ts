// Dry runs: the same code as a real write, up to the commit. All writes during one are rolled back, and what
// the change log would have received is collected.
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Rehearsal<Collected> {
  readonly collected: Collected[]
  readonly signal: AbortSignal | undefined
}

const current = new AsyncLocalStorage<Rehearsal<unknown>>()

/**
 * Runs `work` and rolls its writes back; its units end when `signal` is aborted.
 * @returns the result, and everything passed to {@link collect} in the meantime.
 */
export async function rehearse<Result, Collected>(
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<{ readonly result: Result; readonly collected: readonly Collected[] }> {
  const rehearsal: Rehearsal<Collected> = { collected: [], signal }
  const result = await current.run(rehearsal, work)
  return { result, collected: rehearsal.collected }
}

export const isRehearsal = (): boolean => current.getStore() !== undefined

export interface RehearsalContext {
  readonly isRehearsal: boolean
  /** @throws the abort reason if the dry run was aborted. */
  throwIfAborted(): void
  /** Runs `work` in the captured context: units run later, between units of other callers. */
  within<Result>(work: () => Result): Result
  /** Forgets what was collected since the first call: the work is done again. */
  forgetCollected(): void
}

export function captureContext(): RehearsalContext {
  const store = current.getStore()
  let before: number | undefined
  return {
    forgetCollected(): void {
      if (store === undefined) return
      if (before === undefined) before = store.collected.length
      else store.collected.length = before
    },
    isRehearsal: store !== undefined,
    throwIfAborted: () => store?.signal?.throwIfAborted(),
    within: (work) => (store === undefined ? current.exit(work) : current.run(store, work)),
  }
}

/**
 * Adds notes to the current dry run; does nothing outside of one.
 * @returns whether this is a dry run.
 */
export function collect(notes: unknown): boolean {
  const rehearsal = current.getStore()
  rehearsal?.collected.push(notes)
  return rehearsal !== undefined
}
