// How the paths of a zone's requests are normalized: one setting of the zone.
import { DEFAULT_NORMALIZATION, type UrlNormalization } from '@zonereeve/firewall'
import type { Actor } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import { createOwnSetting, type OwnSetting, type OwnSettingDeps, ownSettingOf } from '../../zones/index.ts'

const SETTING: OwnSetting<UrlNormalization> = {
  name: 'url_normalization',
  initial: DEFAULT_NORMALIZATION,
  kind: 'url_normalization.update',
}

export type UrlNormalizations = ReturnType<typeof createUrlNormalization>

export const urlNormalizationOf = (db: Reader, zoneId: string): Promise<UrlNormalization> =>
  ownSettingOf(db, zoneId, SETTING)

export function createUrlNormalization(deps: OwnSettingDeps) {
  const { get, update } = createOwnSetting(deps, SETTING)
  return {
    get,
    /** @throws DomainError: zone.unknown. */
    set: (zoneId: string, { scope, type }: UrlNormalization, actor: Actor): Promise<UrlNormalization> =>
      update(zoneId, actor, (before) =>
        before.scope === scope && before.type === type ? before : { scope, type },
      ),
  }
}
