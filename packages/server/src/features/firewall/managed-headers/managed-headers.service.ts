// Changes of headers that a zone switches on: one setting of the zone, with their names.
import { MANAGED_HEADER_NAMES, type ManagedHeaderName } from '@zonereeve/firewall'
import type { Actor, Clock } from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import { append, changeOp } from '../../changes/index.ts'
import { readOwnSetting, requireZone, saveOwnSetting } from '../../zones/index.ts'

/** Not among the settings that the settings API lists. */
const NAME = 'managed_headers'

/** Those that are on, in the order of the catalogue. */
type Enabled = readonly ManagedHeaderName[]

export type ManagedHeaders = ReturnType<typeof createManagedHeaders>

export async function managedHeadersOf(db: Reader, zoneId: string): Promise<Enabled> {
  const stored = await readOwnSetting(db, zoneId, NAME)
  return stored === undefined ? [] : (stored as Enabled) // as written below
}

export function createManagedHeaders({
  storage,
  clock,
}: {
  readonly storage: Storage
  readonly clock: Clock
}) {
  return { get, change }

  /** @throws DomainError: zone.unknown. */
  async function get(zoneId: string): Promise<Enabled> {
    await requireZone(storage, zoneId)
    return managedHeadersOf(storage, zoneId)
  }

  /**
   * Switches some, and leaves the others as they are. One change set, unless it is so already.
   *
   * @throws DomainError: zone.unknown.
   */
  function change(
    zoneId: string,
    switched: ReadonlyMap<ManagedHeaderName, boolean>,
    actor: Actor,
  ): Promise<Enabled> {
    return storage.write(async (tx) => {
      await requireZone(tx, zoneId)
      const before = await managedHeadersOf(tx, zoneId)
      const after = MANAGED_HEADER_NAMES.filter((name) => switched.get(name) ?? before.includes(name)) // those that are not named stay
      if (after.join() === before.join()) return before
      const at = clock.timestamp()
      await saveOwnSetting(tx, zoneId, NAME, { value: after, modifiedOn: at })
      await append(tx, { scopeId: zoneId, actor, at }, [
        changeOp('managed_headers.update', zoneId, { enabled: before }, { enabled: after }),
      ])
      return after
    })
  }
}
