// What is stored of a resource already: most reports tell nothing that is not, and those need no database.
import type { Sighting } from '../features/page-shield/index.ts'
import { createDigestTable, type Digest, type Digester } from './digest.ts'
import { PAGES_KEPT, type OneSighting } from './gathering.ts'

/** Of `2026-01-05T10:20:30Z`: the time of the last report is stored anew every ten minutes. What hangs on it are days. */
const PERIOD_CHARACTERS = '2026-01-05T10:2'.length

/** Sorts behind all times of its period, and before those of the next one. */
const END = '~'

interface Stored {
  /** Behind all times of the last ten minutes in which it was seen. */
  readonly until: string
  /** At least so many. */
  readonly pageViews: number
  /** Newest first. */
  readonly pageUrls: readonly string[]
  readonly hasCdnCgi: boolean
}

export interface Settled {
  /** What tells resources apart, here as in a batch. */
  keyOf(resource: Pick<Sighting, 'zoneId' | 'kind' | 'host' | 'url'>): Digest
  /**
   * Whether storing a sighting would change nothing that matters: it was seen in these ten minutes, on this page, and often
   * enough already.
   */
  covers(key: Digest, one: OneSighting, enoughPageViews: number): boolean
  /** Notes what was stored. */
  note(sightings: readonly Sighting[]): void
  readonly size: number
}

/** @param maxResources in a generation; when it is full, the older one is forgotten, and asked of the database again. */
export function createSettled(maxResources: number, digest: Digester): Settled {
  let young = createGeneration(maxResources)
  let old = createGeneration(maxResources)
  const find = (key: Digest): Stored | undefined => young.get(key) ?? old.get(key)
  return {
    keyOf,
    covers(key, one, enoughPageViews) {
      if (one.browserHash !== '') return false
      const stored = find(key)
      return (
        stored !== undefined &&
        stored.pageViews >= enoughPageViews &&
        (one.hasCdnCgi || !stored.hasCdnCgi) &&
        one.seenAt < stored.until &&
        stored.pageUrls.includes(one.pageUrl)
      )
    },
    note(sightings) {
      for (const sighting of sightings) {
        const key = keyOf(sighting)
        const before = find(key)
        if (young.size >= maxResources && young.get(key) === undefined) {
          old.clear()
          ;[old, young] = [young, old]
        }
        young.set(key, laterOf(before, sighting))
      }
    },
    get size() {
      return young.size + old.size
    },
  }

  function keyOf({ zoneId, kind, host, url }: Parameters<Settled['keyOf']>[0]): Digest {
    return digest(url, digest(host, digest(kind, digest(zoneId))))
  }
}

function createGeneration(max: number) {
  const keys = createDigestTable(max)
  /** By the places of their keys; of full length, so that it stays a list in memory. */
  const all = Array.from<Stored | undefined>({ length: keys.places })
  return {
    get(key: Digest): Stored | undefined {
      const place = keys.find(key)
      return place < 0 ? undefined : all[place]
    },
    set(key: Digest, stored: Stored): void {
      all[keys.add(key)] = stored
    },
    clear(): void {
      keys.clear()
      all.fill(undefined)
    },
    get size() {
      return keys.size
    },
  }
}

function laterOf(before: Stored | undefined, { seenAt, pageViews, pageUrls, hasCdnCgi }: Sighting): Stored {
  const until = seenAt.slice(0, PERIOD_CHARACTERS) + END
  if (before === undefined) return { until, pageViews, pageUrls, hasCdnCgi }
  return {
    until: until > before.until ? until : before.until,
    pageViews: before.pageViews + pageViews,
    pageUrls: [...new Set([...pageUrls, ...before.pageUrls])].slice(0, PAGES_KEPT),
    hasCdnCgi: before.hasCdnCgi && hasCdnCgi,
  }
}
