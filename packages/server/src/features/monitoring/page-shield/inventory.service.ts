// Reads the inventory: filtered lists, and single items with all details.
import { type Clock, DomainError } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { requireZone, type Zone } from '../../zones/index.ts'
import { asBrowserHash, judgedHashesOf, versionsOf, type JudgedHash, type Version } from './contents.store.ts'
import {
  countCookies,
  findCookie,
  listCookies,
  type CookieQuery,
  type StoredCookie,
} from './cookies.store.ts'
import { requireEntitled, entitlementsOf, type Entitlements } from './entitlements.rules.ts'
import { cutoffsAt, isForgotten, statusOf, type Cutoffs, type Status } from './life-cycle.rules.ts'
import { listResources, type ResourceQuery } from './resource-list.store.ts'
import type { ResourceKind } from './resources.rules.ts'
import { findResource, type StoredResource } from './resources.store.ts'
import { retentionOf } from './settings.store.ts'
import { countResources } from './detections.store.ts'
import { spansOf, storedAmong, type FetchedSpan } from './sources.store.ts'

export interface InventoryDeps {
  readonly storage: Storage
  readonly clock: Clock
}

export interface ShownResource {
  readonly resource: StoredResource
  readonly status: Status
}

/** A list, and what the zone's plan includes of it. */
export interface InventoryPage<Item> {
  readonly zone: Zone
  readonly entitlements: Entitlements
  readonly items: readonly Item[]
  readonly totalCount: number
}

/** One item, and what the zone's plan includes of it. */
export interface Detail<Item> {
  readonly entitlements: Entitlements
  readonly item: Item
}

export interface ScriptDetail extends ShownResource {
  readonly versions: readonly Version[]
}

export interface ShownContent {
  readonly span: FetchedSpan
  /** When browsers reported to have run it; undefined = none did. */
  readonly run: JudgedHash | undefined
  readonly isStored: boolean
}

export interface ScriptContents {
  readonly script: StoredResource
  readonly versions: readonly Version[]
  readonly browserHashes: readonly JudgedHash[]
  /** Newest first. */
  readonly history: readonly ShownContent[]
}

export type Inventory = ReturnType<typeof createInventory>

/** A list scans all resources of a kind; above this number, the read is offloaded. */
const LOOKED_THROUGH_HERE = 1000

const ATTRIBUTE_FILTERS = [
  ['secure', 'secure'],
  ['httpOnly', 'http_only'],
  ['sameSite', 'same_site'],
] as const

export function createInventory({ storage, clock }: InventoryDeps) {
  return { list, cookies, script, connection, cookie, contents }

  /** @throws DomainError: zone.unknown, page_shield.not_entitled. */
  async function list(
    zoneId: string,
    kind: ResourceKind,
    desired: ResourceQuery,
    isExport: boolean,
  ): Promise<InventoryPage<ShownResource>> {
    const zone = await requireZone(storage, zoneId)
    if (kind !== 'script') requireEntitled(zone, 'connections', 'connection monitoring')
    if (isExport) requireEntitled(zone, 'csv', 'export', '/export')
    const cutoffs = await cutoffsOf(zoneId)
    const isLarge = (await countResources(storage, zoneId, kind)) > LOOKED_THROUGH_HERE
    const reader = isLarge ? storage.offload : storage
    const { items, totalCount } = await listResources(reader, zoneId, kind, cutoffs, desired)
    const shown = items.map((resource) => ({ resource, status: statusOf(resource, cutoffs) }))
    return { zone, entitlements: entitlementsOf(zone), items: shown, totalCount }
  }

  /** @throws DomainError: zone.unknown, page_shield.not_entitled. */
  async function cookies(
    zoneId: string,
    desired: CookieQuery,
    isExport: boolean,
  ): Promise<InventoryPage<StoredCookie>> {
    const zone = await requireZone(storage, zoneId)
    requireEntitled(zone, 'cookies', 'cookie monitoring')
    if (isExport) requireEntitled(zone, 'csv', 'export', '/export')
    // Filtering by an attribute would reveal what the plan hides.
    for (const [member, name] of ATTRIBUTE_FILTERS) {
      if (desired.filter[member] !== undefined)
        requireEntitled(zone, 'cookieAttributes', 'attributes of cookies', `/${name}`)
    }
    const isLarge = (await countCookies(storage, zoneId)) > LOOKED_THROUGH_HERE
    const reader = isLarge ? storage.offload : storage
    const found = await listCookies(reader, zoneId, await cutoffsOf(zoneId), desired)
    return { zone, entitlements: entitlementsOf(zone), ...found }
  }

  /** @throws DomainError: zone.unknown, page_shield.script_unknown. */
  async function script(zoneId: string, id: string): Promise<Detail<ScriptDetail>> {
    const zone = await requireZone(storage, zoneId)
    const shown = await requireResource(zoneId, 'script', id)
    const versions = await versionsOf(storage, id)
    return { entitlements: entitlementsOf(zone), item: { ...shown, versions } }
  }

  /** @throws DomainError: zone.unknown, page_shield.not_entitled, page_shield.connection_unknown. */
  async function connection(zoneId: string, id: string): Promise<Detail<ShownResource>> {
    const zone = await requireZone(storage, zoneId)
    requireEntitled(zone, 'connections', 'connection monitoring')
    return { entitlements: entitlementsOf(zone), item: await requireResource(zoneId, 'connection', id) }
  }

  /** @throws DomainError: zone.unknown, page_shield.not_entitled, page_shield.cookie_unknown. */
  async function cookie(zoneId: string, id: string): Promise<Detail<StoredCookie>> {
    const zone = await requireZone(storage, zoneId)
    requireEntitled(zone, 'cookies', 'cookie monitoring')
    const { cookiesForgottenBefore } = await cutoffsOf(zoneId)
    const item = await findCookie(storage, zoneId, id)
    if (item === undefined || item.lastSeenAt < cookiesForgottenBefore)
      throw new DomainError({ reason: 'page_shield.cookie_unknown' })
    return { entitlements: entitlementsOf(zone), item }
  }

  /** @throws DomainError: zone.unknown, page_shield.script_unknown. */
  async function contents(zoneId: string, id: string): Promise<ScriptContents> {
    await requireZone(storage, zoneId)
    const { resource } = await requireResource(zoneId, 'script', id)
    const versions = await versionsOf(storage, id)
    const browserHashes = await judgedHashesOf(storage, zoneId, id)
    const spans = await spansOf(storage, id)
    const stored = await storedAmong(storage, zoneId, spans)
    const history = spans.map((span): ShownContent => ({
      span,
      run: browserHashes.find(({ hash }) => hash === asBrowserHash(span.contentSha256)),
      isStored: stored.has(span.contentSha256),
    }))
    return { script: resource, versions, browserHashes, history }
  }

  async function requireResource(
    zoneId: string,
    kind: 'script' | 'connection',
    id: string,
  ): Promise<ShownResource> {
    const cutoffs = await cutoffsOf(zoneId)
    const resource = await findResource(storage, zoneId, id)
    if (resource === undefined || resource.kind !== kind || isForgotten(resource, cutoffs))
      throw new DomainError({ reason: `page_shield.${kind}_unknown` })
    return { resource, status: statusOf(resource, cutoffs) }
  }

  async function cutoffsOf(zoneId: string): Promise<Cutoffs> {
    return cutoffsAt(clock.now(), await retentionOf(storage, zoneId))
  }
}
