// Secondary DNS: other nameservers, their keys and addresses, and the zones they get.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import {
  closedObject,
  Deleted,
  givenName,
  namedObject,
  nullable,
  objectId,
  oneOf,
  timestamp,
} from './primitives.ts'
import {
  accountReading,
  accountWriting,
  nothing,
  paged,
  pagedMembers,
  peerIds,
  reading,
  sentId,
  sentTimes,
  soaSerial,
  tag,
  writing,
  zoneName,
} from './transfer-members.ts'

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

export const WireTsig = namedObject('Tsig', { id: objectId('the key'), name: keyName, secret, algo })
export type WireTsig = Static<typeof WireTsig>
const TsigDraft = closedObject({ id: sentId, name: keyName, secret, algo })
export type TsigDraft = Static<typeof TsigDraft>

const ipRange = Type.String({
  maxLength: 64,
  description: 'Addresses with a prefix length; at least /24 for IPv4 or /64 for IPv6.',
  examples: ['192.0.2.53/28'],
})
const Acl = namedObject('TransferAcl', { id: objectId('the ACL'), name: givenName(255), ip_range: ipRange })
export type WireAcl = Static<typeof Acl>
const AclDraft = closedObject({ id: sentId, name: givenName(255), ip_range: ipRange })
export type AclDraft = Static<typeof AclDraft>

const tlsPort = { description: 'Port of DNS over TLS.', examples: [853] }
const serverName = {
  description:
    'Name of the primary’s certificate, which an authority that Node trusts has issued. Null: only the pins count.',
  examples: ['ns1.example.com'],
}
const pins = {
  description:
    'SHA-256 in base64 of public keys (SubjectPublicKeyInfo): the primary’s certificate must have one of them. Empty: it may have any key.',
}
const tlsDescription =
  'Transfers zones from this peer over TLS (RFC 9103), and verifies its certificate by name, by pins, or by both. Our extension.'
const PeerTls = Type.Object(
  {
    port: Type.Integer(tlsPort),
    server_name: nullable(Type.String(serverName)),
    pins: Type.Array(Type.String(), pins),
  },
  { description: tlsDescription },
)
const PeerTlsDraft = closedObject({
  port: Type.Optional(nullable(Type.Integer({ ...tlsPort, minimum: 1, maximum: 65_535, default: 853 }))),
  server_name: Type.Optional(nullable(Type.String({ ...serverName, maxLength: 255 }))),
  pins: Type.Optional(nullable(Type.Array(Type.String({ maxLength: 64 }), { ...pins, maxItems: 10 }))),
})

const Peer = namedObject('TransferPeer', {
  id: objectId('the peer'),
  name: givenName(255),
  ip: Type.Optional(Type.String({ description: 'IPv4 or IPv6 address.', examples: ['192.0.2.53'] })),
  port: Type.Integer({ description: 'UDP and TCP port.', examples: [53] }),
  ixfr_enable: Type.Boolean({
    description:
      'Whether a primary is asked for an incremental transfer (IXFR) instead of the whole zone. A peer that queries this server gets the kind of transfer it requests.',
  }),
  tsig_id: Type.Optional(Type.String({ description: 'The key that the peer signs with.' })),
  tls: Type.Optional(PeerTls),
})
export type WirePeer = Static<typeof Peer>
const PeerDraft = closedObject({
  id: sentId,
  name: givenName(255),
  ip: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
  port: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 65_535, default: 53 }))),
  ixfr_enable: Type.Optional(nullable(Type.Boolean({ default: false }))),
  tsig_id: Type.Optional(nullable(Type.String())),
  tls: Type.Optional(nullable(PeerTlsDraft)),
})
export type PeerDraft = Static<typeof PeerDraft>

const Outgoing = namedObject('OutgoingTransfers', {
  id: objectId('the zone'),
  name: zoneName,
  peers: Type.Array(Type.String()),
  checked_time: Type.Optional(timestamp('When a peer last queried the serial or the zone.')),
  created_time: timestamp('When it was set up.'),
  last_transferred_time: Type.Optional(timestamp('When the zone or its changes were last sent.')),
  soa_serial: soaSerial,
})
export type WireOutgoing = Static<typeof Outgoing>
const OutgoingDraft = closedObject({
  id: sentId,
  ...sentTimes,
  last_transferred_time: sentTimes.checked_time,
  name: zoneName,
  peers: peerIds,
})
export type OutgoingDraft = Static<typeof OutgoingDraft>

