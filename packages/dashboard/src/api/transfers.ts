// Transfers of a zone to and from other nameservers, and the account's peers, TSIG keys and ACLs.
import { queryOptions } from '@tanstack/react-query'
import type {
  AclDraft,
  PeerDraft,
  secondaryDnsAcls,
  secondaryDnsIncoming,
  secondaryDnsOutgoing,
  secondaryDnsPeers,
  secondaryDnsTsigs,
  TsigDraft,
} from '@zonereeve/contract'
import { ApiError, call } from './call.ts'
import { zoneKeys } from './zones.ts'

export type { WireIncomingStatus, WireOutgoingProgress, WirePeer } from '@zonereeve/contract'

const NOT_FOUND = 404
const ALL = { per_page: 1_000 }

const accountKeys = (accountId: string) => ['transfers', accountId] as const

/** Undefined instead of the refusal of a resource that does not exist. */
export async function ifFound<Result>(
  read: () => Promise<{ readonly result: Result }>,
): Promise<Result | null> {
  try {
    return (await read()).result
  } catch (error) {
    if (error instanceof ApiError && error.status === NOT_FOUND) return null
    throw error
  }
}

/** Null if none were set up. */
export const outgoingOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'outgoing'],
    queryFn: ({ signal }) => {
      const route = { method: 'GET', path: '/zones/{zone_id}/secondary_dns/outgoing' } as const
      return ifFound(() =>
        call<typeof secondaryDnsOutgoing.get>(route, { params: { zone_id: zoneId } }, { signal }),
      )
    },
  })

/** Which peers have the newest serial; null if no transfers were set up. */
export const outgoingProgress = (zoneId: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'outgoing', 'progress'],
    queryFn: ({ signal }) => {
      const route = {
        method: 'GET',
        path: '/zonereeve/zones/{zone_id}/secondary_dns/outgoing/status',
      } as const
      return ifFound(() =>
        call<typeof secondaryDnsOutgoing.progress>(route, { params: { zone_id: zoneId } }, { signal }),
      )
    },
  })

export function saveOutgoing(
  zone: { readonly id: string; readonly name: string },
  peers: string[],
  isNew: boolean,
) {
  const body = { name: `${zone.name}.`, peers }
  const params = { zone_id: zone.id }
  const path = '/zones/{zone_id}/secondary_dns/outgoing'
  return isNew
    ? call<typeof secondaryDnsOutgoing.create>({ method: 'POST', path }, { params, body })
    : call<typeof secondaryDnsOutgoing.update>({ method: 'PUT', path }, { params, body })
}

export function switchOutgoing(zoneId: string, isOn: boolean) {
  const input = { params: { zone_id: zoneId }, body: {} }
  return isOn
    ? call<typeof secondaryDnsOutgoing.enable>(
        { method: 'POST', path: '/zones/{zone_id}/secondary_dns/outgoing/enable' },
        input,
      )
    : call<typeof secondaryDnsOutgoing.disable>(
        { method: 'POST', path: '/zones/{zone_id}/secondary_dns/outgoing/disable' },
        input,
      )
}

export function sendNotify(zoneId: string) {
  const route = { method: 'POST', path: '/zones/{zone_id}/secondary_dns/outgoing/force_notify' } as const
  return call<typeof secondaryDnsOutgoing.forceNotify>(route, { params: { zone_id: zoneId }, body: {} })
}

/** Null if the zone follows no primary. */
export const incomingOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'incoming'],
    queryFn: ({ signal }) => {
      const route = { method: 'GET', path: '/zones/{zone_id}/secondary_dns/incoming' } as const
      return ifFound(() =>
        call<typeof secondaryDnsIncoming.get>(route, { params: { zone_id: zoneId } }, { signal }),
      )
    },
  })

