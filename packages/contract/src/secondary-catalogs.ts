// Catalog zones of other nameservers (RFC 9432): this server creates and deletes secondary zones as they list them.
import { Type, type Static } from 'typebox'
import {
  accountReading,
  accountWriting,
  autoRefresh,
  incomingState,
  nothing,
  paged,
  pagedMembers,
  peerIds,
  soaSerial,
  tag,
  zoneName,
} from './transfer-members.ts'
import { closedObject, Deleted, namedObject, nullable, objectId, oneOf, timestamp } from './primitives.ts'
import { operations } from './operation.ts'

const root = '/zonereeve/accounts/{account_id}/secondary_catalogs'
const one = `${root}/{catalog_name}` as const

const section = {
  tag,
  params: {
    account_id: objectId('the account'),
    catalog_name: Type.String({
      maxLength: 1_024,
      description: 'Name of the catalog zone.',
      examples: ['catalog.example.net'],
    }),
  },
}

const groupName = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'A value of the property `group`, as the catalog zone has it.',
  examples: ['internal'],
})
const groupsDescription =
  'Peers for member zones of groups. If a member has several of these groups, the first one here decides; members without one get the default `peers`.'
const groupPeers = Type.Array(Type.String(), {
  description: 'Peers that member zones of the group are transferred from.',
})

const problem = Type.String({ description: 'What prevents it.' })

const SecondaryCatalog = namedObject('SecondaryCatalog', {
  name: Type.String({ description: 'Name of the catalog zone.', examples: ['catalog.example.net.'] }),
  peers: Type.Array(Type.String(), {
    description: 'Peers that the catalog zone, and by default its member zones, are transferred from.',
  }),
  groups: Type.Array(Type.Object({ name: groupName, peers: groupPeers }), { description: groupsDescription }),
  auto_refresh_seconds: autoRefresh,
  state: oneOf(['waiting', 'current', 'expired', 'ending'], {
    description:
      '`waiting` for the first transfer; `expired`: no contact to a primary for too long, which changes nothing about the member zones; `ending`: the member zones are being deleted.',
  }),
  soa_serial: nullable(soaSerial),
  primary_serial: nullable(
    Type.Integer({
      description: 'The last serial reported by a primary, whether that version is used or not.',
    }),
  ),
  problem: nullable(
    Type.String({ description: 'Why the last attempt failed, or why the last version is not used.' }),
  ),
  checked_on: nullable(timestamp('When a primary was last queried.')),
  transferred_on: nullable(timestamp('When a version was last accepted.')),
  expires_on: nullable(timestamp('When it expires if no primary can be reached before.')),
  members: Type.Object({
    listed: Type.Integer({ description: 'Zones that the accepted version lists.' }),
    created: Type.Integer({ description: 'Zones that exist here because of it.' }),
    pending: Type.Integer({ description: 'Zones that are still to be created, changed or deleted.' }),
  }),
  conflicts: Type.Array(Type.Object({ zone: Type.String(), problem }), {
    description: 'Zones that cannot be created, changed or deleted, 100 at most.',
  }),
  held: nullable(
    Type.Object(
      {
        serial: Type.Integer({ description: 'Serial of that version: confirm it to apply it.' }),
        members: Type.Integer({ description: 'Member zones now.' }),
        removed: Type.Integer({ description: 'How many of them it removes.' }),
        reset: Type.Integer({
          description: 'How many of them it resets, because their unique labels change.',
        }),
        zones: Type.Array(Type.String(), { description: 'Some of these zones, 100 at most.' }),
      },
      {
        description:
          'A version that removes or resets more than 10 member zones and more than half of them is not applied before it is confirmed.',
      },
    ),
  ),
  created_on: timestamp('When it was set up.'),
  modified_on: timestamp('When its settings last changed.'),
})
export type WireSecondaryCatalog = Static<typeof SecondaryCatalog>

const SecondaryCatalogMember = namedObject('SecondaryCatalogMember', {
  zone_id: objectId('the zone'),
  name: zoneName,
  label: Type.String({ description: 'Unique label of the zone in the catalog zone.', examples: ['m1'] }),
  groups: Type.Array(groupName, { description: 'Its groups, as the catalog zone has them.' }),
  transfers: nullable(
    Type.Object(
      {
        state: incomingState,
        soa_serial: nullable(soaSerial),
        primary_serial: nullable(Type.Integer({ description: 'The last serial that a primary reported.' })),
        problem: nullable(Type.String({ description: 'Why the last attempt failed.' })),
        checked_on: nullable(timestamp('When a primary was last queried.')),
        transferred_on: nullable(timestamp('When the zone last changed.')),
      },
      {
        description:
          'State of the zone’s transfers; null = the caller may not read the zone’s DNS, or its stored state cannot be read.',
      },
    ),
  ),
})
export type WireSecondaryCatalogMember = Static<typeof SecondaryCatalogMember>

const SecondaryCatalogDraft = closedObject({
  peers: peerIds,
  groups: Type.Optional(
    Type.Array(closedObject({ name: groupName, peers: peerIds }), {
      maxItems: 100,
      default: [],
      description: groupsDescription,
    }),
  ),
  auto_refresh_seconds: Type.Optional(autoRefresh),
})
export type SecondaryCatalogDraft = Static<typeof SecondaryCatalogDraft>

export const secondaryCatalogs = operations('secondary_catalogs', section, {
  list: {
    route: `GET ${root}`,
    summary: 'List the catalog zones that the account follows',
    permission: accountReading,
    query: paged,
    result: SecondaryCatalog,
    list: true,
  },
  get: {
    route: `GET ${one}`,
    summary: 'Get a secondary catalog zone: its settings, its state, and what it waits for',
    permission: accountReading,
    result: SecondaryCatalog,
  },
  members: {
    route: `GET ${one}/members`,
    summary: 'List the zones that were created for a secondary catalog zone by name, and their state',
    permission: accountReading,
    query: pagedMembers,
    result: SecondaryCatalogMember,
    list: true,
  },
  put: {
    route: `PUT ${one}`,
    summary:
      'Follow a catalog zone (RFC 9432) of another nameserver, or change how; its member zones become secondary zones',
    description: 'Also needs `Zone Write` on all zones of the account.',
    permission: accountWriting,
    body: SecondaryCatalogDraft,
    result: SecondaryCatalog,
  },
  confirm: {
    route: `POST ${one}/confirm`,
    summary: 'Transfer a catalog zone whole, and apply the version with this serial whatever it removes',
    description:
      'Also accepts a serial that is behind ours. Also needs `Zone Write` on all zones of the account.',
    permission: accountWriting,
    body: closedObject({
      serial: Type.Integer({
        minimum: 0,
        maximum: 4_294_967_295,
        description: '`primary_serial`, or `held.serial`, as last read.',
      }),
    }),
    result: SecondaryCatalog,
  },
  check: {
    route: `POST ${one}/check`,
    summary: 'Query the primaries of a catalog zone now, as after a NOTIFY',
    permission: accountWriting,
    ...nothing,
    result: Type.String({ examples: ['OK'] }),
  },
  delete: {
    route: `DELETE ${one}`,
    summary:
      'Stop following a catalog zone; its member zones are kept as ordinary secondary zones, or deleted',
    description: 'With `members=delete`, also needs `Zone Write` on all zones of the account.',
    permission: accountWriting,
    query: Type.Object({
      members: Type.Optional(
        oneOf(['keep', 'delete'], { default: 'keep', description: 'What happens to its member zones.' }),
      ),
    }),
    result: Deleted,
  },
})
