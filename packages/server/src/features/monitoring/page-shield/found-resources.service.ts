// The scripts and connections of a zone's inventory, for writing policies about them.
import type { Reader } from '@zonereeve/storage'
import { cutoffsAt, statusOf, type Status } from './life-cycle.rules.ts'
import { activeFirst } from './resource-list.store.ts'
import { mergePages } from './resources.rules.ts'
import type { StoredResource } from './resources.store.ts'
import { isMalicious } from './scores.rules.ts'
import { retentionOf } from './settings.store.ts'

/** Per kind, active ones first: more would block other work for too long. */
const MAX_RESOURCES = 10_000

export interface FoundResource {
  readonly id: string
  readonly kind: 'script' | 'connection'
  readonly url: string
  /** `host/path`, at least one. */
  readonly pageUrls: readonly string[]
  readonly status: Status
  readonly isMalicious: boolean
}

export interface FoundResources {
  readonly resources: readonly FoundResource[]
  /** Including those beyond the limit. */
  readonly total: number
}

export async function foundResources(db: Reader, zoneId: string, nowMillis: number): Promise<FoundResources> {
  const cutoffs = cutoffsAt(nowMillis, await retentionOf(db, zoneId))
  const scripts = await activeFirst(db, zoneId, 'script', cutoffs, MAX_RESOURCES)
  const connections = await activeFirst(db, zoneId, 'connection', cutoffs, MAX_RESOURCES)
  return {
    resources: [
      ...scripts.items.map((script) => toFoundResource('script', script, statusOf(script, cutoffs))),
      ...connections.items.map((one) => toFoundResource('connection', one, statusOf(one, cutoffs))),
    ],
    total: scripts.totalCount + connections.totalCount,
  }
}

const toFoundResource = (
  kind: FoundResource['kind'],
  resource: StoredResource,
  status: Status,
): FoundResource => ({
  id: resource.id,
  kind,
  url: resource.url,
  pageUrls: mergePages(resource.pageUrls, [resource.firstPageUrl]),
  status,
  isMalicious: isMalicious(resource, resource.scores),
})
