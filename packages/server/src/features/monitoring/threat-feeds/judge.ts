// Checks URLs of the inventory against the current feeds.
import type { Reader } from '@zonereeve/storage'
import { THREAT_CATEGORIES, type Judgement, type ThreatCategory } from '../page-shield/index.ts'
import { findMatches } from './entries.store.ts'
import { keysOfResource } from './matching.rules.ts'
import { feedVersion, listFeeds, type Feed } from './threat-feeds.store.ts'

/** @returns the verdict for each URL, in order, and the feed version it is based on. */
export async function judge(db: Reader, urls: readonly string[]): Promise<Judgement> {
  // Read first: if a feed changes meanwhile, everything is checked once more.
  const version = await feedVersion(db)
  if (version === 0) return { feedVersion: 0, verdicts: urls.map(() => NOT_REPORTED) }
  const desired = urls.map(keysOfResource)
  const keys = new Set(desired.flatMap(({ domain, url }) => [...domain, ...url]))
  const found = new Map<string, readonly ThreatCategory[]>()
  for (const { key, categories } of await findMatches(db, [...keys]))
    found.set(key, [...(found.get(key) ?? []), ...categories])
  const verdicts = desired.map(({ domain, url }) => ({
    domainCategories: mergeJudgements(domain, found),
    urlCategories: mergeJudgements(url, found),
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

/** Every entry that flags a URL, ordered by feed. */
export async function matchesOf(db: Reader, url: string): Promise<readonly ThreatMatch[]> {
  const { domain, url: ofUrl } = keysOfResource(url)
  const matches = await findMatches(db, [...domain, ...ofUrl])
  return (await listFeeds(db)).flatMap((feed) =>
    matches
      .filter(({ feedId }) => feedId === feed.id)
      .map(({ key, categories }) => ({
        feed,
        kind: KINDS[key.slice(0, 1) as keyof typeof KINDS], // as made by matching.rules.ts
        entry: key.slice(2),
        categories,
      })),
  )
}

const NOT_REPORTED = { domainCategories: null, urlCategories: null }

/** In catalog order, without duplicates; null if empty. */
function mergeJudgements(
  keys: readonly string[],
  found: ReadonlyMap<string, readonly ThreatCategory[]>,
): readonly ThreatCategory[] | null {
  const reported = new Set(keys.flatMap((key) => found.get(key) ?? [])) // in no feed
  return reported.size === 0 ? null : THREAT_CATEGORIES.filter((category) => reported.has(category))
}
