// Decides which reported names of cookies are to be stored: most are stored already.
import { createRecentKeys, type Digest, type Digester } from '@zonereeve/browser-reports'
import type { CookieName } from '../page-shield/index.ts'
import { cookieKey } from './batch-buffer.ts'
import type { Outcome } from './counters.ts'

/** How long a name that was stored is not stored again for the same page. */
const STORED_MILLIS = 600_000
const NAMES_KNOWN = 65_536

export interface CookieNamesDeps<Request> {
  readonly digest: Digester
  /** Keeps it, unless the same visitor has just reported the same. @returns undefined if it is kept. */
  readonly keepOnce: (
    request: Request,
    key: Digest,
    nowMillis: number,
    keep: () => boolean,
  ) => Outcome | undefined
  /** Adds it to the batch; false if that is full. */
  readonly add: (cookie: CookieName) => boolean
}

export function createCookieNames<Request>({ digest, keepOnce, add }: CookieNamesDeps<Request>) {
  const stored = createRecentKeys(STORED_MILLIS, NAMES_KNOWN)
  return {
    take(cookie: CookieName, request: Request, nowMillis: number): Outcome {
      const key = digest(cookieKey(cookie))
      const keep = (): boolean => stored.has(key, nowMillis) || add(cookie)
      return keepOnce(request, key, nowMillis, keep) ?? 'recorded'
    },
    /** Records what was stored. */
    remember(cookies: readonly CookieName[], nowMillis: number): void {
      for (const cookie of cookies) stored.add(digest(cookieKey(cookie)), nowMillis)
    },
  }
}
