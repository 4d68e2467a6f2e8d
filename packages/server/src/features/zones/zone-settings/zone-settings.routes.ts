// HTTP routes for the settings of a zone.
import { zoneSettings as operations, type WireZoneSetting } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { Notice } from '@zonereeve/platform'
import { UNDER_ATTACK } from './zone-settings.rules.ts'
import type { ZoneSetting, ZoneSettingsService } from './zone-settings.service.ts'

export function zoneSettingsRoutes(settings: ZoneSettingsService): Route[] {
  return [
    route(operations.list, async ({ params }) => ({
      result: (await settings.list(params.zone_id)).map(toWire),
    })),
    route(operations.get, async ({ params }) => ({
      result: toWire(await settings.get(params.zone_id, params.setting_id)),
    })),
    route(operations.patch, async ({ params, body, actor }) => {
      const setting = await settings.edit(params.zone_id, params.setting_id, body.value, actor)
      return { result: toWire(setting), notices: noticesOf(setting) }
    }),
  ]
}

function noticesOf({ name, value }: ZoneSetting): readonly Notice[] {
  if (name !== 'security_level' || value === UNDER_ATTACK) return []
  return [{ notice: 'zone_setting.no_effect', values: { value: String(value) } }]
}

const toWire = ({ name, value, modifiedOn, isEditable }: ZoneSetting): WireZoneSetting => ({
  id: name,
  value,
  modified_on: modifiedOn,
  editable: isEditable,
})
