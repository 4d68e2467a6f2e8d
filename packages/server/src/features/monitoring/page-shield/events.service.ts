// Reads the events of a zone's inventory.
import type { Storage } from '@zonereeve/storage'
import { requireZone } from '../../zones/index.ts'
import { listEvents, type EventQuery } from './events.store.ts'

export type Events = ReturnType<typeof createEvents>

export function createEvents({ storage }: { readonly storage: Storage }) {
  return {
    /** Newest first. @throws DomainError: zone.unknown. */
    async list(zoneId: string, desired: EventQuery) {
      await requireZone(storage, zoneId)
      return listEvents(storage, zoneId, desired)
    },
  }
}
