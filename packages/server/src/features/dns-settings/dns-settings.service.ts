// DNS settings of zones, and those that an account's new zones begin with. A change of a zone's is a change set of the
// zone; answers change with it.
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError, refuse, type Issue } from '../../platform/domain-error.ts'
import type { Reader, Storage, Transaction } from '../../storage/index.ts'
import { findAccount } from '../accounts/index.ts'
import { appendChange, appendOps, type ChangeOp } from '../changes/index.ts'
import { demandZone, usualMailbox, zonesOfAccount, type Zone, type Zones } from '../zones/index.ts'
import {
  adoptedSettings,
  patchSettings,
  sameSettings,
  SOA_PLAN,
  USUAL_ACCOUNT_DNS_SETTINGS,
  USUAL_DNS_SETTINGS,
  type AccountDnsSettings,
  type DnsSettings,
  type DnsSettingsPatch,
} from './dns-settings.rules.ts'
import {
  allZoneDnsSettings,
  deleteZoneDnsSettings,
  findAccountDnsSettings,
  findZoneDnsSettings,
  saveAccountDnsSettings,
  saveZoneDnsSettings,
} from './dns-settings.store.ts'
import { readServingSettings } from './serving-settings.ts'
import type { SoaBounds } from './soa.rules.ts'

export interface ZoneDnsSettings {
  readonly zone: Zone
  readonly settings: DnsSettings
  /** The mailbox that no rname stands for. */
  readonly usualRname: string
}

export interface AccountPatch {
  readonly zoneDefaults: DnsSettingsPatch
  readonly enforceDnsOnly: boolean | undefined
}

export interface DnsSettingsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly rules: { readonly soaBounds: SoaBounds }
  readonly settingsChanged: Zones['settingsChanged']
}

export type DnsSettingsService = ReturnType<typeof createDnsSettings>

export function createDnsSettings({ storage, clock, rules, settingsChanged }: DnsSettingsDeps) {
  return { get, edit, getOfAccount, editOfAccount }

  /** @throws DomainError: zone.unknown. */
  async function get(zoneId: string): Promise<ZoneDnsSettings> {
    return describe(await demandZone(storage, zoneId), await ofZone(storage, zoneId))
  }

  /** Members that are not sent stay. @throws DomainError: every broken rule; zone.unknown. */
  function edit(zoneId: string, patch: DnsSettingsPatch, actor: Actor): Promise<ZoneDnsSettings> {
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const before = await ofZone(tx, zoneId)
      const { settings: after, issues } = patchSettings(before, patch, {
        ...rules,
        at: '',
        soaRefusal: zone.plan === SOA_PLAN ? undefined : soaRefusal('soa_plan', '/soa', { plan: zone.plan }),
        zone: {
          type: zone.type,
          hasVanityNameServers: zone.vanityNameServers.length > 0,
          usualRname: usualMailbox(zone),
        },
      })
      refuse(issues)
      if (sameSettings(before, after)) return describe(zone, before)
      await saveZoneDnsSettings(tx, zoneId, after)
      await settingsChanged(tx, zone, changeOp(zoneId, before, after), actor)
      return describe(zone, after)
    })
  }

  /** @throws DomainError: account.unknown. */
  async function getOfAccount(accountId: string): Promise<AccountDnsSettings> {
    await demandAccount(storage, accountId)
    return ofAccount(storage, accountId)
  }

  /** Members that are not sent stay. @throws DomainError: every broken rule; account.unknown. */
  function editOfAccount(accountId: string, patch: AccountPatch, actor: Actor): Promise<AccountDnsSettings> {
    return storage.write(async (tx) => {
      const { type } = await demandAccount(tx, accountId)
      const before = await ofAccount(tx, accountId)
      const at = '/zone_defaults'
      const { settings: zoneDefaults, issues } = patchSettings(before.zoneDefaults, patch.zoneDefaults, {
        ...rules,
        at,
        soaRefusal: type === SOA_PLAN ? undefined : soaRefusal('soa_account', `${at}/soa`, { type }),
        zone: undefined,
      })
      refuse(issues)
      const after = { zoneDefaults, enforceDnsOnly: patch.enforceDnsOnly ?? before.enforceDnsOnly }
      const isEnforcementNew = after.enforceDnsOnly !== before.enforceDnsOnly
      if (!isEnforcementNew && sameSettings(before.zoneDefaults, zoneDefaults)) return before
      await saveAccountDnsSettings(tx, accountId, after)
      const ops = [changeOp(accountId, before, after)]
      await appendChange(tx, { scopeId: accountId, at: clock.timestamp(), actor, serial: null, ops })
      if (isEnforcementNew) await enforce(tx, accountId, before, after, actor)
      return after
    })
  }

  /** Moves those of the account's zones that are answered otherwise now than they were. */
  async function enforce(
    tx: Transaction,
    accountId: string,
    { enforceDnsOnly: before }: AccountDnsSettings,
    { enforceDnsOnly: after }: AccountDnsSettings,
    actor: Actor,
  ): Promise<void> {
    const text = (enforceDnsOnly: boolean) => JSON.stringify({ enforceDnsOnly })
    const kind = 'account.enforce_dns_only'
    const op: ChangeOp = { kind, objectId: accountId, before: text(before), after: text(after) }
    const own = await allZoneDnsSettings(tx)
    const settingsOf = await readServingSettings(tx)
    for (const zone of await zonesOfAccount(tx, accountId)) {
      if (zone.type === 'secondary') continue // answered as its primary has it
      if ((own.get(zone.id) ?? USUAL_DNS_SETTINGS).zoneMode === 'dns_only') continue
      await settingsChanged(tx, zone, op, actor, settingsOf(zone))
    }
  }
}

