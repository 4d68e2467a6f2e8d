// Expiry of secondary zones on nodes that do not write: no event in the change log says that a zone has expired, or that
// its primary responds again.
import type { ZoneTable } from '@zonereeve/nameserver'
import type { Clock } from '@zonereeve/platform'
import type { ChangeEvent, Reader } from '@zonereeve/storage'
import { localEvent } from '../../changes/index.ts'
import { allExpiries } from '../secondary-dns/index.ts'

export interface ExpiriesDeps {
  readonly storage: Reader
  readonly clock: Pick<Clock, 'now'>
  readonly table: Pick<ZoneTable, 'zone'>
  readonly zones: {
    readonly take: (event: ChangeEvent) => void | Promise<void>
    readonly quarantine: { readonly has: (zoneId: string) => boolean }
  }
  /** Runs this while no change is being applied to the zones. */
  readonly betweenChanges: (work: () => Promise<void>) => Promise<void>
}

/** Publishes zones again whose stored times say that they have expired, or no longer. */
export async function followExpiries({
  storage,
  clock,
  table,
  zones,
  betweenChanges,
}: ExpiriesDeps): Promise<void> {
  const nowMillis = clock.now()
  const differing = [...(await allExpiries(storage))].filter(([zoneId, expiresAtMillis]) => {
    const zone = table.zone(zoneId)
    return (
      zone !== undefined && !zones.quarantine.has(zoneId) && zone.isExpired !== nowMillis >= expiresAtMillis
    )
  })
  if (differing.length === 0) return
  await betweenChanges(async () => {
    for (const [zoneId] of differing) await zones.take(localEvent('zone', zoneId, 'zone.refresh'))
  })
}
