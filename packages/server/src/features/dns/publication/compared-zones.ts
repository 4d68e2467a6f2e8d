// What nodes compare of the zones in memory, and how a zone that differs is read again.
import { checksumOf, type ZoneTable } from '@zonereeve/nameserver'
import type { ComparedZones } from '@zonereeve/nodes'
import type { Storage } from '@zonereeve/storage'
import type { Publication } from './publication.ts'

export interface ComparedZonesDeps {
  readonly storage: Pick<Storage, 'write'>
  readonly table: Pick<ZoneTable, 'zone'>
  readonly publication: Pick<Publication, 'zoneIds' | 'storedOf'>
  readonly zones: {
    readonly reread: (zoneId: string) => Promise<void>
    readonly quarantine: { readonly has: (zoneId: string) => boolean }
  }
  readonly isWriter: () => boolean
  /** Runs this while no change of another node is being applied. */
  readonly betweenChanges: (work: () => Promise<void>) => Promise<void>
}

export function createComparedZones({
  storage,
  table,
  publication,
  zones,
  isWriter,
  betweenChanges,
}: ComparedZonesDeps): ComparedZones {
  return {
    ids: publication.zoneIds,
    async stateOf(zoneId) {
      const zone = table.zone(zoneId)
      if (zone === undefined || zones.quarantine.has(zoneId)) return undefined
      const { authority } = zone
      // Targets of aliases are looked up by each node: what is stored is compared.
      const checksum = await checksumOf(zone, publication.storedOf(zoneId))
      // A zone that changed meanwhile is compared the next time.
      const isSame = table.zone(zoneId) === zone && zone.authority === authority
      return isSame ? { serial: zone.serial, checksum } : undefined
    },
    async reread(zoneId) {
      if (!isWriter()) return betweenChanges(() => zones.reread(zoneId))
      // Between two commits of this node.
      await storage.write(async (tx) => tx.onCommit(() => zones.reread(zoneId)))
    },
  }
}
