// Secondary catalog zones as a whole: settings, versions as they are transferred, and the zones created for them.
import type { Clock, Log } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import type { Zones } from '../../zones/index.ts'
import { createCatalogMembers } from './catalog-members.service.ts'
import { createCatalogTransfers } from './catalog-transfers.service.ts'
import { createSecondaryCatalogs } from './secondary-catalogs.service.ts'
import type { IncomingTransfers } from './incoming.service.ts'

export interface CatalogConsumerDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly zones: Pick<Zones, 'createSecondary' | 'removeWithContents'>
  readonly incoming: IncomingTransfers
}

export function createCatalogConsumer({ zones, incoming, ...deps }: CatalogConsumerDeps) {
  const { wake, reconcile, failuresOf } = createCatalogMembers({
    ...deps,
    createZone: zones.createSecondary,
    removeZone: zones.removeWithContents,
    setPrimaries: incoming.setPrimaries,
  })
  return {
    reconcile,
    received: createCatalogTransfers({ ...deps, accepted: wake }, incoming),
    catalogs: createSecondaryCatalogs({ ...deps, changed: wake, failuresOf }),
  }
}
