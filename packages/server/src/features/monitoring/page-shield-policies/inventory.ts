// What this feature needs from a zone's inventory: a port that hides its storage.
import type { Reader } from '@zonereeve/storage'

/** A script or connection detected by browsers. */
export interface FoundResource {
  readonly id: string
  readonly kind: 'script' | 'connection'
  readonly url: string
  /** `host/path`, at least one. */
  readonly pageUrls: readonly string[]
  readonly status: 'active' | 'infrequent' | 'inactive'
  readonly isMalicious: boolean
}

export interface FoundResources {
  /** Active ones first, if there are more than the limit. */
  readonly resources: readonly FoundResource[]
  /** Including those beyond the limit. */
  readonly total: number
}

export type FindResources = (db: Reader, zoneId: string) => Promise<FoundResources>
