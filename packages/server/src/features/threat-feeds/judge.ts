// Holds URLs of the inventory against all feeds, as they are at that moment.
import type { Reader } from '../../storage/index.ts'
import { THREAT_CATEGORIES, type Judgement, type ThreatCategory } from '../page-shield/index.ts'
import { findMatches } from './entries.store.ts'
import { keysOfResource } from './matching.rules.ts'
import { feedVersion, listFeeds, type Feed } from './threat-feeds.store.ts'

/** @returns what is reported of each URL, in their order, and the version of the feeds that says so. */
export async function judge(db: Reader, urls: readonly string[]): Promise<Judgement> {
  // Read first: should a feed change meanwhile, everything is held against it once more.
  const version = await feedVersion(db)
  if (version === 0) return { feedVersion: 0, verdicts: urls.map(() => NOT_REPORTED) }
  const wanted = urls.map(keysOfResource)
  const keys = new Set(wanted.flatMap(({ domain, url }) => [...domain, ...url]))
  const found = new Map<string, readonly ThreatCategory[]>()
  for (const { key, categories } of await findMatches(db, [...keys]))
    found.set(key, [...(found.get(key) ?? []), ...categories])
  const verdicts = wanted.map(({ domain, url }) => ({
    domainCategories: merged(domain, found),
    urlCategories: merged(url, found),
  }))
  return { feedVersion: version, verdicts }
}

/** An entry that flags a URL. */
export interface ThreatMatch {
  readonly feed: Feed
  readonly kind: 'domain' | 'host' | 'url'
  readonly entry: string
  readonly categories: readonly ThreatCategory[]
}

const KINDS = { d: 'domain', h: 'host', u: 'url' } as const

/** Every entry that flags a URL, feed by feed. */
export async function matchesOf(db: Reader, url: string): Promise<readonly ThreatMatch[]> {
  const { domain, url: ofUrl } = keysOfResource(url)
  const matches = await findMatches(db, [...domain, ...ofUrl])
  return (await listFeeds(db)).flatMap((feed) =>
    matches
      .filter(({ feedId }) => feedId === feed.id)
      .map(({ key, categories }) => ({
        feed,
        kind: KINDS[key.slice(0, 1) as keyof typeof KINDS], // as matching.rules.ts makes them
        entry: key.slice(2),
        categories,
      })),
  )
}

const NOT_REPORTED = { domainCategories: null, urlCategories: null }

/** In the order of the catalogue, each once; null where there is none. */
function merged(
  keys: readonly string[],
  found: ReadonlyMap<string, readonly ThreatCategory[]>,
): readonly ThreatCategory[] | null {
  const told = new Set(keys.flatMap((key) => found.get(key) ?? []))
  return told.size === 0 ? null : THREAT_CATEGORIES.filter((category) => told.has(category))
}
