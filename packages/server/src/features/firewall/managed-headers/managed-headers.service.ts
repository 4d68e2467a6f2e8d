// Changes of headers that a zone switches on: one setting of the zone, with their names.
import { MANAGED_HEADER_NAMES, type ManagedHeaderName } from '@zonereeve/firewall'
import type { Actor } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import { createOwnSetting, type OwnSetting, type OwnSettingDeps, ownSettingOf } from '../../zones/index.ts'

/** Those that are on, in the order of the catalogue. */
type Enabled = readonly ManagedHeaderName[]

const SETTING: OwnSetting<Enabled> = {
  name: 'managed_headers',
  initial: [],
  kind: 'managed_headers.update',
  toLog: (enabled) => ({ enabled }),
}

export type ManagedHeaders = ReturnType<typeof createManagedHeaders>

export const managedHeadersOf = (db: Reader, zoneId: string): Promise<Enabled> =>
  ownSettingOf(db, zoneId, SETTING)

export function createManagedHeaders(deps: OwnSettingDeps) {
  const { get, update } = createOwnSetting(deps, SETTING)
  return {
    get,
    /** Switches some, and leaves the others as they are. @throws DomainError: zone.unknown. */
    change: (
      zoneId: string,
      switched: ReadonlyMap<ManagedHeaderName, boolean>,
      actor: Actor,
    ): Promise<Enabled> =>
      update(zoneId, actor, (before) => {
        const after = MANAGED_HEADER_NAMES.filter((name) => switched.get(name) ?? before.includes(name)) // those that are not named stay
        return after.join() === before.join() ? before : after
      }),
  }
}