const OutgoingProgress = namedObject('OutgoingProgress', {
  enabled: Type.Boolean({ description: 'Whether transfers are enabled; if not, no peers are listed.' }),
  soa_serial: soaSerial,
  digest_serial: nullable(
    Type.Integer({
      description:
        'Serial of the digest (ZONEMD) that is answered. null: there is none, or the one of the newest serial has not been made yet.',
    }),
  ),
  digest_state: oneOf(['off', 'awaited', 'at_transfer', 'answered', 'too_large'], {
    description:
      'Of the zone’s digest: `off`: the setting is off, transfers are disabled and none is left, or the zone is not answered; `awaited`: it is being made; `at_transfer`: the next transfer makes it, because the zone is signed and large; `answered`: there is one, of `digest_serial`; `too_large`: the zone has more than 250,000 names, and its transfers contain none.',
  }),
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
})
export type WireOutgoingProgress = Static<typeof OutgoingProgress>

const status = Type.String({ description: '`Enabled` or `Disabled`.', examples: ['Enabled'] })
const outgoing = '/zones/{zone_id}/secondary_dns/outgoing'

// Identifiers without a pattern: an invalid one is reported as not found.
const section = {
  tag,
  params: {
    zone_id: objectId('the zone'),
    account_id: objectId('the account'),
    tsig_id: Type.String({ description: 'Identifier of the key.' }),
    acl_id: Type.String({ description: 'Identifier of the ACL.' }),
    peer_id: Type.String({ description: 'Identifier of the peer.' }),
  },
}

export const secondaryDnsOutgoing = operations('secondary_dns.outgoing', section, {
  get: {
    route: `GET ${outgoing}`,
    summary: 'Get the outgoing transfers of a zone',
    permission: reading,
    result: Outgoing,
  },
  create: {
    route: `POST ${outgoing}`,
    summary: 'Set up transfers of a zone to other nameservers; they start when they are enabled',
    permission: writing,
    body: OutgoingDraft,
    result: Outgoing,
  },
  update: {
    route: `PUT ${outgoing}`,
    summary: 'Change which nameservers get a zone',
    permission: writing,
    body: OutgoingDraft,
    result: Outgoing,
  },
  delete: {
    route: `DELETE ${outgoing}`,
    summary: 'Delete the outgoing transfers of a zone',
    permission: writing,
    result: Deleted,
  },
  enable: {
    route: `POST ${outgoing}/enable`,
    summary: 'Enable transfers of a zone, and notify its peers',
    permission: writing,
    ...nothing,
    result: status,
  },
  disable: {
    route: `POST ${outgoing}/disable`,
    summary: 'Disable transfers of a zone',
    permission: writing,
    ...nothing,
    result: status,
  },
  status: {
    route: `GET ${outgoing}/status`,
    summary: 'Get whether transfers of a zone are enabled',
    permission: reading,
    result: status,
  },
  progress: {
    route: 'GET /zonereeve/zones/{zone_id}/secondary_dns/outgoing/status',
    summary: 'Get which of a zone’s peers have its newest serial, and which are behind',
    permission: reading,
    result: OutgoingProgress,
  },
  forceNotify: {
    route: `POST ${outgoing}/force_notify`,
    summary: 'Notify a zone’s peers of its serial',
    permission: writing,
    ...nothing,
    result: Type.String({ examples: ['OK'] }),
  },
})

const root = '/accounts/{account_id}/secondary_dns'

export const secondaryDnsTsigs = operations('secondary_dns.tsigs', section, {
  list: {
    route: `GET ${root}/tsigs`,
    summary: 'List TSIG keys',
    permission: accountReading,
    query: paged,
    result: WireTsig,
    list: true,
  },
  create: {
    route: `POST ${root}/tsigs`,
    summary: 'Add a TSIG key',
    permission: accountWriting,
    body: TsigDraft,
    result: WireTsig,
  },
  get: {
    route: `GET ${root}/tsigs/{tsig_id}`,
    summary: 'Get a TSIG key',
    permission: accountReading,
    result: WireTsig,
  },
  update: {
    route: `PUT ${root}/tsigs/{tsig_id}`,
    summary: 'Change a TSIG key',
    permission: accountWriting,
    body: TsigDraft,
    result: WireTsig,
  },
  delete: {
    route: `DELETE ${root}/tsigs/{tsig_id}`,
    summary: 'Delete a TSIG key that no peer uses',
    permission: accountWriting,
    result: Deleted,
  },
})

