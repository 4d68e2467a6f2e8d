// Client-side monitoring, put together from its parts.
import type { Storage, Transaction } from '../../storage/index.ts'
import { createAuthorizations, removeAuthorizations } from './authorizations.service.ts'
import { createContents } from './contents.service.ts'
import { createEvents } from './events.service.ts'
import { createInventory } from './inventory.service.ts'
import { createObservations } from './observations.service.ts'
import { createReporting } from './reporting.service.ts'
import { createReportTraffic } from './report-traffic.ts'
import { createSettings, removeSettings } from './settings.service.ts'
import { createSightings, type RecordingDeps } from './sightings.service.ts'
import { createSweep } from './sweep.service.ts'
import { deleteInventory } from './sweep.store.ts'

export interface PageShieldDeps extends RecordingDeps {
  readonly storage: Storage
  /** Signs the addresses that browsers report to. */
  readonly reportingKey: Uint8Array
  /** Scheme and host of the collector; undefined = the hosts of the pages themselves. */
  readonly collectorUrl: string | undefined
  /** Told after commit that a zone's settings are others. */
  readonly monitoringChanged: (zoneId: string) => void
}

export type PageShield = ReturnType<typeof createPageShield>

export function createPageShield(deps: PageShieldDeps) {
  const traffic = createReportTraffic(deps)
  return {
    settings: createSettings({ ...deps, traffic, settingsChanged: deps.monitoringChanged }),
    inventory: createInventory(deps),
    observations: createObservations(deps),
    sightings: createSightings(deps),
    contents: createContents(deps),
    authorizations: createAuthorizations(deps),
    events: createEvents(deps),
    sweep: createSweep(deps),
    reporting: createReporting({ ...deps, traffic }),
    traffic,
  }
}

/**
 * Removes what is configuration, writing it to the change set at `position`. The inventory goes without a word: it never was in the change log.
 */
export async function removePageShield(tx: Transaction, zoneId: string, position: number): Promise<void> {
  await removeSettings(tx, zoneId, position)
  await removeAuthorizations(tx, zoneId, position)
  await deleteInventory(tx, zoneId)
}
