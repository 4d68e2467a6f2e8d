// Counts of requests by key within a window of time, by several processes that report theirs to each other now and then.
import { createHash } from 'node:crypto'

export interface RequestCounts {
  /**
   * Counts one request to this process.
   *
   * @returns the requests to all processes in their windows, and when that of this process ends, in milliseconds from now.
   */
  add(key: string): { readonly count: number; readonly millis: number }
  /** What the others have to know: JSON without the keys themselves. */
  own(): string
  /** Replaces what is known of the others. @param others what each of them has reported last; damaged ones are left out. */
  take(others: readonly string[]): void
}

export interface RequestCountsOptions {
  readonly windowMillis: number
  /** Keys with at least so many requests are reported: those with fewer are far from any limit. */
  readonly reportedFrom: number
  /** Maximum keys; the one that was not used for longest is forgotten. */
  readonly maxKeys?: number
  /** Monotonic, in milliseconds. */
  readonly now?: () => number
}

interface Window {
  count: number
  readonly endsAt: number
  /** Of the key; undefined until it is needed. */
  digest?: string
}

const MAX_KEYS = 5_000
const DIGEST_LENGTH = 22

/**
 * The window of a key begins with its first request. What others count is added until their windows end, so that no
 * request is counted for longer than a window: no client is refused too early, and one may be refused too late only until the others report theirs.
 */
export function createRequestCounts({
  windowMillis,
  reportedFrom,
  maxKeys = MAX_KEYS,
  now = () => performance.now(),
}: RequestCountsOptions): RequestCounts {
  /** The one that was used last comes last. */
  const windows = new Map<string, Window>()
  let others = new Map<string, Window[]>()
  return {
    add(key) {
      const window = windowOf(key)
      window.count += 1
      return { count: window.count + countOfOthers(window, key), millis: window.endsAt - now() }
    },
    own() {
      const reported = [...windows].filter(([, { count, endsAt }]) => count >= reportedFrom && endsAt > now())
      return JSON.stringify(
        reported.map(([key, window]) => [
          digestOf(window, key),
          window.count,
          Math.round(window.endsAt - now()),
        ]),
      )
    },
    take(reported) {
      const taken = new Map<string, Window[]>()
      for (const [digest, count, millis] of reported.flatMap(parseCounts)) {
        const window = { count, endsAt: now() + Math.min(millis, windowMillis) }
        const ofOthers = taken.get(digest)
        if (ofOthers === undefined) taken.set(digest, [window])
        else ofOthers.push(window)
      }
      others = taken
    },
  }

  function windowOf(key: string): Window {
    const known = windows.get(key)
    const isOpen = known !== undefined && known.endsAt > now()
    const window = isOpen ? known : { count: 0, endsAt: now() + windowMillis }
    windows.delete(key)
    if (windows.size >= maxKeys) {
      const [oldest] = windows.keys()
      if (oldest !== undefined) windows.delete(oldest)
    }
    windows.set(key, window)
    return window
  }

  function countOfOthers(window: Window, key: string): number {
    if (others.size === 0) return 0
    let sum = 0
    others.get(digestOf(window, key))?.forEach(({ count, endsAt }) => {
      if (endsAt > now()) sum += count
    })
    return sum
  }
}

const digestOf = (window: Window, key: string): string =>
  (window.digest ??= createHash('sha256').update(key).digest('base64url').slice(0, DIGEST_LENGTH))

type Reported = readonly [digest: string, count: number, millis: number]

function parseCounts(json: string): readonly Reported[] {
  try {
    const reported: unknown = JSON.parse(json)
    return Array.isArray(reported) ? reported.filter(isReported) : []
  } catch {
    return []
  }
}

const isReported = (value: unknown): value is Reported =>
  Array.isArray(value) &&
  typeof value[0] === 'string' &&
  [value[1], value[2]].every((number) => Number.isSafeInteger(number) && number >= 0)
