// DNS settings of zones, and an account's defaults for new zones. A change of a zone's settings is a change set of
// the zone, and changes its answers.
import { type Actor, type Clock, DomainError, type Issue, throwIfIssues } from '@zonereeve/platform'
import { type NameServerSet, setNumberOf } from '@zonereeve/nodes'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { findAccount } from '../../accounts/index.ts'
import { append, changeOp, type ChangeOp } from '../../changes/index.ts'
import {
  defaultPrimary,
  requireZone,
  servedNameServers,
  defaultMailbox,
  zonesOfAccount,
  type Zone,
  type Zones,
  type ZoneContents,
} from '../../zones/index.ts'
import {
  adoptedSettings,
  patchSettings,
  sameSettings,
  SOA_PLAN,
  DEFAULT_ACCOUNT_DNS_SETTINGS,
  DEFAULT_DNS_SETTINGS,
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
import type { SoaBounds, SoaNames } from './soa.rules.ts'

export interface ZoneDnsSettings {
  readonly zone: Zone
  readonly settings: DnsSettings
  /** The default names of the SOA. */
  readonly soaNames: SoaNames
  /** The number of its name servers, from 1. */
  readonly nameServerSet: number
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
  readonly assignNameServers: Zones['assignNameServers']
  readonly nameServerSets: readonly NameServerSet[]
}

export type DnsSettingsService = ReturnType<typeof createDnsSettings>

export function createDnsSettings(deps: DnsSettingsDeps) {
  const { storage, rules, settingsChanged, assignNameServers, nameServerSets } = deps
  return { get, edit, getOfAccount, editOfAccount }

  /** @throws DomainError: zone.unknown. */
  async function get(zoneId: string): Promise<ZoneDnsSettings> {
    return describe(await requireZone(storage, zoneId), await ofZone(storage, zoneId))
  }

  /** Members that are not sent are kept. @throws DomainError: every broken rule; zone.unknown. */
  function edit(zoneId: string, patch: DnsSettingsPatch, actor: Actor): Promise<ZoneDnsSettings> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const before = await ofZone(tx, zoneId)
      const { settings: after, issues } = patchSettings(before, patch, {
        ...rules,
        at: '',
        soaRefusal: zone.plan === SOA_PLAN ? undefined : soaRefusal('soa_plan', '/soa', { plan: zone.plan }),
        zone: {
          type: zone.type,
          hasVanityNameServers: zone.vanityNameServers.length > 0,
          soaNames: soaNamesOf(zone),
        },
        openSets: openSetsFor(zone),
      })
      throwIfIssues(issues)
      if (!sameSettings(before, after)) {
        await saveZoneDnsSettings(tx, zoneId, after)
        await settingsChanged(tx, zone, changeOp(KIND, zoneId, before, after), actor)
      }
      return describe(await assignSet(tx, zone, patch.nameServerSet, actor), after)
    })
  }

  /** Those that are not full, and its own. */
  function openSetsFor({ nameServers }: Zone): readonly number[] {
    const own = setNumberOf(nameServerSets, nameServers)
    return nameServerSets.flatMap(({ isFull }, at) => (isFull && at + 1 !== own ? [] : [at + 1]))
  }

  /** The number that is shown changes nothing, also if the names are in no set. */
  async function assignSet(
    tx: Transaction,
    zone: Zone,
    setNumber: number | undefined,
    actor: Actor,
  ): Promise<Zone> {
    const set = setNumber === undefined ? undefined : nameServerSets[setNumber - 1]
    if (set === undefined || setNumber === setNumberOf(nameServerSets, zone.nameServers)) return zone
    // Other settings may have moved its serial.
    return assignNameServers(tx, await requireZone(tx, zone.id), set.names, actor)
  }

  function describe(zone: Zone, settings: DnsSettings): ZoneDnsSettings {
    return {
      zone,
      settings,
      soaNames: soaNamesOf(zone),
      nameServerSet: setNumberOf(nameServerSets, zone.nameServers),
    }
  }

  /** @throws DomainError: account.unknown. */
  async function getOfAccount(accountId: string): Promise<AccountDnsSettings> {
    await requireAccount(storage, accountId)
    return ofAccount(storage, accountId)
  }

  /** Members that are not sent are kept. @throws DomainError: every broken rule; account.unknown. */
  function editOfAccount(accountId: string, patch: AccountPatch, actor: Actor): Promise<AccountDnsSettings> {
    return storage.write(async (tx) => {
      const { type } = await requireAccount(tx, accountId)
      const before = await ofAccount(tx, accountId)
      const at = '/zone_defaults'
      const { settings: zoneDefaults, issues } = patchSettings(before.zoneDefaults, patch.zoneDefaults, {
        ...rules,
        at,
        soaRefusal: type === SOA_PLAN ? undefined : soaRefusal('soa_account', `${at}/soa`, { type }),
        zone: undefined,
        openSets: [1],
      })
      throwIfIssues(issues)
      const after = { zoneDefaults, enforceDnsOnly: patch.enforceDnsOnly ?? before.enforceDnsOnly }
      const isEnforcementNew = after.enforceDnsOnly !== before.enforceDnsOnly
      if (!isEnforcementNew && sameSettings(before.zoneDefaults, zoneDefaults)) return before
      await saveAccountDnsSettings(tx, accountId, after)
      await append(tx, { scopeId: accountId, actor }, [changeOp(KIND, accountId, before, after)])
      if (isEnforcementNew) await enforce(tx, accountId, before, after, actor)
      return after
    })
  }

  /** Bumps the serial of those zones of the account whose answers have changed. */
  async function enforce(
    tx: Transaction,
    accountId: string,
    { enforceDnsOnly: before }: AccountDnsSettings,
    { enforceDnsOnly: after }: AccountDnsSettings,
    actor: Actor,
  ): Promise<void> {
    const text = (enforceDnsOnly: boolean) => JSON.stringify({ enforceDnsOnly })
    const op = changeOp('account.enforce_dns_only', accountId, before, after, text)
    const own = await allZoneDnsSettings(tx)
    for (const zone of await zonesOfAccount(tx, accountId)) {
      if (zone.type === 'secondary') continue // answered exactly as on its primary
      if ((own(zone.id) ?? DEFAULT_DNS_SETTINGS).zoneMode === 'dns_only') continue
      await settingsChanged(tx, zone, op, actor)
    }
  }
}

