// Reports that a visitor repeats within a minute: one page view. What was not kept is no repetition when it comes again.
import { createRecentKeys, type Digest } from '@zonereeve/browser-reports'

const PAGE_VIEW_MILLIS = 60_000
const PAGE_VIEWS_KNOWN = 65_536

export function createPageViews() {
  let recent = createRecentKeys(PAGE_VIEW_MILLIS, PAGE_VIEWS_KNOWN)
  let overloads = 0
  return {
    /** @param keep false if there is no room. @returns undefined if it is kept. */
    keepOnce(key: Digest, nowMillis: number, keep: () => boolean): 'duplicate' | 'overload' | undefined {
      if (recent.has(key, nowMillis)) return 'duplicate'
      if (!keep()) {
        overloads += 1
        return 'overload'
      }
      recent.add(key, nowMillis)
      return undefined
    },
    forgetAll(): void {
      recent = createRecentKeys(PAGE_VIEW_MILLIS, PAGE_VIEWS_KNOWN)
    },
    /** How many had no room. */
    get overloads() {
      return overloads
    },
  }
}
