// HTTP routes for secondary catalog zones.
import { secondaryCatalogs as operations } from '@zonereeve/contract'
import { pageOf, readPage, route, type Route } from '../../../http/index.ts'
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
    route(operations.get, async ({ params: { account_id: accountId, catalog_name: name } }) => ({
      result: toWireSecondaryCatalog(await service.get(accountId, name)),
    })),
    route(operations.members, ({ params: { account_id: accountId, catalog_name: name }, query, caller }) =>
      readPage(query, PER_PAGE, async (range) => {
        const { members, totalCount } = await memberList.secondary({ accountId, name }, range, caller)
        return { items: members.map(toWireSecondaryMember), totalCount }
      }),
    ),
    route(operations.put, async ({ params: { account_id: accountId, catalog_name: name }, body, ...by }) => ({
      result: toWireSecondaryCatalog(
        await service.save(accountId, name, toSecondaryCatalogDefinition(body), by),
      ),
    })),
    route(
      operations.confirm,
      async ({ params: { account_id: accountId, catalog_name: name }, body, ...by }) => ({
        result: toWireSecondaryCatalog(await service.confirm(accountId, name, body.serial, by)),
      }),
    ),
    route(
      operations.delete,
      async ({ params: { account_id: accountId, catalog_name: name }, query, ...by }) => {
        await service.remove(accountId, name, query.members ?? 'keep', by)
        return { result: { id: name } }
      },
    ),
  ]
}
