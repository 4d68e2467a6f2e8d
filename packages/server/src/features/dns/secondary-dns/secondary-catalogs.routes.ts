// HTTP routes for secondary catalog zones.
import { secondaryCatalogs as operations } from '@zonereeve/contract'
import { pageOf, readPage, replyRemoved, route, type Route } from '../../../http/index.ts'
import type { CatalogMemberList } from './catalog-member-list.service.ts'
import type { SecondaryCatalogs } from './secondary-catalogs.service.ts'
import {
  toSecondaryCatalogDefinition,
  toWireSecondaryCatalog,
  toWireSecondaryMember,
} from './secondary-catalogs.wire.ts'

const PER_PAGE = 100

export function secondaryCatalogRoutes(
  service: SecondaryCatalogs,
  memberList: Pick<CatalogMemberList, 'secondary'>,
): Route[] {
  return [
    route(operations.list, async ({ params, query }) => {
      const all = await service.list(params.account_id)
      const { page, perPage, ...reply } = pageOf(
        all.map(({ name }) => name),
        query,
        PER_PAGE,
      )
      const items: string[] = []
      // A status needs a plan: only those that are shown are made.
      for (const catalog of all.slice((page - 1) * perPage, page * perPage))
        items.push(JSON.stringify(toWireSecondaryCatalog(await service.statusOf(catalog))))
      return { ...reply, page, perPage, items: items.join(',') }
    }),
    route(operations.get, async ({ params }) => ({
      result: toWireSecondaryCatalog(await service.get(...placeOf(params))),
    })),
    route(operations.members, ({ params: { account_id: accountId, catalog_name: name }, query, caller }) =>
      readPage(query, PER_PAGE, async (range) => {
        const { members, totalCount } = await memberList.secondary({ accountId, name }, range, caller)
        return { items: members.map(toWireSecondaryMember), totalCount }
      }),
    ),
    route(operations.put, async ({ params, body, ...by }) => {
      const definition = toSecondaryCatalogDefinition(body)
      return { result: toWireSecondaryCatalog(await service.save(...placeOf(params), definition, by)) }
    }),
    route(operations.confirm, async ({ params, body, ...by }) => ({
      result: toWireSecondaryCatalog(await service.confirm(...placeOf(params), body.serial, by)),
    })),
    route(operations.check, async ({ params }) => {
      await service.check(...placeOf(params))
      return { result: 'OK' }
    }),
    route(operations.delete, ({ params, query, ...by }) =>
      replyRemoved(params.catalog_name, service.remove(...placeOf(params), query.members ?? 'keep', by)),
    ),
  ]
}

const placeOf = (of: { readonly account_id: string; readonly catalog_name: string }) =>
  [of.account_id, of.catalog_name] as const