/** Gives a new zone its account's defaults. @returns the operations to add to the zone's first change set. */
export async function adoptDnsSettings(tx: Transaction, zone: Zone): Promise<readonly ChangeOp[]> {
  const account = await findAccountDnsSettings(tx, zone.accountId)
  if (account === undefined) return []
  const adopted = adoptedSettings(account, zone)
  if (sameSettings(adopted, DEFAULT_DNS_SETTINGS)) return []
  await saveZoneDnsSettings(tx, zone.id, adopted)
  return [changeOp(KIND, zone.id, null, adopted)]
}

const KIND = 'dns_settings.update'

export const zoneDnsSettings: ZoneContents = {
  name: 'DNS settings',
  async operations(db, zoneId) {
    const before = await findZoneDnsSettings(db, zoneId)
    return before === undefined ? [] : [changeOp(KIND, zoneId, before, null)]
  },
  remove: deleteZoneDnsSettings,
}

const soaNamesOf = (zone: Zone): SoaNames => ({
  mname: defaultPrimary(servedNameServers(zone)),
  rname: defaultMailbox(zone),
})

async function ofZone(db: Reader, zoneId: string): Promise<DnsSettings> {
  return (await findZoneDnsSettings(db, zoneId)) ?? DEFAULT_DNS_SETTINGS
}

async function ofAccount(db: Reader, accountId: string): Promise<AccountDnsSettings> {
  return (await findAccountDnsSettings(db, accountId)) ?? DEFAULT_ACCOUNT_DNS_SETTINGS
}

async function requireAccount(db: Reader, id: string) {
  const account = await findAccount(db, id)
  if (account === undefined) throw new DomainError({ reason: 'account.unknown' })
  return account
}

const soaRefusal = (
  reason: 'soa_plan' | 'soa_account',
  pointer: string,
  values: Issue['values'] = {},
): Issue => ({ reason: `dns_settings.${reason}`, pointer, values })
