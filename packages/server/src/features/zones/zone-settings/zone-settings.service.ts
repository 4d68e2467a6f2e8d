// Settings of a zone: each is read and set by its name; each change is a change set of the zone.
import { type Actor, type Clock, DomainError, type Issue } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, type ChangeOp } from '../../changes/index.ts'
import { requireZone, type Zone, type Zones, type ZoneContents } from '../zones/index.ts'
import {
  isSettingName,
  SETTING_NAMES,
  UNDER_ATTACK,
  ZONE_SETTINGS,
  type SettingName,
} from './zone-settings.rules.ts'
import {
  deleteSettings,
  saveSetting,
  storedSetting,
  storedSettings,
  type StoredSetting,
} from './zone-settings.store.ts'

export interface ZoneSetting {
  readonly name: SettingName
  readonly value: unknown
  /** null = never. */
  readonly modifiedOn: string | null
  readonly isEditable: boolean
}

export interface ZoneSettingsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly settingsChanged: Zones['settingsChanged']
  /** Whether the zone has been migrated from legacy managed rules. */
  readonly isMigrated: (db: Reader, zoneId: string) => Promise<boolean>
}

export type ZoneSettingsService = ReturnType<typeof createZoneSettings>

export function createZoneSettings({ storage, clock, settingsChanged, isMigrated }: ZoneSettingsDeps) {
  return { list, get, edit }

  /** @throws DomainError: zone.unknown. */
  async function list(zoneId: string): Promise<ZoneSetting[]> {
    const zone = await requireZone(storage, zoneId)
    const stored = await storedSettings(storage, zoneId)
    const retired = await retiredIn(storage, zoneId)
    return SETTING_NAMES.map((name) => describe(name, zone, stored.get(name), retired))
  }

  /** @throws DomainError: zone_setting.unknown, zone.unknown. */
  async function get(zoneId: string, text: string): Promise<ZoneSetting> {
    const name = requireName(text)
    return read(storage, await requireZone(storage, zoneId), name)
  }

  /** @throws DomainError: zone_setting.unknown, zone_setting.value, zone.unknown, waf.plan, waf.retired. */
  function edit(zoneId: string, text: string, value: unknown, actor: Actor): Promise<ZoneSetting> {
    return storage.write(async (tx) => {
      const zone = await requireZone(tx, zoneId)
      const name = requireName(text)
      if (!ZONE_SETTINGS[name].isValid(value)) {
        throw new DomainError({ reason: 'zone_setting.value', pointer: '/value', values: { setting: name } })
      }
      const before = await read(tx, zone, name)
      if (!before.isEditable) throw new DomainError(fixedReason(zone))
      if (before.value === value) return before
      const after = { ...before, value, modifiedOn: clock.timestamp() }
      await saveSetting(tx, zoneId, name, after)
      const op = settingOp(name, before, after)
      if (ZONE_SETTINGS[name].isServed) await settingsChanged(tx, zone, op, actor)
      else await append(tx, { scopeId: zoneId, actor, at: after.modifiedOn }, [op])
      return after
    })
  }

  async function read(db: Reader, zone: Zone, name: SettingName): Promise<ZoneSetting> {
    const stored = (await storedSettings(db, zone.id)).get(name)
    return describe(name, zone, stored, await retiredIn(db, zone.id))
  }

  async function retiredIn(db: Reader, zoneId: string): Promise<readonly SettingName[]> {
    return (await isMigrated(db, zoneId)) ? ['waf'] : []
  }
}

/** Whether the zone challenges all requests for pages. */
export const isUnderAttack = async (db: Reader, zoneId: string): Promise<boolean> =>
  (await storedSetting(db, zoneId, 'security_level')) === UNDER_ATTACK

/** Whether legacy managed rules are on in the zone. */
export async function isWafOn(db: Reader, zone: Zone): Promise<boolean> {
  return describe('waf', zone, (await storedSettings(db, zone.id)).get('waf'), []).value === 'on'
}

/**
 * Switches legacy managed rules off, regardless of who may change the setting. @returns the operations for the change
 * log.
 */
export async function switchWafOff(tx: Transaction, zone: Zone, at: string): Promise<ChangeOp[]> {
  const stored = (await storedSettings(tx, zone.id)).get('waf')
  const before = describe('waf', zone, stored, [])
  if (before.value === 'off') return []
  const after = { value: 'off', modifiedOn: at }
  await saveSetting(tx, zone.id, 'waf', after)
  return [settingOp('waf', before, after)]
}

export const zoneSettingContents: ZoneContents = {
  name: 'zone settings',
  operations: async (db, zoneId) =>
    [...(await storedSettings(db, zoneId))].map(([name, before]) => settingOp(name, before, null)),
  remove: deleteSettings,
}

/** @throws DomainError: zone_setting.unknown. */
function requireName(text: string): SettingName {
  if (isSettingName(text)) return text
  throw new DomainError({ reason: 'zone_setting.unknown', values: { setting: text } })
}

/** @param retired settings that can no longer be changed. */
function describe(
  name: SettingName,
  { plan }: Zone,
  stored: StoredSetting | undefined,
  retired: readonly SettingName[],
): ZoneSetting {
  const { default: fallback, isOffered } = ZONE_SETTINGS[name]
  const known = { name, value: fallback, modifiedOn: null, ...stored }
  const value = isOffered(plan) ? known.value : 'off'
  return { ...known, value, isEditable: isOffered(plan) && !retired.includes(name) }
}

/** Why a setting cannot be changed: the plan, or a migration. */
const fixedReason = ({ plan }: Zone): Issue =>
  ZONE_SETTINGS.waf.isOffered(plan) ? { reason: 'waf.retired' } : { reason: 'waf.plan', values: { plan } }

interface Valued {
  readonly value: unknown
}

const settingOp = (name: string, before: Valued, after: Valued | null): ChangeOp =>
  changeOp('zone_setting.update', name, before, after, ({ value }) => JSON.stringify({ name, value }))
