// Threat feeds at work: fetched when their time comes, and the inventory held against them.
import { checkInventory, type Imports } from '../features/threat-feeds/index.ts'
import type { PageShield } from '../features/page-shield/index.ts'
import { repeat, type Repetition } from '../jobs/repeat.ts'
import type { Log } from '../platform/log.ts'
import type { Storage } from '../storage/index.ts'
import { VERSION } from './version.ts'

export interface FeedWorkDeps {
  readonly storage: Storage
  readonly imports: Imports
  readonly pageShield: PageShield
}

/** A look at what is due costs four small queries. */
const EVERY_MILLIS = 2_000

/** Everything that is due, once. */
export async function workOnFeeds(deps: FeedWorkDeps, signal: AbortSignal): Promise<void> {
  await fetchFeeds(deps, signal)
  await holdAgainstFeeds(deps, signal)
}

async function fetchFeeds({ imports }: FeedWorkDeps, signal: AbortSignal): Promise<void> {
  await imports.renew(VERSION)
  await imports.fetchDue(signal)
}

/** The inventory held against feeds that have changed, and what does not count any more cleared away. */
async function holdAgainstFeeds(
  { storage, imports, pageShield }: FeedWorkDeps,
  signal: AbortSignal,
): Promise<void> {
  await checkInventory({ storage, contents: pageShield.contents }, signal)
  await imports.clearAway(signal)
}

/** Works on feeds until it is stopped, which ends downloads under way. A slow download keeps no flag waiting. */
export function startFeedWork(deps: FeedWorkDeps, log: Log): Repetition {
  const stopping = new AbortController()
  const { signal } = stopping
  const jobs = [
    { name: 'threat feed fetches', run: () => fetchFeeds(deps, signal) },
    { name: 'threat feed checks', run: () => holdAgainstFeeds(deps, signal) },
  ].map((job) => repeat({ ...job, everyMillis: EVERY_MILLIS }, log))
  return {
    async stop() {
      stopping.abort()
      for (const job of jobs) await job.stop()
    },
  }
}