/** Gives a new zone its account's defaults. @returns what that adds to the zone's first change set. */
export async function adoptDnsSettings(tx: Transaction, zone: Zone): Promise<readonly ChangeOp[]> {
  const account = await findAccountDnsSettings(tx, zone.accountId)
  if (account === undefined) return []
  const adopted = adoptedSettings(account, zone)
  if (sameSettings(adopted, USUAL_DNS_SETTINGS)) return []
  await saveZoneDnsSettings(tx, zone.id, adopted)
  return [changeOp(zone.id, null, adopted)]
}

/** Removes a zone's DNS settings, writing them to the change set at `position`. */
export async function removeDnsSettings(tx: Transaction, zoneId: string, position: number): Promise<void> {
  const before = await findZoneDnsSettings(tx, zoneId)
  if (before === undefined) return
  await deleteZoneDnsSettings(tx, zoneId)
  await appendOps(tx, position, [changeOp(zoneId, before, null)])
}

const describe = (zone: Zone, settings: DnsSettings): ZoneDnsSettings => ({
  zone,
  settings,
  usualRname: usualMailbox(zone),
})

async function ofZone(db: Reader, zoneId: string): Promise<DnsSettings> {
  return (await findZoneDnsSettings(db, zoneId)) ?? USUAL_DNS_SETTINGS
}

async function ofAccount(db: Reader, accountId: string): Promise<AccountDnsSettings> {
  return (await findAccountDnsSettings(db, accountId)) ?? USUAL_ACCOUNT_DNS_SETTINGS
}

async function demandAccount(db: Reader, id: string) {
  const account = await findAccount(db, id)
  if (account === undefined) throw new DomainError({ reason: 'account.unknown' })
  return account
}

const soaRefusal = (
  reason: 'soa_plan' | 'soa_account',
  pointer: string,
  values: Issue['values'] = {},
): Issue => ({
  reason: `dns_settings.${reason}`,
  pointer,
  values,
})

function changeOp(objectId: string, before: object | null, after: object | null): ChangeOp {
  const text = (settings: object | null) => settings && JSON.stringify(settings)
  return { kind: 'dns_settings.update', objectId, before: text(before), after: text(after) }
}
