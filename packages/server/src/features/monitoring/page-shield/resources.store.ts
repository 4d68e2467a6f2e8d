// Rows of scripts and connections, one at a time.
import { type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { FetchProblem } from '@zonereeve/platform'
import type { ResourceKind } from './resources.rules.ts'
import type { AnalysisCourse } from './analysis-state.rules.ts'
import { isMalicious, type Reported, type Scores } from './scores.rules.ts'

/** Times of detections and fetches are in whole seconds. */
export interface StoredResource extends Reported {
  readonly id: string
  readonly zoneId: string
  readonly kind: ResourceKind
  /** Host of the pages. */
  readonly host: string
  readonly url: string
  readonly urlHost: string
  readonly hasCdnCgi: boolean
  readonly addedAt: string
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  readonly pageViews: number
  readonly firstPageUrl: string
  /** The last ten, newest first. */
  readonly pageUrls: readonly string[]
  readonly feedVersion: number
  /** Hash of the content's structure. */
  readonly hash: string | null
  readonly contentSha256: string | null
  readonly sri: string | null
  readonly scores: Scores | null
  readonly fetchedAt: string | null
  readonly fetchDueAt: string | null
  /** The site in whose queue it waits; null = not waiting: not due, leased, or not examined yet. */
  readonly waitingSite: string | null
  readonly fetchLeasedUntil: string | null
  readonly fetchFailures: number
  /** Of the last fetch; `failure`: an internal error; null = it succeeded, or there was none. */
  readonly fetchProblem: FetchProblem | 'failure' | null
  readonly fetchMemory: FetchMemory | null
  /** Digest of the only network that reported it, which is not enough for a fetch; null = it is. */
  readonly soleReporter: string | null
}

/** What the next fetch is compared with. */
export interface FetchMemory extends AnalysisCourse {
  /** The analysis version that was applied to the stored content. */
  readonly analysis: number
  /** The server's validators for its content; null = none. */
  readonly validators: Validators | null
}

/** Valid only for this URL (RFC 9110 §8.8). */
export interface Validators {
  readonly url: string
  readonly etag: string | null
  readonly lastModified: string | null
}

/** Those that cannot be read are left out of lists. */
export const resources = tables.page_shield_resources.beside('is_malicious').of<StoredResource>()

export const findResource = (db: Reader, zoneId: string, id: string): Promise<StoredResource | undefined> =>
  resources.find(db, { id, zoneId })

export const insertResource = (tx: Transaction, resource: StoredResource): Promise<void> =>
  resources.insert(tx, { ...resource, isMalicious: isMalicious(resource, resource.scores) })

/** Deletes a resource with all that is kept beside it. */
export const deleteResource = (tx: Transaction, id: string): Promise<number> => resources.remove(tx, { id })

/** A script that waited for a second network may be fetched. */
export const queueFetch = (tx: Transaction, id: string, fetchDueAt: string, waitingSite: string) =>
  resources.update(tx, { id, fetchDueAt, waitingSite })

/** Saves the results of feeds and fetches. */
export async function saveFindings(tx: Transaction, resource: StoredResource): Promise<void> {
  const { id, domainCategories, urlCategories, feedVersion, hash, contentSha256, sri, scores } = resource
  const { fetchedAt, fetchDueAt, waitingSite, fetchLeasedUntil, fetchFailures, fetchProblem } = resource
  await resources.update(tx, {
    id,
    domainCategories,
    urlCategories,
    isMalicious: isMalicious(resource, scores),
    feedVersion,
    hash,
    contentSha256,
    sri,
    scores,
    fetchedAt,
    fetchDueAt,
    waitingSite,
    fetchLeasedUntil,
    fetchFailures,
    fetchProblem,
    fetchMemory: resource.fetchMemory,
  })
}
