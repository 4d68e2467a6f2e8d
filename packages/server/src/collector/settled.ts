// What is stored of a resource already: most reports tell nothing that is not, and those need no database.
import type { Sighting } from '../features/page-shield/index.ts'
import { keyOf, PAGES_KEPT, type OneSighting } from './gathering.ts'

/** Of `2026-01-05T10:20:30Z`: the time of the last report is stored anew every ten minutes. What hangs on it are days. */
const PERIOD_CHARACTERS = '2026-01-05T10:2'.length

interface Stored {
  /** The last ten minutes in which it was seen. */
  readonly period: string
  /** At least so many. */
  readonly pageViews: number
  /** Newest first. */
  readonly pageUrls: readonly string[]
  readonly hasCdnCgi: boolean
}

export interface Settled {
  /**
   * Whether storing a sighting would change nothing that matters: it was seen in these ten minutes, on this page, and often
   * enough already.
   */
  covers(one: OneSighting, enoughPageViews: number): boolean
  /** Notes what was stored. */
  note(sightings: readonly Sighting[]): void
  readonly size: number
}

/** @param maxResources in a generation; when it is full, the older one is forgotten, and asked of the database again. */
export function createSettled(maxResources: number): Settled {
  let young = new Map<string, Stored>()
  let old = new Map<string, Stored>()
  const find = (key: string): Stored | undefined => young.get(key) ?? old.get(key)
  return {
    covers(one, enoughPageViews) {
      if (one.browserHash !== '') return false
      const stored = find(keyOf(one))
      return (
        stored !== undefined &&
        stored.pageViews >= enoughPageViews &&
        (one.hasCdnCgi || !stored.hasCdnCgi) &&
        one.seenAt.slice(0, PERIOD_CHARACTERS) <= stored.period &&
        stored.pageUrls.includes(one.pageUrl)
      )
    },
    note(sightings) {
      for (const sighting of sightings) {
        const key = keyOf(sighting)
        const before = find(key)
        if (!young.has(key) && young.size >= maxResources) {
          old = young
          young = new Map()
        }
        young.set(key, laterOf(before, sighting))
      }
    },
    get size() {
      return young.size + old.size
    },
  }
}

function laterOf(before: Stored | undefined, { seenAt, pageViews, pageUrls, hasCdnCgi }: Sighting): Stored {
  const period = seenAt.slice(0, PERIOD_CHARACTERS)
  if (before === undefined) return { period, pageViews, pageUrls, hasCdnCgi }
  return {
    period: period > before.period ? period : before.period,
    pageViews: before.pageViews + pageViews,
    pageUrls: [...new Set([...pageUrls, ...before.pageUrls])].slice(0, PAGES_KEPT),
    hasCdnCgi: before.hasCdnCgi && hasCdnCgi,
  }
}
