// Secondary DNS: other nameservers, their keys and addresses, and the zones they get.
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import { Deleted, givenName, nullable, objectId, oneOf, page, perPage, timestamp } from './primitives.ts'
import {
  closed,
  nothing,
  peerIds,
  reading,
  sentId,
  sentTimes,
  soaSerial,
  tag,
  writing,
  zoneName,
  zonePath,
} from './transfer-members.ts'

const accountPath = Type.Object({ account_id: objectId('the account') })
const paged = Type.Object({ page, per_page: perPage(1, 1_000, 100) })
const accountReading = {
  on: 'account',
  anyOf: ['Account DNS Settings Read', 'Account DNS Settings Write'],
} as const
const accountWriting = { on: 'account', anyOf: ['Account DNS Settings Write'] } as const

// No pattern: an invalid identifier is reported as not found.
const tsigPath = Type.Object({
  ...accountPath.properties,
  tsig_id: Type.String({ description: 'Identifier of the key.' }),
})
const aclPath = Type.Object({
  ...accountPath.properties,
  acl_id: Type.String({ description: 'Identifier of the ACL.' }),
})
const peerPath = Type.Object({
  ...accountPath.properties,
  peer_id: Type.String({ description: 'Identifier of the peer.' }),
})

const secret = Type.String({
  maxLength: 1_024,
  description: 'The shared secret in base64: 16 octets or more.',
  examples: ['MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='],
})
const algo = Type.String({
  maxLength: 64,
  description: 'hmac-sha256, hmac-sha384 or hmac-sha512; hmac-sha1 for old peers.',
  examples: ['hmac-sha256.'],
})
const keyName = Type.String({
  maxLength: 255,
  description: 'Name of the key.',
  examples: ['key.example.com.'],
})

export const WireTsig = Type.Object(
  { id: objectId('the key'), name: keyName, secret, algo },
  { $id: 'Tsig', title: 'Tsig' },
)
export type WireTsig = Static<typeof WireTsig>
const TsigDraft = Type.Object({ id: sentId, name: keyName, secret, algo }, closed)
export type TsigDraft = Static<typeof TsigDraft>

const ipRange = Type.String({
  maxLength: 64,
  description: 'Addresses with a prefix length; at least /24 for IPv4 or /64 for IPv6.',
  examples: ['192.0.2.53/28'],
})
const Acl = Type.Object(
  { id: objectId('the ACL'), name: givenName(255), ip_range: ipRange },
  { $id: 'TransferAcl', title: 'TransferAcl' },
)
export type WireAcl = Static<typeof Acl>
const AclDraft = Type.Object({ id: sentId, name: givenName(255), ip_range: ipRange }, closed)
export type AclDraft = Static<typeof AclDraft>

const Peer = Type.Object(
  {
    id: objectId('the peer'),
    name: givenName(255),
    ip: Type.Optional(Type.String({ description: 'IPv4 or IPv6 address.', examples: ['192.0.2.53'] })),
    port: Type.Integer({ description: 'UDP and TCP port.', examples: [53] }),
    ixfr_enable: Type.Boolean({
      description:
        'Whether a primary is asked for an incremental transfer (IXFR) instead of the whole zone. A peer that queries this server gets the kind of transfer it requests.',
    }),
    tsig_id: Type.Optional(Type.String({ description: 'The key that the peer signs with.' })),
  },
  { $id: 'TransferPeer', title: 'TransferPeer' },
)
export type WirePeer = Static<typeof Peer>
const PeerDraft = Type.Object(
  {
    id: sentId,
    name: givenName(255),
    ip: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
    port: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 65_535, default: 53 }))),
    ixfr_enable: Type.Optional(nullable(Type.Boolean({ default: false }))),
    tsig_id: Type.Optional(nullable(Type.String())),
  },
  closed,
)
export type PeerDraft = Static<typeof PeerDraft>

const Outgoing = Type.Object(
  {
    id: objectId('the zone'),
    name: zoneName,
    peers: Type.Array(Type.String()),
    checked_time: Type.Optional(timestamp('When a peer last queried the serial or the zone.')),
    created_time: timestamp('When it was set up.'),
    last_transferred_time: Type.Optional(timestamp('When the zone or its changes were last sent.')),
    soa_serial: soaSerial,
  },
  { $id: 'OutgoingTransfers', title: 'OutgoingTransfers' },
)
export type WireOutgoing = Static<typeof Outgoing>
const OutgoingDraft = Type.Object(
  { id: sentId, ...sentTimes, last_transferred_time: sentTimes.checked_time, name: zoneName, peers: peerIds },
  closed,
)
export type OutgoingDraft = Static<typeof OutgoingDraft>

