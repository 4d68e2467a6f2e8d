// Threat feeds at work: fetched when their time comes, cleared away behind, and the inventory held against them.
import { checkInventory, type Imports } from '../features/threat-feeds/index.ts'
import type { PageShield } from '../features/page-shield/index.ts'
import { repeat, type Repetition } from '../jobs/repeat.ts'
import type { Log } from '../platform/log.ts'
import type { Storage } from '../storage/index.ts'

export interface FeedWorkDeps {
  readonly storage: Storage
  readonly imports: Imports
  readonly pageShield: PageShield
}

/** A look at what is due costs three small queries. */
const EVERY_MILLIS = 2_000

/** Everything that is due, once. */
export async function workOnFeeds(
  { storage, imports, pageShield }: FeedWorkDeps,
  signal: AbortSignal,
): Promise<void> {
  // First what is known: a fetch may take its time.
  await checkInventory({ storage, contents: pageShield.contents }, signal)
  await imports.fetchDue(signal)
  await checkInventory({ storage, contents: pageShield.contents }, signal)
  await imports.clearAway(signal)
}

/** Works on feeds until it is stopped, which ends downloads under way. */
export function startFeedWork(deps: FeedWorkDeps, log: Log): Repetition {
  const stopping = new AbortController()
  const work = repeat(
    { name: 'threat feeds', everyMillis: EVERY_MILLIS, run: () => workOnFeeds(deps, stopping.signal) },
    log,
  )
  return {
    async stop() {
      stopping.abort()
      await work.stop()
    },
  }
}
