// Assembles client-side monitoring.
import type { Storage } from '@zonereeve/storage'
import type { ZoneContents } from '../../zones/index.ts'
import { authorizationDeletions, createAuthorizations } from './authorizations.service.ts'
import { deleteAuthorizations } from './authorizations.store.ts'
import { createCode } from './code.service.ts'
import { createContents } from './contents.service.ts'
import { createEvents } from './events.service.ts'
import { createEvictions } from './evictions.ts'
import { createInventory } from './inventory.service.ts'
import { createObservations } from './observations.service.ts'
import { createReporting } from './reporting.service.ts'
import { createReportTraffic } from './report-traffic.ts'
import { createSettings, settingsDeletion } from './settings.service.ts'
import { deleteSettings } from './settings.store.ts'
import { createDetections, type RecordingDeps } from './detections.service.ts'
import { createSources, type CompareScripts } from './sources.service.ts'
import { createSweep } from './sweep.service.ts'
import { deleteInventory } from './sweep.store.ts'

export interface PageShieldDeps extends Omit<RecordingDeps, 'noteEvicted' | 'reportBudget'> {
  readonly storage: Storage
  /** Scheme and host of the collector; undefined = the host of each page. */
  readonly collectorUrl: string | undefined
  readonly compareScripts: CompareScripts
  /** Called with how many resources made room for new ones. */
  readonly observeEvicted: (count: number) => void
}

export type PageShield = ReturnType<typeof createPageShield>

export function createPageShield({ observeEvicted, ...given }: PageShieldDeps) {
  const evictions = createEvictions(observeEvicted)
  // Its own sources are trusted.
  const deps = { ...given, noteEvicted: evictions.note, reportBudget: undefined }
  const traffic = createReportTraffic(deps)
  return {
    settings: createSettings({ ...deps, traffic }),
    inventory: createInventory(deps),
    observations: createObservations(deps),
    detections: createDetections(deps),
    code: createCode(deps),
    contents: createContents(deps),
    sources: createSources(deps),
    authorizations: createAuthorizations(deps),
    events: createEvents(deps),
    sweep: createSweep(deps),
    reporting: createReporting({ ...deps, traffic }),
    traffic,
    evictions,
  }
}

/** Configuration. The inventory is deleted without change set entries: it was never in the change log. */
export const zoneMonitoring: ZoneContents = {
  name: 'monitoring',
  operations: async (db, zoneId) => [
    ...(await settingsDeletion(db, zoneId)),
    ...(await authorizationDeletions(db, zoneId)),
  ],
  async remove(tx, zoneId) {
    await deleteSettings(tx, zoneId)
    await deleteAuthorizations(tx, zoneId)
    await deleteInventory(tx, zoneId)
  },
}