const OutgoingProgress = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether transfers are enabled; if not, no peers are listed.' }),
    soa_serial: soaSerial,
    peers: Type.Array(
      Type.Object({
        id: objectId('the peer'),
        state: oneOf(['unknown', 'current', 'behind'], {
          description:
            '`unknown`: since the server started, the peer has sent no query and the zone has not changed. `behind`: it has not transferred the newest serial, or requests again what it was sent.',
        }),
        notified_serial: nullable(
          Type.Integer({ description: 'Serial of the last NOTIFY that it acknowledged.' }),
        ),
        transferred_serial: nullable(
          Type.Integer({ description: 'The last serial that it was sent, or reported to have.' }),
        ),
        behind_since: nullable(timestamp('Time since which it has been behind.')),
      }),
    ),
  },
  { $id: 'OutgoingProgress', title: 'OutgoingProgress' },
)
export type WireOutgoingProgress = Static<typeof OutgoingProgress>

const status = Type.String({ description: '`Enabled` or `Disabled`.', examples: ['Enabled'] })
const outgoing = '/zones/{zone_id}/secondary_dns/outgoing'

export const secondaryDnsOutgoing = {
  get: operation({
    id: 'secondary_dns.outgoing.get',
    method: 'GET',
    path: outgoing,
    summary: 'Get the outgoing transfers of a zone',
    tag,
    permission: reading,
    params: zonePath,
    result: Outgoing,
  }),
  create: operation({
    id: 'secondary_dns.outgoing.create',
    method: 'POST',
    path: outgoing,
    summary: 'Set up transfers of a zone to other nameservers; they start when they are enabled',
    tag,
    permission: writing,
    params: zonePath,
    body: OutgoingDraft,
    result: Outgoing,
  }),
  update: operation({
    id: 'secondary_dns.outgoing.update',
    method: 'PUT',
    path: outgoing,
    summary: 'Change which nameservers get a zone',
    tag,
    permission: writing,
    params: zonePath,
    body: OutgoingDraft,
    result: Outgoing,
  }),
  delete: operation({
    id: 'secondary_dns.outgoing.delete',
    method: 'DELETE',
    path: outgoing,
    summary: 'Delete the outgoing transfers of a zone',
    tag,
    permission: writing,
    params: zonePath,
    result: Deleted,
  }),
  enable: operation({
    id: 'secondary_dns.outgoing.enable',
    method: 'POST',
    path: `${outgoing}/enable`,
    summary: 'Enable transfers of a zone, and notify its peers',
    tag,
    permission: writing,
    params: zonePath,
    ...nothing,
    result: status,
  }),
  disable: operation({
    id: 'secondary_dns.outgoing.disable',
    method: 'POST',
    path: `${outgoing}/disable`,
    summary: 'Disable transfers of a zone',
    tag,
    permission: writing,
    params: zonePath,
    ...nothing,
    result: status,
  }),
  status: operation({
    id: 'secondary_dns.outgoing.status',
    method: 'GET',
    path: `${outgoing}/status`,
    summary: 'Get whether transfers of a zone are enabled',
    tag,
    permission: reading,
    params: zonePath,
    result: status,
  }),
  progress: operation({
    id: 'secondary_dns.outgoing.progress',
    method: 'GET',
    path: '/zonereeve/zones/{zone_id}/secondary_dns/outgoing/status',
    summary: 'Get which of a zone’s peers have its newest serial, and which are behind',
    tag,
    permission: reading,
    params: zonePath,
    result: OutgoingProgress,
  }),
  forceNotify: operation({
    id: 'secondary_dns.outgoing.force_notify',
    method: 'POST',
    path: `${outgoing}/force_notify`,
    summary: 'Notify a zone’s peers of its serial',
    tag,
    permission: writing,
    params: zonePath,
    ...nothing,
    result: Type.String({ examples: ['OK'] }),
  }),
}

const root = '/accounts/{account_id}/secondary_dns'

export const secondaryDnsTsigs = {
  list: operation({
    id: 'secondary_dns.tsigs.list',
    method: 'GET',
    path: `${root}/tsigs`,
    summary: 'List TSIG keys',
    tag,
    permission: accountReading,
    params: accountPath,
    query: paged,
    result: WireTsig,
    list: true,
  }),
  create: operation({
    id: 'secondary_dns.tsigs.create',
    method: 'POST',
    path: `${root}/tsigs`,
    summary: 'Add a TSIG key',
    tag,
    permission: accountWriting,
    params: accountPath,
    body: TsigDraft,
    result: WireTsig,
  }),
  get: operation({
    id: 'secondary_dns.tsigs.get',
    method: 'GET',
    path: `${root}/tsigs/{tsig_id}`,
    summary: 'Get a TSIG key',
    tag,
    permission: accountReading,
    params: tsigPath,
    result: WireTsig,
  }),
  update: operation({
    id: 'secondary_dns.tsigs.update',
    method: 'PUT',
    path: `${root}/tsigs/{tsig_id}`,
    summary: 'Change a TSIG key',
    tag,
    permission: accountWriting,
    params: tsigPath,
    body: TsigDraft,
    result: WireTsig,
  }),
  delete: operation({
    id: 'secondary_dns.tsigs.delete',
    method: 'DELETE',
    path: `${root}/tsigs/{tsig_id}`,
    summary: 'Delete a TSIG key that no peer uses',
    tag,
    permission: accountWriting,
    params: tsigPath,
    result: Deleted,
  }),
}

