// Zone settings: one value each, by name.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { ignoredMembers, namedObject, nullable, objectId, timestamp } from './primitives.ts'

export const WireZoneSetting = namedObject('ZoneSetting', {
  id: Type.String({ description: 'Name of the setting.', examples: ['http3'] }),
  value: Type.Unknown({ description: '`on` or `off` for switches.', examples: ['on'] }),
  modified_on: nullable(timestamp('When it was last changed; null = never.')),
  editable: Type.Boolean(),
})
export type WireZoneSetting = Static<typeof WireZoneSetting>

const section = {
  tag: 'Zone settings',
  params: {
    zone_id: objectId('the zone'),
    setting_id: Type.String({ description: 'Name of the setting.', examples: ['http3'] }),
  },
}

export const zoneSettings = operations('zone_settings', section, {
  list: {
    route: 'GET /zones/{zone_id}/settings',
    summary: 'List a zone’s settings',
    permission: { on: 'zone', anyOf: ['Zone Settings Read', 'Zone Settings Write'] },
    result: Type.Array(WireZoneSetting),
  },
  get: {
    route: 'GET /zones/{zone_id}/settings/{setting_id}',
    summary: 'Get one setting of a zone',
    permission: { on: 'zone', anyOf: ['Zone Settings Read', 'Zone Settings Write'] },
    result: WireZoneSetting,
  },
  patch: {
    route: 'PATCH /zones/{zone_id}/settings/{setting_id}',
    summary: 'Edit one setting of a zone',
    permission: { on: 'zone', anyOf: ['Zone Settings Write'] },
    body: Type.Object({
      value: Type.Optional(Type.Unknown({ examples: ['off'] })),
      ...ignoredMembers('id', 'editable', 'modified_on', 'time_remaining'),
    }),
    result: WireZoneSetting,
  },
})
