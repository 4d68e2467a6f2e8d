// Zone settings: one value each, by name.
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import { ignoredMembers, nullable, objectId, timestamp } from './primitives.ts'

const tag = 'Zone settings'
const zonePath = Type.Object({ zone_id: objectId('the zone') })
const settingPath = Type.Object({
  zone_id: objectId('the zone'),
  setting_id: Type.String({ description: 'Name of the setting.', examples: ['http3'] }),
})

export const WireZoneSetting = Type.Object(
  {
    id: Type.String({ description: 'Name of the setting.', examples: ['http3'] }),
    value: Type.Unknown({ description: '`on` or `off` for switches.', examples: ['on'] }),
    modified_on: nullable(timestamp('When it was last changed; null = never.')),
    editable: Type.Boolean(),
  },
  { $id: 'ZoneSetting', title: 'ZoneSetting' },
)
export type WireZoneSetting = Static<typeof WireZoneSetting>

export const zoneSettings = {
  list: operation({
    id: 'zone_settings.list',
    method: 'GET',
    path: '/zones/{zone_id}/settings',
    summary: 'List a zone’s settings',
    tag,
    permission: { on: 'zone', anyOf: ['Zone Settings Read', 'Zone Settings Write'] },
    params: zonePath,
    result: Type.Array(WireZoneSetting),
  }),
  get: operation({
    id: 'zone_settings.get',
    method: 'GET',
    path: '/zones/{zone_id}/settings/{setting_id}',
    summary: 'Get one setting of a zone',
    tag,
    permission: { on: 'zone', anyOf: ['Zone Settings Read', 'Zone Settings Write'] },
    params: settingPath,
    result: WireZoneSetting,
  }),
  patch: operation({
    id: 'zone_settings.patch',
    method: 'PATCH',
    path: '/zones/{zone_id}/settings/{setting_id}',
    summary: 'Edit one setting of a zone',
    tag,
    permission: { on: 'zone', anyOf: ['Zone Settings Write'] },
    params: settingPath,
    body: Type.Object({
      value: Type.Optional(Type.Unknown({ examples: ['off'] })),
      ...ignoredMembers('id', 'editable', 'modified_on', 'time_remaining'),
    }),
    result: WireZoneSetting,
  }),
}