export const secondaryDnsAcls = operations('secondary_dns.acls', section, {
  list: {
    route: `GET ${root}/acls`,
    summary: 'List ACLs of transfers',
    permission: accountReading,
    query: paged,
    result: Acl,
    list: true,
  },
  create: {
    route: `POST ${root}/acls`,
    summary: 'Allow addresses to transfer the account’s zones',
    permission: accountWriting,
    body: AclDraft,
    result: Acl,
  },
  get: {
    route: `GET ${root}/acls/{acl_id}`,
    summary: 'Get an ACL',
    permission: accountReading,
    result: Acl,
  },
  update: {
    route: `PUT ${root}/acls/{acl_id}`,
    summary: 'Change an ACL',
    permission: accountWriting,
    body: AclDraft,
    result: Acl,
  },
  delete: {
    route: `DELETE ${root}/acls/{acl_id}`,
    summary: 'Delete an ACL',
    permission: accountWriting,
    result: Deleted,
  },
})

export const secondaryDnsPeers = operations('secondary_dns.peers', section, {
  list: {
    route: `GET ${root}/peers`,
    summary: 'List peers',
    permission: accountReading,
    query: paged,
    result: Peer,
    list: true,
  },
  create: {
    route: `POST ${root}/peers`,
    summary: 'Add a peer: a nameserver at the other end',
    permission: accountWriting,
    body: PeerDraft,
    result: Peer,
  },
  get: {
    route: `GET ${root}/peers/{peer_id}`,
    summary: 'Get a peer',
    permission: accountReading,
    result: Peer,
  },
  update: {
    route: `PUT ${root}/peers/{peer_id}`,
    summary: 'Replace a peer',
    permission: accountWriting,
    body: PeerDraft,
    result: Peer,
  },
  delete: {
    route: `DELETE ${root}/peers/{peer_id}`,
    summary: 'Delete a peer that no zone uses',
    permission: accountWriting,
    result: Deleted,
  },
})

const catalogPath = '/zonereeve/accounts/{account_id}/catalog_zone'

const peerCounts = {
  current: Type.Integer({ description: 'Number of peers that have the newest serial.' }),
  behind: Type.Integer({ description: 'Number of peers that do not have it.' }),
  unknown: Type.Integer({ description: 'Number of peers that have sent no query since the server started.' }),
}

const Catalog = namedObject('CatalogZone', {
  name: zoneName,
  peers: Type.Array(Type.String()),
  soa_serial: Type.Integer({ description: 'Serial of the catalog zone.' }),
  members: Type.Integer({ description: 'Number of zones in it.' }),
  transfers: Type.Object(peerCounts, { description: 'Which of its peers have the catalog zone itself.' }),
  created_on: timestamp('When it was created.'),
  modified_on: timestamp('When it last changed.'),
})
export type WireCatalog = Static<typeof Catalog>
const CatalogDraft = closedObject({
  name: Type.String({
    maxLength: 255,
    description: 'Name of the catalog zone; must not be the name of an existing or future zone.',
    examples: ['catalog.example.com'],
  }),
  peers: peerIds,
})
export type CatalogDraft = Static<typeof CatalogDraft>

const CatalogMember = namedObject('CatalogMember', {
  zone_id: objectId('the zone, and its label in the catalog zone'),
  name: zoneName,
  transfers: nullable(
    Type.Object(
      {
        soa_serial: soaSerial,
        checked_on: nullable(timestamp('When a peer last queried the serial or the zone.')),
        transferred_on: nullable(timestamp('When the zone or its changes were last sent.')),
        ...peerCounts,
      },
      { description: 'Progress of the zone’s transfers; null = the caller may not read the zone’s DNS.' },
    ),
  ),
})
export type WireCatalogMember = Static<typeof CatalogMember>

export const catalogZone = operations('catalog_zone', section, {
  get: {
    route: `GET ${catalogPath}`,
    summary: 'Get the catalog zone of an account’s transferred zones',
    permission: accountReading,
    result: Catalog,
  },
  members: {
    route: `GET ${catalogPath}/members`,
    summary: 'List the zones in the catalog zone by name, and which peers have them',
    permission: accountReading,
    query: pagedMembers,
    result: CatalogMember,
    list: true,
  },
  put: {
    route: `PUT ${catalogPath}`,
    summary: 'Publish a catalog zone (RFC 9432) of the zones whose transfers are enabled',
    permission: accountWriting,
    body: CatalogDraft,
    result: Catalog,
  },
  delete: {
    route: `DELETE ${catalogPath}`,
    summary: 'Stop publishing the catalog zone',
    permission: accountWriting,
    result: Deleted,
  },
})
