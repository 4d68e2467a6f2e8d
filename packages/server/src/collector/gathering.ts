// What was reported since the last flush: each resource and each violation once, counted, within bounds.
import type { Sighting } from '../features/page-shield/index.ts'
import { portions } from '../platform/portions.ts'

/** Resources and violations that are held at the same time; more are dropped until the next flush. */
export const MAX_GATHERED = 65_536
export const PAGES_KEPT = 10
/** Of one transaction. */
const STORED_AT_ONCE = 256
const HASHES_KEPT = 5

/** One report of a policy's violation, or several that say the same. */
export interface PolicyViolation {
  readonly zoneId: string
  readonly policyId: string
  /** ISO 8601, of the last one. */
  readonly at: string
  readonly count: number
  readonly documentUri: string
  readonly blockedUri: string
  readonly effectiveDirective: string
}

export interface Batch {
  readonly sightings: readonly Sighting[]
  readonly violations: readonly PolicyViolation[]
}

/** The same in batches that are stored in no time. */
export function inParts({ sightings, violations }: Batch): readonly Batch[] {
  return [
    ...[...portions(sightings, STORED_AT_ONCE)].map((some) => ({ sightings: some, violations: [] })),
    ...[...portions(violations, STORED_AT_ONCE)].map((some) => ({ sightings: [], violations: some })),
  ]
}

/** A sighting of one report; `pageUrl` '' and `pageViews` 0 where it only tells a hash of what is known. */
export interface OneSighting extends Omit<Sighting, 'pageUrls' | 'browserHashes'> {
  readonly pageUrl: string
  readonly browserHash: string
}

type Growing<T> = { -readonly [K in keyof T]: T[K] }

interface GrowingSighting extends Growing<Omit<Sighting, 'pageUrls' | 'browserHashes'>> {
  readonly pageUrls: string[]
  readonly browserHashes: string[]
}

/** The same for all sightings of one resource. */
const keyOf = ({ zoneId, kind, host, url }: Pick<Sighting, 'zoneId' | 'kind' | 'host' | 'url'>): string =>
  `${zoneId} ${kind} ${host} ${url}`

export interface Gathering {
  /** @returns false where there is no room. */
  addSighting(one: OneSighting): boolean
  /** @returns false where there is no room. */
  addViolation(one: PolicyViolation): boolean
  readonly size: number
  /** Everything that was gathered; from now on, it begins anew. */
  take(): Batch
}

export function createGathering(): Gathering {
  let sightings = new Map<string, GrowingSighting>()
  let violations = new Map<string, Growing<PolicyViolation>>()
  const size = (): number => sightings.size + violations.size
  return {
    addSighting(one) {
      const key = keyOf(one)
      const known = sightings.get(key)
      if (known !== undefined) {
        merge(known, one)
        return true
      }
      if (size() >= MAX_GATHERED) return false
      const { zoneId, kind, host, url, urlHost, hasCdnCgi, seenAt, pageViews, pageUrl, browserHash } = one
      const pageUrls = pageUrl === '' ? [] : [pageUrl]
      const browserHashes = browserHash === '' ? [] : [browserHash]
      // Member by member: spreading objects takes several times as long, and this is done for each report.
      sightings.set(key, {
        zoneId,
        kind,
        host,
        url,
        urlHost,
        hasCdnCgi,
        seenAt,
        pageViews,
        pageUrls,
        browserHashes,
      })
      return true
    },
    addViolation(one) {
      const key = `${one.policyId} ${one.effectiveDirective} ${one.blockedUri} ${one.documentUri}`
      const known = violations.get(key)
      if (known !== undefined) {
        known.count += one.count
        known.at = one.at
        return true
      }
      if (size() >= MAX_GATHERED) return false
      violations.set(key, { ...one })
      return true
    },
    get size() {
      return size()
    },
    take() {
      const batch = { sightings: [...sightings.values()], violations: [...violations.values()] }
      sightings = new Map()
      violations = new Map()
      return batch
    },
  }
}

function merge(
  known: GrowingSighting,
  { hasCdnCgi, seenAt, pageViews, pageUrl, browserHash }: OneSighting,
): void {
  known.pageViews += pageViews
  known.hasCdnCgi &&= hasCdnCgi
  if (seenAt > known.seenAt) known.seenAt = seenAt
  if (pageUrl !== '' && known.pageUrls[0] !== pageUrl) {
    const at = known.pageUrls.indexOf(pageUrl)
    if (at >= 0) known.pageUrls.splice(at, 1)
    known.pageUrls.unshift(pageUrl)
    known.pageUrls.length = Math.min(known.pageUrls.length, PAGES_KEPT)
  }
  if (
    browserHash !== '' &&
    known.browserHashes.length < HASHES_KEPT &&
    !known.browserHashes.includes(browserHash)
  )
    known.browserHashes.push(browserHash)
}
