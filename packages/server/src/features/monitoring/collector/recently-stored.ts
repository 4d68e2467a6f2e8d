// Remembers what is already stored about resources: most reports add nothing and need no database access.
import { createDigestTable, type Digest, type Digester } from '@zonereeve/browser-reports'
import type { Detection } from '../page-shield/index.ts'
import { PAGES_KEPT, type SingleDetection } from './batch-buffer.ts'

/**
 * Prefix of `2026-01-05T10:20:30Z`: the time of the last report is updated every ten minutes. Only days
 * depend on it.
 */
const PERIOD_CHARACTERS = '2026-01-05T10:2'.length

/** Sorts after all times of its period and before those of the next one. */
const END = '~'

interface StoredDetection {
  /** Sorts after all times of the last ten-minute period in which it was seen. */
  readonly until: string
  /** A lower bound. */
  readonly pageViews: number
  /** Newest first. */
  readonly pageUrls: readonly string[]
  readonly hasCdnCgi: boolean
  /** The only network that reported it; null = there are several. */
  readonly reporter: string | null
}

export interface RecentlyStored {
  /** Identifies a resource, as in a batch. */
  keyOf(resource: Pick<Detection, 'zoneId' | 'kind' | 'host' | 'url'>): Digest
  /**
   * Whether storing a detection would change nothing relevant: the resource was seen within these ten
   * minutes, on this page, and often enough.
   */
  covers(key: Digest, one: SingleDetection, enoughPageViews: number): boolean
  /** Records what was stored. */
  remember(detections: readonly Detection[]): void
  readonly size: number
}

/**
 * @param maxResources limit per generation; when it is reached, the older generation is dropped and read from
 * the database again.
 */
export function createRecentlyStored(maxResources: number, digest: Digester): RecentlyStored {
  let young = createGeneration(maxResources)
  let old = createGeneration(maxResources)
  const find = (key: Digest): StoredDetection | undefined => young.get(key) ?? old.get(key)
  return {
    keyOf,
    covers(key, one, enoughPageViews) {
      if (one.browserHash !== '') return false
      const stored = find(key)
      return (
        stored !== undefined &&
        (stored.reporter === null || stored.reporter === one.reporter) &&
        stored.pageViews >= enoughPageViews &&
        (one.hasCdnCgi || !stored.hasCdnCgi) &&
        one.seenAt < stored.until &&
        stored.pageUrls.includes(one.pageUrl)
      )
    },
    remember(detections) {
      for (const detection of detections) {
        const key = keyOf(detection)
        const before = find(key)
        if (young.size >= maxResources && young.get(key) === undefined) {
          old.clear()
          ;[old, young] = [young, old]
        }
        young.set(key, laterOf(before, detection))
      }
    },
    get size() {
      return young.size + old.size
    },
  }

  function keyOf({ zoneId, kind, host, url }: Parameters<RecentlyStored['keyOf']>[0]): Digest {
    return digest(url, digest(host, digest(kind, digest(zoneId))))
  }
}

/** Takes its memory with the first resource: a server without monitoring starts sooner, and stays smaller. */
function createGeneration(max: number) {
  let made: ReturnType<typeof createPlaces> | undefined
  return {
    get(key: Digest): StoredDetection | undefined {
      if (made === undefined) return undefined
      const place = made.keys.find(key)
      return place < 0 ? undefined : made.all[place]
    },
    set(key: Digest, stored: StoredDetection): void {
      made ??= createPlaces(max)
      made.all[made.keys.add(key)] = stored
    },
    clear(): void {
      made?.keys.clear()
      made?.all.fill(undefined)
    },
    get size() {
      return made === undefined ? 0 : made.keys.size
    },
  }
}

function createPlaces(max: number) {
  const keys = createDigestTable(max)
  /** Indexed by the slots of their keys; allocated at full length so that it stays a dense array. */
  return { keys, all: Array.from<StoredDetection | undefined>({ length: keys.places }) }
}

function laterOf(
  before: StoredDetection | undefined,
  { seenAt, pageViews, pageUrls, hasCdnCgi, reporters }: Detection,
): StoredDetection {
  const until = seenAt.slice(0, PERIOD_CHARACTERS) + END
  const [first, second] = reporters ?? [] // several: a trusted source
  const reporter = first === undefined || second !== undefined ? null : first
  if (before === undefined) return { until, pageViews, pageUrls, hasCdnCgi, reporter }
  return {
    until: until > before.until ? until : before.until,
    pageViews: before.pageViews + pageViews,
    pageUrls: [...new Set([...pageUrls, ...before.pageUrls])].slice(0, PAGES_KEPT),
    hasCdnCgi: before.hasCdnCgi && hasCdnCgi,
    reporter: before.reporter === reporter ? reporter : null,
  }
}
