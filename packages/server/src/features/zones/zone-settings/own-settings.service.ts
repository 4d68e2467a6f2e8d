// Settings of a zone with operations of their own, outside the settings API: one value each, and a change set for each change.
import type { Actor, Clock } from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import { append, changeOp } from '../../changes/index.ts'
import { requireZone } from '../zones/index.ts'
import { saveSetting, storedSetting } from './zone-settings.store.ts'

export interface OwnSetting<Value> {
  /** Not among the settings that the settings API lists. */
  readonly name: string
  /** Of a zone that has never set it. */
  readonly initial: Value
  /** Of its change sets. */
  readonly kind: string
  /** The value in change sets, if it is not an object. */
  toLog?(value: Value): object
}

export interface OwnSettingDeps {
  readonly storage: Storage
  readonly clock: Clock
}

export async function ownSettingOf<Value>(
  db: Reader,
  zoneId: string,
  { name, initial }: OwnSetting<Value>,
): Promise<Value> {
  const stored = await storedSetting(db, zoneId, name)
  return stored === undefined ? initial : (stored as Value) // as written below
}

export function createOwnSetting<Value extends object>(
  { storage, clock }: OwnSettingDeps,
  setting: OwnSetting<Value>,
) {
  const { name, kind, toLog = (value: Value): object => value } = setting
  return {
    /** @throws DomainError: zone.unknown. */
    async get(zoneId: string): Promise<Value> {
      await requireZone(storage, zoneId)
      return ownSettingOf(storage, zoneId, setting)
    },
    /**
     * One change set, unless `change` returns what was there before.
     *
     * @throws DomainError: zone.unknown; what `change` throws.
     */
    update: (zoneId: string, actor: Actor, change: (before: Value) => Value): Promise<Value> =>
      storage.write(async (tx) => {
        await requireZone(tx, zoneId)
        const before = await ownSettingOf(tx, zoneId, setting)
        const after = change(before)
        if (after === before) return before
        const at = clock.timestamp()
        await saveSetting(tx, zoneId, name, { value: after, modifiedOn: at })
        await append(tx, { scopeId: zoneId, actor, at }, [
          changeOp(kind, zoneId, toLog(before), toLog(after)),
        ])
        return after
      }),
  }
}
