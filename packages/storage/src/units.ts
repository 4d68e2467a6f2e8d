// Units of work that wait for their turn, and the hooks that follow their commit: the same for every database.
import { createPromise } from '@zonereeve/cooperate'
import type { Log } from '@zonereeve/platform'
import { captureContext } from './rehearsal.ts'
import type { Reader, Transaction } from './storage.ts'

export type Hook = Parameters<Transaction['onCommit']>[0]

/** What hooks that follow each other do together, and what this one adds to it. */
interface Joined<Item> {
  readonly run: (items: readonly Item[]) => void | Promise<void>
  readonly item: Item
}

const JOINED = Symbol('what the hook does together with others')
type Joining = Hook & { [JOINED]?: Joined<unknown> }

/** A hook that is run once for all hooks of a commit that follow each other and have the same `run`. */
export const joinedHook = <Item>(run: Joined<Item>['run'], item: Item): Hook =>
  Object.assign(() => run([item]), { [JOINED]: { run, item } })

/** Runs the hooks of a commit, one after the other. Most do not wait: these follow each other without yielding. */
export async function runHooks(hooks: readonly Joining[], log: Log): Promise<void> {
  let items: unknown[] = []
  for (const [index, hook] of hooks.entries()) {
    const joined = hook[JOINED]
    if (joined !== undefined) items.push(joined.item)
    if (joined !== undefined && joined.run === hooks[index + 1]?.[JOINED]?.run) continue
    const all = items
    items = []
    const rest = runHook(joined === undefined ? hook : () => joined.run(all), log)
    if (rest !== undefined) await rest
  }
}

export interface WaitingUnit {
  /** Rolled back although it succeeds: a dry run. */
  readonly rehearsed: boolean
  run(tx: Transaction): Promise<void>
  /** Reads what `run` will read, into the memory of the transaction. */
  readAhead?(tx: Reader): Promise<unknown>
  settle(failure: unknown): void
}

/** A unit in the context of its caller, and the promise of its result. */
export function createWaitingUnit<Result>(
  unit: (tx: Transaction) => Promise<Result>,
  readAhead?: WaitingUnit['readAhead'],
): { readonly waiting: WaitingUnit; readonly result: Promise<Result> } {
  const { isRehearsal: rehearsed, throwIfAborted, within, forgetCollected } = captureContext()
  const { promise: result, resolve, reject } = createPromise<Result>()
  let outcome: Result
  const waiting: WaitingUnit = {
    rehearsed,
    async run(tx) {
      throwIfAborted()
      forgetCollected() // by a run that is repeated
      const yieldUnlessAborted = () => tx.yieldIfDue().then(throwIfAborted)
      outcome = await within(() => unit(rehearsed ? { ...tx, yieldIfDue: yieldUnlessAborted } : tx))
    },
    ...(readAhead && { readAhead }),
    settle: (failure) => (failure === undefined ? resolve(outcome) : reject(failure)),
  }
  return { waiting, result }
}

/** @returns undefined if the hook is done. */
function runHook(hook: Hook, log: Log): Promise<void> | undefined {
  // The write is durable, so its caller gets success; the failed hook leaves derived state stale: alert the
  // operator.
  const report = (failure: unknown) => log.error({ err: failure }, 'commit hook failed')
  try {
    return hook()?.catch(report)
  } catch (failure) {
    report(failure)
    return undefined
  }
}
