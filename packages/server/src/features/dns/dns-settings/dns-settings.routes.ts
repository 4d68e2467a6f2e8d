// HTTP routes for the DNS settings of zones and accounts.
import { accountDnsSettings, dnsSettings as operations, ownDnsSettings } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { DnsSettingsService } from './dns-settings.service.ts'
import {
  toAccountPatch,
  toOwnPatch,
  toOwnWireSettings,
  toPatch,
  toWireAccountSettings,
  toWireSettings,
} from './dns-settings.wire.ts'

export function dnsSettingsRoutes(settings: DnsSettingsService): Route[] {
  return [
    route(operations.get, async ({ params }) => ({
      result: toWireSettings(await settings.get(params.zone_id)),
    })),
    route(operations.patch, async ({ params, body, actor }) => ({
      result: toWireSettings(await settings.edit(params.zone_id, toPatch(body), actor)),
    })),
    route(ownDnsSettings.get, async ({ params }) => ({
      result: toOwnWireSettings(await settings.get(params.zone_id)),
    })),
    route(ownDnsSettings.patch, async ({ params, body, actor }) => ({
      result: toOwnWireSettings(await settings.edit(params.zone_id, toOwnPatch(body), actor)),
    })),
    route(accountDnsSettings.get, async ({ params }) => ({
      result: toWireAccountSettings(await settings.getOfAccount(params.account_id)),
    })),
    route(accountDnsSettings.patch, async ({ params, body, actor }) => ({
      result: toWireAccountSettings(
        await settings.editOfAccount(params.account_id, toAccountPatch(body), actor),
      ),
    })),
  ]
}
