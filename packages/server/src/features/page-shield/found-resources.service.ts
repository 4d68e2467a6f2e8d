// All scripts and connections of a zone's inventory at once, for those who write policies about them.
import type { Reader } from '../../storage/index.ts'
import { cutoffsAt, statusOf, type Status } from './life-cycle.rules.ts'
import { allResources } from './resource-list.store.ts'
import { mergePages, type ResourceKind } from './resources.rules.ts'
import type { StoredResource } from './resources.store.ts'
import { isMalicious } from './scores.rules.ts'
import { retentionOf } from './settings.store.ts'

/** Of each kind, the oldest: more are not looked at. */
const MAX_RESOURCES = 10_000

export interface FoundResource {
  readonly id: string
  readonly kind: ResourceKind
  readonly url: string
  /** `host/path`, at least one. */
  readonly pageUrls: readonly string[]
  readonly status: Status
  readonly isMalicious: boolean
}

export async function foundResources(
  db: Reader,
  zoneId: string,
  nowMillis: number,
): Promise<readonly FoundResource[]> {
  const cutoffs = cutoffsAt(nowMillis, await retentionOf(db, zoneId))
  const scripts = await allResources(db, zoneId, 'script', cutoffs, MAX_RESOURCES)
  const connections = await allResources(db, zoneId, 'connection', cutoffs, MAX_RESOURCES)
  return [...scripts, ...connections].map((resource) => found(resource, statusOf(resource, cutoffs)))
}

const found = (resource: StoredResource, status: Status): FoundResource => ({
  id: resource.id,
  kind: resource.kind,
  url: resource.url,
  pageUrls: mergePages(resource.pageUrls, [resource.firstPageUrl]),
  status,
  isMalicious: isMalicious(resource, resource.scores),
})
