// HTTP routes for zones.
import { zones as operations } from '@zonereeve/contract'
import { replyRemoved, route, type Route } from '../../../http/index.ts'
import { addressNotices, zoneEtag, type Zones } from './zones.service.ts'
import type { ZoneInAccount } from './zones.store.ts'
import { toWireZone, toZoneDefinition, toZoneEdit, toZoneQuery } from './zones.wire.ts'

export function zoneRoutes(zones: Zones): Route[] {
  return [
    route(operations.list, async ({ caller, query }) => {
      const desired = toZoneQuery(query)
      const found = await zones.list(caller, desired)
      return {
        items: found.zones.map((zone) => JSON.stringify(toWireZone(zone))).join(','),
        page: desired.page,
        perPage: desired.limit,
        count: found.zones.length,
        totalCount: found.totalCount,
        infoSecond: true,
      }
    }),
    route(operations.create, async ({ caller, body, actor }) => {
      const zone = await zones.create(toZoneDefinition(body), caller, actor)
      return { ...zoneReply(zone), notices: addressNotices(zone) }
    }),
    route(operations.get, async ({ params }) => ({
      ...zoneReply(await zones.get(params.zone_id)),
      notices: zones.quarantineNotices(params.zone_id),
    })),
    route(operations.patch, async ({ params, body, actor, ifMatch }) =>
      zoneReply(await zones.edit(params.zone_id, toZoneEdit(body), actor, ifMatch)),
    ),
    route(operations.delete, ({ params, actor, ifMatch }) =>
      replyRemoved(params.zone_id, zones.remove(params.zone_id, actor, ifMatch)),
    ),
    route(operations.activationCheck, async ({ params, actor }) => ({
      notices: await zones.checkActivation(params.zone_id, actor),
      result: { id: params.zone_id },
    })),
  ]
}

const zoneReply = (zone: ZoneInAccount) => ({ result: toWireZone(zone), etag: zoneEtag(zone) })
