// How the paths of a zone's requests are normalized: one setting of the zone.
import { DEFAULT_NORMALIZATION, type UrlNormalization } from '@zonereeve/firewall'
import type { Actor, Clock } from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import { append, changeOp } from '../../changes/index.ts'
import { readOwnSetting, requireZone, saveOwnSetting } from '../../zones/index.ts'

/** Not among the settings that the settings API lists. */
const NAME = 'url_normalization'

export type UrlNormalizations = ReturnType<typeof createUrlNormalization>

export async function urlNormalizationOf(db: Reader, zoneId: string): Promise<UrlNormalization> {
  const stored = await readOwnSetting(db, zoneId, NAME)
  return stored === undefined ? DEFAULT_NORMALIZATION : (stored as UrlNormalization) // as written below
}

export function createUrlNormalization({
  storage,
  clock,
}: {
  readonly storage: Storage
  readonly clock: Clock
}) {
  return { get, set }

  /** @throws DomainError: zone.unknown. */
  async function get(zoneId: string): Promise<UrlNormalization> {
    await requireZone(storage, zoneId)
    return urlNormalizationOf(storage, zoneId)
  }

  /** One change set, unless it is so already. @throws DomainError: zone.unknown. */
  function set(zoneId: string, { scope, type }: UrlNormalization, actor: Actor): Promise<UrlNormalization> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await urlNormalizationOf(tx, zoneId)
      if (before.scope === scope && before.type === type) return before
      const [after, at] = [{ scope, type }, clock.timestamp()]
      await saveOwnSetting(tx, zoneId, NAME, { value: after, modifiedOn: at })
      await append(tx, { scopeId: zoneId, actor, at }, [
        changeOp('url_normalization.update', zoneId, before, after),
      ])
      return after
    })
  }
}
