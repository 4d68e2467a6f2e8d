// HTTP routes for secondary DNS.
import {
  catalogZone,
  secondaryDnsAcls as acls,
  secondaryDnsIncoming as incoming,
  secondaryDnsOutgoing as outgoing,
  secondaryDnsPeers as peers,
  secondaryDnsTsigs as tsigs,
} from '@zonereeve/contract'
import { pageOf, readPage, replyRemoved, route, type Route } from '../../../http/index.ts'
import { secondaryCatalogRoutes } from './secondary-catalogs.routes.ts'
import type { SecondaryCatalogs } from './secondary-catalogs.service.ts'
import type { SecondaryDns } from './secondary-dns.service.ts'
import {
  toAclDefinition,
  toCatalogDefinition,
  toIncomingDefinition,
  toPeerDefinition,
  toTransferDefinition,
  toTsigDefinition,
  toWireAcl,
  toWireCatalog,
  toWireCatalogMember,
  toWireIncoming,
  toWireIncomingStatus,
  toWireOutgoing,
  toWirePeer,
  toWireProgress,
  toWireStatus,
  toWireTsig,
} from './secondary-dns.wire.ts'

const PER_PAGE = 100

export function secondaryDnsRoutes(service: SecondaryDns, catalogs: SecondaryCatalogs): Route[] {
  return [
    ...outgoingRoutes(service),
    ...incomingRoutes(service),
    ...tsigRoutes(service),
    ...aclRoutes(service),
    ...peerRoutes(service),
  ].concat(catalogRoutes(service), secondaryCatalogRoutes(catalogs, service.memberList))
}

function outgoingRoutes({ outgoing: service }: SecondaryDns): Route[] {
  return [
    route(outgoing.get, async ({ params }) => ({
      result: toWireOutgoing(await service.get(params.zone_id)),
    })),
    route(outgoing.create, async ({ params, body, actor }) => ({
      result: toWireOutgoing(await service.create(params.zone_id, toTransferDefinition(body), actor)),
    })),
    route(outgoing.update, async ({ params, body, actor }) => ({
      result: toWireOutgoing(await service.update(params.zone_id, toTransferDefinition(body), actor)),
    })),
    route(outgoing.delete, ({ params, actor }) =>
      replyRemoved(params.zone_id, service.remove(params.zone_id, actor)),
    ),
    route(outgoing.enable, async ({ params, actor }) => {
      await service.switchTo(params.zone_id, true, actor)
      return { result: toWireStatus(true) }
    }),
    route(outgoing.disable, async ({ params, actor }) => {
      await service.switchTo(params.zone_id, false, actor)
      return { result: toWireStatus(false) }
    }),
    route(outgoing.status, async ({ params }) => ({
      result: toWireStatus(await service.isEnabled(params.zone_id)),
    })),
    route(outgoing.progress, async ({ params }) => ({
      result: toWireProgress(await service.progress(params.zone_id)),
    })),
    route(outgoing.forceNotify, async ({ params }) => {
      await service.forceNotify(params.zone_id)
      return { result: 'OK' }
    }),
  ]
}

function incomingRoutes({ incoming: service }: SecondaryDns): Route[] {
  return [
    route(incoming.get, async ({ params }) => ({
      result: toWireIncoming(await service.get(params.zone_id)),
    })),
    route(incoming.create, async ({ params, body, actor }) => ({
      result: toWireIncoming(await service.create(params.zone_id, toIncomingDefinition(body), actor)),
    })),
    route(incoming.update, async ({ params, body, actor }) => ({
      result: toWireIncoming(await service.update(params.zone_id, toIncomingDefinition(body), actor)),
    })),
    route(incoming.delete, ({ params, actor }) =>
      replyRemoved(params.zone_id, service.remove(params.zone_id, actor)),
    ),
    route(incoming.forceAxfr, async ({ params }) => {
      await service.force(params.zone_id)
      return { result: 'OK' }
    }),
    route(incoming.status, async ({ params }) => ({
      result: toWireIncomingStatus(await service.status(params.zone_id)),
    })),
  ]
}

function tsigRoutes({ tsigs: service }: SecondaryDns): Route[] {
  return [
    route(tsigs.list, async ({ params, query }) =>
      pageOf((await service.list(params.account_id)).map(toWireTsig), query, PER_PAGE),
    ),
    route(tsigs.create, async ({ params, body, actor }) => ({
      result: toWireTsig(await service.create(params.account_id, toTsigDefinition(body), actor)),
    })),
    route(tsigs.get, async ({ params }) => ({
      result: toWireTsig(await service.get(params.account_id, params.tsig_id)),
    })),
    route(tsigs.update, async ({ params, body, actor }) => ({
      result: toWireTsig(
        await service.update(params.account_id, params.tsig_id, toTsigDefinition(body), actor),
      ),
    })),
    route(tsigs.delete, ({ params, actor }) =>
      replyRemoved(params.tsig_id, service.remove(params.account_id, params.tsig_id, actor)),
    ),
  ]
}

function aclRoutes({ acls: service }: SecondaryDns): Route[] {
  return [
    route(acls.list, async ({ params, query }) =>
      pageOf((await service.list(params.account_id)).map(toWireAcl), query, PER_PAGE),
    ),
    route(acls.create, async ({ params, body, actor }) => ({
      result: toWireAcl(await service.create(params.account_id, toAclDefinition(body), actor)),
    })),
    route(acls.get, async ({ params }) => ({
      result: toWireAcl(await service.get(params.account_id, params.acl_id)),
    })),
    route(acls.update, async ({ params, body, actor }) => ({
      result: toWireAcl(await service.update(params.account_id, params.acl_id, toAclDefinition(body), actor)),
    })),
    route(acls.delete, ({ params, actor }) =>
      replyRemoved(params.acl_id, service.remove(params.account_id, params.acl_id, actor)),
    ),
  ]
}

function peerRoutes({ peers: service }: SecondaryDns): Route[] {
  return [
    route(peers.list, async ({ params, query }) =>
      pageOf((await service.list(params.account_id)).map(toWirePeer), query, PER_PAGE),
    ),
    route(peers.create, async ({ params, body, actor }) => ({
      result: toWirePeer(await service.create(params.account_id, toPeerDefinition(body), actor)),
    })),
    route(peers.get, async ({ params }) => ({
      result: toWirePeer(await service.get(params.account_id, params.peer_id)),
    })),
    route(peers.update, async ({ params, body, actor }) => ({
      result: toWirePeer(
        await service.update(params.account_id, params.peer_id, toPeerDefinition(body), actor),
      ),
    })),
    route(peers.delete, ({ params, actor }) =>
      replyRemoved(params.peer_id, service.remove(params.account_id, params.peer_id, actor)),
    ),
  ]
}

function catalogRoutes({ catalog: service, memberList }: SecondaryDns): Route[] {
  return [
    route(catalogZone.get, async ({ params }) => ({
      result: toWireCatalog(await service.get(params.account_id)),
    })),
    route(catalogZone.members, ({ params, query, caller }) =>
      readPage(query, PER_PAGE, async (range) => {
        const { members, totalCount } = await memberList.own(params.account_id, range, caller)
        return { items: members.map(toWireCatalogMember), totalCount }
      }),
    ),
    route(catalogZone.put, async ({ params, body, actor }) => ({
      result: toWireCatalog(await service.save(params.account_id, toCatalogDefinition(body), actor)),
    })),
    route(catalogZone.delete, ({ params, actor }) =>
      replyRemoved(params.account_id, service.remove(params.account_id, actor)),
    ),
  ]
}
