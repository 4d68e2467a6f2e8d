// What nodes compare of the zones in memory, and how a zone that differs is read again.
import { checksumOf, type ZoneTable } from '@zonereeve/nameserver'
import type { ComparedZones, ZoneState } from '@zonereeve/nodes'
import type { Storage } from '@zonereeve/storage'
import type { Publication, ZoneSerials } from './publication.ts'

export interface ComparedZonesDeps {
  readonly storage: Pick<Storage, 'write'>
  readonly table: Pick<ZoneTable, 'zone'>
  readonly publication: Pick<Publication, 'zoneIds' | 'storedOf'>
  readonly zones: {
    readonly reread: (zoneId: string) => Promise<void>
    readonly outOfStep: () => readonly string[]
    readonly isOutOfStep: (zoneId: string) => boolean
    readonly quarantine: { readonly has: (zoneId: string) => boolean }
  }
  /** Of zones with secondaries. */
  readonly serials: ZoneSerials
  readonly isWriter: () => boolean
  /** Runs this while no change of another node is being applied. */
  readonly betweenChanges: (work: () => Promise<void>) => Promise<void>
}

export function createComparedZones({
  storage,
  table,
  publication,
  zones,
  serials,
  isWriter,
  betweenChanges,
}: ComparedZonesDeps): ComparedZones {
  return {
    ids: publication.zoneIds,
    outOfStep: zones.outOfStep,
    stateOf,
    async reread(zoneId) {
      if (!isWriter()) return betweenChanges(() => zones.reread(zoneId))
      // Between two commits of this node.
      await storage.write(async (tx) => tx.onCommit(() => rereadAtWriter(zoneId)))
    },
  }

  async function stateOf(zoneId: string): Promise<ZoneState | undefined> {
    if (zones.quarantine.has(zoneId)) return undefined
    if (zones.isOutOfStep(zoneId)) return OUT_OF_STEP
    const zone = table.zone(zoneId)
    if (zone === undefined) return undefined
    const { authority } = zone
    // Targets of aliases are looked up by each node: what is stored is compared.
    const checksum = await checksumOf(zone, publication.storedOf(zoneId))
    // A zone that changed meanwhile is compared the next time.
    const isSame = table.zone(zoneId) === zone && zone.authority === authority
    return isSame ? { serial: zone.serial, checksum } : undefined
  }

  async function rereadAtWriter(zoneId: string): Promise<void> {
    const before = await stateOf(zoneId)
    await zones.reread(zoneId)
    const after = await stateOf(zoneId)
    // Secondaries that have what was wrong would not transfer the same serial again.
    if (before?.checksum !== after?.checksum && serials.isBound(zoneId)) serials.request(zoneId)
  }
}

/** Its serial says nothing. */
const OUT_OF_STEP: ZoneState = { serial: 0, checksum: '', isOutOfStep: true }
