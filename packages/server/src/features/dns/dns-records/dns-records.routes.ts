// HTTP routes for the records of a zone.
import { accountRecords, dnsRecords as operations } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { DnsRecords } from './dns-records.service.ts'
import { toBatch, toBatchText, toInput, toPatch, toRecordQuery } from './dns-records.wire.ts'

export function dnsRecordRoutes(records: DnsRecords): Route[] {
  return [
    route(operations.list, async ({ params, query, signalOnce }) => {
      const desired = toRecordQuery(query)
      const { items, count, totalCount } = await records.list(params.zone_id, desired, signalOnce())
      return { items, count, totalCount, page: desired.page, perPage: desired.perPage }
    }),
    route(operations.create, ({ params, body, actor }) =>
      records.create(params.zone_id, toInput(body), actor),
    ),
    route(operations.batch, async ({ params, body, actor, ifMatch }) => {
      const { strings, notices } = await records.batch(params.zone_id, toBatch(body), actor, ifMatch)
      return { text: toBatchText(strings), notices }
    }),
    route(operations.usage, async ({ params }) => ({ result: usageOf(await records.usage(params.zone_id)) })),
    route(accountRecords.usage, async ({ params }) => ({
      result: usageOf(await records.accountUsage(params.account_id)),
    })),
    route(operations.get, ({ params }) => records.get(params.zone_id, params.dns_record_id)),
    route(operations.update, ({ params, body, actor, ifMatch }) =>
      records.overwrite(params.zone_id, params.dns_record_id, toPatch(body), actor, ifMatch),
    ),
    route(operations.patch, ({ params, body, actor, ifMatch }) =>
      records.edit(params.zone_id, params.dns_record_id, toPatch(body), actor, ifMatch),
    ),
    route(operations.delete, async ({ params, actor, ifMatch }) => ({
      notices: await records.remove(params.zone_id, params.dns_record_id, actor, ifMatch),
      result: { id: params.dns_record_id },
    })),
  ]
}

/** There is no quota: the machine's capacity is the only limit. */
const usageOf = (count: number) => ({ record_quota: null, record_usage: count })
