// What this feature asks of the inventory of a zone: a port, so that it does not depend on how that is kept.
import type { Reader } from '../../storage/index.ts'

/** A script or connection that browsers met. */
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
  /** Active ones first, where there are more than are looked at. */
  readonly resources: readonly FoundResource[]
  /** With those that are not looked at. */
  readonly total: number
}

export type FindResources = (db: Reader, zoneId: string) => Promise<FoundResources>
