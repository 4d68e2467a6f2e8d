// Secondary DNS between wire and domain form.
import type {
  AclDraft,
  CatalogDraft,
  IncomingDraft,
  OutgoingDraft,
  PeerDraft,
  TsigDraft,
  WireAcl,
  WireCatalog,
  WireCatalogMember,
  WireIncoming,
  WireIncomingStatus,
  WireOutgoing,
  WireOutgoingProgress,
  WirePeer,
  WireTsig,
} from '@zonereeve/contract'
import type { ListedOwnMember } from './catalog-member-list.service.ts'
import type { CatalogDefinition, CatalogState } from './catalog-zone.service.ts'
import type { IncomingDefinition, IncomingStatus, ZoneIncoming } from './incoming.service.ts'
import type { OutgoingProgress, TransferDefinition, ZoneOutgoing } from './outgoing.service.ts'
import type { StoredAcl, StoredPeer, StoredTsig } from './transfer-object.ts'
import {
  DNS_PORT,
  DNS_TLS_PORT,
  type AclDefinition,
  type PeerDefinition,
  type TsigDefinition,
} from './transfer-objects.rules.ts'

export const toWireTsig = ({ id, displayName, secret, displayAlgorithm }: StoredTsig): WireTsig => ({
  id,
  name: displayName,
  secret,
  algo: displayAlgorithm,
})

export const toTsigDefinition = ({ name, secret, algo }: TsigDraft): TsigDefinition => ({
  name,
  secret,
  algorithm: algo,
})

export const toWireAcl = ({ id, name, ipRange }: StoredAcl): WireAcl => ({ id, name, ip_range: ipRange })

export const toAclDefinition = ({ name, ip_range: ipRange }: AclDraft): AclDefinition => ({ name, ipRange })

export const toWirePeer = ({ id, name, ip, port, ixfrEnabled, tsigId, tls }: StoredPeer): WirePeer => ({
  id,
  name,
  ...(ip === null ? {} : { ip }),
  port,
  ixfr_enable: ixfrEnabled,
  ...(tsigId === null ? {} : { tsig_id: tsigId }),
  ...(tls === null ? {} : { tls: { port: tls.port, server_name: tls.serverName, pins: [...tls.pins] } }),
})

/** An empty string means none: the generated SDKs send it. */
export const toPeerDefinition = (draft: PeerDraft): PeerDefinition => ({
  name: draft.name,
  ip: draft.ip === '' ? null : (draft.ip ?? null),
  port: draft.port ?? DNS_PORT,
  ixfrEnabled: draft.ixfr_enable ?? false,
  tsigId: draft.tsig_id === '' ? null : (draft.tsig_id ?? null),
  tls: draft.tls
    ? {
        port: draft.tls.port ?? DNS_TLS_PORT,
        serverName: draft.tls.server_name ?? null,
        pins: draft.tls.pins ?? [], // no pins
      }
    : null,
})

export const toWireOutgoing = ({ zone, outgoing }: ZoneOutgoing): WireOutgoing => ({
  id: zone.id,
  name: `${zone.name}.`,
  peers: [...outgoing.peerIds],
  ...(outgoing.checkedOn === null ? {} : { checked_time: outgoing.checkedOn }),
  created_time: outgoing.createdOn,
  ...(outgoing.transferredOn === null ? {} : { last_transferred_time: outgoing.transferredOn }),
  soa_serial: zone.serial,
})

export const toWireProgress = ({
  zone,
  isEnabled,
  digest,
  peers,
}: OutgoingProgress): WireOutgoingProgress => ({
  enabled: isEnabled,
  soa_serial: zone.serial,
  digest_serial: digest.serial ?? null,
  digest_state: digest.state,
  peers: peers.map(({ peerId, state, notifiedSerial, transferredSerial, behindSince }) => ({
    id: peerId,
    state,
    notified_serial: notifiedSerial,
    transferred_serial: transferredSerial,
    behind_since: behindSince === null ? null : new Date(behindSince).toISOString(),
  })),
})

export const toWireIncoming = ({ zone, incoming, secondary }: ZoneIncoming): WireIncoming => ({
  id: zone.id,
  name: `${zone.name}.`,
  peers: [...incoming.peerIds],
  auto_refresh_seconds: incoming.autoRefreshSeconds,
  ...(secondary.checkedOn === null ? {} : { checked_time: secondary.checkedOn }),
  created_time: incoming.createdOn,
  modified_time: incoming.modifiedOn,
  soa_serial: secondary.soa === null ? 0 : zone.serial,
})

export const DEFAULT_REFRESH_SECONDS = 86_400

export const toIncomingDefinition = (draft: IncomingDraft): IncomingDefinition => ({
  name: draft.name,
  peerIds: draft.peers,
  autoRefreshSeconds: draft.auto_refresh_seconds ?? DEFAULT_REFRESH_SECONDS,
})

export function toWireIncomingStatus(status: IncomingStatus): WireIncomingStatus {
  const { zone, state, secondary, expiresAtMillis, verifiedSerial, catalog } = status
  return {
    state,
    soa_serial: secondary.soa === null ? null : zone.serial,
    primary_serial: secondary.primarySerial,
    problem: secondary.problem,
    checked_on: secondary.checkedOn,
    transferred_on: secondary.transferredOn,
    expires_on: expiresAtMillis === undefined ? null : new Date(expiresAtMillis).toISOString(),
    verified_serial: verifiedSerial ?? null,
    catalog: catalog === undefined ? null : `${catalog}.`,
  }
}

export const toTransferDefinition = ({ name, peers }: OutgoingDraft): TransferDefinition => ({
  name,
  peerIds: peers,
})

export const toWireStatus = (isEnabled: boolean): string => (isEnabled ? 'Enabled' : 'Disabled')

export const toWireCatalog = ({ catalog, members, peers }: CatalogState): WireCatalog => ({
  name: `${catalog.name}.`,
  peers: [...catalog.peerIds],
  soa_serial: catalog.serial,
  members,
  transfers: { ...peers },
  created_on: catalog.createdOn,
  modified_on: catalog.modifiedOn,
})

export const toWireCatalogMember = ({ zoneId, name, transfers }: ListedOwnMember): WireCatalogMember => ({
  zone_id: zoneId,
  name: `${name}.`,
  transfers:
    transfers === undefined
      ? null
      : {
          soa_serial: transfers.serial,
          checked_on: transfers.checkedOn,
          transferred_on: transfers.transferredOn,
          current: transfers.current,
          behind: transfers.behind,
          unknown: transfers.unknown,
        },
})

export const toCatalogDefinition = ({ name, peers }: CatalogDraft): CatalogDefinition => ({
  name,
  peerIds: peers,
})
