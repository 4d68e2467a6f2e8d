// HTTP for the records of a zone.
import { dnsRecords as operations } from '@zonereeve/contract'
import { route, type Route } from '../../http/index.ts'
import type { DnsRecords } from './dns-records.service.ts'
import { toInput, toPatch, toRecordQuery } from './dns-records.wire.ts'

export function dnsRecordRoutes(records: DnsRecords): Route[] {
  return [
    route(operations.list, async ({ params, query }) => {
      const wanted = toRecordQuery(query)
      const { items, count, totalCount } = await records.list(params.zone_id, wanted)
      return { items, count, totalCount, page: wanted.page, perPage: wanted.perPage }
    }),
    route(operations.create, ({ params, body, actor }) =>
      records.create(params.zone_id, toInput(body), actor),
    ),
    route(operations.get, async ({ params }) => ({
      text: await records.get(params.zone_id, params.dns_record_id),
    })),
    route(operations.update, ({ params, body, actor }) =>
      records.overwrite(params.zone_id, params.dns_record_id, toPatch(body), actor),
    ),
    route(operations.patch, ({ params, body, actor }) =>
      records.edit(params.zone_id, params.dns_record_id, toPatch(body), actor),
    ),
    route(operations.delete, async ({ params, actor }) => ({
      notices: await records.remove(params.zone_id, params.dns_record_id, actor),
      result: { id: params.dns_record_id },
    })),
  ]
}
