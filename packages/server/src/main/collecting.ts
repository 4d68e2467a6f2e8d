// The collector, wired: what it asks of the zones, where its batches go, what it is told.
import { createCollector, type Collector, type CollectorDeps } from '../collector/index.ts'
import { recordSightings } from '../features/page-shield/index.ts'
import type { Storage } from '../storage/index.ts'

export interface CollectingDeps extends Pick<
  CollectorDeps,
  'clock' | 'log' | 'reportingKey' | 'findZone' | 'rate' | 'observe'
> {
  readonly storage: Storage
}

export function createCollecting({ storage, ...deps }: CollectingDeps): Collector {
  return createCollector({
    ...deps,
    isPossible: () => true,
    store: ({ sightings }) => storage.write((tx) => recordSightings(tx, deps.clock, sightings)),
  })
}
