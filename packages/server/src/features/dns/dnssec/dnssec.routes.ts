// HTTP routes for DNSSEC.
import { dnssec as operations, dnssecKeys } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { Dnssec } from './dnssec.service.ts'
import { toPatch, toRollOver, toWireDnssec, toWireKeys, toWireZsks } from './dnssec.wire.ts'

export function dnssecRoutes(dnssec: Dnssec): Route[] {
  return [
    route(operations.get, async ({ params }) => ({ result: toWireDnssec(await dnssec.get(params.zone_id)) })),
    route(operations.patch, async ({ params, body, actor }) => ({
      result: toWireDnssec(await dnssec.edit(params.zone_id, toPatch(body), actor)),
    })),
    route(operations.delete, async ({ params, actor }) => {
      await dnssec.remove(params.zone_id, actor)
      return { result: '' as const }
    }),
    route(operations.zsk, async ({ params }) => ({ result: toWireZsks(await dnssec.get(params.zone_id)) })),
    route(dnssecKeys.list, async ({ params }) => ({ result: toWireKeys(await dnssec.get(params.zone_id)) })),
    route(dnssecKeys.roll, async ({ params, body, actor }) => ({
      result: toWireKeys(await dnssec.roll(params.zone_id, toRollOver(body), actor)),
    })),
    route(dnssecKeys.parent, async ({ params, body, actor }) => ({
      result: toWireKeys(await dnssec.checkParent(params.zone_id, body.key_tags, actor)),
    })),
  ]
}
