// The inventory as it is read: lists with filters, and one thing with all that is known of it.
import type { Clock } from '../../platform/clock.ts'
import { DomainError } from '../../platform/domain-error.ts'
import type { Storage } from '../../storage/index.ts'
import { demandZone, type Zone } from '../zones/index.ts'
import { judgedHashesOf, versionsOf, type JudgedHash, type Version } from './contents.store.ts'
import {
  countCookies,
  findCookie,
  listCookies,
  type CookieQuery,
  type StoredCookie,
} from './cookies.store.ts'
import { demandEntitled, entitlementsOf, type Entitlements } from './entitlements.rules.ts'
import { cutoffsAt, isForgotten, statusOf, type Cutoffs, type Status } from './life-cycle.rules.ts'
import { listResources, type ResourceQuery } from './resource-list.store.ts'
import type { ResourceKind } from './resources.rules.ts'
import { findResource, type StoredResource } from './resources.store.ts'
import { retentionOf } from './settings.store.ts'
import { countResources } from './sightings.store.ts'

export interface InventoryDeps {
  readonly storage: Storage
  readonly clock: Clock
}

export interface ShownResource {
  readonly resource: StoredResource
  readonly status: Status
}

/** What a list shows, and what of it the zone's plan has. */
export interface Shown<Item> {
  readonly zone: Zone
  readonly entitlements: Entitlements
  readonly items: readonly Item[]
  readonly totalCount: number
}

/** One thing, and what of it the zone's plan has. */
export interface Detail<Item> {
  readonly entitlements: Entitlements
  readonly item: Item
}

export interface ScriptDetail extends ShownResource {
  readonly versions: readonly Version[]
}

export interface ScriptContents {
  readonly script: StoredResource
  readonly versions: readonly Version[]
  readonly browserHashes: readonly JudgedHash[]
}

export type Inventory = ReturnType<typeof createInventory>

/** A list looks through all resources of a kind; of more of them, aside, where nobody else waits for it. */
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
    wanted: ResourceQuery,
    isExport: boolean,
  ): Promise<Shown<ShownResource>> {
    const zone = await demandZone(storage, zoneId)
    if (kind === 'connection') demandEntitled(zone, 'connections', 'connection monitoring')
    if (isExport) demandEntitled(zone, 'csv', 'export', '/export')
    const cutoffs = await cutoffsOf(zoneId)
    const isLarge = (await countResources(storage, zoneId, kind)) > LOOKED_THROUGH_HERE
    const reader = isLarge ? storage.aside : storage
    const { items, totalCount } = await listResources(reader, zoneId, kind, cutoffs, wanted)
    const shown = items.map((resource) => ({ resource, status: statusOf(resource, cutoffs) }))
    return { zone, entitlements: entitlementsOf(zone), items: shown, totalCount }
  }

  /** @throws DomainError: zone.unknown, page_shield.not_entitled. */
  async function cookies(
    zoneId: string,
    wanted: CookieQuery,
    isExport: boolean,
  ): Promise<Shown<StoredCookie>> {
    const zone = await demandZone(storage, zoneId)
    demandEntitled(zone, 'cookies', 'cookie monitoring')
    if (isExport) demandEntitled(zone, 'csv', 'export', '/export')
    // A filter would tell what is not shown.
    for (const [member, name] of ATTRIBUTE_FILTERS) {
      if (wanted.filter[member] !== undefined)
        demandEntitled(zone, 'cookieAttributes', 'attributes of cookies', `/${name}`)
    }
    const isLarge = (await countCookies(storage, zoneId)) > LOOKED_THROUGH_HERE
    const reader = isLarge ? storage.aside : storage
    const found = await listCookies(reader, zoneId, await cutoffsOf(zoneId), wanted)
    return { zone, entitlements: entitlementsOf(zone), ...found }
  }

  /** @throws DomainError: zone.unknown, page_shield.script_unknown. */
  async function script(zoneId: string, id: string): Promise<Detail<ScriptDetail>> {
    const zone = await demandZone(storage, zoneId)
    const shown = await demandResource(zoneId, 'script', id)
    const versions = await versionsOf(storage, id)
    return { entitlements: entitlementsOf(zone), item: { ...shown, versions } }
  }

  /** @throws DomainError: zone.unknown, page_shield.not_entitled, page_shield.connection_unknown. */
  async function connection(zoneId: string, id: string): Promise<Detail<ShownResource>> {
    const zone = await demandZone(storage, zoneId)
    demandEntitled(zone, 'connections', 'connection monitoring')
    return { entitlements: entitlementsOf(zone), item: await demandResource(zoneId, 'connection', id) }
  }

  /** @throws DomainError: zone.unknown, page_shield.not_entitled, page_shield.cookie_unknown. */
  async function cookie(zoneId: string, id: string): Promise<Detail<StoredCookie>> {
    const zone = await demandZone(storage, zoneId)
    demandEntitled(zone, 'cookies', 'cookie monitoring')
    const { cookiesForgottenBefore } = await cutoffsOf(zoneId)
    const item = await findCookie(storage, zoneId, id)
    if (item === undefined || item.lastSeenAt < cookiesForgottenBefore)
      throw new DomainError({ reason: 'page_shield.cookie_unknown' })
    return { entitlements: entitlementsOf(zone), item }
  }

  /** @throws DomainError: zone.unknown, page_shield.script_unknown. */
  async function contents(zoneId: string, id: string): Promise<ScriptContents> {
    await demandZone(storage, zoneId)
    const { resource } = await demandResource(zoneId, 'script', id)
    const versions = await versionsOf(storage, id)
    const browserHashes = await judgedHashesOf(storage, zoneId, id)
    return { script: resource, versions, browserHashes }
  }

  async function demandResource(zoneId: string, kind: ResourceKind, id: string): Promise<ShownResource> {
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
