// HTTP routes of what monitoring's header also makes browsers report: frames, images, form targets, and code
// without a URL.
import { pageShieldLoads as operations, type WireCode, type WireLoad } from '@zonereeve/contract'
import { readPage, route, type Route } from '../../../http/index.ts'
import type { CodeInventory, ShownCode } from './code.service.ts'
import type { Inventory } from './inventory.service.ts'
import { pageOfShown } from './page-shield.routes.ts'
import { toResourceQuery, toWireConnection, toWirePage } from './page-shield.wire.ts'

export interface LoadsRoutesDeps {
  readonly inventory: Inventory
  readonly code: CodeInventory
}

const PER_PAGE = 50

export function pageShieldLoadsRoutes({ inventory, code }: LoadsRoutesDeps): Route[] {
  return [
    route(operations.listLoads, async ({ params, query }) => {
      const { kind, ...filters } = query
      const page = toWirePage(filters)
      const shown = await inventory.list(params.zone_id, kind, toResourceQuery(filters, page), false)
      return pageOfShown(shown, page, (item, has): WireLoad => ({
        kind,
        ...toWireConnection(item, has),
        ...(has.pages ? { page_urls: [...item.resource.pageUrls] } : {}),
      }))
    }),
    route(operations.listCode, async ({ params, query }) => {
      return readPage(query, PER_PAGE, async (range) => {
        const { items, totalCount } = await code.list(params.zone_id, { kind: query.kind, ...range })
        return { items: items.map(toWireCode), totalCount }
      })
    }),
  ]
}

const toWireCode = ({ code, status }: ShownCode): WireCode => ({
  id: code.id,
  kind: code.kind,
  host: code.host,
  sample: code.sample,
  sample_sha256: code.sampleSha256,
  source_url: code.sourceUrl === '' ? null : code.sourceUrl,
  line: code.line,
  first_seen_at: code.firstSeenAt,
  last_seen_at: code.lastSeenAt,
  status,
  first_page_url: code.firstPageUrl,
  page_urls: [...code.pageUrls],
})
