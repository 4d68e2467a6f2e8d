// HTTP for monitoring as the vendor's interface has it: settings, scripts, connections, cookies.
import { pageShield as operations } from '@zonereeve/contract'
import { route, type Reply, type Route } from '../../http/index.ts'
import type { Clock } from '../../platform/clock.ts'
import {
  CONNECTION_COLUMNS,
  COOKIE_COLUMNS,
  CSV_TYPE,
  csvName,
  SCRIPT_COLUMNS,
  toCsv,
  type Cell,
} from './csv.wire.ts'
import type { Inventory, Shown } from './inventory.service.ts'
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
}

export function pageShieldRoutes({ settings, inventory, clock }: PageShieldRoutesDeps): Route[] {
  const file = (what: string, zoneName: string, text: string): Reply => ({
    file: text,
    type: CSV_TYPE,
    name: csvName(what, zoneName, clock.timestamp()),
  })
  return [
    route(operations.get, async ({ params }) => ({
      result: toWireSettings(await settings.get(params.zone_id)),
    })),
    route(operations.put, async ({ params, body, actor }) => ({
      result: toWireSettings(await settings.edit(params.zone_id, toSettingsPatch(body), actor)),
    })),
    route(operations.listScripts, async ({ params, query }) => {
      const page = toWirePage(query)
      const isFile = query.export !== undefined
      const wanted = toResourceQuery(query, page)
      const shown = await inventory.list(params.zone_id, 'script', wanted, isFile)
      const wire = shown.items.map((item) => ({ item, wire: toWireScript(item, shown.entitlements) }))
      if (!isFile)
        return pageOfShown(
          shown,
          page,
          wire.map((line) => line.wire),
        )
      const rows = wire.map((line) => ({ ...line.wire, page_urls: line.item.resource.pageUrls }))
      return file('scripts', shown.zone.name, toCsv(SCRIPT_COLUMNS, rows as Row[])) // of lists only, no objects
    }),
    route(operations.getScript, async ({ params }) => ({
      result: toWireScriptDetail(await inventory.script(params.zone_id, params.script_id)),
    })),
    route(operations.listConnections, async ({ params, query }) => {
      const page = toWirePage(query)
      const isFile = query.export !== undefined
      const wanted = toResourceQuery(query, page)
      const shown = await inventory.list(params.zone_id, 'connection', wanted, isFile)
      const wire = shown.items.map((item) => ({ item, wire: toWireConnection(item, shown.entitlements) }))
      if (!isFile)
        return pageOfShown(
          shown,
          page,
          wire.map((line) => line.wire),
        )
      const rows = wire.map((line) => ({ ...line.wire, page_urls: line.item.resource.pageUrls }))
      return file('connections', shown.zone.name, toCsv(CONNECTION_COLUMNS, rows))
    }),
    route(operations.getConnection, async ({ params }) => ({
      result: toWireConnectionDetail(await inventory.connection(params.zone_id, params.connection_id)),
    })),
    route(operations.listCookies, async ({ params, query }) => {
      const page = toWirePage(query)
      const isFile = query.export !== undefined
      const shown = await inventory.cookies(params.zone_id, toCookieQuery(query, page), isFile)
      const wire = shown.items.map((cookie) => toWireCookie(cookie, shown.entitlements))
      if (!isFile) return pageOfShown(shown, page, wire)
      return file('cookies', shown.zone.name, toCsv(COOKIE_COLUMNS, wire))
    }),
    route(operations.getCookie, async ({ params }) => {
      const { entitlements, item } = await inventory.cookie(params.zone_id, params.cookie_id)
      return { result: toWireCookie(item, entitlements) }
    }),
  ]
}

type Row = Readonly<Partial<Record<(typeof SCRIPT_COLUMNS)[number], Cell>>>

/** One page with everything says how many are in it, and an empty one what a page usually holds. */
function pageOfShown(
  { totalCount }: Shown<unknown>,
  { page, perPage, isWhole }: WirePage,
  wire: readonly object[],
): Reply {
  return {
    items: wire.map((line) => JSON.stringify(line)).join(','),
    page,
    perPage: isWhole && wire.length > 0 ? wire.length : Math.min(perPage, 100),
    count: wire.length,
    totalCount,
  }
}
