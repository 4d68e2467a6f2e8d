// Secondary zones: zones that are transferred from a primary elsewhere.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { closedObject, Deleted, namedObject, nullable, objectId, timestamp } from './primitives.ts'
import {
  autoRefresh,
  incomingState,
  nothing,
  peerIds,
  reading,
  sentId,
  sentTimes,
  soaSerial,
  tag,
  writing,
  zoneName,
} from './transfer-members.ts'

const Incoming = namedObject('IncomingTransfers', {
  id: objectId('the zone'),
  name: zoneName,
  peers: Type.Array(Type.String()),
  auto_refresh_seconds: autoRefresh,
  checked_time: Type.Optional(timestamp('When a primary was last queried.')),
  created_time: timestamp('When it was set up.'),
  modified_time: timestamp('When it was last changed.'),
  soa_serial: soaSerial,
})
export type WireIncoming = Static<typeof Incoming>
const IncomingDraft = closedObject({
  id: sentId,
  ...sentTimes,
  modified_time: sentTimes.checked_time,
  name: zoneName,
  peers: peerIds,
  auto_refresh_seconds: Type.Optional(autoRefresh),
})
export type IncomingDraft = Static<typeof IncomingDraft>

const IncomingStatus = namedObject('IncomingStatus', {
  state: incomingState,
  soa_serial: nullable(soaSerial),
  primary_serial: nullable(
    Type.Integer({
      description: 'The last serial reported by a primary, whether it was transferred or not.',
    }),
  ),
  problem: nullable(Type.String({ description: 'Why the last attempt failed.' })),
  checked_on: nullable(timestamp('When a primary was last queried.')),
  transferred_on: nullable(timestamp('When the zone last changed.')),
  expires_on: nullable(timestamp('When the zone expires if no primary can be reached before.')),
  verified_serial: nullable(
    Type.Integer({
      description:
        'Serial of the zone, if the primary sent a digest of it (ZONEMD) that its records match. null: the zone is not verified by a digest.',
    }),
  ),
  catalog: nullable(
    Type.String({
      description:
        'The secondary catalog zone that created this zone: its primaries are changed there. null: it was created by hand.',
      examples: ['catalog.example.net.'],
    }),
  ),
})
export type WireIncomingStatus = Static<typeof IncomingStatus>

const incoming = '/zones/{zone_id}/secondary_dns/incoming'

const section = { tag, params: { zone_id: objectId('the zone') } }

export const secondaryDnsIncoming = operations('secondary_dns.incoming', section, {
  get: {
    route: `GET ${incoming}`,
    summary: 'Get the primaries of a secondary zone',
    permission: reading,
    result: Incoming,
  },
  create: {
    route: `POST ${incoming}`,
    summary: 'Configure a secondary zone to follow primaries elsewhere',
    permission: writing,
    body: IncomingDraft,
    result: Incoming,
  },
  update: {
    route: `PUT ${incoming}`,
    summary: 'Change the primaries of a secondary zone',
    permission: writing,
    body: IncomingDraft,
    result: Incoming,
  },
  delete: {
    route: `DELETE ${incoming}`,
    summary: 'Stop following primaries; the zone keeps its records',
    permission: writing,
    result: Deleted,
  },
  forceAxfr: {
    id: 'secondary_dns.force_axfr',
    route: 'POST /zones/{zone_id}/secondary_dns/force_axfr',
    summary: 'Force a full transfer of the zone from its primary, whatever its serial',
    permission: writing,
    ...nothing,
    result: Type.String({ examples: ['OK'] }),
  },
  status: {
    route: 'GET /zonereeve/zones/{zone_id}/secondary_dns/incoming/status',
    summary: 'Get the transfer status of a secondary zone',
    permission: reading,
    result: IncomingStatus,
  },
})
