// Fetches threat feeds like all external URLs: never from private networks, and within limits.
import { FetchFailed, type SafeFetch } from '@zonereeve/safe-fetch'
import type { FetchFeed } from '../threat-feeds/index.ts'

/** As they arrive and as they are decoded; a million entries with all their columns. */
const MAX_BYTES = 256 * 1_048_576
const TOTAL_MILLIS = 600_000
const IDLE_MILLIS = 30_000
const ACCEPT = 'text/plain, text/csv, application/json, */*;q=0.5'

export function createFeedFetch(safe: Pick<SafeFetch, 'stream'>): FetchFeed {
  return async ({ url, validators, signal }, take) => {
    const bounds = { maxBytes: MAX_BYTES, totalMillis: TOTAL_MILLIS, idleMillis: IDLE_MILLIS }
    try {
      const fetched = await safe.stream({ url, accept: ACCEPT, ...bounds, validators, signal }, take)
      return fetched.kind === 'unchanged' ? fetched : { kind: 'content', validators: fetched.validators }
    } catch (error) {
      if (error instanceof FetchFailed)
        return { kind: 'failed', problem: `${error.problem}: ${error.message}` }
      throw error
    }
  }
}
