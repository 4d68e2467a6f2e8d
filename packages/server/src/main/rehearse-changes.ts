// Dry runs for the HTTP edge: the change sets that a write would make, as the history would show them.
import type { NumberedChange } from '../features/changes/index.ts'
import { toChangeText } from '../features/history/index.ts'
import { rehearse } from '../storage/index.ts'

/** Runs `work` without its writes. @returns its result, and its change sets as JSON texts. */
export async function rehearseChanges<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly changes: readonly string[] }> {
  const { result, collected } = await rehearse<Result, NumberedChange>(work)
  return { result, changes: collected.map(toChangeText) }
}
