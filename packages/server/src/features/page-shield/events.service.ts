// Events of a zone's inventory, as they are read.
import type { Storage } from '../../storage/index.ts'
import { demandZone } from '../zones/index.ts'
import { listEvents, type EventQuery } from './events.store.ts'

export type Events = ReturnType<typeof createEvents>

export function createEvents({ storage }: { readonly storage: Storage }) {
  return {
    /** Newest first. @throws DomainError: zone.unknown. */
    async list(zoneId: string, wanted: EventQuery) {
      await demandZone(storage, zoneId)
      return listEvents(storage, zoneId, wanted)
    },
  }
}
