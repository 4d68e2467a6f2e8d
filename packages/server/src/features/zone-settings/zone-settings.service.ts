// Settings of a zone: each read and set by its name, each change a change set of the zone.
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError } from '../../platform/domain-error.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { appendOps, type ChangeOp } from '../changes/index.ts'
import { demandZone, type Zones } from '../zones/index.ts'
import { isSettingName, SETTING_NAMES, ZONE_SETTINGS, type SettingName } from './zone-settings.rules.ts'
import { deleteSettings, saveSetting, storedSettings, type StoredSetting } from './zone-settings.store.ts'

export interface ZoneSetting {
  readonly name: SettingName
  readonly value: unknown
  /** null = never. */
  readonly modifiedOn: string | null
}

export interface ZoneSettingsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly settingsChanged: Zones['settingsChanged']
}

export type ZoneSettingsService = ReturnType<typeof createZoneSettings>

export function createZoneSettings({ storage, clock, settingsChanged }: ZoneSettingsDeps) {
  return { list, get, edit }

  /** @throws DomainError: zone.unknown. */
  async function list(zoneId: string): Promise<ZoneSetting[]> {
    await demandZone(storage, zoneId)
    const stored = await storedSettings(storage, zoneId)
    return SETTING_NAMES.map((name) => describe(name, stored.get(name)))
  }

  /** @throws DomainError: zone_setting.unknown, zone.unknown. */
  async function get(zoneId: string, text: string): Promise<ZoneSetting> {
    const name = demandName(text)
    await demandZone(storage, zoneId)
    return describe(name, (await storedSettings(storage, zoneId)).get(name))
  }

  /** @throws DomainError: zone_setting.unknown, zone_setting.value, zone.unknown. */
  function edit(zoneId: string, text: string, value: unknown, actor: Actor): Promise<ZoneSetting> {
    return storage.write(async (tx) => {
      const zone = await demandZone(tx, zoneId)
      const name = demandName(text)
      if (!ZONE_SETTINGS[name].isValid(value)) {
        throw new DomainError({ reason: 'zone_setting.value', pointer: '/value', values: { setting: name } })
      }
      const before = describe(name, (await storedSettings(tx, zoneId)).get(name))
      if (before.value === value) return before
      const after = { name, value, modifiedOn: clock.timestamp() }
      await saveSetting(tx, zoneId, name, after)
      await settingsChanged(tx, zone, changeOp(name, before, after), actor)
      return after
    })
  }
}

/** Removes a zone's settings, writing them to the change set at `position`. */
export async function removeZoneSettings(tx: Transaction, zoneId: string, position: number): Promise<void> {
  const stored = [...(await storedSettings(tx, zoneId))]
  if (stored.length === 0) return
  await deleteSettings(tx, zoneId)
  await appendOps(
    tx,
    position,
    stored.map(([name, before]) => changeOp(name, before, null)),
  )
}

/** @throws DomainError: zone_setting.unknown. */
function demandName(text: string): SettingName {
  if (isSettingName(text)) return text
  throw new DomainError({ reason: 'zone_setting.unknown', values: { setting: text } })
}

function describe(name: SettingName, stored: StoredSetting | undefined): ZoneSetting {
  return { name, value: ZONE_SETTINGS[name].usual, modifiedOn: null, ...stored }
}

interface Valued {
  readonly value: unknown
}

function changeOp(name: string, before: Valued, after: Valued | null): ChangeOp {
  const text = (state: Valued | null) => state && JSON.stringify({ name, value: state.value })
  return { kind: 'zone_setting.update', objectId: name, before: text(before), after: text(after) }
}
