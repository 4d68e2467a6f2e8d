// `?dry_run=true` on any write: the same code path, up to the commit.
import type { Operation } from '@zonereeve/contract'
import { DomainError } from '@zonereeve/platform'

/**
 * Runs `work` without its writes, until the signal is aborted. @returns its result, and the change sets it would have
 * made, as JSON texts.
 */
export type Rehearse = <Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
) => Promise<{ readonly result: Result; readonly changes: readonly string[] }>

const MEANINGS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/**
 * @throws DomainError: request.invalid for anything but true and false (or 1 and 0, where a dry run is our own
 * addition).
 */
export function asksDryRun(operation: Operation, query: Readonly<Record<string, unknown>>): boolean {
  const dryRun = query['dry_run']
  if (operation.method === 'GET' || dryRun === undefined) return false
  const meaning = MEANINGS.get(dryRun)
  const isWord = dryRun === 'true' || dryRun === 'false'
  if (meaning !== undefined && (isWord || operation.dryRunIsSilent !== true)) return meaning
  throw new DomainError({
    reason: 'request.invalid',
    pointer: '/dry_run',
    values: { problem: 'dry_run must be true or false' },
  })
}
