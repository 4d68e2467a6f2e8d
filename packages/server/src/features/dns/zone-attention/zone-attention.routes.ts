// HTTP route for zones that need attention.
import { zoneAttention as operations, type WireZoneNeedingAttention } from '@zonereeve/contract'
import { readPage, route, type Route } from '../../../http/index.ts'
import { toWireZone } from '../../zones/index.ts'
import type { ZoneAttention, ZoneNeedingAttention } from './zone-attention.service.ts'

const PER_PAGE = 100

export function zoneAttentionRoutes(attention: ZoneAttention): Route[] {
  return [
    route(operations.list, ({ caller, query }) =>
      readPage(query, PER_PAGE, async (range) => {
        const { zones, totalCount, isComplete } = await attention.list(caller, range)
        return { items: zones.map(toWire), totalCount, isComplete }
      }),
    ),
  ]
}

const toWire = ({ zone, reasons }: ZoneNeedingAttention): WireZoneNeedingAttention => ({
  zone: toWireZone(zone),
  reasons: [...reasons],
})
