// HTTP routes of monitoring, compatible with the vendor's API: settings, scripts, connections, cookies.
import { pageShield as operations } from '@zonereeve/contract'
import { route, type Reply, type Route } from '../../../http/index.ts'
import { type Clock, joinInChunks, type StringChunks } from '@zonereeve/platform'
import {
  CONNECTION_COLUMNS,
  COOKIE_COLUMNS,
  CSV_TYPE,
  csvName,
  SCRIPT_COLUMNS,
  toCsv,
  type Cell,
} from './csv.wire.ts'
import type { Entitlements } from './entitlements.rules.ts'
import type { Inventory, InventoryPage, ShownResource } from './inventory.service.ts'
import {
  toCookieQuery,
  toResourceQuery,
  toSettingsPatch,
  toWireConnection,
  toWireConnectionDetail,
  toWireCookie,
  toWirePage,
  toWireScript,
  toWireScriptDetail,
  toWireSettings,
  type WirePage,
} from './page-shield.wire.ts'
import type { PageShieldSettings } from './settings.service.ts'

export interface PageShieldRoutesDeps {
  readonly settings: PageShieldSettings
  readonly inventory: Inventory
  readonly clock: Clock
  readonly rules: { readonly endpointUnderBothNames: boolean }
}

export function pageShieldRoutes({ settings, inventory, clock, rules }: PageShieldRoutesDeps): Route[] {
  const isUnderBoth = rules.endpointUnderBothNames
  const file = (what: string, zoneName: string, text: StringChunks): Reply => ({
    file: text,
    type: CSV_TYPE,
    name: csvName(what, zoneName, clock.timestamp()),
  })
  return [
    route(operations.get, async ({ params }) => ({
      result: toWireSettings(await settings.get(params.zone_id), isUnderBoth),
    })),
    route(operations.put, async ({ params, body, actor }) => ({
      result: toWireSettings(await settings.edit(params.zone_id, toSettingsPatch(body), actor), isUnderBoth),
    })),
    route(operations.listScripts, async ({ params, query }) => {
      const page = toWirePage(query)
      const isFile = query.export !== undefined
      const desired = toResourceQuery(query, page)
      const shown = await inventory.list(params.zone_id, 'script', desired, isFile)
      if (!isFile) return pageOfShown(shown, page, toWireScript)
      const toRow = (item: ShownResource, has: Entitlements) =>
        ({ ...toWireScript(item, has), page_urls: item.resource.pageUrls }) as CsvRow // only lists, no objects
      return file('scripts', shown.zone.name, toCsv(SCRIPT_COLUMNS, toWireItems(shown, toRow)))
    }),
    route(operations.getScript, async ({ params }) => ({
      result: toWireScriptDetail(await inventory.script(params.zone_id, params.script_id)),
    })),
    route(operations.listConnections, async ({ params, query }) => {
      const page = toWirePage(query)
      const isFile = query.export !== undefined
      const desired = toResourceQuery(query, page)
      const shown = await inventory.list(params.zone_id, 'connection', desired, isFile)
      if (!isFile) return pageOfShown(shown, page, toWireConnection)
      const toRow = (item: ShownResource, has: Entitlements) => ({
        ...toWireConnection(item, has),
        page_urls: item.resource.pageUrls,
      })
      return file('connections', shown.zone.name, toCsv(CONNECTION_COLUMNS, toWireItems(shown, toRow)))
    }),
    route(operations.getConnection, async ({ params }) => ({
      result: toWireConnectionDetail(await inventory.connection(params.zone_id, params.connection_id)),
    })),
    route(operations.listCookies, async ({ params, query }) => {
      const page = toWirePage(query)
      const isFile = query.export !== undefined
      const shown = await inventory.cookies(params.zone_id, toCookieQuery(query, page), isFile)
      if (!isFile) return pageOfShown(shown, page, toWireCookie)
      return file('cookies', shown.zone.name, toCsv(COOKIE_COLUMNS, toWireItems(shown, toWireCookie)))
    }),
    route(operations.getCookie, async ({ params }) => {
      const { entitlements, item } = await inventory.cookie(params.zone_id, params.cookie_id)
      return { result: toWireCookie(item, entitlements) }
    }),
  ]
}

type CsvRow = Readonly<Partial<Record<(typeof SCRIPT_COLUMNS)[number], Cell>>>

type ToWire<Item, Wire> = (item: Item, has: Entitlements) => Wire

/** Converted lazily: there may be very many. */
function* toWireItems<Item, Wire>(
  { items, entitlements }: InventoryPage<Item>,
  toWire: ToWire<Item, Wire>,
): Generator<Wire> {
  for (const item of items) yield toWire(item, entitlements)
}

/**
 * A page of items as a reply. A page with everything reports its actual size; an
 * empty one reports the default page size.
 */
export function pageOfShown<Item>(
  shown: InventoryPage<Item>,
  { page, perPage, isWhole }: WirePage,
  toWire: ToWire<Item, object>,
): Reply {
  const { length: count } = shown.items
  const chunks = joinInChunks(joinItems(toWireItems(shown, toWire)))
  return {
    items: isWhole ? chunks : [...chunks].join(''),
    page,
    perPage: isWhole && count > 0 ? count : Math.min(perPage, 100),
    count,
    totalCount: shown.totalCount,
  }
}

function* joinItems(items: Iterable<object>): Generator<string> {
  let between = ''
  for (const item of items) {
    yield between + JSON.stringify(item)
    between = ','
  }
}
