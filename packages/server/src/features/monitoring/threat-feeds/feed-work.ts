// Runs threat feeds: fetches due feeds, and checks the inventory against them.
import { VERSION } from '../../../version.ts'
import { checkInventory, type ChecksDeps } from './checks.service.ts'
import type { Imports } from './imports.service.ts'

export interface FeedWorkDeps extends ChecksDeps {
  readonly imports: Imports
}

export async function fetchFeeds(
  { imports }: Pick<FeedWorkDeps, 'imports'>,
  signal: AbortSignal,
): Promise<void> {
  await imports.renew(VERSION)
  await imports.fetchDue(signal)
}

/** The inventory held against feeds that have changed, and what does not count any more cleared away. */
export async function holdAgainstFeeds(
  { imports, ...deps }: FeedWorkDeps,
  signal: AbortSignal,
): Promise<void> {
  await checkInventory(deps, signal)
  await imports.clearAway(signal)
}