export const secondaryDnsAcls = {
  list: operation({
    id: 'secondary_dns.acls.list',
    method: 'GET',
    path: `${root}/acls`,
    summary: 'List ACLs of transfers',
    tag,
    permission: accountReading,
    params: accountPath,
    query: paged,
    result: Acl,
    list: true,
  }),
  create: operation({
    id: 'secondary_dns.acls.create',
    method: 'POST',
    path: `${root}/acls`,
    summary: 'Allow addresses to transfer the account’s zones',
    tag,
    permission: accountWriting,
    params: accountPath,
    body: AclDraft,
    result: Acl,
  }),
  get: operation({
    id: 'secondary_dns.acls.get',
    method: 'GET',
    path: `${root}/acls/{acl_id}`,
    summary: 'Get an ACL',
    tag,
    permission: accountReading,
    params: aclPath,
    result: Acl,
  }),
  update: operation({
    id: 'secondary_dns.acls.update',
    method: 'PUT',
    path: `${root}/acls/{acl_id}`,
    summary: 'Change an ACL',
    tag,
    permission: accountWriting,
    params: aclPath,
    body: AclDraft,
    result: Acl,
  }),
  delete: operation({
    id: 'secondary_dns.acls.delete',
    method: 'DELETE',
    path: `${root}/acls/{acl_id}`,
    summary: 'Delete an ACL',
    tag,
    permission: accountWriting,
    params: aclPath,
    result: Deleted,
  }),
}

export const secondaryDnsPeers = {
  list: operation({
    id: 'secondary_dns.peers.list',
    method: 'GET',
    path: `${root}/peers`,
    summary: 'List peers',
    tag,
    permission: accountReading,
    params: accountPath,
    query: paged,
    result: Peer,
    list: true,
  }),
  create: operation({
    id: 'secondary_dns.peers.create',
    method: 'POST',
    path: `${root}/peers`,
    summary: 'Add a peer: a nameserver at the other end',
    tag,
    permission: accountWriting,
    params: accountPath,
    body: PeerDraft,
    result: Peer,
  }),
  get: operation({
    id: 'secondary_dns.peers.get',
    method: 'GET',
    path: `${root}/peers/{peer_id}`,
    summary: 'Get a peer',
    tag,
    permission: accountReading,
    params: peerPath,
    result: Peer,
  }),
  update: operation({
    id: 'secondary_dns.peers.update',
    method: 'PUT',
    path: `${root}/peers/{peer_id}`,
    summary: 'Replace a peer',
    tag,
    permission: accountWriting,
    params: peerPath,
    body: PeerDraft,
    result: Peer,
  }),
  delete: operation({
    id: 'secondary_dns.peers.delete',
    method: 'DELETE',
    path: `${root}/peers/{peer_id}`,
    summary: 'Delete a peer that no zone uses',
    tag,
    permission: accountWriting,
    params: peerPath,
    result: Deleted,
  }),
}

const catalogPath = '/zonereeve/accounts/{account_id}/catalog_zone'

const Catalog = Type.Object(
  {
    name: zoneName,
    peers: Type.Array(Type.String()),
    soa_serial: Type.Integer({ description: 'Serial of the catalog zone.' }),
    members: Type.Integer({ description: 'Number of zones in it.' }),
    created_on: timestamp('When it was created.'),
    modified_on: timestamp('When it last changed.'),
  },
  { $id: 'CatalogZone', title: 'CatalogZone' },
)
export type WireCatalog = Static<typeof Catalog>
const CatalogDraft = Type.Object(
  {
    name: Type.String({
      maxLength: 255,
      description: 'Name of the catalog zone; must not be the name of an existing or future zone.',
      examples: ['catalog.example.com'],
    }),
    peers: peerIds,
  },
  closed,
)
export type CatalogDraft = Static<typeof CatalogDraft>

export const catalogZone = {
  get: operation({
    id: 'catalog_zone.get',
    method: 'GET',
    path: catalogPath,
    summary: 'Get the catalog zone of an account’s transferred zones',
    tag,
    permission: accountReading,
    params: accountPath,
    result: Catalog,
  }),
  put: operation({
    id: 'catalog_zone.put',
    method: 'PUT',
    path: catalogPath,
    summary: 'Publish a catalog zone (RFC 9432) of the zones whose transfers are enabled',
    tag,
    permission: accountWriting,
    params: accountPath,
    body: CatalogDraft,
    result: Catalog,
  }),
  delete: operation({
    id: 'catalog_zone.delete',
    method: 'DELETE',
    path: catalogPath,
    summary: 'Stop publishing the catalog zone',
    tag,
    permission: accountWriting,
    params: accountPath,
    result: Deleted,
  }),
}
