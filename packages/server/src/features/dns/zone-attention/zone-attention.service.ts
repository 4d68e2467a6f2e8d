// Which zones need attention, and why. What is known of all zones is put together at most every few seconds, from
// problems alone: its cost grows with these, not with the number of zones.
import { MAY_READ, type Caller, type Clock, type PageRange } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import { findZones, findZonesInAccount, zoneIdsWithin, type ZoneInAccount } from '../../zones/index.ts'
import { READERS, REASONS, type AttentionReason } from './zone-attention.rules.ts'
import { zonesWithFailedTransfer, zonesWithMalicious } from './zone-attention.store.ts'

/** How long an answer is given again. */
const CACHE_MILLIS = 5_000
/** Zones of each reason that are counted. */
const MAX_ZONES = 10_000

export interface ZoneNeedingAttention {
  readonly zone: ZoneInAccount
  readonly reasons: readonly AttentionReason[]
}

/** The part of {@link ZoneNeedingAttention} that is cached. */
interface CachedZone extends Pick<ZoneInAccount, 'id' | 'accountId' | 'name'> {
  readonly reasons: readonly AttentionReason[]
}

interface CachedZones {
  /** By name. */
  readonly zones: readonly CachedZone[]
  /** False if there are more of a reason than are counted. */
  readonly isComplete: boolean
}

export interface ZoneAttentionDeps {
  readonly storage: Reader
  readonly clock: Pick<Clock, 'now'>
  /** Zones with peers that are behind, of these or of all. */
  readonly zonesBehind: (limit: number, among?: ReadonlySet<string>) => readonly string[]
  /** Zones that are not answered, because stored data cannot be read. */
  readonly unreadableZones: () => readonly string[]
  /** Zones of each reason that are counted. */
  readonly maxZones?: number
}

export type ZoneAttention = ReturnType<typeof createZoneAttention>

export function createZoneAttention({
  storage,
  clock,
  zonesBehind,
  unreadableZones,
  maxZones = MAX_ZONES,
}: ZoneAttentionDeps) {
  let last: { readonly atMillis: number; readonly found: Promise<CachedZones> } | undefined
  return { list }

  /** A page of the zones that the caller may read, by name. */
  async function list(caller: Caller, { offset, limit }: PageRange) {
    const { zones: all, isComplete } = await findFor(caller)
    const visible = all.flatMap((zone) => {
      const may = (anyOf: readonly string[]): boolean =>
        caller.can(anyOf, { kind: 'zone', zoneId: zone.id, accountId: zone.accountId })
      if (!may(MAY_READ.zone)) return []
      const reasons = zone.reasons.filter((reason) => may(READERS[reason]))
      return reasons.length === 0 ? [] : [{ id: zone.id, reasons }]
    })
    const page = visible.slice(offset, offset + limit)
    const zones = await findZonesInAccount(
      storage,
      page.map(({ id }) => id),
    )
    return {
      zones: page.flatMap(({ id, reasons }): ZoneNeedingAttention[] => {
        const zone = zones.get(id) // deleted in the meantime
        return zone === undefined ? [] : [{ zone, reasons }]
      }),
      totalCount: visible.length,
      isComplete,
    }
  }

  /** Of all zones. If these are too many, of those that the caller may read, unless these are too many as well. */
  async function findFor(caller: Caller): Promise<CachedZones> {
    const ofAll = await findOfAll()
    if (ofAll.isComplete) return ofAll
    const ids = await zoneIdsWithin(storage, caller.reach(MAY_READ.zone, 'zone'), maxZones + 1)
    return ids.length > maxZones ? ofAll : find(new Set(ids))
  }

  function findOfAll(): Promise<CachedZones> {
    const atMillis = clock.now()
    if (last !== undefined && Math.abs(atMillis - last.atMillis) < CACHE_MILLIS) return last.found
    const found = find()
    last = { atMillis, found }
    found.catch(() => (last = undefined))
    return found
  }

  async function find(among?: ReadonlySet<string>): Promise<CachedZones> {
    const ids = among && [...among]
    const limit = maxZones + 1 // one more shows that some are left out
    const byReason: Readonly<Record<AttentionReason, readonly string[]>> = {
      unreadable: unreadableZones().filter((id) => among?.has(id) ?? true),
      transfer_failed: await zonesWithFailedTransfer(storage, limit, ids),
      secondaries_behind: zonesBehind(limit, among),
      malicious: await zonesWithMalicious(storage, limit, ids),
    }
    const reasons = new Map<string, AttentionReason[]>()
    for (const reason of REASONS)
      for (const id of byReason[reason].slice(0, maxZones)) {
        const known = reasons.get(id)
        if (known === undefined) reasons.set(id, [reason])
        else known.push(reason)
      }
    // Without zones whose own row cannot be read: a reply could not describe them.
    const zones = await findZones(storage, [...reasons.keys()])
    return {
      zones: [...reasons]
        .flatMap(([id, own]) => {
          const zone = zones.get(id)
          return zone === undefined ? [] : [{ id, accountId: zone.accountId, name: zone.name, reasons: own }]
        })
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      isComplete: REASONS.every((reason) => byReason[reason].length <= maxZones),
    }
  }
}