export const incomingStatus = (zoneId: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'incoming', 'status'],
    queryFn: ({ signal }) => {
      const route = {
        method: 'GET',
        path: '/zonereeve/zones/{zone_id}/secondary_dns/incoming/status',
      } as const
      return ifFound(() =>
        call<typeof secondaryDnsIncoming.status>(route, { params: { zone_id: zoneId } }, { signal }),
      )
    },
  })

export function saveIncoming(
  zone: { readonly id: string; readonly name: string },
  peers: string[],
  isNew: boolean,
) {
  const body = { name: `${zone.name}.`, peers }
  const params = { zone_id: zone.id }
  const path = '/zones/{zone_id}/secondary_dns/incoming'
  return isNew
    ? call<typeof secondaryDnsIncoming.create>({ method: 'POST', path }, { params, body })
    : call<typeof secondaryDnsIncoming.update>({ method: 'PUT', path }, { params, body })
}

export function transferNow(zoneId: string) {
  const route = { method: 'POST', path: '/zones/{zone_id}/secondary_dns/force_axfr' } as const
  return call<typeof secondaryDnsIncoming.forceAxfr>(route, { params: { zone_id: zoneId }, body: {} })
}

export const peersOf = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKeys(accountId), 'peers'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/accounts/{account_id}/secondary_dns/peers' } as const
      const input = { params: { account_id: accountId }, query: ALL }
      return (await call<typeof secondaryDnsPeers.list>(route, input, { signal })).result
    },
  })

export const tsigsOf = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKeys(accountId), 'tsigs'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/accounts/{account_id}/secondary_dns/tsigs' } as const
      const input = { params: { account_id: accountId }, query: ALL }
      return (await call<typeof secondaryDnsTsigs.list>(route, input, { signal })).result
    },
  })

export const aclsOf = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKeys(accountId), 'acls'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/accounts/{account_id}/secondary_dns/acls' } as const
      const input = { params: { account_id: accountId }, query: ALL }
      return (await call<typeof secondaryDnsAcls.list>(route, input, { signal })).result
    },
  })

export const transferObjectKeys = accountKeys

/** @param id of the peer to replace; undefined for a new one */
export function savePeer(accountId: string, id: string | undefined, body: PeerDraft) {
  if (id === undefined) {
    const route = { method: 'POST', path: '/accounts/{account_id}/secondary_dns/peers' } as const
    return call<typeof secondaryDnsPeers.create>(route, { params: { account_id: accountId }, body })
  }
  const route = { method: 'PUT', path: '/accounts/{account_id}/secondary_dns/peers/{peer_id}' } as const
  return call<typeof secondaryDnsPeers.update>(route, {
    params: { account_id: accountId, peer_id: id },
    body,
  })
}

export function deletePeer(accountId: string, id: string) {
  const route = { method: 'DELETE', path: '/accounts/{account_id}/secondary_dns/peers/{peer_id}' } as const
  return call<typeof secondaryDnsPeers.delete>(route, { params: { account_id: accountId, peer_id: id } })
}

export function createTsig(accountId: string, body: TsigDraft) {
  const route = { method: 'POST', path: '/accounts/{account_id}/secondary_dns/tsigs' } as const
  return call<typeof secondaryDnsTsigs.create>(route, { params: { account_id: accountId }, body })
}

export function deleteTsig(accountId: string, id: string) {
  const route = { method: 'DELETE', path: '/accounts/{account_id}/secondary_dns/tsigs/{tsig_id}' } as const
  return call<typeof secondaryDnsTsigs.delete>(route, { params: { account_id: accountId, tsig_id: id } })
}

export function createAcl(accountId: string, body: AclDraft) {
  const route = { method: 'POST', path: '/accounts/{account_id}/secondary_dns/acls' } as const
  return call<typeof secondaryDnsAcls.create>(route, { params: { account_id: accountId }, body })
}

export function deleteAcl(accountId: string, id: string) {
  const route = { method: 'DELETE', path: '/accounts/{account_id}/secondary_dns/acls/{acl_id}' } as const
  return call<typeof secondaryDnsAcls.delete>(route, { params: { account_id: accountId, acl_id: id } })
}
